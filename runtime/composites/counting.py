"""Elements counted: by value, by bins."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
from numpy.lib import _histograms_impl

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, size
from transpile.runtime.arrays.elementwise import apply, operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import cast, lift, to_weak
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import FLOAT64, INT, INT64

from .arguments import dtype_of, is_zero, no_truths
from .calls import Part, called_once, known_integer, refuse
from .hosted import hosted
from .reductions import reduce
from .sequences import as_array, copied

_internals: Any = _histograms_impl
_ends = _internals._get_outer_edges
_histogramdd: Any = np.histogramdd


@implements(np.bincount)
def bincount(x: Any, /, weights: Any = None, minlength: Any = 0) -> Any:
    """Stand for `numpy.bincount`."""
    record = recorder()
    array = as_array(x)
    if array.ndim != 1 or array.dtype.kind not in "biu" or array.dtype == np.uint64:
        refuse("bincount", "of other than a vector of integers")
    if not record.assume_nonnegative(array.dims[0] - 1):
        record.deoptimise_if(is_zero(array.dims[0]), "numpy.bincount of nothing")
    highest = to_weak(cast(lift(reduce("maximum", array, None)), INT64), INT64)
    length = record.emit("maximum", record.dim_value(record.dim(highest) + 1), record.constant(0, INT))
    no_truths(minlength)
    least = as_dim(minlength)
    if not record.assume_nonnegative(least):
        record.deoptimise_if(
            lift(operate("less", dim_scalar(least), 0)), "numpy.bincount(minlength=) below zero"
        )
    if least != 0:
        length = record.emit("maximum", length, record.dim_value(least))
    operands, named = [array], []
    if weights is not None:
        weight = as_array(weights)
        operands.append(copied(weight) if weight.copied else weight)
        named.append("weights")
    if least != 0:
        operands.append(minlength)
        named.append("minlength")
    part = Part((record.dim(length),), INT64 if weights is None else FLOAT64)
    return called_once("bincount", operands, part, named=tuple(named), certain=True)


@implements(np.digitize)
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    """Stand for `numpy.digitize`."""
    array, edges = as_array(x), as_array(bins)
    return hosted("digitize", [array, edges], array.dims or None, INT64, right=bool(right))


@implements(_internals._get_outer_edges)
def outer_edges(a: Any, range: Any) -> tuple[Any, Any]:
    """Stand for what `numpy.histogram` and its like take for the ends of the bins."""
    record, array = recorder(), as_array(a)
    if range is not None:
        first, last = range
        if not is_symbolic((first, last)):
            found: tuple[Any, Any] = _ends(np.empty(0), (first, last))
            return found
    else:
        if not record.assume_nonnegative(size(array) - 1):
            record.deoptimise_if(is_zero(size(array)), "a histogram of nothing")
        first, last = reduce("minimum", array, None), reduce("maximum", array, None)
    # Of what is out of order, or not finite, NumPy speaks itself.
    record.deoptimise_if(lift(operate("greater", first, last)), "the ends of bins are out of order")
    for end in (first, last):
        if dtype_of(end).kind in "fc":
            infinite = apply("logical_not", apply("isfinite", end))
            record.deoptimise_if(lift(infinite), "an end of bins is not finite")
    same = first == last
    if dtype_of(first).kind != "f" or dtype_of(last).kind != "f":
        record.deoptimise_if(lift(same), "the ends of bins are one integer")
        return first, last
    # A zero keeps its sign where nothing is taken from it.
    return first - _half(first, same), -(-last - _half(last, same))


def _half(end: Any, same: Any) -> Any:
    """Return one half in the dtype of an end, or nothing where the ends are not the same."""
    weak = end.weak if isinstance(end, SymbolicScalar) else isinstance(end, float)
    return same * (0.5 if weak else dtype_of(end).type(0.5))


@implements(np.histogramdd)
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """Stand for `numpy.histogramdd`: NumPy's own Python is handed a matrix, and bins for each of its columns."""
    if isinstance(sample, (list, tuple)):
        sample = Operand.call(np.transpose, Operand.call(np.atleast_2d, sample))
    if not isinstance(sample, SymbolicArray) or sample.ndim != 2:
        refuse("histogramdd", "of other than a matrix")
    columns = known_integer(dim_scalar(sample.dims[1]))
    if not isinstance(bins, (list, tuple)) and not (isinstance(bins, SymbolicArray) and bins.ndim):
        bins = [bins] * columns
    counts, edges = Operand.call(_histogramdd._implementation, sample, bins, range, None, weights)
    if not density:
        return counts, edges
    total = Operand.call(np.sum, counts)
    for axis, ends in enumerate(edges):
        around = tuple(slice(None) if place == axis else None for place in builtins.range(columns))
        counts = operate("divide", counts, Operand.call(np.diff, ends)[around])
    return operate("divide", counts, total), edges
