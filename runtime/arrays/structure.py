"""The structure of what a region takes and gives: which parts are known, and which are values of the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import PYTHON_TYPES, DType, ScalarType, weak

from .array import SymbolicArray
from .cells import Storage
from .lacking_dicts import LackingDict
from .lists import StagedList
from .numbers import DTYPES
from .object_pools import ObjectPool
from .pools import Pool, new_pool
from .recorder import recorder
from .references import is_symbolic, references, storages_in
from .rows import columns_of, holds_arrays, in_pools, is_in_pool, is_named, number_of
from .scalar import SymbolicScalar
from .tuples import is_tuple
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
    none of them. `is_view` tells that it may be a view of one on some way, `writable` whether it can be written, `copied` how it may lie in memory that what stands for it does not.
    `aliases` are the storages, of what was made outside of the region, whose memory it may be, `relatives` all those that may be the same.
    """

    dtype: DType
    dims: tuple[DimLike | None, ...]
    order: tuple[int, ...] | None
    origins: tuple[Storage, ...] = ()
    is_view: bool = False
    copied: str = ""
    aliases: frozenset[Storage] = frozenset()
    relatives: frozenset[Storage] = frozenset()
    writable: bool | None = True

    @property
    def kind(self) -> tuple[Any, ...]:
        """What arrays of one structure have in common, whatever their dims."""
        return self.dtype, len(self.dims), self.order, self.writable


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
    """A tuple, list, dictionary or instance of a user's class: its type (a list's is that of lists that can grow), its keys (of the latter two), its items.

    `origins` are the caller's containers one of which it may be itself, on some way: as of arrays, a value is given along that tells which.
    """

    type: type
    keys: tuple[Any, ...] | None
    items: tuple[Structure, ...]
    origins: tuple[Known, ...] = ()

    @property
    def shape(self) -> tuple[Any, ...]:
        """What tells containers of different structures apart, whatever they hold."""
        return self.type, self.keys, len(self.items)

    def items_of(self, thing: Any) -> list[Any]:
        """Return what a container of this structure holds."""
        if self.type is slice:
            return [thing.start, thing.stop, thing.step]
        if self.type is ObjectPool:
            return [number_of(thing)]
        if hasattr(self.type, "__parts__"):
            return list(thing.__parts__())
        if self.keys is None:
            return list(thing)
        if self.type is StagedList:
            return parts_of(thing)
        if self.type is LackingDict:
            return list(thing.contents().values())
        return list((thing if self.type is dict else vars(thing)).values())

    def make(self, items: list[Any]) -> Any:
        """Build the container."""
        if self.keys is not None:
            if self.type is StagedList:
                return made_of(self.keys, items)
            if self.type is ObjectPool:
                return self.keys[0].member(*items)
            held = dict(zip(self.keys, items, strict=True))
            if self.type is dict:
                return held
            if self.type is LackingDict:
                return LackingDict(held.items())
            made: Any = object.__new__(self.type)
            recorder().made[id(made)] = made
            vars(made).update(held)
            return made
        if self.type in (tuple, StagedList):
            return self.type(items)
        return self.type(*items)


def parts_of(thing: StagedList) -> list[Any]:
    """Return what a staged list consists of."""
    return [*thing.contents().values(), *(thing.inner() if thing.pool is None else ())]


def kind_of(thing: StagedList) -> tuple[Any, ...]:
    """Return what tells staged lists of different structures apart: the row, without the pools."""
    assert thing.row is not None
    return (in_pools(thing.row, lambda row: None),)


def made_of(keys: tuple[Any, ...], parts: list[Any]) -> StagedList:
    """Return the staged list that consists of some parts."""
    (kind,) = keys
    if isinstance(kind, Pool):
        return kind.member(*parts)
    made = StagedList()
    made.begin, made.end, *rest = parts
    made.columns = rest[: len(columns_of(kind))]
    left = iter(rest[len(made.columns) :])
    made.row = in_pools(kind, lambda row: new_pool(row, left))
    made.shared = holds_arrays(made.row)
    made.copied = max((column.storage.copied for column in made.columns), default="")
    return made


Structure = Known | Number | Array | Choice | Items


def same_thing(first: Any, second: Any) -> bool:
    """Whether two known things are interchangeable: one object, or equal numbers or strings of one type.

    So are views of the same elements, as long as nobody sees whether they are one object: that is noted of them.
    """
    if first is second:
        return True
    if isinstance(first, SymbolicArray) and isinstance(second, SymbolicArray):
        # The caller's own object is another one than a view of all of it.
        same = first.shows_same(second) and (first.region is None) == (second.region is None)
        if same and (first.viewed or second.viewed):
            first.several = second.several = True
        return same
    if type(first) is not type(second):
        return False
    if isinstance(first, (float, complex, np.inexact)):
        return repr(first) == repr(second)
    return isinstance(first, (bool, int, str, bytes, np.generic, Undefined)) and bool(first == second)


def is_namedtuple(value: Any) -> bool:
    """Whether a value is a named tuple."""
    return is_named(type(value))


def structure_of(value: Any, widen: bool = False) -> Structure:
    """Return the structure of a value; with `widen`, numbers that are known count as values that may change."""
    if isinstance(value, SymbolicScalar):
        return Number(value.type)
    if widen and is_constant(value):
        return Number(number_type(value))
    if isinstance(value, Union):
        return Choice(tuple(structure_of(a) for a in value.alternatives))
    if is_tuple(value) or is_namedtuple(value):
        return Items(
            tuple if is_tuple(value) else type(value),
            None,
            tuple(structure_of(item, widen) for item in value),
        )
    if isinstance(value, StagedList) and value.pool is not None:
        return Items(StagedList, (value.pool,), (structure_of(value.handle, True),))
    if is_in_pool(value):
        _, pool, handle = recorder().pooled[id(value)]
        return Items(ObjectPool, (pool,), (structure_of(handle, True),))
    if hasattr(type(value), "__parts__"):
        return Items(type(value), None, tuple(structure_of(part, True) for part in value.__parts__()))
    if isinstance(value, slice):
        return Items(slice, None, tuple(structure_of(bound, widen) for bound in references(value)))
    return Known(value)


def opened(structure: Structure) -> Structure:
    """Return a known container as a structure of its items."""
    if isinstance(structure, Known):
        thing = structure.thing
        if type(thing) is list or (isinstance(thing, StagedList) and not thing.is_staged):
            return Items(StagedList, None, tuple(map(structure_of, thing)), origins_of(thing))
        if isinstance(thing, StagedList):
            inner = [opened(Known(part)) for part in thing.inner()]
            own = [structure_of(part, widen=True) for part in thing.contents().values()]
            return Items(StagedList, kind_of(thing), (*own, *inner), origins_of(thing))
        if type(thing) is dict:
            return Items(dict, tuple(thing), tuple(map(structure_of, thing.values())), origins_of(thing))
        if isinstance(thing, LackingDict):
            contents = thing.contents()
            return Items(LackingDict, tuple(contents), tuple(map(structure_of, contents.values())))
        if hasattr(thing, "__dict__") and id(thing) in recorder().made:
            return Items(type(thing), tuple(vars(thing)), tuple(map(structure_of, vars(thing).values())))
    return structure


def origins_of(thing: Any) -> tuple[Known, ...]:
    """Return the caller's lists or dictionaries one of which a container is, or may be."""
    record = recorder()
    if id(thing) in record.handed:
        return (Known(thing),)
    _, origins, _ = record.perhaps_handed.get(id(thing), (None, (), None))
    return origins


def is_constant(value: Any) -> bool:
    """Whether a value is a number that the graph can hold."""
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) in PYTHON_TYPES or (isinstance(value, np.generic) and value.dtype in DTYPES)


def number_type(value: Any) -> ScalarType:
    """Return the type of a number that is known."""
    return weak(type(value)) if type(value) in PYTHON_TYPES else ScalarType(value.dtype)


def kept_in(structure: Structure) -> set[Storage]:
    """Return the memory of the arrays that stay the very ones that they are."""
    if isinstance(structure, Choice):
        return set().union(*map(kept_in, structure.alternatives))
    if isinstance(structure, Items):
        return set().union(*map(kept_in, structure.items))
    return storages_in(structure.thing) if isinstance(structure, Known) else set()


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
        kind = list if structure.type is StagedList else structure.type
        return f"a {kind.__name__} of {len(structure.items)}"
    return " or ".join(map(describe, structure.alternatives))
