"""Arrays that the objects in a list hold: stacked, where all have one dtype and shape, and each has memory of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.arrays.numbers import DTYPES

from .guard import ALIGNED, C_CONTIGUOUS, OWNS, WARNS, WRITEABLE

# The flags of an array that lies as NumPy makes arrays, has memory of its own and can be written.
_PLAIN = C_CONTIGUOUS | OWNS | ALIGNED | WRITEABLE


@dataclass(frozen=True)
class ArraysPattern:
    """What an attribute holds: arrays of a dtype and of as many axes, all of one shape."""

    dtype: np.dtype[Any]
    ndim: int


def arrays_pattern(held: Sequence[Any], counts: Mapping[int, int]) -> ArraysPattern | None:
    """Return what an attribute holds that is an array for the first object; None where others hold something else, or one is held more than once."""
    what = ArraysPattern(held[0].dtype, held[0].ndim)
    if what.dtype not in DTYPES or not what.dtype.isnative or not what.ndim:
        return None
    if any(counts[id(array)] > 1 for array in held):
        return None
    try:
        stacked(held, what)
    except ValueError:
        return None
    return what


def stacked(held: Sequence[Any], what: ArraysPattern) -> np.ndarray[Any, Any]:
    """Return an array of the arrays that an attribute holds.

    Raises ValueError where they are others, or do not lie in memory of their own.
    """
    kind, dtype, number = np.ndarray, what.dtype, what.dtype.num
    shape = held[0].shape if type(held[0]) is kind else None
    for array in held:
        if (
            type(array) is not kind
            or array.flags.num & (_PLAIN | WARNS) != _PLAIN
            or array.shape != shape
            or not (array.dtype is dtype or (array.dtype == dtype and array.dtype.num == number))
        ):
            raise ValueError("other arrays")
    if held[0].ndim != what.ndim:
        raise ValueError("arrays of another number of axes")
    return np.concatenate(held).reshape(len(held), *held[0].shape)


def have_own_memory(
    lists: Iterable[tuple[Iterable[Any], Sequence[str]]], others: Iterable[np.ndarray[Any, Any]]
) -> bool:
    """Whether no two objects in lists hold one array under the names that come with the list, and none of the other arrays lies in the memory of one.

    Each of those that they hold has memory of its own.
    """
    held: list[np.ndarray[Any, Any]] = []
    for things, names in lists:
        dictionaries = list(map(vars, {id(thing): thing for thing in things}.values()))
        for name in names:
            held += [attributes[name] for attributes in dictionaries]
    own = set(map(id, held))
    return len(own) == len(held) and not any(_lies_in(array, own, held) for array in others)


def _lies_in(array: Any, own: set[int], held: Iterable[np.ndarray[Any, Any]]) -> bool:
    """Whether an array lies in the memory of one of those that are held, by identity or as they are."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    if id(array) in own:
        return True
    # What has no memory of its own shows that of something that is no array, which may show that of one.
    is_own = array.base is None and array.flags.owndata
    return not is_own and any(np.may_share_memory(array, other) for other in held)
