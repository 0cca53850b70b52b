"""Numbers as values of the graph: lifted, cast, checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    INT,
    INT64,
    PYTHON_TYPES,
    UINT64,
    ArrayType,
    DType,
    ScalarType,
    TokenType,
    element,
    weak,
)
from transpile.runtime.views.view import View

from .array import SymbolicArray
from .recorder import recorder
from .scalar import SymbolicScalar


class _Dtypes(frozenset[np.dtype[Any]]):
    """Dtypes, of which one that is only equal to one of them is not in it: of two integer types of one size, the other."""

    def __contains__(self, dtype: object) -> bool:
        return super().__contains__(dtype) and np.dtype(dtype.str).num == dtype.num  # type: ignore[attr-defined]


# Dtypes that the graph holds; arrays of others (strings, dates, records, objects) are left to NumPy.
DTYPES = _Dtypes(
    map(np.dtype, ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"))
)


COMPLEX = np.dtype(np.complex128)


def is_number(value: Any) -> bool:
    """Whether a value is a number, symbolic or not, or a symbolic array."""
    return isinstance(value, (bool, int, float, complex, np.generic, SymbolicScalar, SymbolicArray))


def lift(value: Any) -> Value:
    """Return the graph's value of a number or symbolic value."""
    if isinstance(value, SymbolicScalar):
        return value.value
    if isinstance(value, SymbolicArray):
        return value.read()
    record = recorder()
    if type(value) in PYTHON_TYPES:
        if type(value) is int and not -(2**63) <= value < 2**63:
            record.unstageable("S120-big-integer", f"an integer of {value.bit_length()} bits is too long")
        return record.constant(value, weak(type(value)))
    if isinstance(value, np.generic) and value.dtype in DTYPES:
        return record.constant(value, ScalarType(value.dtype))
    record.unstageable("S121-value", f"a value of type {type(value).__name__} cannot be an operand")


def as_scalar(value: Value) -> Value:
    """Return the scalar of an array without axes; other values as they are."""
    if isinstance(value.type, ArrayType) and not value.type.dims:
        return recorder().emit("load", value, view=View.identity(()))
    return value


def cast(value: Value, dtype: DType) -> Value:
    """Return `value` as an array or NumPy scalar of `dtype`; a Python integer that does not fit raises NumPy's OverflowError."""
    type_ = value.type
    assert not isinstance(type_, TokenType)
    is_weak = isinstance(type_, ScalarType) and type_.weak
    if type_.dtype == dtype and not is_weak:
        return value
    record = recorder()
    if type_.dtype.kind == "c" and dtype.kind in "iuf":
        record.unstageable(
            "S146-imaginary", "complex numbers are cast to real ones, of which NumPy warns", "use .real"
        )
    if is_weak and type_.dtype == INT64 and dtype.kind in "iu":
        value = _checked_range(value, dtype)
    held = _as_held(value)
    if is_weak or dtype.kind not in "iu" or held.type != INT:
        # An integer that was made NumPy's wraps, where Python's own would be refused.
        value = held
    if value.type == ScalarType(dtype):
        return value
    op = value.op
    if op is not None and op.name == "constant":
        number = np.array(op.attributes["value"])
        with np.errstate(all="ignore"):
            held_number = number.astype(dtype)[()]
        if dtype.kind in "fc" and np.isfinite(number) and not np.isfinite(held_number):
            record.unstageable("S298-overflow", f"{number} is too large for {dtype}, of which NumPy warns")
        return record.constant(held_number, ScalarType(dtype))
    if is_weak and type_.dtype == INT64 and dtype.kind in "iu" and not _stays_within(value):
        # NumPy refuses an integer that has left 64 bits, whether the result is used or not.
        return record.emit("cast", value, dtype=dtype, refuses=True)
    return record.emit("cast", value, dtype=dtype)


def _stays_within(value: Value) -> bool:
    """Whether a Python integer cannot have left 64 bits, as none does that nothing was computed of."""
    if value.op is None or value.op.name not in ("add", "subtract", "multiply", "left_shift", "power"):
        return True
    record = recorder()
    known = record.dim(value)
    return all(record.bounds.nonnegative(2**63 - 1 + number) for number in (known, -known))


def _as_held(value: Value) -> Value:
    """Return the scalar of the same bits that a cast only made weak or strong."""
    op = value.op
    if op is not None and op.name == "cast" and isinstance(value.type, ScalarType):
        held = op.operands[0]
        if isinstance(held.type, ScalarType) and held.type.dtype == value.type.dtype:
            return _as_held(held)
    return value


def _checked_range(value: Value, dtype: DType) -> Value:
    record = recorder()
    info = np.iinfo(dtype.str)
    low, high = int(info.min), min(int(info.max), 2**63 - 1)

    def error(number: int) -> OverflowError:
        try:
            np.zeros(1, dtype.str)[0] = number
        except OverflowError as found:
            return found.with_traceback(None)
        raise AssertionError

    known = record.dim(value)
    if isinstance(known, int):
        if not low <= known <= info.max:
            raise error(known)
        return value
    number = SymbolicScalar(value)
    if low > -(2**63) and not record.bounds.nonnegative(known - low):
        raise_if(number < low, error, number)
    if high < 2**63 - 1 and not record.bounds.nonnegative(high - known):
        raise_if(number > high, error, number)
    return value


def to_weak(value: Value, dtype: DType) -> Value:
    """Return a number as a Python number of the type that `dtype` stands for; what Python's integers alone can hold is left to the original."""
    value = _as_held(value)
    if value.type == ScalarType(dtype, True):
        return value
    if element(value.type).kind == "c" and dtype.kind in "iuf":
        # Python raises of its own, and NumPy warns, but of an array without axes, which raises, too.
        recorder().unstageable("S146-imaginary", "a complex number is made a real one", "use .real")
    op = value.op
    if op is not None and op.name == "constant":
        return lift(ScalarType(dtype, True).python(op.attributes["value"]))
    if dtype == INT64 and value.type == ScalarType(UINT64):
        too_large = recorder().emit("greater", value, lift(UINT64.type(2**63 - 1)))
        recorder().deoptimise_if(too_large, "an integer that does not fit into 64 bits")
    return recorder().emit("cast", value, dtype=dtype, weak=True)


def not_negative(value: Value) -> bool:
    """Whether it is known that an integer is not negative."""
    op = value.op
    if op is not None and op.name == "cast":
        (value,) = op.operands
    elif op is not None and op.name == "constant":
        return bool(op.attributes["value"] >= 0)
    return value.type == INT and recorder().bounds.nonnegative(recorder().dim(value))


def raise_if(test: Any, exception: Callable[..., Exception], *operands: Any) -> None:
    """Raise, where `test` holds, what `exception` makes of the operands' values: now, where it is known, else at run time."""
    if isinstance(test, SymbolicScalar):
        recorder().raise_if(test.value, exception, *map(lift, operands))
    elif test:
        raise exception(*operands)
