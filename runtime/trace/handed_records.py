"""Arrays of records that are handed in: the fields that a program names are inputs of the graph, the rest is not looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recarrays import RecArray
from transpile.runtime.arrays.records import Fields, RecordArray, Seen
from transpile.runtime.graph.dim import DimLike, python_text
from transpile.runtime.graph.ir import Input, Value
from transpile.runtime.graph.records import Names, leaves_of
from transpile.runtime.views.view import View

from .path import Path

if TYPE_CHECKING:
    from .inputs import Inputs


def making(
    function: Callable[..., Any], dims: Sequence[DimLike], values: Sequence[Value], dtype: np.dtype[Any]
) -> Callable[..., np.ndarray[Any, Any]]:
    """Return a function of the numbers that `values` are, which calls one of NumPy's with a shape and a dtype."""
    names = [f"n{place}" for place in range(len(values))]
    text = "".join(f"{python_text(dim, lambda value: names[values.index(value)])}, " for dim in dims)
    shape: Callable[..., Any] = eval(f"lambda {', '.join(names)}: ({text})")

    def make(*numbers: int) -> np.ndarray[Any, Any]:
        try:
            made: np.ndarray[Any, Any] = function(shape(*numbers), dtype)
        except MemoryError:
            # The program may not come to where it asks for that much: the original runs the call.
            raise ValueError from None
        return made

    make.__name__ = function.__name__
    return make


class HandedFields(Fields):
    """The fields of an array of records that was handed in: `sizes` are the inputs that stand for its dims, which are read of whichever leaf comes first."""

    def __init__(
        self,
        inputs: Inputs,
        path: Path,
        array: np.ndarray[Any, Any],
        dims: Sequence[DimLike],
        sizes: Sequence[Input],
    ) -> None:
        self._inputs, self._path, self._array = inputs, path, array
        self._dims, self._sizes = tuple(dims), sizes
        # What stands for the array itself.
        kind = RecArray if type(array) is np.recarray else RecordArray
        self.whole = kind(self, (), View.identity(dims), array.dtype)
        self._leaves: dict[Names, SymbolicArray] = {}
        self._paths: dict[Names, Path] = {(): path}

    def leaf(self, names: Names) -> SymbolicArray:
        """Return what stands for a field that is no record."""
        if names not in self._leaves:
            array = self._array
            for name in names:
                array = array[name]
            dims = (*self._dims, *array.shape[self._array.ndim :])
            leaf = self._inputs.leaf(self.path(names), array, dims, self._array)
            for size in self._sizes:
                size.of = leaf.storage.input or 0
            self._leaves[names] = leaf
        return self._leaves[names]

    def leaves(self) -> Iterator[SymbolicArray]:
        """Yield the leaves that were asked for."""
        yield from self._leaves.values()

    def seen(self, names: Names) -> Seen:
        """Return where the records lie."""
        return Seen(self, names)

    def path(self, names: Names) -> Path:
        """Return the path to a field."""
        if names not in self._paths:
            self._paths[names] = self.path(names[:-1]).item(names[-1])
        return self._paths[names]

    def settle(self) -> None:
        """Have dims something that they are read of, where the program has asked for no field."""
        if not self._sizes or self._leaves:
            return
        for names, dtype in leaves_of(self._array.dtype):
            if dtype.base in DTYPES and dtype.base.isnative:
                self.leaf(names)
                return
        self._inputs.recorder.unstageable(
            "S122-dtype", f"{self._path} has no field of a dtype that is compiled"
        )
