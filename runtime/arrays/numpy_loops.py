"""The loops that NumPy chooses for operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    BOOL,
    FLOAT64,
    INT64,
    UINT64,
    DType,
    ScalarType,
    TokenType,
    Type,
    dims_of,
)
from transpile.runtime.ops.elementwise import (
    COMPARISONS,
    loop_dtypes,
)
from transpile.runtime.ops.table import TABLE

from .broadcasting import agree, broadcast_error
from .numbers import DTYPES, cast, not_negative
from .recorder import recorder


def strong_operands(name: str, values: Sequence[Value], dtype: DType | None) -> list[Value]:
    """Return the operands cast to NumPy's loop, once their dims agree."""
    types = [value.type for value in values]
    all_weak = all(isinstance(type_, ScalarType) and type_.weak for type_ in types)
    if all_weak:
        values = [cast(value, value.type.dtype) for value in values]  # type: ignore[union-attr]
        types = [value.type for value in values]
    asked = tuple(map(asked_of, types))
    if dtype is not None:
        ufunc = TABLE[name].numpy
        loop = ufunc.resolve_dtypes(
            (*asked, *[None] * ufunc.nout), signature=(None,) * len(asked) + (dtype,) * ufunc.nout
        )
    elif (
        name in COMPARISONS
        and any(a is int for a in asked)
        and all(a is int or np.dtype(a).kind in "biu" for a in asked)
    ):
        return _compare_with_integer(name, values, asked)
    else:
        try:
            loop = loop_dtypes(name, asked)
        except TypeError as error:
            # NumPy's own, raised here for the program: see Note [Attempts]. It names Python's numbers as such, and its scalars' operators have words of their own.
            if all(isinstance(type_, ScalarType) for type_ in types):
                recorder().unsure(error)
            raise error.with_traceback(None) from None
    # Of two integer types of one size, a loop may take the one that the graph has not: operands are cast to their equal.
    loop = (*(np.dtype(dtype_.str) for dtype_ in loop[: len(values)]), *loop[len(values) :])
    for dtype_ in loop:
        if dtype_ not in DTYPES:
            recorder().unstageable("S122-dtype", f"the dtype {dtype_} is not compiled")
    agree([dims_of(type_) for type_ in types], broadcast_error)
    held = zip(values, loop, asked, strict=False)
    return [_cast_first(value, to) if kind is float else cast(value, to) for value, to, kind in held]


def _cast_first(value: Value, dtype: DType) -> Value:
    """Return a Python float as a number of a loop, which NumPy makes of it before it calls that, and warns of by itself in each call."""
    if dtype == FLOAT64 or (value.op is not None and value.op.name == "constant"):
        return cast(value, dtype)
    record = recorder()
    # Not one that was computed before, which would be reported once.
    (held,) = record.append("cast", (value,), {"dtype": dtype})
    record.report(held, "cast")
    return held


def asked_of(type_: Type) -> Any:
    """Return what NumPy looks for a loop by: a dtype, or Python's type of a weak number; a Python bool counts as NumPy's."""
    assert not isinstance(type_, TokenType)
    is_weak = isinstance(type_, ScalarType) and type_.weak and type_.dtype != BOOL
    return type_.python if is_weak else type_.dtype  # type: ignore[union-attr]


def _fits(value: Value, dtype: DType) -> bool:
    """Whether a Python integer is known to be in the range of a dtype."""
    known = recorder().dim(value)
    limits: Any = np.iinfo(dtype)
    return isinstance(known, int) and limits.min <= known <= limits.max


def _compare_with_integer(name: str, values: Sequence[Value], asked: tuple[Any, ...]) -> list[Value]:
    """Return operands to compare integers with a Python integer, which NumPy does exactly, whatever the dtype's range."""
    own = next(a for a in asked if a is not int)
    if own != BOOL and all(_fits(v, own) for v, a in zip(values, asked, strict=True) if a is int):
        return [cast(v, own) for v in values]
    if np.dtype(np.uint64) in asked:
        # A Python integer that may be negative is then less than all: as int64 it compares exactly, though not in one instruction.
        return [
            (cast(v, UINT64) if not_negative(v) else cast(v, INT64)) if a is int else v
            for v, a in zip(values, asked, strict=True)
        ]
    return [cast(v, INT64) for v in values]
