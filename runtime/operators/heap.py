"""The Python objects made during a trace, whose contents regions may change."""

from __future__ import annotations

import operator
import types
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.lacking_dicts import LackingDict, MakesKeys
from transpile.runtime.arrays.lists import Grows, StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic, references
from transpile.runtime.arrays.rows import number_of, row_of
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.structure import same_thing
from transpile.runtime.arrays.undefined import Absent

from .traversal import Stream

# What a place holds that holds nothing.
MISSING: Any = object()


class Elsewhere:
    """What was there before the trace, and can be changed from anywhere: places, by keys, that hold things."""

    def contents(self) -> dict[Any, Any]:
        """Return what the places hold that were stored into."""
        raise NotImplementedError

    def initial(self, key: Any) -> Any:
        """Return what a place held before, or MISSING."""
        raise NotImplementedError

    def store(self, key: Any, value: Any) -> None:
        """Have a place hold something."""
        raise NotImplementedError

    def remove(self, key: Any) -> None:
        """Forget that a place was stored into."""
        raise NotImplementedError

    def absent(self, key: Any) -> Absent | None:
        """Return what an attribute holds where nothing is stored into it and nothing was there; None where that cannot be told."""
        raise NotImplementedError


def is_made_by_trace(thing: Any) -> bool:
    """Whether an object is an instance of a user's class, made during the trace under way."""
    return id(thing) in recorder().made


# What leads to nothing that can change.
_ENDS = frozenset({str, bytes, int, float, complex, bool, type(None), SymbolicArray, SymbolicScalar})


def reachable(roots: Iterable[Any]) -> list[Any]:
    """Return the objects that can be reached from `roots` and can change."""
    found: dict[int, Any] = {}
    stack = _leading_on(roots)
    while stack:
        thing = stack.pop()
        # What stands for an object from outside, of a subclass of `dict`, say, keeps what is stored into it elsewhere.
        if id(thing) in found or isinstance(
            thing, (str, bytes, int, float, complex, type, types.ModuleType, type(None), Foreign)
        ):
            continue
        if isinstance(thing, (SymbolicArray, SymbolicScalar)):
            continue
        found[id(thing)] = thing
        stack.extend(_leading_on(references(thing)))
    made = recorder().made
    return [
        thing
        for thing in found.values()
        if isinstance(thing, (list, dict, types.CellType, *_FOLLOWED)) or id(thing) in made
    ]


def _leading_on(things: Iterable[Any]) -> list[Any]:
    """Return things but for most of those that end there: every branch goes through all items of every list, of which there may be thousands."""
    return [
        thing
        for thing in things
        if type(thing) not in _ENDS and not (type(thing) is tuple and _ENDS.issuperset(map(type, thing)))
    ]


# What is followed, but must not change in a region.
_FOLLOWED = (set, bytearray, Stream)


def contents_of(thing: Any) -> dict[Any, Any]:
    """Return what a thing that can change holds, by where it stands."""
    if isinstance(thing, Elsewhere):
        return thing.contents()
    if isinstance(thing, Stream):
        return {name: getattr(thing, name) for name in thing.changing}
    if isinstance(thing, (set, bytearray)):
        return dict.fromkeys(thing) if isinstance(thing, set) else {"": bytes(thing)}
    if isinstance(thing, StagedList) and thing.is_staged:
        return {"row": thing.row, **thing.contents()}
    if isinstance(thing, list):
        return dict(enumerate(thing))
    if isinstance(thing, dict):
        return thing.contents() if isinstance(thing, LackingDict) else dict(thing)
    if isinstance(thing, types.CellType):
        return {"cell_contents": next(references(thing), MISSING)}
    if id(thing) in recorder().pooled:
        return {"handle": number_of(thing)}
    return dict(vars(thing))


def _is_as_before(thing: Any, before: dict[Any, Any]) -> bool:
    """Whether a plain list or dictionary holds the very things that it held, which is soon told of many."""
    if isinstance(thing, list) and not (isinstance(thing, StagedList) and thing.is_staged):
        return len(thing) == len(before) and all(map(operator.is_, thing, before.values()))
    return (
        type(thing) is dict
        and len(thing) == len(before)
        and all(map(operator.is_, thing, before))
        and all(map(operator.is_, thing.values(), before.values()))
    )


class Heap:
    """The contents of the objects that a region can reach, as they were when the region began."""

    def __init__(self, roots: Iterable[Any]) -> None:
        elsewhere, arrived = recorder().elsewhere, recorder().arrived
        self._arrived = len(arrived)
        stored = elsewhere.contents().values() if elsewhere is not None else ()
        pools = recorder().object_pools.values()
        self._pools = len(pools)
        found = reachable(
            [*roots, *(thing for thing, _ in arrived), *stored, *(pool.items for pool in pools)]
        )
        self.things = [*found, *([elsewhere] if elsewhere is not None else [])]
        self.before = [contents_of(thing) for thing in self.things]

    def _notice_arrived(self) -> None:
        """Follow what came up since the region began, which held then what it held when it came up."""
        for thing, before in recorder().arrived[self._arrived :]:
            self.things.append(thing)
            self.before.append(before)
        self._arrived = len(recorder().arrived)
        for pool in list(recorder().object_pools.values())[self._pools :]:
            # One of objects that were handed in has come up already, with what it held.
            if not any(pool.items is thing for thing in self.things):
                self.things.append(pool.items)
                self.before.append({})
        self._pools = len(recorder().object_pools)

    def changes(self) -> dict[tuple[int, Any], Any]:
        """Return what has been stored since, by the number of the object and the place in it."""
        changed: dict[tuple[int, Any], Any] = {}
        joined: Any = None
        self._notice_arrived()
        self._refuse_changes()
        for number, (thing, before) in enumerate(zip(self.things, self.before, strict=True)):
            if isinstance(thing, _FOLLOWED) or _is_as_before(thing, before):
                continue
            now = contents_of(thing)
            pool = recorder().pooled.get(id(thing), (None, None))[1]
            if pool is not None:
                # It moved into the pool, which it has to do before.
                raise Grows(pool.items, pool.items.row)
            if isinstance(thing, StagedList) and thing.pool is not None and "handle" not in before:
                joined = joined or thing
                continue
            if isinstance(thing, StagedList) and not before.keys() & {"begin", "handle"}:
                if thing.row is not None:
                    raise Grows(thing, thing.row)
                if len(now) != len(before):
                    raise Grows(thing, row_of([*before.values(), *now.values()][-1]))
            elif isinstance(thing, StagedList) and now["row"] != before["row"]:
                raise Grows(thing, now["row"])
            lacks = isinstance(thing, LackingDict)
            if now.keys() != before.keys() and isinstance(thing, (list, dict)) and not lacks:
                _refuse_growing(thing, {**before, **now})
            for key, value in now.items():
                if not same_thing(self.get(number, key), value):
                    changed[number, key] = value
            if lacks or id(thing) in recorder().made:
                changed.update({(number, key): MISSING for key in before if key not in now})
        if joined is not None:
            recorder().unstageable(
                "S177-joins",
                "a list becomes an item of another one in a loop or branch that it was made outside of",
                "make it there, or append a copy",
            )
        return changed

    def has_more_keys(self) -> bool:
        """Whether a dictionary has got keys besides those that it had."""
        return next(self._having_more_keys(), None) is not None

    def refuse_more_keys(self) -> None:
        """Give up staging where a dictionary has got more keys."""
        for thing in self._having_more_keys():
            _refuse_growing(thing, thing)

    def _having_more_keys(self) -> Iterator[dict[Any, Any]]:
        self._notice_arrived()
        for thing, before in zip(self.things, self.before, strict=True):
            if type(thing) is dict and len(thing) > len(before) and all(map(operator.eq, thing, before)):
                yield thing

    def _refuse_changes(self) -> None:
        for thing, before in zip(self.things, self.before, strict=True):
            if isinstance(thing, _FOLLOWED):
                now = contents_of(thing)
                if now.keys() == before.keys() and all(same_thing(now[key], before[key]) for key in now):
                    continue
                if isinstance(thing, Stream):
                    recorder().unstageable(
                        "S168-iterator", "run-time values decide how much is taken out of an iterator"
                    )
                recorder().unstageable(
                    "S160-grows",
                    f"a {type(thing).__name__} changes inside a loop or branch on run-time values",
                    "use an array",
                )

    def restore(self) -> None:
        """Put everything back."""
        self._notice_arrived()
        for number, before in enumerate(self.before):
            thing = self.things[number]
            if _is_as_before(thing, before):
                continue
            now = contents_of(thing)
            if isinstance(thing, (Stream, LackingDict)):
                thing.restore(before)
                continue
            if isinstance(thing, (set, bytearray)):
                if now != before:
                    thing.clear()
                    thing.update(before) if isinstance(thing, set) else thing.extend(before[""])
                continue
            if isinstance(thing, StagedList) and thing.is_staged and not before.keys() & {"begin", "handle"}:
                thing.unstage(before.values())
                continue
            if isinstance(thing, StagedList) and thing.pool is not None and "handle" not in before:
                thing.pool = None
            if id(thing) in recorder().pooled:
                recorder().pooled[id(thing)][1].leave(thing, before)
                continue
            for key, value in before.items():
                if now.get(key, MISSING) is not value:
                    self.store(number, key, value)
            if isinstance(thing, StagedList) and thing.is_staged:
                continue
            if isinstance(thing, Elsewhere):
                for key in now.keys() - before.keys():
                    thing.remove(key)
            elif isinstance(thing, list):
                del thing[len(before) :]
            elif isinstance(thing, dict):
                for key in [key for key in thing if key not in before]:
                    del thing[key]
            elif not isinstance(thing, types.CellType):
                for key in [key for key in vars(thing) if key not in before]:
                    del vars(thing)[key]

    def get(self, number: int, key: Any) -> Any:
        """Return what a place held when the region began."""
        thing, before = self.things[number], self.before[number]
        if key not in before and isinstance(thing, Elsewhere):
            return thing.initial(key)
        return before.get(key, MISSING)

    def now(self, number: int, key: Any) -> Any:
        """Return what a place holds now."""
        thing = self.things[number]
        now = contents_of(thing)
        return (
            self.get(number, key)
            if key not in now and isinstance(thing, Elsewhere)
            else now.get(key, MISSING)
        )

    def store(self, number: int, key: Any, value: Any) -> None:
        """Store into a place."""
        thing = self.things[number]
        if isinstance(thing, Elsewhere):
            thing.remove(key) if isinstance(value, Absent) else thing.store(key, value)
        elif isinstance(thing, StagedList) and thing.is_staged:
            thing.put(key, value)
        elif isinstance(thing, list):
            if key < len(thing):
                thing[key] = value
            else:
                thing.append(value)
        elif isinstance(thing, LackingDict):
            thing.put(key, value)
        elif isinstance(thing, dict):
            thing[key] = value
        elif isinstance(thing, types.CellType):
            if value is not MISSING:
                thing.cell_contents = value
        elif isinstance(value, Absent):
            vars(thing).pop(key, None)
        else:
            vars(thing)[key] = value


def _refuse_growing(thing: Any, contents: dict[Any, Any]) -> NoReturn:
    """Give up staging where a list or dictionary has another length on some way, or after a turn, unless it may be a dictionary that lacks keys."""
    record = recorder()
    record.note_grown(thing)
    _, site = record.displays.get(id(thing), (None, None))
    if site is not None and record.lacking is not None and not any(map(is_symbolic, contents)):
        raise MakesKeys(site)
    record.unstageable(
        "S160-grows",
        f"a {type(thing).__name__} grows or shrinks inside a loop or branch on run-time values",
        "preallocate an array and fill it",
    )


def is_missing(value: Any) -> bool:
    """Whether a place held nothing."""
    return value is MISSING
