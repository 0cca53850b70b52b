"""Calls of every function of NumPy's, by which is measured which of them compiled code computes itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import (
    algebra,
    attributes,
    creation,
    indexing,
    mathematics,
    others,
    polynomials,
    records,
    reductions,
    shapes,
    sorting,
    ufuncs,
)
from .arguments import ARGUMENTS

__all__ = ["ARGUMENTS", "Sample", "samples"]

_FAMILIES = (
    creation,
    shapes,
    indexing,
    reductions,
    sorting,
    mathematics,
    algebra,
    polynomials,
    attributes,
    records,
    others,
)
# Calls that are made for what they do to an array.
_WRITES = re.compile(
    r"np\.(lib\.recfunctions\.(assign_fields_by_name|recursive_fill_fields)|put|place|fill_diagonal|copyto|putmask|put_along_axis|random\.shuffle)\(|np\.\w+\.at\("
    r"|\w\.(sort|fill|partition|put|resize|setfield|setflags|byteswap)\("
)


@dataclass(frozen=True)
class Sample:
    """A call as text: an expression, or a statement that writes arrays."""

    family: str
    text: str

    @property
    def names(self) -> list[str]:
        """Return the names of the arguments that it is made of."""
        words = re.findall(r"(?<![\w.])[A-Za-z]\w*\b(?!['=])", re.sub(r"'[^']*'", "''", self.text))
        return [name for name in ARGUMENTS if name in words]

    @property
    def body(self) -> str:
        """Return the body of a function that makes the call, and returns what it gives and what it has written."""
        try:
            ast.parse(self.text, mode="eval")
        except SyntaxError:
            return f"{self.text}\nreturn {', '.join(self.names)}"
        if _WRITES.match(self.text):
            return f"return ({self.text}), {', '.join(self.names)}"
        return f"return {self.text}"

    @property
    def subject(self) -> str:
        """Return what is called, by the name of its row: `numpy.sum`, `numpy.add.reduce`, `ndarray.sum`; nothing where it is an operator."""
        try:
            node: Any = ast.parse(self.text, mode="eval").body
        except SyntaxError:
            return ""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            # What is asked of the result.
            node = node.value
        while isinstance(node, (ast.Subscript, ast.Call)):
            node = node.value if isinstance(node, ast.Subscript) else node.func
        return _name(node)


def _name(node: Any) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or not parts:
        return f"ndarray.{parts[-1]}" if parts else ""
    if node.id != "np":
        return f"ndarray.{parts[-1]}" if isinstance(ARGUMENTS.get(node.id), np.ndarray) else ""
    return ".".join(("numpy", *parts))


def samples() -> Iterator[Sample]:
    """Return all sample calls."""
    for family in _FAMILIES:
        name = family.__name__.rpartition(".")[2]
        yield from (Sample(name, line) for line in family.CALLS.strip().splitlines())
    yield from (Sample("ufuncs", text) for text in ufuncs.calls())
