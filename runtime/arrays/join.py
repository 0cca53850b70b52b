"""The structure that what comes of several ways has in common."""

from __future__ import annotations

import enum
from dataclasses import replace
from typing import Any

from transpile.runtime.errors import StagingError

from .array import Reshape, SymbolicArray
from .gaps import gaps_of
from .lists import StagedList
from .pools import Pool
from .recorder import recorder
from .references import known_here
from .structure import (
    Array,
    Choice,
    Items,
    Known,
    Number,
    Structure,
    describe,
    is_constant,
    number_type,
    opened,
)
from .undefined import Undefined

# The most structures that something may have: where more and more come, a loop gives it another one on each turn.
_ALTERNATIVES = 6


def join(first: Structure, second: Structure, what: str) -> Structure:
    """Return the structure that values of both structures have.

    Raises StagingError, which names `what`, where there is none.
    """
    if first == second:
        return first
    if isinstance(first, Choice) or isinstance(second, Choice):
        ways = [s.alternatives if isinstance(s, Choice) else (s,) for s in (first, second)]
        alternatives = list(map(_beside_others, ways[0]))
        for other in map(_beside_others, ways[1]):
            _add_alternative(alternatives, other, what)
        return Choice(tuple(alternatives)) if len(alternatives) > 1 else alternatives[0]
    one, two = opened(first), opened(second)
    if isinstance(one, Items) and isinstance(two, Items) and one.shape == two.shape:
        return _join_items(one, two, what)
    alternatives = [_beside_others(one)]
    _add_alternative(alternatives, _beside_others(two), what)
    return Choice(tuple(alternatives)) if len(alternatives) > 1 else alternatives[0]


def _join_items(one: Items, two: Items, what: str) -> Items:
    items = tuple(join(a, b, what) for a, b in zip(one.items, two.items, strict=True))
    return Items(one.type, one.keys, items, tuple(dict.fromkeys((*one.origins, *two.origins))))


def _mismatch(what: str, first: Structure, second: Structure) -> StagingError:
    return StagingError(
        "S150-structure",
        f"{what} is {describe(first)} on one way and {describe(second)} on another",
        location=recorder().location(),
        hint="give it one kind of value on every way",
    )


def _add_alternative(alternatives: list[Structure], other: Structure, what: str) -> None:
    """Add one more structure to those that something may have."""
    for place, alternative in enumerate(alternatives):
        if alternative == other:
            return
        pools = {_pool_of(alternative), _pool_of(other)} - {None}
        if len(pools) > 1:
            raise _mismatch(what, alternative, other)
        if isinstance(alternative, Known) and isinstance(other, Known):
            if (_is_array(alternative) or _is_array(other)) and recorder().keeps_arrays:
                continue
        if _is_array(alternative) and _is_array(other):
            one, two = _alternative(alternative), _alternative(other)
            assert isinstance(one, Array) and isinstance(two, Array)
            joined = _join_arrays(one, two)
            if joined is not None:
                alternatives[place] = joined
                return
        if isinstance(alternative, Items) and isinstance(other, Items) and alternative.shape == other.shape:
            alternatives[place] = _join_items(alternative, other, what)
            return
    fixed = isinstance(other, Known) and not _is_array(other)
    if fixed and not _can_choose(other.thing):  # type: ignore[union-attr]
        raise _mismatch(what, alternatives[0], other)
    if len(alternatives) >= _ALTERNATIVES:
        raise _mismatch(what, alternatives[-1], other)
    alternatives.append(other)


def _pool_of(structure: Structure) -> Any:
    """Return the pool that lists of a structure lie in; None where they lie in none."""
    keys = structure.keys if isinstance(structure, Items) and structure.type is StagedList else None
    return keys[0] if keys and isinstance(keys[0], Pool) else None


def _is_array(structure: Structure) -> bool:
    return isinstance(structure, Array) or (
        isinstance(structure, Known) and isinstance(structure.thing, SymbolicArray)
    )


def _beside_others(structure: Structure) -> Structure:
    """Return a structure as one of several: an array stays the very one that it is where it is there outside of the region, too."""
    if isinstance(structure, Known) and isinstance(structure.thing, SymbolicArray):
        thing = structure.thing
        dims = [
            d for step in thing.chain for d in (step.dims if isinstance(step, Reshape) else step.all_dims())
        ]
        if recorder().knows(thing.storage) and all(map(recorder().visible, dims)):
            return structure
    structure = opened(structure)
    if isinstance(structure, Items):
        return replace(structure, items=tuple(map(_beside_others, structure.items)))
    return _alternative(structure)


def leaving(structure: Structure) -> Structure:
    """Return the structure of what comes out of the one region that ends: arrays that were made in it are given on."""
    if isinstance(structure, Items):
        return replace(structure, items=tuple(map(leaving, structure.items)))
    if isinstance(structure, Known) and isinstance(structure.thing, SymbolicArray):
        return _beside_others(structure)
    return structure


def _can_choose(thing: Any) -> bool:
    return (
        thing is None
        or isinstance(thing, (Undefined, str, enum.Enum))
        or getattr(type(thing), "__can_choose__", False)
    )


def _alternative(structure: Structure) -> Structure:
    """Return a known number as a number, and a known array as an array."""
    if isinstance(structure, Known):
        thing = structure.thing
        if is_constant(thing):
            return Number(number_type(thing))
        if isinstance(thing, SymbolicArray):
            dims = tuple(d if recorder().visible(d) else None for d in thing.dims)
            storage = thing.storage
            aliases = known_here((storage, *storage.aliases))
            found = Array(thing.dtype, dims, thing.type.order, aliases=aliases, writable=thing.may_be_written)
            found = replace(found, relatives=aliases | known_here(storage.relatives))
            if storage.input is not None and thing.region is None:
                return replace(found, origins=(storage,))
            is_view = storage.input is not None or storage.is_view or bool(storage.origins and thing.is_view)
            origins = () if thing.is_view else storage.origins
            return replace(found, origins=origins, is_view=is_view, copied=gaps_of(thing))
        if not _can_choose(thing):
            raise StagingError(
                "S151-thing",
                f"{type(thing).__name__} objects differ between the ways control may take",
                location=recorder().location(),
            )
    return structure


def _join_arrays(one: Array, two: Array) -> Array | None:
    if one.kind != two.kind:
        return None
    dims = tuple(
        a if a is not None and b is not None and recorder().same(a, b) else None
        for a, b in zip(one.dims, two.dims, strict=True)
    )
    origins = tuple(dict.fromkeys((*one.origins, *two.origins)))
    # "order" says more than "gaps".
    copied = max(one.copied, two.copied)
    is_view = one.is_view or two.is_view
    aliases, relatives = one.aliases | two.aliases, one.relatives | two.relatives
    return Array(one.dtype, dims, one.order, origins, is_view, copied, aliases, relatives, one.writable)
