"""Lists of objects that were handed in: their objects lie in the pool of their class, as those do that a trace makes."""

from __future__ import annotations

import inspect
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import GetSetDescriptorType, NoneType
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.array_attributes import as_it_was, is_new
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.object_pools import ObjectPool, can_be_pooled
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.rows import Instances, Mixed, Only, Record, Row, columns_of, is_member
from transpile.runtime.arrays.structure import same_thing
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, dims_of
from transpile.runtime.operators.call import call
from transpile.runtime.operators.heap import contents_of
from transpile.runtime.operators.objects import can_stand_in, stand_in

from .handed_arrays import ArraysPattern, arrays_pattern, stacked
from .handed_numbers import NUMBERS, array_of, columns_from
from .path import Path

# Note [Objects handed in]
# The objects in a list of one class that is handed in are the first rows of the pool of that class, one for each of them, however often it is in the list: what is fed
# to a kernel are arrays of what they hold, and one of their numbers. What is not the same kind of thing for all of them, as text is, is left out: the program must not ask
# for it. Where they have changed, they are given what they hold in the end when the call ends. There is one such list for a class; what stands for an object of the class
# that is met otherwise must be none of these, which is guarded.
# Arrays that they hold are stacked where all have one dtype and shape, and no other array lies in the memory of one, neither of these nor of what is met
# otherwise, which is guarded, too. When the call ends, what was written in place is written into the arrays themselves, and what was replaced is replaced.

# The most kinds of things that are told apart.
_KINDS = 6


@dataclass(frozen=True)
class Kinds:
    """What an attribute holds: numbers of some types, some known things, other objects of the list."""

    numbers: tuple[type, ...]
    things: tuple[Any, ...]
    is_object: bool

    @property
    def types(self) -> set[type]:
        """The types of what is held, but for objects of the list."""
        return {*self.numbers, *map(type, self.things)}

    def row(self, pool: ObjectPool) -> Row:
        """Return the row that holds one of them."""
        kinds: list[Row] = [NUMBERS[number] for number in self.numbers]
        kinds += map(Only, self.things)
        if self.is_object:
            kinds.append(Instances(pool))
        return kinds[0] if len(kinds) == 1 and not self.things else Mixed(tuple(kinds))


@dataclass(frozen=True, eq=False)
class ObjectsPattern:
    """What the objects of a list are: their class, the names of all that they hold, and what it is for each name that can be asked for."""

    kind: type
    names: tuple[str, ...]
    held: dict[str, Kinds | ArraysPattern]

    @property
    def arrays(self) -> tuple[str, ...]:
        """The names under which they hold arrays."""
        return tuple(name for name, what in self.held.items() if isinstance(what, ArraysPattern))


def pattern_of_objects(things: Sequence[Any]) -> ObjectsPattern | None:
    """Return what the objects of a list are; None where they are of several classes, or of one of which no pool can be."""
    kind: Any = type(things[0])
    if set(map(type, things)) != {kind} or not _can_lie_in_pools(kind):
        return None
    members = each_once(things)
    dictionaries = list(map(vars, members))
    names = tuple(dictionaries[0])
    if set(map(tuple, dictionaries)) != {names} or any(map(_is_decided, [kind] * len(names), names)):
        return None
    held = {name: [own[name] for own in dictionaries] for name in names}
    counts = Counter(id(thing) for some in held.values() for thing in some)
    found = {
        name: arrays_pattern(some, counts) if type(some[0]) is np.ndarray else _kinds_of(kind, some, members)
        for name, some in held.items()
    }
    known = {name: what for name, what in found.items() if what is not None}
    # None of them may be known by what run time does not give.
    gives = any(isinstance(what, ArraysPattern) or what.numbers for what in known.values())
    return ObjectsPattern(kind, names, known) if gives else None


def arrays_of_objects(things: Any, pattern: ObjectsPattern) -> tuple[np.ndarray[Any, Any], ...]:
    """Return the arrays that a list of objects is fed as: their numbers, then what they hold, by attribute.

    Raises ValueError where they are others.
    """
    if type(things) is not list or set(map(type, things)) != {pattern.kind}:
        raise ValueError("objects of other classes")
    members = each_once(things)
    dictionaries = list(map(vars, members))
    if set(map(tuple, dictionaries)) != {pattern.names}:
        raise ValueError("objects that hold other things")
    places = {id(member): place for place, member in enumerate(members)}
    arrays = [np.array([places[id(thing)] for thing in things], np.int64)]
    for name, what in pattern.held.items():
        held = [own[name] for own in dictionaries]
        if isinstance(what, ArraysPattern):
            arrays.append(stacked(held, what))
        else:
            arrays += _columns(held, what, pattern.kind, places)
    if pattern.arrays:
        # None of these has been replaced yet.
        arrays.append(np.zeros(len(members), np.bool_))
    return tuple(arrays)


def is_of_objects(path: Path) -> bool:
    """Whether a path is that of an array of what the objects in a list hold."""
    columns = path.base
    return columns is not None and columns.kind == "columns" and isinstance(columns.key[1], ObjectsPattern)


def each_once(things: Iterable[Any]) -> list[Any]:
    """Return the objects of a list in the order in which they are met first."""
    return list({id(thing): thing for thing in things}.values())


def _can_lie_in_pools(kind: type) -> bool:
    """Whether instances of a class hold all that they hold in a dictionary, and nothing notices who reads and stores it."""
    return (
        isinstance(vars(kind).get("__module__"), str)
        and kind.__module__ != "builtins"
        and type(kind) is type
        and kind.__new__ is object.__new__  # type: ignore[comparison-overlap]
        and kind.__dictoffset__ != 0
        and isinstance(inspect.getattr_static(kind, "__dict__"), GetSetDescriptorType)
        and not any("__slots__" in vars(base) for base in kind.__mro__[:-1])
        and can_stand_in(kind)
        and can_be_pooled(kind)
    )


def _is_decided(kind: type, name: str) -> bool:
    """Whether a class decides what is read under a name, whatever an instance holds."""
    found = type(inspect.getattr_static(kind, name, None))
    return hasattr(found, "__set__") or hasattr(found, "__delete__")


def _kinds_of(kind: type, held: list[Any], members: list[Any]) -> Kinds | None:
    """Return what an attribute holds; None where it is too much to tell apart."""
    types = dict.fromkeys(map(type, held))
    numbers = tuple(own for own in types if own in NUMBERS)
    things: dict[Any, None] = {}
    for own in types:
        if own is kind:
            known = set(map(id, members))
            if not all(id(thing) in known for thing in held if type(thing) is kind):
                return None
        elif own not in NUMBERS:
            some = [thing for thing in held if type(thing) is own]
            if not (own in (NoneType, str) or is_member(some[0])):
                return None
            things |= dict.fromkeys(some)
    is_object = kind in types
    if len(numbers) + len(things) + is_object > _KINDS:
        return None
    return Kinds(numbers, tuple(things), is_object)


def _columns(held: list[Any], kinds: Kinds, kind: type, places: dict[int, int]) -> list[np.ndarray[Any, Any]]:
    """Return the arrays that an attribute is fed as."""
    types = list(map(type, held))
    if not set(types) <= (kinds.types | {kind} if kinds.is_object else kinds.types):
        raise ValueError("things of other types")
    if len(kinds.numbers) == 1 and not kinds.things and not kinds.is_object:
        return [array_of(held, kinds.numbers[0])]
    if kinds.is_object and not kinds.numbers and not kinds.things:
        return [np.array([places[id(thing)] for thing in held], np.int64)]
    number_tags = {own: tag for tag, own in enumerate(kinds.numbers)}
    thing_tags = {thing: tag for tag, thing in enumerate(kinds.things, len(number_tags))}
    if kinds.is_object:
        number_tags[kind] = len(number_tags) + len(thing_tags)
    tags = [
        number_tags[own] if own in number_tags else thing_tags[thing]
        for own, thing in zip(types, held, strict=True)
    ]
    columns = [np.array(tags, np.int8)]
    for dtype in dict.fromkeys(NUMBERS[own].dtype for own in kinds.numbers):
        own_types = [own for own in kinds.numbers if NUMBERS[own].dtype == dtype]
        given = [
            thing if own in own_types else own_types[0](0) for own, thing in zip(types, held, strict=True)
        ]
        columns.append(array_of(given, own_types[0]))
    if kinds.is_object:
        known = [places[id(thing)] if own is kind else 0 for own, thing in zip(types, held, strict=True)]
        columns.append(np.array(known, np.int64))
    return columns


class HandedObjects:
    """The pools of objects that were handed in."""

    def __init__(self, record: Recorder) -> None:
        self._recorder = record
        # For each pool, by identity: itself, the list that gives its first objects, and what it held at first.
        self._pools: dict[int, tuple[ObjectPool, Path, Row, list[SymbolicArray], list[Value], Any]] = {}

    def has_pool(self, class_: type) -> bool:
        """Whether objects of a class lie in a pool already."""
        return any(pool.class_ is class_ for pool in self._recorder.object_pools.values())

    def pool_of(self, path: Path, pattern: ObjectsPattern, values: list[Value]) -> ObjectPool:
        """Return the pool of the objects in a list, of which arrays have what they hold."""
        kind = stand_in(pattern.kind, call)
        self._recorder.note_class(pattern.kind)
        pool = self._recorder.object_pools[kind] = ObjectPool(kind)
        rows: dict[str, Row] = {}
        given: dict[str, list[Value]] = {}
        left = iter(values)
        for name, what in pattern.held.items():
            if isinstance(what, ArraysPattern):
                given[name] = [next(left)]
                rows[name] = ArrayType(what.dtype, dims_of(given[name][0].type)[1:])
            else:
                rows[name] = what.row(pool)
                given[name] = list(itertools.islice(left, len(columns_of(rows[name]))))
        for name in pattern.arrays:
            rows[is_new(name)], given[is_new(name)] = NUMBERS[bool], values[-1:]
            rows[as_it_was(name)], given[as_it_was(name)] = rows[name], given[name]
        row = Record(tuple, tuple(rows.values()))
        columns = columns_from(itertools.chain.from_iterable(given.values()))
        pool.begin(tuple(pattern.held), pattern.arrays, row, columns, set(pattern.names) - set(pattern.held))
        before = [column.read() for column in columns]
        self._pools[id(pool)] = (pool, path, row, list(columns), before, pool.items.end)
        self._recorder.arrived.append((pool.items, contents_of(pool.items)))
        return pool

    def path(self, pool: ObjectPool) -> Path | None:
        """Return where the list is found that gives a pool its first objects."""
        return self._pools[id(pool)][1] if id(pool) in self._pools else None

    def changed(self, pool: ObjectPool) -> tuple[str, ...]:
        """Return the names under which objects of a pool that were handed in may hold something else, or arrays that were written."""
        _, _, row, before, held, _ = self._pools[id(pool)]
        now = pool.items
        assert isinstance(row, Record)
        assert isinstance(now.row, Record)
        names, first, start = [], 0, 0
        for name, old, new in zip(pool.names, row.items, now.row.items, strict=True):
            was = before[first : first + len(columns_of(old))]
            own = now.columns[start : start + len(columns_of(new))]
            values = held[first : first + len(was)]
            first, start = first + len(was), start + len(own)
            if (
                old != new
                or not all(map(same_thing, own, was))
                or any(
                    self._recorder.read(column.storage) is not value
                    for column, value in zip(own, values, strict=True)
                )
            ):
                names.append(name)
        return tuple(names)

    def any_changed(self) -> bool:
        """Whether an object in a list that was handed in holds something else, or an array that was written."""
        return any(self.changed(pool) for pool, *_ in self._pools.values())

    def grows(self, pool: ObjectPool) -> bool:
        """Whether objects that the trace has made may lie in a pool, too."""
        return not same_thing(pool.items.end, self._pools[id(pool)][-1])

    def have_changed(self, things: StagedList) -> bool:
        """Whether objects in a list that was handed in hold something else."""
        row = things.row
        return isinstance(row, Instances) and id(row.pool) in self._pools and bool(self.changed(row.pool))

    def listed(self) -> Iterator[tuple[type, Path]]:
        """Yield the classes of the objects, and where the lists of them are found."""
        for pool, path, *_ in self._pools.values():
            yield pool.class_, path

    def holding(self) -> list[tuple[Path, tuple[str, ...]]]:
        """Return where the lists are found of objects that hold arrays, and under which names."""
        return [(path, pool.handed_arrays) for pool, path, *_ in self._pools.values() if pool.handed_arrays]
