"""Running sums, products and extrema: loops, recorded from plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import fresh
from transpile.runtime.arrays.elementwise import UFUNCS
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.numbers import cast
from transpile.runtime.arrays.recorder import recorder

from .arguments import as_dtype, normal_axis
from .axes import moveaxis
from .creation import empty_like_dims
from .reshaping import ravel
from .routines import accumulated, dtype_of_out, stored
from .sequences import as_array

# The loops that are vector code, rounding otherwise, or of zeros taking the other, where they do not read what they have just written; by kinds of dtypes.
VECTORS = {"power": "fc", "arctan2": "f", "multiply": "c", "fmax": "f", "fmin": "f"}


def _numbers(combine: Any, values: Any, result: Any) -> None:
    if len(values) > 0:
        result[0] = total = values[0]
        for place in range(1, len(values)):
            total = combine(total, values[place])
            result[place] = total


def _rows(combine: Any, values: Any, result: Any) -> None:
    if len(values) > 0:
        result[0] = values[0]
        for place in range(1, len(values)):
            combine(result[place - 1], values[place], out=result[place])


def accumulate(ufunc: np.ufunc, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """Stand for `ufunc.accumulate`."""
    source = as_array(array)
    if not source.ndim:
        # NumPy looks at `axis=` before.
        raise recorder().unsure(TypeError("cannot accumulate on a scalar"))
    if ufunc.nin != 2 or ufunc.nout != 1 or ufunc not in UFUNCS:
        recorder().unstageable("S143-ufunc", f"numpy.{ufunc.__name__}.accumulate is not staged")
    place = normal_axis(axis, source.ndim)
    dtype = dtype_of_out(ufunc, source, dtype, out)
    wanted = source.dtype if dtype is None else as_dtype(dtype)
    narrow = dtype is None and wanted.kind in "biu" and wanted.itemsize < 8
    if narrow and ufunc in (np.add, np.multiply):
        wanted = np.dtype(np.uint64 if wanted.kind == "u" else np.int64)
    loop = ufunc.resolve_dtypes(
        (None, wanted, None), signature=(dtype and wanted, None, None), reduction=True
    )
    wanted = loop[0]
    if any(one != wanted for one in loop) or wanted.kind in VECTORS.get(ufunc.__name__, ""):
        result = accumulated(ufunc, source, place, dtype and wanted)
        return result if out is None else stored(ufunc.__name__, out, result)
    values = fresh(cast(source.read(), wanted)) if wanted != source.dtype else source
    result = empty_like_dims(source.dims, wanted, source.type.order)
    body = recorder().convert(_numbers if source.ndim == 1 else _rows)
    body(ufunc, moveaxis(values, place, 0), moveaxis(result, place, 0))
    return result if out is None else stored(ufunc.__name__, out, result)


def _running(ufunc: np.ufunc, function: Any, method: str) -> None:
    def implementation(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        array = as_array(a)
        if axis is None or not array.ndim:
            if axis not in (None, 0, -1):
                normal_axis(axis, array.ndim)
            array, axis = array if array.ndim == 1 else ravel(array), 0
        return accumulate(ufunc, array, axis, dtype, out)

    implements(function, method=method)(implementation)


_running(np.add, np.cumsum, "cumsum")
_running(np.multiply, np.cumprod, "cumprod")

FUNCTIONS["accumulate"] = accumulate
