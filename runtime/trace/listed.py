"""Returned lists whose length run time gives: what they are made of, and how they are made."""

from __future__ import annotations

import inspect
import itertools
import math
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.operators.slots import fill

from .path import Path


@dataclass(frozen=True, eq=False)
class Listed:
    """A list of the rows of an array: Python numbers if `weak`, NumPy scalars, or arrays."""

    rows: Any
    weak: bool

    def of(self, rows: np.ndarray[Any, Any]) -> list[Any]:
        """Return the list for the array of a call."""
        if rows.ndim > 1:
            return [row.copy() for row in rows]
        return rows.tolist() if self.weak else list(rows)


@dataclass(frozen=True, eq=False)
class Zipped:
    """A list of tuples, of as many lists as a tuple has items."""

    kind: type
    parts: tuple[ListedPart, ...]

    def of(self, parts: Sequence[list[Any]]) -> list[Any]:
        """Return the list for the lists of a call."""
        rows = zip(*parts, strict=True)
        return list(rows) if self.kind is tuple else list(itertools.starmap(self.kind, rows))


@dataclass(frozen=True, eq=False)
class PoolResult:
    """A pool of lists: its items, where each list begins and where it ends.

    With `given`, its first lists are those that the list at this path holds; they are given their items where it has `changed`.
    """

    items: ListedPart | None
    begins: Any
    ends: Any
    given: Path | None = None
    changed: bool = False


@dataclass(frozen=True, eq=False)
class ObjectsResult:
    """A pool of objects: their class, and for each of their attributes a list of what they hold.

    With `given`, its first objects are those in the list at this path; they are given what they hold under the names in `changed`.
    """

    kind: type
    names: tuple[str, ...]
    parts: list[ListedPart]
    given: Path | None = None
    changed: tuple[str, ...] = ()

    @property
    def has_slots(self) -> bool:
        """Whether an object keeps anything in slots."""
        return any(
            isinstance(inspect.getattr_static(self.kind, name, None), types.MemberDescriptorType)
            for name in self.names
        )


@dataclass(frozen=True, eq=False)
class Numbered:
    """A list of the lists or objects of a pool that have the numbers in an array."""

    rows: Any
    pool: PoolResult | ObjectsResult


@dataclass(frozen=True, eq=False)
class Member:
    """The list or object of a pool whose number is a result of the graph."""

    place: int
    pool: PoolResult | ObjectsResult


@dataclass(frozen=True, eq=False)
class Chosen:
    """A list of things of several kinds: an array tells of which, and each kind has a list of as many, or is a known thing."""

    tags: Any
    kinds: tuple[Any, ...]

    @property
    def lists(self) -> list[ListedPart]:
        """The kinds that have a list."""
        return [kind for kind in self.kinds if isinstance(kind, (Listed, Zipped, Numbered, Chosen))]

    def of(self, columns: Iterator[Any], make: Callable[[Any], Any]) -> list[Any]:
        """Return the list for the arrays of a call."""
        tags = next(columns)
        made: list[Any] = [None] * len(tags)
        for tag, kind in enumerate(self.kinds):
            places = np.flatnonzero(tags == tag)
            if kind in self.lists:
                own = [next(columns)[places] for _ in columns_of(kind)]
                items = made_of(kind, iter(own), make)
            else:
                items = [kind] * len(places)
            for place, item in zip(places.tolist(), items, strict=True):
                made[place] = item
        return made


@dataclass(frozen=True, eq=False)
class Sized:
    """A list of arrays of several sizes: the elements of all of them, and columns of where each begins among those, and of its dims."""

    elements: Any
    columns: tuple[Any, ...]

    def of(self, columns: Sequence[np.ndarray[Any, Any]], elements: np.ndarray[Any, Any]) -> list[Any]:
        """Return the list for the arrays of a call."""
        begins, *dims = (column.tolist() for column in columns)
        return [
            elements[begin : begin + math.prod(shape)].reshape(shape).copy()
            for begin, *shape in zip(begins, *dims, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class OwnArrays:
    """A list of arrays that objects hold, of which those of objects that were handed in are the caller's.

    `are_new` tells which of them are to be replaced, where any are, and `before` what the arrays hold that were replaced, where any were written before that.
    """

    rows: Any
    are_new: Any
    before: Any

    @property
    def columns(self) -> list[Any]:
        """The arrays that it is made of."""
        return [column for column in (self.rows, self.are_new, self.before) if column is not None]

    def written(self, arrays: Sequence[np.ndarray[Any, Any]], columns: Iterator[Any]) -> list[Any]:
        """Write what they hold into the arrays of a call, and return them, or others in the place of those that are to be replaced."""
        rows = next(columns)
        are_new = [False] * len(rows) if self.are_new is None else next(columns).tolist()
        before = None if self.before is None else next(columns)
        held = []
        for place, (array, row, new) in enumerate(zip(arrays, rows, are_new, strict=True)):
            if not new:
                array[...] = row
            elif before is not None:
                array[...] = before[place]
            held.append(row.copy() if new else array)
        return held


ListedPart = Listed | Zipped | Numbered | Sized | Chosen | OwnArrays


def columns_of(part: ListedPart) -> list[Any]:
    """Return the arrays that lists are made of."""
    if isinstance(part, Zipped):
        return [column for inner in part.parts for column in columns_of(inner)]
    if isinstance(part, Chosen):
        return [part.tags, *(column for kind in part.lists for column in columns_of(kind))]
    return list(part.columns) if isinstance(part, (Sized, OwnArrays)) else [part.rows]


def pools_of(part: Any) -> list[PoolResult | ObjectsResult]:
    """Return the pools that the lists and objects in a list lie in."""
    if isinstance(part, Zipped):
        return [pool for inner in part.parts for pool in pools_of(inner)]
    if isinstance(part, Chosen):
        return [pool for kind in part.lists for pool in pools_of(kind)]
    return [part.pool] if isinstance(part, (Numbered, Member)) else []


def made_of(part: ListedPart, columns: Iterator[Any], make: Callable[[Any], Any]) -> list[Any]:
    """Return the list for the arrays of a call; `make` gives what is made of a description."""
    if isinstance(part, Zipped):
        return part.of([made_of(inner, columns, make) for inner in part.parts])
    if isinstance(part, Chosen):
        return part.of(columns, make)
    if isinstance(part, Numbered):
        return make(part.pool).members(next(columns).tolist())  # type: ignore[no-any-return]
    if isinstance(part, Sized):
        return part.of([next(columns) for _ in part.columns], make(part.elements))
    if isinstance(part, OwnArrays):
        return [row.copy() for row in next(columns)]
    return part.of(next(columns))


class Members:
    """The lists of a pool: the one of a number is made once."""

    def __init__(self, pool: PoolResult, make: Callable[[Any], Any], given: Sequence[list[Any]]) -> None:
        self.pool = pool
        self.make = make
        self.begins, self.ends = make(pool.begins).tolist(), make(pool.ends).tolist()
        self.columns = [] if pool.items is None else [make(column) for column in columns_of(pool.items)]
        self.known: dict[int, list[Any]] = dict(enumerate(given))
        for inner in () if pool.items is None or not given else pools_of(pool.items):
            # Lists in these may have changed where these have not.
            make(inner)
        if pool.changed:
            for number, things in enumerate(given):
                things[:] = self._items(number)

    def member(self, number: int) -> list[Any]:
        """Return the list of a number."""
        if number not in self.known:
            self.known[number] = things = []
            things.extend(self._items(number))
        return self.known[number]

    def members(self, numbers: Sequence[int]) -> list[list[Any]]:
        """Return the lists of some numbers."""
        return list(map(self.member, numbers))

    def _items(self, number: int) -> list[Any]:
        if self.pool.items is None:
            return []
        own = slice(self.begins[number], self.ends[number])
        return made_of(self.pool.items, iter([column[own] for column in self.columns]), self.make)


class Objects:
    """The objects of a pool: the one of a number is made once, and given what it holds once all that leads to it is made."""

    def __init__(self, pool: ObjectsResult, make: Callable[[Any], Any], given: Sequence[Any]) -> None:
        self.pool = pool
        self.make = make
        self.columns = [[make(column) for column in columns_of(part)] for part in pool.parts]
        self.known: dict[int, Any] = dict(enumerate(given))
        # The numbers of those that are still to be given what they hold, with the names of that, and whether that is under way.
        self.left: list[tuple[list[int], tuple[str, ...]]] = []
        if pool.changed:
            self.left.append((list(self.known), pool.changed))
        self.given = len(given)
        self.fills = False

    def member(self, number: int) -> Any:
        """Return the object of a number."""
        return self.members([number])[0]

    def members(self, numbers: Sequence[int]) -> list[Any]:
        """Return the objects of some numbers."""
        new = [number for number in dict.fromkeys(numbers) if number not in self.known]
        for number in new:
            self.known[number] = object.__new__(self.pool.kind)
        if new:
            self.left.append((new, self.pool.names))
        # What objects hold may be others of the pool: those are given theirs when these have it.
        while self.left and not self.fills:
            some, self.left, self.fills = self.left, [], True
            for each, names in some:
                self._fill(each, names)
            self.fills = False
        return [self.known[number] for number in numbers]

    def _fill(self, numbers: list[int], names: tuple[str, ...]) -> None:
        """Give some objects what they hold under some names."""
        are_given = bool(numbers) and numbers[0] < self.given
        held = []
        for name, part, columns in zip(self.pool.names, self.pool.parts, self.columns, strict=True):
            if name not in names:
                continue
            own = iter([column[numbers] for column in columns])
            if are_given and isinstance(part, OwnArrays):
                held.append(part.written([vars(self.known[number])[name] for number in numbers], own))
            else:
                held.append(made_of(part, own, self.make))
        slots = self.pool.has_slots
        for number, row in zip(numbers, zip(*held, strict=True), strict=True):
            attributes = zip(names, row, strict=True)
            if slots:
                fill(self.known[number], dict(attributes))
            else:
                vars(self.known[number]).update(attributes)
