"""Whether arrays are equal, or nearly so."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.numbers import as_scalar, cast, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.truth import truth
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import FLOAT64

from .arguments import result_dtype
from .reductions import reduce
from .selection import where
from .sequences import as_array
from .ufuncs import as_operand


@implements(np.isclose)
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Stand for `numpy.isclose`."""
    record = recorder()
    x, y = (as_operand(operand) for operand in (a, b))
    wanted = result_dtype(y, 1.0)
    if isinstance(y, SymbolicArray):
        y = fresh(cast(y.read(), wanted)) if y.dtype != wanted else y
    else:
        y = SymbolicScalar(cast(as_scalar(lift(y)), wanted if _is_strong(y) else FLOAT64))
        if not _is_strong(b):
            y = SymbolicScalar(record.emit("cast", y.value, dtype=FLOAT64, weak=True))
    for tolerance in (rtol, atol):
        if isinstance(tolerance, SymbolicScalar):
            finite = lift(apply("isfinite", tolerance))
            record.deoptimise_if(record.emit("logical_not", finite), "a tolerance is not finite")
        elif not isinstance(tolerance, (int, float)):
            record.unstageable("S144-keyword", "numpy.isclose with arrays of tolerances")
        elif not np.isfinite(tolerance):
            record.unstageable("S144-keyword", "numpy.isclose with infinite tolerances, of which NumPy warns")
    # Infinities are set aside first, so that nothing invalid is computed of them; NumPy computes it and says nothing.
    finite = apply("isfinite", y)
    if isinstance(y, SymbolicScalar) and y.weak:
        # What is computed of numbers of Python's alone stays one.
        zero = SymbolicScalar(record.constant(y.python_type(0), y.type))
        tame = SymbolicScalar(record.emit("select", lift(finite), y.value, zero.value))
        size = abs(tame)
    else:
        tame = where(finite, y, 0.0)
        tame = SymbolicScalar(as_scalar(lift(tame))) if not tame.ndim else tame
        size = apply("absolute", tame)
    bound = operate("add", atol, operate("multiply", rtol, size))
    near = apply("less_equal", apply("absolute", operate("subtract", x, tame)), bound)
    result = apply("logical_or", apply("logical_and", near, finite), operate("equal", x, y))
    if equal_nan:
        both = apply("logical_and", apply("isnan", x), apply("isnan", y))
        result = apply("logical_or", result, both)
    return result


def _is_strong(thing: Any) -> bool:
    if isinstance(thing, SymbolicScalar):
        return not thing.weak
    return isinstance(thing, (SymbolicArray, np.generic, np.ndarray))


@implements(np.allclose)
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Stand for `numpy.allclose`, which gives Python's bool."""
    return truth(reduce("logical_and", isclose(a, b, rtol, atol, equal_nan), None))


@implements(np.array_equal)
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    """Stand for `numpy.array_equal`, which gives Python's bool."""
    one, two = as_array(a1), as_array(a2)
    if one.ndim != two.ndim or not all(map(_agree, one.dims, two.dims)):
        return False
    same = operate("equal", one, two)
    if equal_nan and one.dtype.kind in "fc" and two.dtype.kind in "fc":
        same = apply("logical_or", same, apply("logical_and", apply("isnan", one), apply("isnan", two)))
    return truth(reduce("logical_and", same, None))


def _agree(one: DimLike, other: DimLike) -> bool:
    """Whether two dims are equal, from now on: as in the call at hand; the original runs one where run time finds them to differ."""
    record = recorder()
    if record.speculate(one - other - 1) or record.speculate(other - one - 1):
        return False
    if record.assume_equal(one, other):
        return True
    if isinstance(one, int) and isinstance(other, int):
        return False
    test = record.emit("not_equal", record.dim_value(one), record.dim_value(other))
    record.deoptimise_if(test, "the shapes of two arrays that are compared differ")
    return True


@implements(np.array_equiv)
def array_equiv(a1: Any, a2: Any) -> Any:
    """Stand for `numpy.array_equiv`, which gives Python's bool."""
    one, two = as_array(a1), as_array(a2)
    for first, second in zip(reversed(one.dims), reversed(two.dims), strict=False):
        if first != 1 and second != 1 and not _agree(first, second):
            return False
    same = operate("equal", one, two)
    return truth(reduce("logical_and", same, None))
