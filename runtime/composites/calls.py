"""Calls of NumPy that give several arrays, or arrays whose length only NumPy finds."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.numbers import DTYPES, as_scalar, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, DType
from transpile.runtime.quiet import no_warnings


@dataclass(frozen=True)
class Part:
    """An array among what a call gives: of `dims`, where it is `counted` of at most as many along the first axis.

    Without dims it is a number, or an array without axes where it is not a `number`.
    """

    dims: tuple[DimLike, ...]
    dtype: DType
    order: tuple[int, ...] | None = None
    counted: bool = False
    number: bool = True


def called(
    function: str,
    operands: Sequence[Any],
    parts: Sequence[Part],
    *,
    named: tuple[str, ...] = (),
    together: int = 0,
    behind: int = 0,
    leading: Any = None,
    certain: bool = False,
    **known: Any,
) -> tuple[Any, ...]:
    """Return what a function of NumPy's gives, given by its name below `numpy`; the original runs a call where it is not as `parts` say.

    The last operands are handed over under the names `named`, the first `together` as one sequence, behind what is `leading`, or the last
    `behind` as one. It is `certain` where NumPy promises the layout of the results.
    """
    record = recorder()
    if any(isinstance(operand, SymbolicArray) and operand.copied for operand in operands):
        refuse(function, "of an array whose strides run time decides, or of real or imaginary parts")
    for part in parts:
        if part.dtype not in DTYPES:
            record.unstageable("S122-dtype", f"numpy.{function} gives {part.dtype}, which is not compiled")
    attributes: dict[str, Any] = {
        "function": function,
        "known": tuple((name, _told(option)) for name, option in known.items()),
        "dims": tuple(record.normal(dim) for part in parts for dim in part.dims),
        "ranks": tuple(len(part.dims) for part in parts),
        "dtypes": "".join(part.dtype.char for part in parts),
        "orders": tuple(part.order for part in parts),
        "counted": tuple(part.counted for part in parts),
        "certain": certain,
    }
    options = {"named": named, "together": together, "behind": behind, "leading": leading}
    attributes |= {name: option for name, option in options.items() if option}
    *values, count = record.append("numpy_several", list(map(operand_value, operands)), attributes)
    if not certain:
        differs = record.emit("less", count, record.constant(0, INT))
        record.deoptimise_if(differs, f"numpy.{function} gives arrays of another kind")
    return tuple(_result(part, value, count) for part, value in zip(parts, values, strict=True))


def _told(option: Any) -> Any:
    """Return what NumPy is told by name, for the value of which tracing asks where run time gives it."""
    if isinstance(option, SymbolicScalar):
        raise NeedsValue(option.value)
    return type(option)(map(_told, option)) if type(option) in (tuple, list) else option


def operand_value(operand: Any) -> Value:
    """Return the value of what a call is handed."""
    return operand.read() if isinstance(operand, SymbolicArray) else lift(operand)


def _result(part: Part, value: Value, count: Value) -> Any:
    record = recorder()
    if not part.dims and part.number:
        return SymbolicScalar(as_scalar(value))
    result = fresh(value)
    assert isinstance(result, SymbolicArray)
    if not part.counted:
        return result
    most = record.dim_value(part.dims[0])
    length = record.emit("minimum", record.emit("maximum", count, record.constant(0, INT)), most)
    record.bounds.sizes.add(length)
    counted = result.through(result.whole().slice(0, 0, record.dim(length), 1))
    return fresh(record.emit("copy", counted.read(), order=part.order))


def called_once(function: str, operands: Sequence[Any], part: Part, **options: Any) -> Any:
    """Return what a function of NumPy's gives that gives one array or number."""
    return called(function, operands, [part], **options)[0]


@functools.cache
def _tried(function: str, dtypes: tuple[DType, ...], ranks: tuple[int, ...], known: tuple[Any, ...]) -> Any:
    arrays = [np.ones((1,) * rank, dtype) for dtype, rank in zip(dtypes, ranks, strict=True)]
    with np.errstate(all="ignore"), no_warnings():
        found = operator.attrgetter(function)(np)(*arrays, **dict(known))
    return tuple(np.asarray(part).dtype for part in (found if isinstance(found, (tuple, list)) else (found,)))


def dtypes_of(function: str, arrays: Iterable[SymbolicArray], **known: Any) -> tuple[DType, ...]:
    """Return the dtypes of what a function of NumPy's gives of arrays like these: those of arrays of one element.

    Raises NumPy's TypeError where it takes no such dtypes.
    """
    arrays = list(arrays)
    found: tuple[DType, ...] = _tried(
        function, tuple(a.dtype for a in arrays), tuple(a.ndim for a in arrays), tuple(known.items())
    )
    return found


def dtype_of_call(function: str, *arrays: SymbolicArray, **known: Any) -> DType:
    """Return the dtype of the only array that a function of NumPy's gives of arrays like these."""
    return dtypes_of(function, arrays, **known)[0]


def refuse(function: str, what: str) -> None:
    """Leave a call with these arguments to NumPy."""
    recorder().unstageable("S147-hosted", f"numpy.{function} {what}")


def known_integer(number: Any) -> int:
    """Return an integer, for the value of which tracing asks where run time gives it."""
    return int(number.__index__())
