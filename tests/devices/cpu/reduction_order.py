"""The order in which NumPy's reductions visit their operand: an executable account of docs/reductions.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np
from numpy.typing import NDArray

BUFFER = 8192  # np.getbufsize()


@dataclass(frozen=True)
class Axis:
    """An axis of a reduction: its length, and the byte steps of result, operand and mask along it."""

    length: int
    steps: tuple[int, ...]
    index: int


@dataclass(frozen=True)
class Blocking:
    """The blocks of a reduction: how many of the innermost axes they span, of how many elements at most, in what runs.

    A block is read at once where an operand is buffered. A run is one call of the inner loop.
    """

    axes: int
    size: int
    run: int


def sorted_axes(axes: Sequence[Axis]) -> list[Axis]:
    """The axes from small to large strides.

    A stable insertion sort moves an axis inwards past those which have a larger stride in every operand that tells the
    two apart (a stride of 0 does not), and stops at another that is told apart.
    """
    found: list[Axis] = []
    for axis in axes:
        place = len(found)
        for k in reversed(range(len(found))):
            larger = [abs(s) > abs(t) for s, t in zip(found[k].steps, axis.steps) if s and t]
            if larger and not all(larger):
                break
            if larger:
                place = k
        found.insert(place, axis)
    return found


def merged_axes(axes: Sequence[Axis]) -> list[Axis]:
    """The axes with neighbours made one where every operand crosses both with a single step."""
    found = list(axes[:1])
    for axis in axes[1:]:
        inner = found[-1]
        if all(
            (inner.length == 1 and s == 0) or (axis.length == 1 and t == 0) or s * inner.length == t
            for s, t in zip(inner.steps, axis.steps)
        ):
            steps = tuple(s or t for s, t in zip(inner.steps, axis.steps))
            found[-1] = Axis(inner.length * axis.length, steps, inner.index)
        else:
            found.append(axis)
    return found


def blocking(axes: Sequence[Axis], casts: Sequence[bool], reduces: bool, buffer: int = BUFFER) -> Blocking:
    """The blocks that NumPy's iterator chooses for merged axes.

    A block takes in one more axis where (1 + operands to be buffered) / (elements in a block) does not grow. An operand
    is buffered where it is converted (``casts``), or a block cannot be crossed with a single step. The result, which
    does not move along some axis (``reduces``), is no reason for a buffer: with the first axis on which it begins or
    ceases to move a block ends, and is then done in runs of all its axes but that one.
    """
    operands = range(len(casts))
    cost = 1 + sum(casts)
    straight = [1] * len(casts)  # how many axes an operand crosses with a single step
    turn = 0  # the axis on which the result begins or ceases to move
    size = axes[0].length
    last, last_cost, last_size, core = 0, cost, size, 1
    for k in range(1, len(axes)):
        if turn or (size >= buffer and cost > 1):
            break
        for operand in operands:
            inner, outer = axes[k - 1].steps[operand], axes[k].steps[operand]
            if straight[operand] == k:
                if inner * axes[k - 1].length == outer:
                    straight[operand] += 1
                    continue
                cost += not casts[operand]
            if operand == 0 and reduces and 0 in (inner, outer):
                turn = k
        inside, size = size, size * axes[k].length
        worth = min(size, buffer) if cost > 1 else size
        if cost * last_size <= last_cost * worth:
            last, last_cost, last_size, core = k, cost, size, inside
    in_runs = turn != 0 and last == turn

    def is_buffered(operand: int) -> bool:
        must = operand == 0 and reduces
        can = straight[operand] == last and not casts[operand]
        repeats = axes[turn].steps[operand] == 0 and straight[operand] <= last
        return casts[operand] or straight[operand] + (in_runs and (must or can or repeats)) <= last

    if any(is_buffered(operand) for operand in operands) and buffer < last_size:
        last_size = core * (buffer // core)
    return Blocking(last + 1, last_size, core if in_runs else last_size)


def reduction_runs(
    shape: Sequence[int],
    strides: Sequence[int],
    reduced: Sequence[int],
    itemsize: int,
    cast: bool = False,
    out_strides: Sequence[int] | None = None,
    mask_strides: Sequence[int] | None = None,
    buffer: int = BUFFER,
) -> Iterator[tuple[NDArray[np.int64], ...]]:
    """The runs of a reduction in order: for each, the byte offsets of the elements of result, operand and mask.

    ``itemsize`` is that of the result, ``cast`` says that the operand is of another type. A result that is not given
    (``out_strides``) is laid out in the order of the iteration. ``mask_strides`` are those of ``where=``, broadcast to
    the operand; a run with a mask is one call of the inner loop for each stretch where it is true.
    """
    if 0 in shape:
        return
    kept = [k for k in range(len(shape)) if k not in reduced]
    given = dict(zip(kept, out_strides or []))
    columns: list[Sequence[int]] = [[given.get(k, 0) for k in range(len(shape))], strides]
    if mask_strides is not None:
        columns.append(mask_strides)
    axes = [
        Axis(shape[k], tuple(column[k] if shape[k] != 1 else 0 for column in columns), k)
        for k in reversed(range(len(shape)))
    ]
    axes = sorted_axes(axes)
    if out_strides is None:
        step = itemsize
        for place, axis in enumerate(axes):
            if axis.index in kept:
                axes[place] = replace(axis, steps=(step if axis.length != 1 else 0, *axis.steps[1:]))
                step *= axis.length
    axes = merged_axes(axes) or [Axis(1, (0,) * len(columns), 0)]
    reduces = any(shape[k] != 1 for k in reduced)
    casts = [False, cast, False][: len(columns)]
    blocks = blocking(axes, casts, reduces, buffer)

    def offsets(some: Sequence[Axis], operand: int) -> NDArray[np.int64]:
        found = np.zeros(1, np.int64)
        for axis in some:
            found = (np.arange(axis.length)[:, None] * axis.steps[operand] + found).ravel()
        return found

    operands = range(len(columns))
    inner = [offsets(axes[: blocks.axes], operand) for operand in operands]
    outer = [offsets(axes[blocks.axes :], operand) for operand in operands]
    for k in range(prod(axis.length for axis in axes[blocks.axes :])):
        for start in range(0, len(inner[0]), blocks.size):
            stop = min(start + blocks.size, len(inner[0]))
            for run in range(start, stop, blocks.run):
                yield tuple(outer[j][k] + inner[j][run : min(run + blocks.run, stop)] for j in operands)
