"""Covariances and correlations."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import INT

from .arguments import NOTHING, is_given
from .calls import Part, called_once, refuse
from .sequences import as_array


def _sides(array: SymbolicArray, rowvar: bool) -> tuple[DimLike, DimLike]:
    """Return how many variables there are, and how many observations of each."""
    if array.ndim == 1:
        return 1, array.dims[0]
    rows, columns = array.dims
    return (rows, columns) if rowvar else (columns, rows)


def _related(function: str, m: Any, y: Any, rowvar: Any, freedom: int, **known: Any) -> Any:
    record = recorder()
    arrays = [as_array(thing) for thing in (m, y) if thing is not None]
    if any(array.ndim not in (1, 2) or array.dtype.kind not in "iufc" for array in arrays):
        refuse(function, "of other than vectors and matrices of numbers")
    sides = [_sides(array, bool(rowvar)) for array in arrays]
    variables: DimLike = 0
    for side in sides:
        variables = record.normal(variables + side[0])
    count = sides[0][1]
    if len(sides) > 1:
        record.assume_equal(count, sides[1][1])
    # Of too few observations NumPy warns.
    if not record.assume_nonnegative(count - freedom - 1):
        test = record.emit("less", record.dim_value(count), record.constant(freedom + 1, INT))
        record.deoptimise_if(test, "too few observations")
    dtype = np.result_type(np.float64, *(array.dtype for array in arrays))
    one = variables == 1
    part = Part(() if one else (variables, variables), dtype, number=function == "corrcoef")
    return called_once(function, arrays, part, rowvar=bool(rowvar), **known)


@implements(np.cov)
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """Stand for `numpy.cov`."""
    if any(option is not None for option in (fweights, aweights, dtype)) or not isinstance(
        ddof, (int, type(None))
    ):
        refuse("cov", "with weights, or dtype=")
    taken = ddof if ddof is not None else 0 if bias else 1
    return _related("cov", m, y, rowvar, taken, ddof=taken)


@implements(np.corrcoef)
def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None, **refused: Any) -> Any:
    """Stand for `numpy.corrcoef`."""
    if dtype is not None or any(is_given(option, NOTHING) for option in refused.values()):
        refuse("corrcoef", "with dtype=, bias= or ddof=")
    return _related("corrcoef", x, y, rowvar, 1)
