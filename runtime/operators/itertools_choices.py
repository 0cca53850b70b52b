"""Python's `itertools`: every choice of items."""

from __future__ import annotations

import itertools
import math
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsValue

from .itertools_streams import known_integer
from .streams import Cursor, Flattened, generated, stream_of
from .traversal import Stream, SymbolicRange, iteration_of

# The most choices of known things that are written out.
_CHOICES = 8000


@implements(itertools.product)
def crossed(*iterables: Any, repeat: Any = 1) -> Stream:
    """Stand for `itertools.product`: loops in loops."""
    pools = [_pool(things) for things in iterables] * known_integer(repeat)

    def within(chosen: tuple[Any, ...]) -> Stream:
        left = len(pools) - len(chosen)
        if not left:
            return stream_of((chosen,))
        pool = pools[-left]
        if left == 1:
            return generated(pool, lambda item: (*chosen, item), None, itertools.product)
        return Flattened(
            generated(pool, lambda item: within((*chosen, item)), None, itertools.product), itertools.product
        )

    return within(())


@implements(itertools.combinations)
def combined(iterable: Any, r: Any) -> Stream:
    """Stand for `itertools.combinations`."""
    return _chosen(iterable, r, itertools.combinations, 1)


@implements(itertools.combinations_with_replacement)
def combined_anew(iterable: Any, r: Any) -> Stream:
    """Stand for `itertools.combinations_with_replacement`."""
    return _chosen(iterable, r, itertools.combinations_with_replacement, 0)


@implements(itertools.permutations)
def permuted(iterable: Any, r: Any = None) -> Stream:
    """Stand for `itertools.permutations` of a known number of things."""
    items = _items(iterable)
    count = len(items) if r is None else known_integer(r)
    return _written_out(itertools.permutations, items, count, math.perm(len(items), max(count, 0)))


def _chosen(iterable: Any, r: Any, kind: Any, gap: int) -> Stream:
    """Return the choices of `r` things, each `gap` or more places behind the one before: loops in loops."""
    count = known_integer(r)
    if count < 0:
        raise ValueError("r must be non-negative")
    pool = _pool(iterable)
    way = iteration_of(pool)
    if way is None or way.unrolls:
        items = _items(pool)
        return _written_out(kind, items, count, math.comb(len(items) + (1 - gap) * count, count))
    length, at = way.length, way.at

    def within(chosen: tuple[Any, ...], start: Any) -> Stream:
        if len(chosen) == count:
            return stream_of((chosen,))
        places = SymbolicRange(as_dim(start), length, 1)
        if len(chosen) == count - 1:
            return generated(places, lambda place: (*chosen, at(as_dim(place))), None, kind)
        inner = generated(places, lambda place: within((*chosen, at(as_dim(place))), place + gap), None, kind)
        return Flattened(inner, kind)

    return within((), 0)


def _pool(things: Any) -> Any:
    """Return what stays as it is for the items of an iterable, which are taken at once."""
    if isinstance(things, SymbolicArray) and things.ndim == 1:
        return things.copy()
    if isinstance(things, (SymbolicArray, SymbolicRange, range, tuple, str)):
        return things
    return tuple(_items(things))


def _items(things: Any) -> list[Any]:
    """Return the items of something of which the program has to know how many there are."""
    way = iteration_of(things)
    if way is None:
        return list(things)
    if not isinstance(way.length, int):
        raise NeedsValue(recorder().dim_value(way.length))
    return [way.at(place) for place in range(way.length)]


def _written_out(kind: Any, items: list[Any], count: int, choices: int) -> Stream:
    """Return the choices of known things."""
    if choices > _CHOICES:
        recorder().unstageable("S218-choices", f"{kind.__name__}() gives more than {_CHOICES} choices")
    return Cursor(list(kind(items, count)), kind)
