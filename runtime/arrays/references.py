"""What things made during the trace hold."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterable, Iterator
from typing import Any

from .array import SymbolicArray
from .cells import Storage
from .handle import Foreign
from .hash_tables import Table
from .lists import StagedList
from .pools import Pool
from .recorder import recorder
from .scalar import SymbolicScalar
from .union import Union


class Holder:
    """Something that operators make and that holds things of the program's."""

    # Whether it is symbolic, whatever it holds.
    symbolic = False
    # Whether the memory of arrays that it holds is seen through it.
    shows = False

    def held(self) -> Iterator[Any]:
        """Yield what it holds."""
        raise NotImplementedError


def known_here(storages: Iterable[Storage]) -> frozenset[Storage]:
    """Return those of some storages that were made in the region being recorded, or around it."""
    return frozenset(filter(recorder().knows, storages))


def storages_in(thing: Any) -> set[Storage]:
    """Return the storages of the arrays in a thing."""
    return set().union(*arrays_in(thing))


def arrays_in(thing: Any, met: set[int] | None = None) -> Iterator[set[Storage]]:
    """Yield for each array in a thing the storages in one of which it lies; what is in a container that is met twice comes once."""
    met = set() if met is None else met
    if isinstance(thing, Foreign):
        return
    if isinstance(thing, SymbolicArray):
        yield {thing.storage}
    elif isinstance(thing, Union):
        arrays = {way.storage for way in thing.alternatives if isinstance(way, SymbolicArray)}
        if arrays:
            yield arrays
        for way in thing.alternatives:
            yield from () if isinstance(way, SymbolicArray) else arrays_in(way, met)
    elif isinstance(thing, Holder) and thing.shows:
        for item in thing.held():
            yield from arrays_in(item, met)
    elif isinstance(thing, (tuple, list, dict)) or id(thing) in recorder().made:
        # Tuples are made anew wherever they are met.
        if id(thing) in met and not isinstance(thing, tuple):
            return
        met.add(id(thing))
        for item in _held_by(thing):
            yield from arrays_in(item, met)


def _held_by(thing: Any) -> Iterable[Any]:
    """Return what is in a container; tables lie in memory of their own."""
    if isinstance(thing, StagedList) and thing.is_staged:
        return (*thing.columns, *thing.inner())
    if isinstance(thing, Table):
        return ()
    if isinstance(thing, (tuple, list)):
        return thing
    return dict.values(thing if issubclass(type(thing), dict) else vars(thing))


def holds_twice(thing: Any) -> bool:
    """Whether two arrays in a thing are, or may be, one array, or share memory."""
    lie: set[Storage] = set()
    may_lie: set[Storage] = set()
    for storages in arrays_in(thing):
        perhaps = storages.union(*(storage.relatives for storage in storages))
        if not storages.isdisjoint(may_lie) or not perhaps.isdisjoint(lie):
            return True
        lie |= storages
        may_lie |= perhaps
    return False


def is_symbolic(thing: Any, depth: int = 4) -> bool:
    """Whether a thing is symbolic or holds something that is."""
    if isinstance(thing, (SymbolicScalar, SymbolicArray, Union)) or id(thing) in recorder().pooled:
        return True
    if isinstance(thing, Holder) and thing.symbolic:
        return True
    return depth > 0 and any(is_symbolic(item, depth - 1) for item in references(thing))


def references(thing: Any) -> Iterator[Any]:
    """Yield what a container, function or instance made during the trace holds; what stands for something from outside says itself what it is."""
    if isinstance(thing, Foreign):
        return
    if isinstance(thing, StagedList) and thing.is_staged:
        yield from thing.contents().values()
        yield from thing.inner()
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from thing
    elif isinstance(thing, dict):
        yield from dict.values(thing)
    elif isinstance(thing, Union):
        yield from thing.alternatives
    elif isinstance(thing, Holder):
        yield from thing.held()
    elif isinstance(thing, functools.partial):
        yield thing.func
        yield from thing.args
        yield from thing.keywords.values()
    elif isinstance(thing, types.FunctionType):
        yield from thing.__closure__ or ()
        yield from thing.__defaults__ or ()
    elif isinstance(thing, Pool):
        yield thing.items
        yield thing.spans
    elif isinstance(thing, types.MethodType):
        yield thing.__self__
        yield thing.__func__
    elif isinstance(thing, slice):
        yield from (thing.start, thing.stop, thing.step)
    elif isinstance(thing, types.CellType):
        try:
            yield thing.cell_contents
        except ValueError:
            return
    elif id(thing) in recorder().pooled:
        yield recorder().pooled[id(thing)][2]
    elif id(thing) in recorder().made:
        yield from vars(thing).values()
