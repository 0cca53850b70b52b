"""What things made during the trace hold."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

from .array import SymbolicArray
from .cells import Storage
from .lists import StagedList
from .pools import Pool
from .recorder import recorder
from .scalar import SymbolicScalar
from .union import Union


class Holder:
    """Something that operators make and that holds things of the program's."""

    # Whether it is symbolic, whatever it holds.
    symbolic = False

    def held(self) -> Iterator[Any]:
        """Yield what it holds."""
        raise NotImplementedError


def storages_in(thing: Any) -> set[Storage]:
    """Return the storages of the arrays in a thing."""
    if isinstance(thing, SymbolicArray):
        return {thing.storage}
    if isinstance(thing, Union):
        return {s for a in thing.alternatives for s in storages_in(a)}
    if isinstance(thing, StagedList) and thing.is_staged:
        found = {column.storage for column in thing.columns}
        return found.union(*(storages_in(inner) for inner in thing.inner()))
    if isinstance(thing, (tuple, list)):
        return {s for item in thing for s in storages_in(item)}
    if isinstance(thing, dict):
        return {s for item in thing.values() for s in storages_in(item)}
    return set()


def is_symbolic(thing: Any, depth: int = 4) -> bool:
    """Whether a thing is symbolic or holds something that is."""
    if isinstance(thing, (SymbolicScalar, SymbolicArray, Union)):
        return True
    if isinstance(thing, Holder) and thing.symbolic:
        return True
    return depth > 0 and any(is_symbolic(item, depth - 1) for item in references(thing))


def references(thing: Any) -> Iterator[Any]:
    """Yield what a container, function or instance made during the trace holds."""
    if isinstance(thing, StagedList) and thing.is_staged:
        yield from thing.contents().values()
        yield from thing.inner()
    elif isinstance(thing, (list, tuple, set, frozenset)):
        yield from thing
    elif isinstance(thing, dict):
        yield from thing.values()
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
    elif id(thing) in recorder().made:
        yield from vars(thing).values()
