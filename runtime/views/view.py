"""Views: which element of a base each element of a view is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike, python_text, substitute
from transpile.runtime.graph.types import check_rank

# For one axis of the base: an offset, and the axes of the view that move along it, each with its step.
Axis = tuple[DimLike, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class View:
    """An affine map from the indices of a view to the indices of its base.

    Slices, integer indices, new axes, transpositions, flips, broadcasts and diagonals are all of this form, and so is any
    composition of them. An axis of the view that appears nowhere in `axes` is broadcast.
    """

    base_dims: tuple[DimLike, ...]
    dims: tuple[DimLike, ...]
    axes: tuple[Axis, ...]

    def __post_init__(self) -> None:
        check_rank(self.dims)

    @staticmethod
    def identity(dims: Sequence[DimLike]) -> View:
        """Return the view of everything."""
        return View(tuple(dims), tuple(dims), tuple((0, ((axis, 1),)) for axis in range(len(dims))))

    @property
    def is_identity(self) -> bool:
        """Whether the view shows the whole base as it is."""
        return self == View.identity(self.base_dims)

    def all_dims(self) -> Iterator[DimLike]:
        """Yield every dim in the view."""
        yield from self.base_dims
        yield from self.dims
        for offset, _ in self.axes:
            yield offset

    def substitute(self, replace: Callable[[Any], DimLike]) -> View:
        """Return the view with the values in its dims replaced."""
        return View(
            tuple(substitute(dim, replace) for dim in self.base_dims),
            tuple(substitute(dim, replace) for dim in self.dims),
            tuple((substitute(offset, replace), terms) for offset, terms in self.axes),
        )

    def index(self, indices: Sequence[DimLike]) -> tuple[DimLike, ...]:
        """Return the index into the base of the element of the view at `indices`."""
        result = []
        for offset, terms in self.axes:
            position = offset
            for axis, step in terms:
                position = position + indices[axis] * step
            result.append(position)
        return tuple(result)

    def then(self, inner: View) -> View:
        """Return the view of the base that `inner`, a view of this view, is."""
        axes = []
        for offset, terms in self.axes:
            moved: dict[int, int] = {}
            for axis, step in terms:
                inner_offset, inner_terms = inner.axes[axis]
                offset = offset + inner_offset * step
                for inner_axis, inner_step in inner_terms:
                    moved[inner_axis] = moved.get(inner_axis, 0) + step * inner_step
            axes.append((offset, tuple(sorted(moved.items()))))
        return View(self.base_dims, inner.dims, tuple(axes))

    def _rearranged(self, dims: Sequence[DimLike], place: Callable[[int], int]) -> View:
        axes = tuple(
            (offset, tuple(sorted((place(axis), step) for axis, step in terms)))
            for offset, terms in self.axes
        )
        return View(self.base_dims, tuple(dims), axes)

    def take(self, axis: int, position: DimLike) -> View:
        """Return the view at one `position`, not negative, of `axis`, which goes."""
        axes = []
        for offset, terms in self.axes:
            for moved, step in terms:
                if moved == axis:
                    offset = offset + position * step
            axes.append((offset, tuple((a - (a > axis), s) for a, s in terms if a != axis)))
        return View(self.base_dims, self.dims[:axis] + self.dims[axis + 1 :], tuple(axes))

    def slice(self, axis: int, start: DimLike, length: DimLike, step: int) -> View:
        """Return the view of `length` elements of `axis` from `start` on by `step`."""
        axes = []
        for offset, terms in self.axes:
            for moved, outer in terms:
                if moved == axis:
                    offset = offset + start * outer
            axes.append((offset, tuple((a, s * step if a == axis else s) for a, s in terms)))
        return View(self.base_dims, (*self.dims[:axis], length, *self.dims[axis + 1 :]), tuple(axes))

    def insert(self, axis: int, length: DimLike = 1) -> View:
        """Return the view with a new axis of `length` before `axis`."""
        dims = (*self.dims[:axis], length, *self.dims[axis:])
        return self._rearranged(dims, lambda a: a + (a >= axis))

    def transpose(self, axes: Sequence[int]) -> View:
        """Return the view with its axes in the order of `axes`."""
        places = {axis: place for place, axis in enumerate(axes)}
        return self._rearranged([self.dims[axis] for axis in axes], lambda a: places[a])

    def broadcast(self, dims: Sequence[DimLike]) -> View:
        """Return the view stretched to `dims`: axes of length 1 are repeated, missing ones added in front."""
        missing = len(dims) - len(self.dims)
        stretched = {a for a, dim in enumerate(self.dims) if dim == 1 and dims[a + missing] != 1}
        axes = tuple(
            (offset, tuple((a + missing, s) for a, s in terms if a not in stretched))
            for offset, terms in self.axes
        )
        return View(self.base_dims, tuple(dims), axes)

    def extended(self, dims: Sequence[DimLike]) -> View:
        """Return the view of a base that has more axes behind, of these dims, all of which are shown."""
        rank = len(self.dims)
        more = tuple((0, ((rank + axis, 1),)) for axis in range(len(dims)))
        return View((*self.base_dims, *dims), (*self.dims, *dims), (*self.axes, *more))

    def diagonal(self, first: int, second: int, offset: DimLike, length: DimLike) -> View:
        """Return the view along the diagonal of two axes, which move together as a new last axis."""
        last = len(self.dims) - 2
        places = {
            axis: place
            for place, axis in enumerate(a for a in range(len(self.dims)) if a not in (first, second))
        }
        axes = []
        for start, terms in self.axes:
            moved: dict[int, int] = {}
            for axis, step in terms:
                place = places.get(axis, last)
                moved[place] = moved.get(place, 0) + step
                if axis == second:
                    start = start + offset * step
            axes.append((start, tuple(sorted(moved.items()))))
        return View(self.base_dims, (*(self.dims[a] for a in places), length), tuple(axes))

    def broadcast_axes(self) -> set[int]:
        """Return the axes along which every element is the same one of the base."""
        moving = {axis for _, terms in self.axes for axis, _ in terms}
        return set(range(len(self.dims))) - moving

    def overlaps(self, nonnegative: Callable[[DimLike], bool]) -> bool:
        """Whether an element of the base may be shown in several places, as by windows that overlap; `nonnegative` tells of a dim whether it is so."""
        for _, terms in self.axes:
            reach: DimLike = 0
            for axis, step in sorted(terms, key=lambda term: abs(term[1])):
                if not nonnegative(abs(step) - 1 - reach):
                    return True
                reach = reach + abs(step) * (self.dims[axis] - 1)
        return any(self.dims[axis] != 1 for axis in self.broadcast_axes())

    def order(self, base: Sequence[int]) -> tuple[int, ...]:
        """Return the axes of the view from slowest to fastest in memory, for a base with its axes in the order `base`."""
        rank = {axis: place for place, base_axis in enumerate(base) for axis, _ in self.axes[base_axis][1]}
        result = list(range(len(self.dims)))
        moving = sorted((axis for axis in result if axis in rank), key=lambda axis: rank[axis])
        places = [axis for axis in result if axis in rank]
        for place, axis in zip(places, moving, strict=True):
            result[place] = axis
        return tuple(result)

    def of_numpy(self, base: Any, number: Callable[[DimLike], int]) -> Any:
        """Return the view of a NumPy array; `number` gives the run-time value of a dim."""
        dims = tuple(map(number, self.dims))
        moving = [axis for _, terms in self.axes for axis, _ in terms]
        diagonal = len(set(moving)) < len(moving) or any(len(terms) > 1 for _, terms in self.axes)
        if not all(dims) and (diagonal or 0 in base.shape):
            nothing = np.empty(dims, base.dtype)
            nothing.flags.writeable = base.flags.writeable
            return nothing
        if diagonal:
            # Diagonals have no index of their own.
            start = base[tuple(slice(number(offset), None) for offset, _ in self.axes)]
            strides = [0] * len(dims)
            for (_, terms), stride in zip(self.axes, base.strides, strict=True):
                for axis, step in terms:
                    strides[axis] += stride * step
            return np.lib.stride_tricks.as_strided(start, dims, strides)
        key: list[Any] = []
        axes: list[int] = []
        for offset, terms in self.axes:
            start = number(offset)
            if not terms:
                key.append(start if all(dims) else 0)
                continue
            ((axis, step),) = terms
            stop = start + dims[axis] * step
            key.append(slice(start, None if stop < 0 else stop, step) if dims[axis] else slice(0, 0))
            axes.append(axis)
        view = base[(*key, ...)].transpose(sorted(range(len(axes)), key=axes.__getitem__))
        view = np.expand_dims(view, tuple(self.broadcast_axes()))
        return view if view.shape == dims else np.broadcast_to(view, dims)

    def python_text(self, base: str, name: Callable[[Any], str]) -> str | None:
        """Return the Python expression of the view of a NumPy array that has elements, or None where it takes more than an index."""
        key = []
        moving = [axis for _, terms in self.axes for axis, _ in terms]
        if moving != list(range(len(self.dims))) or any(len(terms) > 1 for _, terms in self.axes):
            return None
        for (offset, terms), length in zip(self.axes, self.base_dims, strict=True):
            start = python_text(offset, name)
            for axis, step in terms:
                if step < 0:
                    return None
                stop = python_text(offset + self.dims[axis] * step, name)
                start = ":" if (offset, self.dims[axis], step) == (0, length, 1) else f"{start}:{stop}:{step}"
            key.append(start)
        return f"{base}[{', '.join([*key, '...'])}]"
