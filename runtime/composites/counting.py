"""Elements counted: by value, by bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim, is_integer
from transpile.runtime.arrays.numbers import cast, lift, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import FLOAT64, INT, INT64

from .arguments import is_zero
from .calls import Part, called, called_once, refuse
from .hosted import hosted
from .reductions import reduce
from .sequences import as_array


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
    least = as_dim(minlength)
    if least != 0:
        length = record.emit("maximum", length, record.dim_value(least))
    operands, named = [array], []
    if weights is not None:
        operands.append(as_array(weights))
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


def _edges(function: str, array: SymbolicArray, bins: Any, span: Any) -> tuple[Any, DimLike, np.dtype[Any]]:
    """Return what is handed over for bins, how many there are, and the dtype of their edges."""
    if isinstance(bins, str) or array.dtype.kind not in "iuf":
        refuse(function, "with bins that it chooses, or of other than real numbers")
    if span is not None and is_symbolic(span) and array.dtype != FLOAT64:
        refuse(function, "with a range that run time gives")
    if is_integer(bins) or (isinstance(bins, SymbolicArray) and not bins.ndim):
        known = None if span is None or is_symbolic(span) else tuple(span)
        edges = np.histogram_bin_edges(np.ones(2, array.dtype), 2, known)
        return bins, as_dim(bins), edges.dtype
    edges = as_array(bins)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    return edges, edges.dims[0] - 1, edges.dtype


@implements(np.histogram)
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    """Stand for `numpy.histogram`."""
    array = as_array(a)
    given, count, dtype = _edges("histogram", array, bins, range)
    parts = [Part((count,), INT64), Part((recorder().normal(count + 1),), dtype)]
    operands: list[Any] = [array, given]
    named: tuple[str, ...] = ("bins",)
    known: dict[str, Any] = {}
    if range is not None:
        if is_symbolic(range):
            operands, named = [*operands, as_array(range)], (*named, "range")
        else:
            known["range"] = tuple(range)
    if weights is not None:
        weight = as_array(weights)
        parts[0] = Part((count,), weight.dtype)
        operands, named = [*operands, weight], (*named, "weights")
    if density:
        known["density"] = True
        parts[0] = Part((count,), FLOAT64)
    found, edges = called("histogram", operands, parts, named=named, **known)
    return found, given if isinstance(given, SymbolicArray) else edges


@implements(np.histogram_bin_edges)
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """Stand for `numpy.histogram_bin_edges`."""
    array = as_array(a)
    given, count, dtype = _edges("histogram_bin_edges", array, bins, range)
    if isinstance(given, SymbolicArray) or weights is not None or is_symbolic(range):
        refuse("histogram_bin_edges", "with these arguments")
    part = Part((recorder().normal(count + 1),), dtype)
    known = {} if range is None else {"range": tuple(range)}
    return called_once("histogram_bin_edges", [array, given], part, named=("bins",), **known)
