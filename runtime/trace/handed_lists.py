"""Lists of numbers and of objects that were handed in: staged as if converted code had made them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.pools import Pool
from transpile.runtime.arrays.recorder import Recorder, recorder
from transpile.runtime.arrays.row_buffers import column_of
from transpile.runtime.arrays.rows import Instances, Lists, Record, Row
from transpile.runtime.arrays.staged import Staged
from transpile.runtime.arrays.structure import same_thing
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.operators.heap import contents_of

from .appended import Appends
from .handed_numbers import NUMBERS, array_of, columns_from
from .handed_objects import HandedObjects, ObjectsPattern, arrays_of_objects, pattern_of_objects
from .path import Path

if TYPE_CHECKING:
    from .outside import Outside

# Note [Lists handed in]
# A list of numbers of one type, Python's or NumPy's, of tuples of them, or of lists of them, however deep, is fed to a kernel as arrays of its items, and staged: its length may be
# another one on the next call. A short one is known item by item, as long as that will do. Where a staged list has changed, it is given its
# items when the call ends; so are the lists in it, which are the caller's own.

# The length up to which a list is not staged at once.
_SHORT = 16

# What a list holds: a type of numbers; a tuple of such; or a list of one, for lists.
Pattern = Any


def pattern_of(things: Any) -> Pattern | None:
    """Return what all items of a list are; None where they differ, or are no numbers, nor lists or tuples of such."""
    kinds = set(map(type, things))
    if len(kinds) != 1:
        return None
    (kind,) = kinds
    if kind in NUMBERS:
        return kind
    if kind is tuple:
        if len(set(map(len, things))) != 1:
            return None
        parts = tuple(pattern_of(column) for column in zip(*things, strict=True))
        return parts if parts and all(isinstance(part, type) for part in parts) else None
    if kind is list:
        inner = pattern_of(flat(things))
        return None if inner is None else [inner]
    return None


def arrays_of(things: Any, pattern: Pattern) -> tuple[np.ndarray[Any, Any], ...]:
    """Return the arrays that a list of a pattern is fed as; for lists, also where each begins and ends in them.

    Raises ValueError where it has another pattern, or holds one list twice.
    """
    if isinstance(pattern, type):
        if not set(map(type, things)) <= {pattern}:
            raise ValueError("items of other types")
        return (array_of(things, pattern),)
    if isinstance(pattern, tuple):
        if not set(map(type, things)) <= {tuple} or not set(map(len, things)) <= {len(pattern)}:
            raise ValueError("items of other types")
        columns = list(zip(*things, strict=True)) or [()] * len(pattern)
        return tuple(arrays_of(column, part)[0] for column, part in zip(columns, pattern, strict=True))
    if not set(map(type, things)) <= {list} or len(set(map(id, things))) != len(things):
        raise ValueError("items of other types, or one list twice")
    ends = np.cumsum([len(inner) for inner in things], dtype=np.int64)
    begins = np.concatenate([[0], ends[:-1]]).astype(np.int64) if len(ends) else ends
    return (*arrays_of(flat(things), pattern[0]), begins, ends)


def flat(things: list[list[Any]]) -> list[Any]:
    """Return what all lists in a list hold."""
    return list(itertools.chain.from_iterable(things))


class HandedList(StagedList):
    """A staged list that was handed in: whether more was done with it than to append to it, outside of loops and branches."""

    __slots__ = ("looked",)

    def __init__(self) -> None:
        super().__init__()
        self.looked = False

    def span(self) -> tuple[DimLike, DimLike]:
        """Return where the items begin and end."""
        self.looked = True
        return super().span()

    def append(self, item: Any) -> None:
        """Add an item."""
        self.looked |= recorder().frame is not recorder().graph_frame
        super().append(item)

    def clear(self) -> None:
        """Take all items out."""
        self.looked = True
        super().clear()


class HandedLists:
    """The lists of numbers and of objects among what was handed in."""

    def __init__(self, outside: Outside, stages: bool | None) -> None:
        self.outside = outside
        self.recorder: Recorder = outside.recorder
        # Whether such lists are staged; None where long ones are.
        self.stages = stages
        # Whether some were, and some were not.
        self.staged = self.left = False
        # Where the lists of lists were found, by the identity of the pools; and what staged lists held at first.
        self.pools: dict[int, Path] = {}
        self._before: dict[int, tuple[Staged, dict[Any, Any]]] = {}
        # What stands for lists that were empty.
        self._empty: dict[int, StagedList] = {}
        self.objects = HandedObjects(outside.recorder)

    def wrap(self, path: Path, things: list[Any]) -> StagedList | None:
        """Return the staged list that stands for one; None where it is not staged."""
        if self.stages is False or not things:
            return None
        pattern = pattern_of(things)
        of_objects = None if pattern is not None else self._pattern_of_objects(things)
        if pattern is None and of_objects is None:
            return None
        if self.stages is None and _size(things, pattern) <= _SHORT:
            self.left = True
            return None
        make: Callable[[Any, Any], tuple[np.ndarray[Any, Any], ...]]
        found: Any
        make, found = (arrays_of, pattern) if of_objects is None else (arrays_of_objects, of_objects)
        try:
            arrays = make(things, found)
        except ValueError:
            return None
        columns = Path("columns", (make, found), path)
        # A list may be met in a loop, where what is read would be a value of the loop.
        with self.recorder.region(self.recorder.graph_frame):
            values = [
                self.outside.inputs.array(columns.item(k), array).read() for k, array in enumerate(arrays)
            ]
            if of_objects is not None:
                pool = self.objects.pool_of(path, of_objects, values[1:])
                made = _list(Instances(pool), columns_from(values[:1]))
            elif isinstance(pattern, list):
                made = self._lists(path, pattern[0], values)
            else:
                made = _list(_row_of(pattern), columns_from(values))
        self.staged = True
        for thing in _parts(made):
            self._before[id(thing)] = (thing, contents_of(thing))
            self.recorder.arrived.append((thing, contents_of(thing)))
        return made

    def _pattern_of_objects(self, things: list[Any]) -> ObjectsPattern | None:
        """Return what the objects of a list are; None where they cannot lie in a pool, or others of their class do."""
        if not self.recorder.may_pool or self.objects.has_pool(type(things[0])):
            return None
        return pattern_of_objects(things)

    def empty(self) -> StagedList:
        """Return what stands for a list that is empty, and grows."""
        made = StagedList()
        self._empty[id(made)] = made
        self.recorder.arrived.append((made, contents_of(made)))
        return made

    def _lists(self, path: Path, pattern: Pattern, values: list[Value]) -> StagedList:
        *items, begins, ends = values
        spans = columns_from([begins, ends, ends])
        if isinstance(pattern, list):
            # The lists in these are numbered one after the other, too.
            held = self._lists(Path("made", (flat, (path,))), pattern[0], items)
        else:
            held = _list(_row_of(pattern), columns_from(items))
        pool = Pool(held, _list(_row_of((int, int, int)), spans))
        self.pools[id(pool)] = path
        count = pool.spans.columns[0].dims[0]
        made = StagedList()
        made.row, made.end = Lists(pool), dim_scalar(count)
        made.columns = [column_of(self.recorder.emit("iota", dims=(count,)))]
        return made

    def has_changed(self, pool: Pool) -> bool:
        """Whether a list in a pool has changed."""
        return any(self._has_changed(thing) for thing in (pool.items, pool.spans))

    def _has_changed(self, thing: Staged) -> bool:
        _, before = self._before[id(thing)]
        now = contents_of(thing)
        return not all(same_thing(now[key], before[key]) for key in before)

    def changed(self, thing: StagedList) -> list[Any] | None:
        """Return a list of what a staged list holds in the end, if that has changed, or a list in it.

        Raises Appends where it has only been appended to.
        """
        if id(thing) in self._empty and not thing.is_staged:
            return [*thing] or None
        own = _parts(thing)
        has_changed = id(thing) in self._empty or any(map(self._has_changed, own))
        if not (has_changed or self.objects.have_changed(thing)):
            return None
        if isinstance(thing, HandedList) and not thing.looked:
            raise Appends(self.outside.stand_ins.origins[id(thing)][0])
        shown = StagedList()
        shown.row, shown.columns, shown.begin, shown.end = thing.row, thing.columns, thing.begin, thing.end
        shown.hold_like(thing)
        return shown


def _size(things: list[Any], pattern: Pattern) -> int:
    """Return how many numbers, or objects, are in a list and the lists in it."""
    return _size(flat(things), pattern[0]) if isinstance(pattern, list) else len(things)


def _parts(thing: Staged) -> Iterator[Staged]:
    """Return a list, and the lists that the pools consist of in which its items lie."""
    yield thing
    for inner in thing.inner():
        yield from _parts(inner)


def _row_of(pattern: Pattern) -> Row:
    """Return the row of an item of a list of numbers, or of tuples of them."""
    if isinstance(pattern, tuple):
        return Record(tuple, tuple(NUMBERS[part] for part in pattern))
    return NUMBERS[pattern]


def _list(row: Row, columns: list[SymbolicArray]) -> StagedList:
    """Return the list of all that is in columns."""
    made = HandedList()
    made.row, made.columns = row, columns
    made.end = dim_scalar(columns[0].dims[0])
    return made
