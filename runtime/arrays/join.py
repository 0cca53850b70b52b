"""The structure that what comes of several ways has in common."""

from __future__ import annotations

from typing import Any

from transpile.runtime.errors import StagingError

from .array import Reshape, SymbolicArray
from .lists import StagedList
from .recorder import recorder
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
    structure_of,
)
from .undefined import Undefined


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
    one, two = _opened(first), _opened(second)
    if _is_array(one) != _is_array(two):
        alternatives = [_beside_others(one)]
        _add_alternative(alternatives, _beside_others(two), what)
        return Choice(tuple(alternatives))
    if (
        isinstance(one, Items)
        and isinstance(two, Items)
        and (one.type, one.keys, len(one.items)) == (two.type, two.keys, len(two.items))
    ):
        return Items(
            one.type, one.keys, tuple(join(a, b, what) for a, b in zip(one.items, two.items, strict=True))
        )
    one, two = _alternative(one), _alternative(two)
    if isinstance(one, Array) and isinstance(two, Array):
        joined = _join_arrays(one, two)
        if joined is not None:
            return joined
        raise _mismatch(what, one, two)
    if one == two:
        return one
    if isinstance(one, Items) and not _can_stand_beside(one, two):
        raise _mismatch(what, one, two)
    alternatives = [_beside_others(one)]
    _add_alternative(alternatives, _beside_others(two), what)
    return Choice(tuple(alternatives))


def _mismatch(what: str, first: Structure, second: Structure) -> StagingError:
    return StagingError(
        "S150-structure",
        f"{what} is {describe(first)} on one way and {describe(second)} on another",
        location=recorder().location(),
        hint="give it one kind of value on every way",
    )


def _add_alternative(alternatives: list[Structure], other: Structure, what: str) -> None:
    for place, alternative in enumerate(alternatives):
        if alternative == other:
            return
        if _is_array(alternative) and _is_array(other):
            one, two = _alternative(alternative), _alternative(other)
            assert isinstance(one, Array) and isinstance(two, Array)
            joined = _join_arrays(one, two)
            if joined is None:
                raise _mismatch(what, one, two)
            alternatives[place] = joined
            return
        if isinstance(alternative, Items) and isinstance(other, Items):
            if _shape(alternative) != _shape(other):
                raise _mismatch(what, alternative, other)
            alternatives[place] = join(alternative, other, what)
            return
        if not _can_stand_beside(alternative, other):
            raise _mismatch(what, alternative, other)
        if _is_array(alternative) != _is_array(other):
            known = other if _is_array(alternative) else alternative
            if not isinstance(known, Known):
                raise _mismatch(what, alternative, other)
    fixed = isinstance(other, Known) and not _is_array(other)
    if fixed and not _can_choose(other.thing):  # type: ignore[union-attr]
        raise _mismatch(what, alternatives[0], other)
    alternatives.append(other)


def _shape(items: Items) -> tuple[Any, ...]:
    return items.type, items.keys, len(items.items)


def _can_stand_beside(one: Structure, other: Structure) -> bool:
    """Whether two structures can be alternatives, as far as containers go: a tuple can, beside a number, None, text and nothing."""
    if not (isinstance(one, Items) or isinstance(other, Items)):
        return True
    items, rest = (one, other) if isinstance(one, Items) else (other, one)
    assert isinstance(items, Items)
    if not issubclass(items.type, tuple):
        return False
    return isinstance(rest, Number) or (isinstance(rest, Known) and _can_choose(rest.thing))


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
    if isinstance(structure, Items):
        return Items(structure.type, structure.keys, tuple(map(_beside_others, structure.items)))
    return _alternative(structure)


def _can_choose(thing: Any) -> bool:
    return thing is None or isinstance(thing, (Undefined, str))


def _opened(structure: Structure) -> Structure:
    """Return a known container as a structure of its items."""
    if isinstance(structure, Known):
        thing = structure.thing
        if type(thing) is list or (isinstance(thing, StagedList) and not thing.is_staged):
            return Items(type(thing), None, tuple(map(structure_of, thing)))
        if type(thing) is dict:
            return Items(dict, tuple(thing), tuple(map(structure_of, thing.values())))
    return structure


def _alternative(structure: Structure) -> Structure:
    """Return a known number as a number, and a known array as an array."""
    if isinstance(structure, Known):
        thing = structure.thing
        if is_constant(thing):
            return Number(number_type(thing))
        if isinstance(thing, SymbolicArray):
            dims = tuple(d if recorder().visible(d) else None for d in thing.dims)
            storage = thing.storage
            if storage.input is not None and thing.region is None:
                return Array(thing.dtype, dims, thing.type.order, (storage,))
            is_view = storage.input is not None or storage.is_view or bool(storage.origins and thing.chain)
            return Array(thing.dtype, dims, thing.type.order, () if thing.chain else storage.origins, is_view)
        if not _can_choose(thing) and not isinstance(thing, (list, dict)):
            raise StagingError(
                "S151-thing",
                f"{type(thing).__name__} objects differ between the ways control may take",
                location=recorder().location(),
            )
    return structure


def _join_arrays(one: Array, two: Array) -> Array | None:
    if one.dtype != two.dtype or len(one.dims) != len(two.dims) or one.order != two.order:
        return None
    dims = tuple(
        a if a is not None and b is not None and recorder().same(a, b) else None
        for a, b in zip(one.dims, two.dims, strict=True)
    )
    origins = tuple(dict.fromkeys((*one.origins, *two.origins)))
    return Array(one.dtype, dims, one.order, origins, one.is_view or two.is_view)
