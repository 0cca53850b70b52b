"""Slices whose step run time gives, such as `a[i * i :: i]`: their elements are picked one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT64, dims_of
from transpile.runtime.views.view import View

from .array import SymbolicArray, dim_scalar, fresh
from .functions import FUNCTIONS
from .gaps import gaps_of
from .indexing import as_dim, assign, basic_view, broadcast_to, expand, slice_ends
from .numbers import cast, lift
from .operand import Operand
from .recorder import recorder

# Note [Steps of run time]
# The steps of a view are known. Where one is asked for that is not, the call is traced for the step at hand, or the loop unrolled, as for other
# values that are needed. Where that cannot be, the trace is made anew with slices that pick elements: what is stored is scattered, and what is read is
# a copy, which NumPy has a view for. So nobody may write the array as long as the copy can be seen, nor parts of the copy. What is written into all of it
# (`a[i::i] += 1`) is written into the array, too. For what depends on how elements lie in memory, there are gaps between them: see `Storage.copied`.


@dataclass(frozen=True)
class Steps:
    """Elements of an axis: so many, from a start on, by a step."""

    axis: int
    start: DimLike
    step: DimLike
    length: DimLike

    def places(self, behind: int, dims: tuple[DimLike, ...], first: DimLike = 0) -> Value:
        """Return the places of the elements, counted from another one, the same along so many axes behind, and so that they have dims."""
        numbers: Any = fresh(recorder().emit("iota", dims=(self.length,)))
        value = cast(lift(numbers * dim_scalar(self.step) + dim_scalar(self.start + first)), INT64)
        view = View.identity((self.length,))
        for axis in range(behind):
            view = view.insert(axis + 1)
        return broadcast_to(recorder().emit("view", value, view=view) if behind else value, dims)


class Picked(SymbolicArray):
    """A copy of elements of an array of which NumPy has a view."""

    __slots__ = ("shown", "steps")

    def __init__(self, shown: SymbolicArray, steps: tuple[Steps, ...]) -> None:
        self.shown, self.steps = shown, steps
        made = fresh(self._picked())
        assert isinstance(made, SymbolicArray)
        super().__init__(made.storage)
        storage = made.storage
        storage.copied = "order" if gaps_of(shown) == "order" else "gaps"
        storage.is_view = True
        storage.aliases.add(shown.storage)
        storage.relate(shown.storage, *shown.storage.relatives)

    def write(self, value: Value, indices: Sequence[Value] = ()) -> None:
        """Write a value into all elements of the copy, and of the array."""
        record, own, base = recorder(), self.storage, self.shown.storage
        # What else may be the copy may be the array, too, which is asked for where that is written.
        if own.frozen or own.aliases != {base}:
            record.unstageable(
                "S110-alias", "elements that a run-time step names are written by another name"
            )
        if indices:
            value = record.emit("scatter", self.read(), value, *indices, view=self.whole(), input=None)
        turned, places, order = self._selected()
        if dims_of(value.type):
            view = View.identity(self.dims).transpose(order)
            value = record.emit("view", broadcast_to(value, self.dims), view=view)
        base.relatives.discard(own)
        turned.write(value, places)
        base.relatives.add(own)
        record.write(own, self._picked())

    def _selected(self) -> tuple[SymbolicArray, list[Value], list[int]]:
        """Return the array with the axes first of which elements are picked, their places along these, and the order of axes."""
        axes = [step.axis for step in self.steps]
        order = [*axes, *(axis for axis in range(self.shown.ndim) if axis not in axes)]
        dims = tuple(step.length for step in self.steps)
        last = len(dims) - 1
        places = [step.places(last - place, dims) for place, step in enumerate(self.steps)]
        return self.shown.through(self.shown.whole().transpose(order)), places, order

    def _picked(self) -> Value:
        turned, places, order = self._selected()
        value = recorder().emit("gather", turned.read(), *places)
        if order == sorted(order):
            return value
        back = View.identity(dims_of(value.type)).transpose([order.index(axis) for axis in range(len(order))])
        return recorder().emit("copy", recorder().emit("view", value, view=back), order=None)


def picks(key: Any) -> bool:
    """Whether an index has slices whose step run time gives, and elements are picked for these."""
    keys = key if isinstance(key, tuple) else (key,)
    return recorder().picks_steps and any(_has_run_time_step(part) for part in keys)


def _has_run_time_step(key: Any) -> bool:
    return isinstance(key, slice) and key.step is not None and not isinstance(as_dim(key.step), int)


def _elements(array: SymbolicArray, key: Any) -> Picked:
    """Return the elements that a basic index names."""
    keys = expand(key, array.ndim)
    shown = array.through(basic_view(array, [slice(None) if _has_run_time_step(k) else k for k in keys]))
    if shown.type.order is not None:
        recorder().unstageable("S304-step", "a run-time step along memory that is in another order than C's")
    axes = [k for k in keys if k is None or isinstance(k, slice)]
    steps = [steps_of(k, axis, shown.dims[axis]) for axis, k in enumerate(axes) if _has_run_time_step(k)]
    return Picked(shown, tuple(steps))


def steps_of(key: Any, axis: int, size: DimLike) -> Steps:
    """Return the elements that a slice with a step of run time names, of an axis of so many."""
    record = recorder()
    step = as_dim(key.step)
    if not record.bounds.nonnegative(step - 1):
        record.deoptimise_if(lift(dim_scalar(step) < 1), "the step of a slice is not positive")
    start, stop, _ = slice_ends(slice(key.start, key.stop), size)
    length: Any = (dim_scalar(stop) - dim_scalar(start) + dim_scalar(step) - 1) // dim_scalar(step)
    value = lift(FUNCTIONS[max](length, 0))
    record.bounds.sizes.add(value)
    return Steps(axis, start, step, record.dim(value))


def _getitem(array: SymbolicArray, key: Any) -> SymbolicArray:
    return _elements(array, key)


def _setitem(array: SymbolicArray, key: Any, value: Any) -> None:
    target = _elements(array, key)
    if isinstance(value, Picked) and value.shown.shows_same(target.shown) and value.steps == target.steps:
        # `x[i::i] += v` ends with storing what was just updated in place.
        return
    assign(target, value)


Operand.picks = staticmethod(picks)
Operand.getitem_picked = staticmethod(_getitem)
Operand.setitem_picked = staticmethod(_setitem)
