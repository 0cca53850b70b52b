"""Reads types and numbers out of the lines of a graph's text form."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dim import DimLike
from .notation import read_number
from .tokens import Tokens
from .types import BOOL, PYTHON_NAMES, ArrayType, DType, ScalarType, TokenType, Type

_PYTHON_DTYPES = {name: dtype for dtype, name in PYTHON_NAMES.items()}
# Words with which numbers begin that do not begin with a digit.
LITERALS = frozenset(("True", "False", "nan", "inf", "bits", "complex"))


def read_type(line: Tokens) -> Type:
    """Take a type."""
    quoted = line.kind() == "string"
    name = line.string() if quoted else line.next()
    if name == "token" and line.accept("["):
        resource = line.next()
        line.expect("]")
        return TokenType(resource)
    if not line.accept("["):
        if name == "bool_":
            return ScalarType(BOOL)
        weak = not quoted and name in _PYTHON_DTYPES
        return ScalarType(_PYTHON_DTYPES[name], True) if weak else ScalarType(_dtype(name, line))
    order = None
    dims: list[DimLike] = []
    while not line.accept("]"):
        if line.accept("order", "=", "("):
            order = tuple(line.listed(line.integer, ")"))
        else:
            dims.append(line.dim())
        line.accept(",")
    return ArrayType(_dtype(name, line), tuple(dims), order)


def _dtype(name: str, line: Tokens) -> DType:
    try:
        return np.dtype(name)
    except TypeError:
        line.fail(f"{name!r} is no type")


def read_literal(line: Tokens) -> str:
    """Take the text of a number."""
    if line.peek() == "bits":
        line.expect("bits", "(")
        text = f"bits({line.next()})"
        line.expect(")")
        return text
    if line.accept("complex", "("):
        real, imaginary = line.listed(line.number, ")")
        return f"complex({real}, {imaginary})"
    return line.number()


def read_literals(line: Tokens) -> list[str]:
    """Take the texts of numbers in nested brackets, as one list."""
    if line.accept("["):
        return [text for texts in line.listed(lambda: read_literals(line), "]") for text in texts]
    return [read_literal(line)]


def number_of(text: str, type_: ScalarType) -> Any:
    """Return the number of a type that a text is."""
    number = read_number(text, type_.dtype)
    return type_.python(number) if type_.weak else number
