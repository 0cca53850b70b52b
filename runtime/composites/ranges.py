"""Arrays of equidistant numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import as_scalar, cast, lift, raise_if
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import FLOAT64, INT, INT64

from .arguments import NOTHING, as_dtype, dtype_of, is_given, no_device, result_dtype


@implements(np.arange)
def arange(
    start: Any = NOTHING,
    stop: Any = None,
    step: Any = None,
    dtype: Any = None,
    *,
    device: Any = None,
    like: Any = None,
) -> Any:
    """Stand for `numpy.arange`."""
    no_device(like, device)
    record = recorder()
    if start is None or (start is NOTHING and stop is None):
        raise record.unsure(TypeError("arange() requires stop to be specified."))
    if stop is None:
        start, stop = 0, start
    start = 0 if start is NOTHING else start
    step = 1 if step is None else step
    if any(isinstance(part, SymbolicArray) and part.ndim for part in (start, stop, step)):
        record.unstageable("S241-arange", "numpy.arange of an array")
    if dtype is not None and as_dtype(dtype).kind == "b":
        record.unstageable("S241-arange", "numpy.arange of truths, of which there are at most two")
    kinds = [dtype_of(part) for part in (start, stop, step)]
    if any(kind.kind not in "iub" for kind in kinds):
        return _float_arange(start, stop, step, dtype, kinds)
    # NumPy promotes the dtype of its own integers by those of the numbers.
    wanted = as_dtype(dtype, INT64)
    low, high, by = as_dim(start), as_dim(stop), as_dim(step)
    _check_narrow((start, stop), high - low)
    _check_narrow((start, step), low + by)
    if by == 1 and record.assume_nonnegative(high - low):
        length: DimLike = high - low
    elif isinstance(by, int) and by:
        length = record.dim(
            record.emit("slice_length", record.dim_value(low), record.dim_value(high), step=by)
        )
    elif by == 0:
        raise ZeroDivisionError("division by zero")
    else:
        return record.unstageable("S241-arange", "numpy.arange with a step that run time gives")
    values = fresh(record.emit("iota", dims=(length,)))
    if by != 1:
        values = operate("multiply", values, dim_scalar(by))
    if low != 0:
        values = operate("add", values, dim_scalar(low))
    return fresh(cast(lift(values), wanted))


def _check_narrow(numbers: tuple[Any, ...], exact: DimLike) -> None:
    """Leave a call to the original in which NumPy computes with its own integers of few bits, and what it gets is not `exact`."""
    own = [dtype_of(number) for number in numbers if _is_strong(number)]
    if not own or np.result_type(*own) == INT64:
        return
    dtype = np.result_type(*own)
    if dtype.kind == "b" or dtype == np.uint64 or dtype.kind == "f":
        recorder().unstageable(
            "S241-arange", "numpy.arange of NumPy's truths, or of its unsigned integers of 64 bits"
        )
    limits, number = np.iinfo(dtype), dim_scalar(exact)
    for outside in (number < int(limits.min), number > int(limits.max)):
        recorder().deoptimise_if(lift(outside), "an integer of few bits wraps around in numpy.arange")


def _is_strong(number: Any) -> bool:
    return not (number.weak if isinstance(number, SymbolicScalar) else type(number) in (bool, int, float))


def _float_arange(start: Any, stop: Any, step: Any, dtype: Any, kinds: list[Any]) -> Any:
    record = recorder()
    wanted = as_dtype(dtype, FLOAT64)
    for number, kind in zip((start, stop, step), kinds, strict=True):
        if _is_strong(number) and kind not in (FLOAT64, INT64):
            record.unstageable(
                "S241-arange", "numpy.arange of floats together with NumPy's own numbers of fewer bits"
            )
        if kind.kind in "iu":
            # NumPy takes the distance of integers before it makes a float of it.
            for large in (number > 2**53, number < -(2**53)):
                if isinstance(large, SymbolicScalar):
                    record.deoptimise_if(large.value, "an integer that no float holds in numpy.arange")
                elif large:
                    record.unstageable(
                        "S241-arange", "numpy.arange of floats and an integer that no float holds"
                    )
    if wanted.kind != "f" or any(kind.kind == "c" for kind in kinds):
        record.unstageable("S241-arange", "numpy.arange of floats in a dtype of another kind")
    count = operate("divide", operate("subtract", stop, start), step)
    raise_if(operate("not_equal", count, count), lambda: ValueError("arange: cannot compute length"))
    for beyond in (
        operate("greater_equal", count, 2.0**63),
        operate("less_equal", count, -(2.0**63) - 1025.0),
    ):
        raise_if(beyond, lambda: ValueError("Maximum allowed size exceeded"))
    length = record.emit("arange_length", *(cast(lift(part), FLOAT64) for part in (start, stop, step)))
    places = fresh(record.emit("iota", dims=(record.dim(length),)))
    # NumPy computes the first two elements, converts them to the result's dtype, and goes on by their difference.
    first = SymbolicScalar(cast(lift(start), wanted))
    second = SymbolicScalar(cast(lift(operate("add", _float64(start), _float64(step))), wanted))
    steps = apply("multiply", fresh(cast(places.read(), wanted)), operate("subtract", second, first))
    values = lift(apply("add", first, steps))
    for place, number in ((1, second), (0, first)):
        is_here = lift(apply("equal", places, np.int64(place)))
        values = record.emit("select", is_here, lift(number), values)
    return fresh(values)


def _float64(number: Any) -> SymbolicScalar:
    return SymbolicScalar(cast(lift(number), FLOAT64))


def _strong(number: Any) -> Any:
    """Return a number as NumPy's scalar of its own dtype."""
    return SymbolicScalar(cast(as_scalar(lift(number)), dtype_of(number)))


_linspace: Any = np.linspace


@implements(np.linspace)
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """Stand for `numpy.linspace` between numbers, in the order of operations that NumPy computes it in."""
    record = recorder()
    no_device(None, device)
    count = as_dim(num)
    if not record.assume_nonnegative(count):
        raise_if(dim_scalar(count) < 0, _negative_count, dim_scalar(count))
    ends = [as_scalar(lift(end)) for end in (start, stop)]
    if is_given(axis, 0) or any(hasattr(end.type, "dims") for end in ends):
        # Between arrays, and where an axis is named that may not be there, NumPy's own Python is traced.
        written = _linspace._implementation
        return Operand.call(written, start, stop, num, endpoint, retstep, dtype, axis)
    start, stop = map(SymbolicScalar, ends)
    inner = np.result_type(result_dtype(start, stop), 0.0)
    wanted = as_dtype(dtype, inner)
    intervals = count - 1 if endpoint else count
    some = record.bounds.nonnegative(intervals - 1)
    if retstep and not some and not record.assume_nonnegative(intervals - 1):
        test = record.emit("less", record.dim_value(intervals), record.constant(1, INT))
        record.deoptimise_if(test, "numpy.linspace has no step")
    start, stop = _strong(start), _strong(stop)
    first, last = (SymbolicScalar(cast(lift(end), inner)) for end in (start, stop))
    delta = apply("subtract", last, first)
    some = some or record.bounds.nonnegative(intervals - 1)
    divisor: Any = dim_scalar(intervals)
    place: Any = divisor
    if not some:
        # Where there is no interval NumPy multiplies by the whole distance, and sets no last element.
        test = lift(operate("greater", divisor, 0))
        place = SymbolicScalar(record.emit("select", test, lift(divisor), lift(-1)))
        divisor = SymbolicScalar(record.emit("select", test, lift(divisor), lift(1)))
    step = operate("divide", delta, divisor)
    # A step that is too small for a number is not taken, but the places are divided first; else by 1, which changes nothing.
    zero = lift(operate("equal", step, inner.type(0)))
    scale = record.emit("select", zero, lift(delta), lift(step))
    by = record.emit("select", zero, cast(lift(divisor), inner), cast(lift(1), inner))
    places = record.emit("iota", dims=(count,))
    values = apply("divide", fresh(cast(places, inner)), SymbolicScalar(by))
    values = apply("multiply", values, SymbolicScalar(scale))
    values = fresh(cast(lift(apply("add", values, start)), inner))
    if endpoint:
        is_last = apply("equal", fresh(places), SymbolicScalar(cast(lift(place), INT64)))
        values = fresh(record.emit("select", lift(is_last), lift(last), lift(values)))
    if wanted.kind in "iu":
        values = apply("floor", values)
    values = fresh(cast(lift(values), wanted))
    return (values, step) if retstep else values


def _negative_count(number: int) -> ValueError:
    return ValueError(f"Number of samples, {number}, must be non-negative.")
