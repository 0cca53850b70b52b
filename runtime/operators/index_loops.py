"""Loops over the indices of arrays: `ufunc.at`, `ndindex`, `ndenumerate`, `nditer`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.advanced import select
from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.functions import FUNCTIONS, Method, implements
from transpile.runtime.arrays.indexing import as_dim, broadcast_to, fit
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.composites.arguments import as_dims
from transpile.runtime.composites.sequences import as_array
from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.quiet import no_warnings

from .iteration import for_loop
from .streams import Flattened, Foreign, Generated, generated
from .traversal import Stream, SymbolicRange


def _at(ufunc: np.ufunc, array: Any, indices: Any, *values: Any) -> None:
    """Stand for `ufunc.at`: as often as a place comes, one time after the other."""
    record = recorder()
    if not isinstance(array, SymbolicArray) or ufunc.nout != 1 or ufunc.nin != 1 + len(values):
        record.unstageable("S143-ufunc", f"numpy.{ufunc.__name__}.at with these arguments")
    if array.dtype.kind == "c" and ufunc in (np.multiply, np.square):
        # One element after the other is not vector code, which rounds otherwise.
        record.unstageable("S143-ufunc", f"numpy.{ufunc.__name__}.at of complex numbers")
    # Of nothing, too, NumPy looks whether it has a loop.
    ones = (np.ones(1, one.dtype) for one in (array, *map(as_array, values)))
    with np.errstate(all="ignore"), no_warnings():
        ufunc.at(next(ones), [0], *ones)
    keys = indices if isinstance(indices, tuple) else (indices,)
    apply: Callable[..., Any] = FUNCTIONS[np.ufunc]
    if not any(isinstance(key, (SymbolicArray, list, np.ndarray)) for key in keys):
        shown = array[keys if any(key is Ellipsis for key in keys) else (*keys, Ellipsis)]
        apply(ufunc, "__call__", shown, *map(as_array, values), out=shown, casting="unsafe")
        return
    # Each is counted from the front where it is used, so that they are not stored.
    selection = select(array, indices, from_front=False)
    found = selection.indices()
    shown = selection.array
    axes = selection.result_axes()
    dims = (*selection.dims, *shown.dims[len(found) :])
    spread = [_spread(value, tuple(dims[axis] for axis in axes), axes) for value in values]
    places, given = list(map(fresh, found)), list(map(fresh, spread))

    def turn(place: tuple[Any, ...]) -> None:
        target = shown[(*(index[place] for index in places), Ellipsis)]
        apply(ufunc, "__call__", target, *(value[place] for value in given), out=target, casting="unsafe")

    _each(selection.dims, turn)


def _spread(value: Any, shown: Sequence[DimLike], axes: list[int]) -> Value:
    """Return a value as it stands now, spread over what an index shows, with the axes of the index first."""
    lifted = lift(as_array(value))
    if len(dims_of(lifted.type)) > len(shown):
        raise _at_error(())
    spread = fresh(broadcast_to(fit(lifted, dims_of(lifted.type), tuple(shown), _at_error), tuple(shown)))
    assert isinstance(spread, SymbolicArray)
    back = spread.whole().transpose([axes.index(axis) for axis in range(len(axes))])
    return spread.through(back).read()


def _at_error(shapes: Any) -> ValueError:
    return ValueError("array is not broadcastable to correct shape")


def _each(
    dims: Sequence[DimLike], turn: Callable[[tuple[Any, ...]], None], before: tuple[Any, ...] = ()
) -> None:
    """Run a turn for each index of some dims, in one loop for each of them: what is broadcast along an axis need not be stored."""
    if len(before) == len(dims):
        turn(before)
        return
    count = dim_scalar(dims[len(before)])
    for_loop(SymbolicRange.of(count), lambda place: _each(dims, turn, (*before, place)), ())


FUNCTIONS["at"] = _at


# -- iterators ----------------------------------------------------------------------------------------------------


def _indices(dims: Sequence[DimLike], kind: type, before: tuple[Any, ...] = ()) -> Stream:
    """Return the indices of an array of some dims, the last one running fastest."""
    if not dims:
        return Foreign(iter([before]))
    first, *rest = dims
    turns = SymbolicRange.of(dim_scalar(first))
    if not rest:
        return generated(turns, lambda place: (*before, place), None, kind)
    return Flattened(generated(turns, lambda place: _indices(rest, kind, (*before, place)), None, kind), kind)


@implements(np.ndindex)
def ndindex(*shape: Any) -> Stream:
    """Stand for `numpy.ndindex`."""
    if len(shape) == 1 and isinstance(shape[0], tuple):
        (shape,) = shape
    return _indices(as_dims(shape), np.ndindex)


@implements(np.ndenumerate)
def ndenumerate(arr: Any) -> Stream:
    """Stand for `numpy.ndenumerate`."""
    array = as_array(arr)
    return generated(
        _indices(array.dims, np.ndindex), lambda index: (index, _element(array[index])), None, np.ndenumerate
    )


def _element(thing: Any) -> Any:
    return thing if isinstance(thing, SymbolicScalar) else thing[()]


class Visit(Generated):
    """The elements of an array, one after the other, as arrays without axes; a context manager."""

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class Indexed(Visit):
    """The elements of an array, with the index of the one at hand: it is gone through by a loop over it, or step by step.

    How many steps were taken, and where the loop is, stand in lists, which loops on run-time values carry along.
    """

    def __init__(self, dims: Sequence[DimLike], shown: Callable[[tuple[Any, ...]], Any]) -> None:
        self.dims, self.shown = tuple(dims), shown
        self.steps: list[Any] = [0]
        self.now: list[Any] = [(0,) * len(self.dims)]
        self.loops = False
        super().__init__(_indices(dims, np.ndindex), self._at, None, np.nditer)

    def _at(self, index: tuple[Any, ...]) -> Any:
        self.loops = True
        self.now[0] = index
        return self.shown(index)

    def held(self) -> Iterator[Any]:
        """Yield the indices, the array, and where the iterator is."""
        yield from (*super().held(), self.shown, self.steps, self.now)

    @property
    def finished(self) -> Any:
        """Whether all elements were gone through."""
        self._refuse_loop()
        return dim_scalar(as_dim(self.steps[0])) == dim_scalar(recorder().normal(product(self.dims)))

    @property
    def multi_index(self) -> tuple[Any, ...]:
        """The index of the element at hand."""
        if self.loops:
            return tuple(self.now[0])
        step, index = self.steps[0], []
        recorder().deoptimise_if(lift(self.finished), "an iterator over an array is past its end")
        for dim in map(dim_scalar, reversed(self.dims[1:])):
            index.append(step % dim)
            step = step // dim
        return (step, *reversed(index))[-len(self.dims) :] if self.dims else ()

    @property
    def iternext(self) -> Any:
        """The method that goes on to the next element, and tells whether there is one."""
        return Method(self, "iternext", Indexed._next)

    def _next(self) -> Any:
        self._refuse_loop()
        self.steps[0] = self.steps[0] + 1
        return self.finished == False  # noqa: E712

    def __getitem__(self, key: Any) -> Any:
        """Return the element at hand."""
        if key != 0 or isinstance(key, bool):
            recorder().unstageable("S215-nditer", "numpy.nditer is indexed")
        return self.shown(self.multi_index)

    def _refuse_loop(self) -> None:
        if self.loops:
            recorder().unstageable("S215-nditer", "numpy.nditer is gone through by a loop and by steps")


# Flags of operands, for reading and for writing.
_READS = (None, ["readonly"], [["readonly"]])
_WRITES = (["readwrite"], [["readwrite"]])


@implements(np.nditer)
def nditer(op: Any, flags: Any = None, op_flags: Any = None, *args: Any, **kwargs: Any) -> Stream:
    """Stand for `numpy.nditer` over the elements of an array, or of several of one shape, which are read."""
    several = isinstance(op, (tuple, list)) and len(op) > 1
    arrays = list(op) if several else [op]
    in_order = all(isinstance(a, SymbolicArray) and a.type.order is None and a.contiguous for a in arrays)
    indexed = isinstance(flags, (list, tuple)) and tuple(flags) == ("multi_index",) and not several
    known = (not flags or indexed) and not args and not kwargs
    if (
        not in_order
        or not known
        or (op_flags is not None if several else op_flags not in (*_READS, *_WRITES))
    ):
        recorder().unstageable("S215-nditer", "numpy.nditer of other than arrays in C order, or with flags")
    array, *others = arrays
    for other in others:
        if other.ndim != array.ndim or not all(map(recorder().assume_equal, array.dims, other.dims)):
            recorder().unstageable("S215-nditer", "numpy.nditer of arrays of several shapes")
    for dim in array.dims:
        if not recorder().assume_nonnegative(dim - 1):
            recorder().unstageable("S215-nditer", "numpy.nditer of an array that may be empty")
    if op_flags in _WRITES and not array.writable:
        raise ValueError("output array is read-only")

    def element(index: tuple[Any, ...]) -> Any:
        if several:
            return tuple(each[(*index, Ellipsis)].locked() for each in arrays)
        shown = array[(*index, Ellipsis)]
        return shown if op_flags in _WRITES else shown.locked()

    if indexed:
        return Indexed(array.dims, element)
    return Visit(_indices(array.dims, np.ndindex), element, None, np.nditer)
