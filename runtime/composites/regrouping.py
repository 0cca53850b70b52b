"""Views of arrays with gaps, or with their axes in another order in memory, in other dims, as NumPy looks for one."""

from __future__ import annotations

from typing import Literal

from transpile.runtime.arrays.array import Reshape, SymbolicArray
from transpile.runtime.arrays.lengths import sign_of
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.views.view import View

from .layout import is_even, is_packed

# Axes of an array, none of length 1, and the axes with as many elements that they become.
Group = tuple[list[int], list[int]]


def regrouped(array: SymbolicArray, dims: tuple[DimLike, ...]) -> SymbolicArray | Literal[False] | None:
    """Return the view that an array which is not contiguous is in other dims, as NumPy looks for one.

    False where there is none, and NumPy copies; None where run time decides. Axes fall into groups of equal size: an axis that is
    split gives a view, axes that are merged do only where one stride runs through them.
    """
    groups = _groups(array, dims)
    if groups is None:
        return None
    for merged, _ in groups:
        if len(merged) > 1:
            even = is_even(array.through(_only(array, merged)))
            if not even:
                return None if even is None else False
    view = _split(array, dims, groups)
    return _through_memory(array, dims, groups) if view is None else view


def _groups(array: SymbolicArray, dims: tuple[DimLike, ...]) -> list[Group] | None:
    """Return the groups of axes of equal size; None where run time decides on them."""
    own = [axis for axis, dim in enumerate(array.dims) if dim != 1]
    new = [axis for axis, dim in enumerate(dims) if dim != 1]
    groups = []
    while own and new:
        merged, split = [own.pop(0)], [new.pop(0)]
        here, there = array.dims[merged[0]], dims[split[0]]
        # Where none is left, there are as many elements on both sides.
        while (own or new) and not recorder().same(here, there):
            # What is left on one side alone belongs to the last group.
            if not (own and new):
                sign: int | None = bool(new) - bool(own)
            elif recorder().same(here, there * dims[new[0]]):
                sign = 1
            else:
                sign = _sign_of_sizes(here - there) or recorder().expect_sign(here - there)
            if sign == 0:
                break
            if sign is None:
                return None
            if sign > 0:
                split.append(new.pop(0))
                there = there * dims[split[-1]]
            else:
                merged.append(own.pop(0))
                here = here * array.dims[merged[-1]]
        groups.append((merged, split))
    return None if own or new else groups


def _split(array: SymbolicArray, dims: tuple[DimLike, ...], groups: list[Group]) -> SymbolicArray | None:
    """Return the view in which axes are split by known numbers; None where it takes more."""
    terms: list[tuple[tuple[int, int], ...]] = [() for _ in array.dims]
    for merged, split in groups:
        step: DimLike = 1
        for axis in reversed(split):
            if len(merged) > 1 or not isinstance(step, int):
                return None
            terms[merged[0]] = ((axis, step), *terms[merged[0]])
            step = step * dims[axis]
    return array.through(View(array.dims, dims, tuple((0, term) for term in terms)))


def _through_memory(
    array: SymbolicArray, dims: tuple[DimLike, ...], groups: list[Group]
) -> SymbolicArray | None:
    """Return the view by way of the axes as they follow each other in memory; None where that has gaps."""
    order = array.type.axes
    turned = array.through(array.whole().transpose(order))
    if not is_packed(turned):
        return None
    inside = sorted(groups, key=lambda group: order.index(group[0][0]))
    places = [axis for _, split in inside for axis in split]
    places += [axis for axis in range(len(dims)) if axis not in places]
    found = turned.through(Reshape(turned.dims, tuple(dims[axis] for axis in places)))
    return found.through(found.whole().transpose([places.index(axis) for axis in range(len(dims))]))


def _only(array: SymbolicArray, axes: list[int]) -> View:
    """Return the view of some axes, at the start of all others."""
    view = array.whole()
    for axis in reversed(range(array.ndim)):
        if axis not in axes:
            view = view.take(axis, 0)
    return view


def _sign_of_sizes(difference: DimLike) -> int:
    """Return the sign of a difference between numbers of elements, if no array is empty; 0 where it is not known."""
    sign = sign_of(difference)
    if sign:
        return sign
    record = recorder()
    if record.bounds.nonnegative(difference - 1):
        return 1
    return -1 if record.bounds.nonnegative(-1 - difference) else 0
