"""The values of the graph that a thing consists of, and the thing that they make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ArrayType, ScalarType

from .array import SymbolicArray
from .cells import Storage
from .choices import choose
from .numbers import lift
from .recorder import recorder
from .references import known_here
from .scalar import SymbolicScalar
from .structure import (
    Array,
    Choice,
    Items,
    Known,
    Number,
    Structure,
    is_constant,
    number_type,
    opened,
    origins_of,
    structure_of,
)
from .union import Union


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
        if thing.storage.attribute is not None:
            thing.storage.attribute.note_left(thing)
        return [*dims, *_origin(structure, thing), thing.read()]
    if isinstance(structure, Items):
        items = zip(structure.items, structure.items_of(thing), strict=True)
        return [*_origin_of_items(structure, thing), *(v for s, item in items for v in values_in(s, item))]
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
    if array.is_view or not storage.origins:
        return [lift(none)]
    if storage.origins == structure.origins:
        return [storage.origin.value]
    return [lift(choose(storage.origin, [*(places[origin] for origin in storage.origins), none]))]


def _origin_of_items(structure: Items, thing: Any) -> list[Value]:
    """Return which of a structure's origins a container is, where it has any."""
    if not structure.origins:
        return []
    own, none = origins_of(thing), len(structure.origins)
    places = [structure.origins.index(origin) for origin in own]
    if id(thing) in recorder().handed:
        return [lift(places[0])]
    return [lift(choose(recorder().perhaps_handed[id(thing)][2], [*places, none]) if own else none)]


def _values_of_choice(structure: Choice, thing: Any) -> list[Value]:
    alternatives = thing.alternatives if isinstance(thing, Union) else (thing,)
    places = [_place(structure, alternative) for alternative in alternatives]
    if isinstance(thing, Union):
        tag = lift(choose(thing.tag, places))
    else:
        tag = lift(places[0])
    result = [tag]
    for slot, payload in enumerate(structure.payload()):
        candidates = [number for number, place in enumerate(places) if structure.slot(place) == slot]
        if not candidates:
            result.extend(_nothing(payload))
        elif isinstance(payload, Number):
            stored = [_stored(alternatives[number], payload.type) for number in candidates]
            value = stored[-1]
            for number, other in zip(candidates[:-1], stored[:-1], strict=True):
                value = recorder().emit("select", lift(thing.tag == number), other, value)
            result.append(value)
        else:
            result.extend(_values_of_one(payload, thing, candidates))
    return result


def _values_of_one(payload: Structure, thing: Any, candidates: list[int]) -> list[Value]:
    """Return the values of the alternative that holds, of those of one structure."""
    if not isinstance(thing, Union):
        return values_in(payload, thing)
    *others, last = candidates
    result = values_in(payload, thing.alternatives[last])
    for number in others:
        value = values_in(payload, thing.alternatives[number])
        if value != result:
            result = _select(lift(thing.tag == number), payload, value, result)
    return result


def _select(test: Value, structure: Structure, yes: list[Value], no: list[Value]) -> list[Value]:
    """Return the values of the one of two things of a structure that a test decides on."""
    record = recorder()
    blocks = []
    for values in (yes, no):
        frame = record.child("branch")
        frame.block.results = tuple(values)
        blocks.append(frame.block)
    result = record.append("cond", (test,), {"types": tuple(value.type for value in yes)}, tuple(blocks))
    bind_types(structure, iter(result))
    return list(result)


def _place(structure: Choice, thing: Any) -> int:
    own = structure_of(thing)
    if is_constant(thing):
        own = Number(number_type(thing))
    if own in structure.alternatives:
        return structure.alternatives.index(own)
    if isinstance(own, Known) and isinstance(own.thing, SymbolicArray):
        kind = (own.thing.dtype, own.thing.ndim, own.thing.type.order, own.thing.may_be_written)
        return next(
            p for p, a in enumerate(structure.alternatives) if isinstance(a, Array) and a.kind == kind
        )
    items = opened(own)
    assert isinstance(items, Items)
    return next(
        p for p, a in enumerate(structure.alternatives) if isinstance(a, Items) and a.shape == items.shape
    )


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
        tag = [recorder().constant(len(structure.origins), INT)] if structure.origins else []
        return [*tag, *(value for item in structure.items for value in _nothing(item))]
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


def rebuild(structure: Structure, values: Iterator[Value], name: str) -> Any:
    """Return the thing of a structure whose values are the next ones of `values`.

    Arrays are given memory of their own, which may at run time be that of their structures' `aliases`. `name` is a name of the program, or describes it.
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
        storage.aliases = set(known_here(structure.aliases))
        storage.relate(*known_here(structure.relatives))
        storage.origin, storage.origins, storage.is_view = origin, structure.origins, structure.is_view
        storage.copied = structure.copied
        recorder().create(storage, value)
        array = SymbolicArray(storage)
        array.readonly = structure.writable is False
        if structure.writable is None:
            storage.writable = None
        return array
    if isinstance(structure, Items):
        tag = SymbolicScalar(next(values)) if structure.origins else None
        made = structure.make([rebuild(item, values, name) for item in structure.items])
        if structure.origins:
            recorder().perhaps_handed[id(made)] = (made, structure.origins, tag)
        return made
    tag = SymbolicScalar(next(values))
    held = [rebuild(payload, values, name) for payload in structure.payload()]
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
        if structure.origins:
            next(values).type = INT
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
        return bool(structure.origins) + sum(map(count_values, structure.items))
    return 1 if isinstance(structure, Number) else 1 + sum(map(count_values, structure.payload()))
