"""The structure of what a region takes and gives: which parts are known, and which are values of the graph."""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYTHON_TYPES, ArrayType, DType, ScalarType, weak

from .array import Reshape, SymbolicArray
from .cells import Storage
from .elementwise import DTYPES, choose, lift
from .lists import StagedList
from .recorder import recorder
from .scalar import SymbolicScalar
from .undefined import Undefined
from .union import Union


@dataclass(frozen=True)
class Known:
    """A thing that is what it is: no value of the graph."""

    thing: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Known) and same_thing(self.thing, other.thing)

    def __hash__(self) -> int:
        return 0


@dataclass(frozen=True)
class Number:
    """A scalar."""

    type: ScalarType


@dataclass(frozen=True)
class Array:
    """An array; a dim that is None is given along as a value.

    `origins` are the caller's arrays one of which it may be itself, on some way: then a value is given along that tells which, or that it is
    none of them. `is_view` tells that it may be a view of one on some way.
    """

    dtype: DType
    dims: tuple[DimLike | None, ...]
    order: tuple[int, ...] | None
    origins: tuple[Storage, ...] = ()
    is_view: bool = False


@dataclass(frozen=True)
class Choice:
    """One of several structures, told by a tag; numbers of one dtype share their value."""

    alternatives: tuple[Structure, ...]

    def payload(self) -> list[Structure]:
        """Return the structures that hold the alternatives' values."""
        result: list[Structure] = []
        for alternative in self.alternatives:
            if isinstance(alternative, Number):
                slot: Structure = Number(
                    ScalarType(alternative.type.dtype, alternative.type.dtype in PYTHON_TYPES.values())
                )
            elif isinstance(alternative, Known):
                continue
            else:
                slot = alternative
            if slot not in result:
                result.append(slot)
        return result

    def slot(self, place: int) -> int | None:
        """Return which payload the alternative at `place` uses."""
        alternative = self.alternatives[place]
        if isinstance(alternative, Known):
            return None
        if isinstance(alternative, Number):
            dtype = alternative.type.dtype
            return next(
                p for p, s in enumerate(self.payload()) if isinstance(s, Number) and s.type.dtype == dtype
            )
        return self.payload().index(alternative)


@dataclass(frozen=True)
class Items:
    """A tuple, list or dictionary: its type, its keys (of a dictionary), its items."""

    type: type
    keys: tuple[Any, ...] | None
    items: tuple[Structure, ...]

    def make(self, items: list[Any]) -> Any:
        """Build the container."""
        if self.keys is not None:
            return dict(zip(self.keys, items, strict=True))
        if self.type in (tuple, list, StagedList):
            return self.type(items)
        return self.type(*items)


Structure = Known | Number | Array | Choice | Items


def same_thing(first: Any, second: Any) -> bool:
    """Whether two known things are interchangeable: one object, or equal numbers or strings of one type."""
    if first is second:
        return True
    if isinstance(first, SymbolicArray) and isinstance(second, SymbolicArray):
        same = first.storage is second.storage and first.chain == second.chain
        # The caller's own object is another one than a view of all of it.
        return same and (first.region is None) == (second.region is None)
    if type(first) is not type(second):
        return False
    if isinstance(first, (float, complex, np.inexact)):
        return repr(first) == repr(second)
    return isinstance(first, (bool, int, str, bytes, np.generic, Undefined)) and bool(first == second)


def is_namedtuple(value: Any) -> bool:
    """Whether a value is a named tuple."""
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def structure_of(value: Any, widen: bool = False) -> Structure:
    """Return the structure of a value; with `widen`, numbers that are known count as values that may change."""
    if isinstance(value, SymbolicScalar):
        return Number(value.type)
    if widen and is_constant(value):
        return Number(number_type(value))
    if isinstance(value, Union):
        return Choice(tuple(structure_of(a) for a in value.alternatives))
    if type(value) is tuple or is_namedtuple(value):
        return Items(type(value), None, tuple(structure_of(item, widen) for item in value))
    return Known(value)


def is_constant(value: Any) -> bool:
    """Whether a value is a number that the graph can hold."""
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) in PYTHON_TYPES or (isinstance(value, np.generic) and value.dtype in DTYPES)


def number_type(value: Any) -> ScalarType:
    """Return the type of a number that is known."""
    return weak(type(value)) if type(value) in PYTHON_TYPES else ScalarType(value.dtype)


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


def describe(structure: Structure) -> str:
    """Return a structure in words."""
    if isinstance(structure, Known):
        if is_symbolic(structure.thing):
            return f"a {type(structure.thing).__name__}"
        return "unbound" if isinstance(structure.thing, Undefined) else f"{structure.thing!r}"
    if isinstance(structure, Number):
        return f"a number of type {structure.type}"
    if isinstance(structure, Array):
        return f"an array of {len(structure.dims)} dims of {structure.dtype}"
    if isinstance(structure, Items):
        return f"a {structure.type.__name__} of {len(structure.items)}"
    return " or ".join(map(describe, structure.alternatives))


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


# -- values -------------------------------------------------------------------------------------------------------


def values_in(structure: Structure, thing: Any) -> list[Value]:
    """Return the values of the graph that a thing of this structure consists of, emitting what it takes."""
    if isinstance(structure, Known):
        return []
    if isinstance(structure, Number):
        return [lift(thing)]
    if isinstance(structure, Array):
        dims = [
            recorder().dim_value(d)
            for d, fixed in zip(thing.dims, structure.dims, strict=True)
            if fixed is None
        ]
        return [*dims, *_origin(structure, thing), thing.read()]
    if isinstance(structure, Items):
        items = list(thing.values()) if structure.keys is not None else list(thing)
        return [value for s, item in zip(structure.items, items, strict=True) for value in values_in(s, item)]
    return _values_of_choice(structure, thing)


def _origin(structure: Array, array: SymbolicArray) -> list[Value]:
    """Return which of a structure's origins an array is, where it has any."""
    if not structure.origins:
        return []
    storage = array.storage
    places = {origin: place for place, origin in enumerate(structure.origins)}
    none = len(places)
    if storage.input is not None:
        return [lift(places[storage] if array.region is None else none)]
    if array.chain or not storage.origins:
        return [lift(none)]
    if storage.origins == structure.origins:
        return [storage.origin.value]
    return [lift(choose(storage.origin, [*(places[origin] for origin in storage.origins), none]))]


def _values_of_choice(structure: Choice, thing: Any) -> list[Value]:
    alternatives = thing.alternatives if isinstance(thing, Union) else (thing,)
    places = [_place(structure, alternative) for alternative in alternatives]
    if isinstance(thing, Union):
        tag = lift(choose(thing.tag, places))
    else:
        tag = lift(places[0])
    result = [tag]
    for slot, payload in enumerate(structure.payload()):
        candidates = [
            a for a, place in zip(alternatives, places, strict=True) if structure.slot(place) == slot
        ]
        if not candidates:
            result.extend(_nothing(payload))
        elif isinstance(payload, Number):
            stored = [_stored(candidate, payload.type) for candidate in candidates]
            value = stored[-1]
            for candidate, other in zip(candidates[:-1], stored[:-1], strict=True):
                test = lift(thing.tag == alternatives.index(candidate))
                value = recorder().emit("select", test, other, value)
            result.append(value)
        else:
            result.extend(values_in(payload, candidates[0]))
    return result


def _place(structure: Choice, thing: Any) -> int:
    own = structure_of(thing)
    if is_constant(thing):
        own = Number(number_type(thing))
    if own in structure.alternatives:
        return structure.alternatives.index(own)
    if isinstance(own, Items):
        return next(p for p, a in enumerate(structure.alternatives) if isinstance(a, Items))
    return next(p for p, a in enumerate(structure.alternatives) if isinstance(a, Array))


def _stored(number: Any, type_: ScalarType) -> Value:
    """Return a number as a payload holds it: whether it is weak is for the tag to say."""
    value = lift(number)
    if value.type == type_:
        return value
    return recorder().emit("cast", value, dtype=type_.dtype, weak=type_.weak)


def _nothing(structure: Structure) -> list[Value]:
    """Return values to fill the place of an alternative that does not hold."""
    if isinstance(structure, Number):
        return [
            recorder().constant(
                structure.type.dtype.type(0).item() if structure.type.weak else structure.type.dtype.type(0),
                structure.type,
            )
        ]
    if isinstance(structure, Items):
        return [value for item in structure.items for value in _nothing(item)]
    if isinstance(structure, Choice):
        nothing = [value for payload in structure.payload() for value in _nothing(payload)]
        return [recorder().constant(0, INT), *nothing]
    if isinstance(structure, Known):
        return []
    sizes = [recorder().constant(0, INT) for dim in structure.dims if dim is None]
    dims = tuple(0 if dim is None else dim for dim in structure.dims)
    if structure.origins:
        sizes.append(recorder().constant(len(structure.origins), INT))
    return [*sizes, recorder().emit("empty", dtype=structure.dtype, dims=dims, order=structure.order)]


def rebuild(structure: Structure, values: Iterator[Value], name: str, aliases: set[Storage]) -> Any:
    """Return the thing of a structure whose values are the next ones of `values`.

    Arrays are given memory of their own, which may at run time be that of `aliases`. `name` is a name of the program, or describes it.
    """
    name = name if name.isidentifier() else ""
    if isinstance(structure, Known):
        return structure.thing
    if isinstance(structure, Number):
        value = next(values)
        value.name = value.name or name
        return SymbolicScalar(value)
    if isinstance(structure, Array):
        dims = tuple(recorder().dim(next(values)) if dim is None else dim for dim in structure.dims)
        origin = SymbolicScalar(next(values)) if structure.origins else None
        value = next(values)
        value.name = value.name or name
        storage = Storage(ArrayType(structure.dtype, dims, structure.order), name)
        storage.aliases = set(aliases)
        storage.origin, storage.origins, storage.is_view = origin, structure.origins, structure.is_view
        recorder().create(storage, value)
        return SymbolicArray(storage)
    if isinstance(structure, Items):
        return structure.make([rebuild(item, values, name, aliases) for item in structure.items])
    tag = SymbolicScalar(next(values))
    held = [rebuild(payload, values, name, aliases) for payload in structure.payload()]
    alternatives = []
    for place, alternative in enumerate(structure.alternatives):
        slot = structure.slot(place)
        if isinstance(alternative, Known):
            alternatives.append(alternative.thing)
        elif isinstance(alternative, Number):
            assert slot is not None
            alternatives.append(_taken(held[slot], alternative.type))
        else:
            assert slot is not None
            alternatives.append(held[slot])
    return Union(tag, tuple(alternatives))


def _taken(stored: SymbolicScalar, type_: ScalarType) -> SymbolicScalar:
    """Return the number that a payload holds for an alternative of this type."""
    if stored.type == type_:
        return stored
    return SymbolicScalar(recorder().emit("cast", stored.value, dtype=type_.dtype, weak=type_.weak))


def storages_in(thing: Any) -> set[Storage]:
    """Return the storages of the arrays in a thing."""
    if isinstance(thing, SymbolicArray):
        return {thing.storage}
    if isinstance(thing, Union):
        return {s for a in thing.alternatives for s in storages_in(a)}
    if isinstance(thing, StagedList) and thing.is_staged:
        assert thing.buffer is not None
        return {thing.buffer.storage}
    if isinstance(thing, (tuple, list)):
        return {s for item in thing for s in storages_in(item)}
    if isinstance(thing, dict):
        return {s for item in thing.values() for s in storages_in(item)}
    return set()


def bind_types(structure: Structure, values: Iterator[Value]) -> None:
    """Give values, which hold a thing of this structure, their types: an array's dims are the sizes that go before it."""
    if isinstance(structure, Number):
        next(values).type = structure.type
    elif isinstance(structure, Array):
        sizes = [next(values) for dim in structure.dims if dim is None]
        for size in sizes:
            size.type = INT
        left = iter(sizes)
        dims = tuple(Dim.of_value(next(left)) if dim is None else dim for dim in structure.dims)
        if structure.origins:
            next(values).type = INT
        next(values).type = ArrayType(structure.dtype, dims, structure.order)
    elif isinstance(structure, Items):
        for item in structure.items:
            bind_types(item, values)
    elif isinstance(structure, Choice):
        next(values).type = INT
        for payload in structure.payload():
            bind_types(payload, values)


def count_values(structure: Structure) -> int:
    """Return how many values a thing of this structure consists of."""
    if isinstance(structure, Known):
        return 0
    if isinstance(structure, Array):
        return 1 + sum(dim is None for dim in structure.dims) + bool(structure.origins)
    if isinstance(structure, Items):
        return sum(map(count_values, structure.items))
    return 1 if isinstance(structure, Number) else 1 + sum(map(count_values, structure.payload()))


def is_symbolic(thing: Any, depth: int = 4) -> bool:
    """Whether a thing is symbolic or holds something that is."""
    if isinstance(thing, (SymbolicScalar, SymbolicArray, Union)):
        return True
    return depth > 0 and any(is_symbolic(item, depth - 1) for item in references(thing))


def references(thing: Any) -> Iterator[Any]:
    """Yield what a container, function or instance made during the trace holds."""
    if isinstance(thing, StagedList) and thing.is_staged:
        yield thing.length
        yield thing.buffer
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from thing
    elif isinstance(thing, dict):
        yield from thing.values()
    elif isinstance(thing, types.FunctionType):
        yield from thing.__closure__ or ()
        yield from thing.__defaults__ or ()
    elif isinstance(thing, types.MethodType):
        yield thing.__self__
        yield thing.__func__
    elif isinstance(thing, types.CellType):
        try:
            yield thing.cell_contents
        except ValueError:
            return
    elif id(thing) in recorder().made:
        yield from vars(thing).values()
