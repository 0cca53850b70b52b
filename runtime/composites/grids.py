"""Arrays written as indices: `r_`, `c_`, `mgrid`, `ogrid`."""

from __future__ import annotations

import math
import types
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.indexing import as_dim, is_integer
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import is_number, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import FLOAT64

from .arguments import as_dtype, result_dtype
from .joining import joined
from .sequences import array, as_array


class Joined:
    """What stands for `numpy.r_` or `numpy.c_`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.original = getattr(np, name)

    def __len__(self) -> int:
        return len(self.original)

    def __getitem__(self, key: Any) -> Any:
        items = key if isinstance(key, tuple) else (key,)
        if any(isinstance(item, str) for item in items):
            recorder().unstageable("S147-hosted", f"numpy.{self.name} with directives")
        least, columns = self.original.ndmin, self.original.trans1d != -1
        parts = [self._part(item, least, columns) for item in items]
        wanted = as_dtype(
            result_dtype(*(part.dtype if isinstance(part, SymbolicArray) else part for part in parts))
        )
        arrays = [array(part, wanted, copy=None, ndmin=least) for part in parts]
        axis = self.original.axis
        return joined(arrays, axis % arrays[0].ndim if arrays else axis)

    def _part(self, item: Any, least: int, columns: bool) -> Any:
        if isinstance(item, slice):
            start, step = (
                default if given is None else given for given, default in ((item.start, 0), (item.step, 1))
            )
            if isinstance(step, complex):
                part = FUNCTIONS[np.linspace](start, item.stop, num=int(abs(step)))
            else:
                part = FUNCTIONS[np.arange](start, item.stop, step)
        elif is_number(item) and not isinstance(item, SymbolicArray):
            return item
        else:
            part = as_array(item)
        lacks = least - part.ndim
        view = part.whole()
        for _ in range(lacks):
            # A vector is a column where columns are joined.
            view = view.insert(part.ndim if columns else 0)
        return part.through(view) if lacks > 0 else part


class Grid:
    """What stands for `numpy.mgrid` or `numpy.ogrid`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.original = getattr(np, name)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (list, StagedList)):
            key = tuple(key)
        keys = key if isinstance(key, tuple) else (key,)
        if not any(is_symbolic(bound) for k in keys for bound in (k.start, k.stop, k.step)):
            found = self.original[key]
            return tuple(map(_table, found)) if isinstance(found, tuple) else _table(found)
        bounds = [(0 if k.start is None else k.start, k.stop, 1 if k.step is None else k.step) for k in keys]
        if not isinstance(key, tuple) and not _is_complex(bounds[0][2]):
            return FUNCTIONS[np.arange](*bounds[0])
        wanted = np.dtype(np.int64)
        if all(is_integer(number) for bound in bounds for number in bound):
            lines = [self._line(*bound) for bound in bounds]
        else:
            numbers = [_size_of(n) if _is_complex(n) else n for bound in bounds for n in bound]
            wanted = result_dtype(0, *numbers)
            if wanted != FLOAT64:
                recorder().unstageable("S147-hosted", f"numpy.{self.name} of numbers of {wanted}")
            lines = [self._line_of_floats(*bound) for bound in bounds]
        if not isinstance(key, tuple):
            return lines[0]
        views = [self._beside(line, axis, len(lines)) for axis, line in enumerate(lines)]
        if self.original.sparse:
            return tuple(views)
        result = FUNCTIONS[np.empty]((len(lines), *(dim_scalar(line.dims[0]) for line in lines)), wanted)
        for axis, view in enumerate(views):
            result[axis] = view
        return result

    def _line(self, start: Any, stop: Any, step: Any) -> SymbolicArray:
        """Return the numbers along one axis."""
        if not isinstance(step, int) or step < 1:
            recorder().unstageable("S147-hosted", f"numpy.{self.name} with a step that is not positive")
        if not recorder().assume_nonnegative(as_dim(stop) - as_dim(start)):
            # NumPy's arange gives nothing then, where this one fails.
            test = lift(operate("less", stop, start))
            recorder().deoptimise_if(test, f"numpy.{self.name} ends before it starts")
        line = FUNCTIONS[np.arange](start, stop, step)
        assert isinstance(line, SymbolicArray)
        return line

    def _line_of_floats(self, start: Any, stop: Any, step: Any) -> SymbolicArray:
        """Return the numbers along one axis, of which one at least is a float; a complex step says how many there are."""
        distance = operate("subtract", stop, start)
        if _is_complex(step):
            count = step = FUNCTIONS[int](_size_of(step))
            if isinstance(count, SymbolicScalar):
                alone = lift(operate("equal", count, 1))
                recorder().deoptimise_if(alone, f"an axis of numpy.{self.name} has one place")
            if isinstance(count, SymbolicScalar) or count != 1:
                step = operate("divide", distance, FUNCTIONS[float](operate("subtract", count, 1)))
        else:
            count = FUNCTIONS[math.ceil](operate("divide", distance, step))
        if isinstance(count, SymbolicScalar):
            test = lift(operate("less", count, 0))
            recorder().deoptimise_if(test, f"numpy.{self.name} ends before it starts")
        places = FUNCTIONS[np.arange](count, dtype=FLOAT64)
        line = operate("add", operate("multiply", places, step), start)
        assert isinstance(line, SymbolicArray)
        return line

    def _beside(self, line: SymbolicArray, axis: int, ndim: int) -> SymbolicArray:
        view = line.whole()
        for other in range(ndim):
            if other != axis:
                view = view.insert(other)
        return line.through(view)


def _is_complex(number: Any) -> bool:
    return isinstance(number, (complex, np.complexfloating)) or (
        isinstance(number, SymbolicScalar) and number.type.dtype.kind == "c"
    )


def _size_of(step: Any) -> Any:
    """Return the magnitude of a complex step: how many numbers there are."""
    return FUNCTIONS[abs](step)


def _table(known: Any) -> Any:
    """Return a new array of known numbers."""
    as_dtype(known.dtype)
    return fresh(recorder().emit("table", array=np.ascontiguousarray(known)))


# What stands for objects of NumPy's that are no functions, by the objects' names and identities.
STAND_INS: dict[str, Any] = {
    "r_": Joined("r_"),
    "c_": Joined("c_"),
    "mgrid": Grid("mgrid"),
    "ogrid": Grid("ogrid"),
}
BY_IDENTITY: dict[int, Any] = {id(getattr(np, name)): stand_in for name, stand_in in STAND_INS.items()}


_NUMPY = types.ModuleType("numpy")


def numpy_with_stand_ins() -> types.ModuleType:
    """Return NumPy as it is now, with stand-ins in the places of the objects that have some."""
    vars(_NUMPY).update({**vars(np), **STAND_INS})
    return _NUMPY
