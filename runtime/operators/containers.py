"""Lists, dictionaries and objects that come out of branches and loops: which of them are one, and who else holds them."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from transpile.runtime.arrays.lacking_dicts import LackingDict
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import references
from transpile.runtime.arrays.rows import is_named
from transpile.runtime.arrays.structure import kind_of, origins_of, same_thing
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.union import Union

from .heap import Heap, is_made_by_trace
from .liveness import live_roots

# Note [Containers made anew]
# Where a list, dictionary or object comes out of two ways as two objects, the one that is known afterwards is made anew, of their items joined.
# That is what Python does only as long as nobody sees the old ones any more: no name, and no other container, leads to them. And where several
# names lead to one of them on each way, they lead to the one that is made anew. An old one may still be known, by another name or to the caller, as
# long as neither changes any more: they are *settled*. Otherwise the original runs. What is made anew of one of the caller's is returned, or stored, as that very
# one where it is that.

# Where something stands: the number of what a region gives, then the way into it.
Path = tuple[Hashable, ...]


def is_container(thing: Any) -> bool:
    """Whether something can change, and is made anew where it differs between ways."""
    if isinstance(thing, StagedList):
        return thing.pool is None
    return type(thing) in (list, dict, LackingDict) or is_made_by_trace(thing)


def items_of(thing: Any) -> dict[Any, Any]:
    """Return what a container or tuple holds, by key or place."""
    if isinstance(thing, dict):
        return thing.contents() if isinstance(thing, LackingDict) else thing
    if isinstance(thing, StagedList) and thing.is_staged:
        return {**thing.contents(), **{(place,): part for place, part in enumerate(thing.inner())}}
    if isinstance(thing, (list, tuple)):
        return dict(enumerate(thing))
    attributes: dict[str, Any] = vars(thing)
    return attributes


def _shape(thing: Any) -> tuple[Any, ...]:
    kind = kind_of(thing) if isinstance(thing, StagedList) and thing.row is not None else None
    own = StagedList if isinstance(thing, list) else type(thing)
    return own, tuple(items_of(thing)), kind


def _holds_others(thing: Any) -> bool:
    return isinstance(thing, tuple) or is_container(thing)


class Containers:
    """The containers in what the ways of a branch give, or in what a loop carries before and after a turn, where they differ."""

    def __init__(self, ways: Sequence[Sequence[Any]]) -> None:
        # For each way, what stands at each path.
        self.ways: list[dict[Path, Any]] = [{} for _ in ways]
        # What is the same thing on all ways.
        self._unchanged: list[Any] = []
        for number, things in enumerate(zip(*ways, strict=True)):
            self._walk((number,), things)

    def _walk(self, path: Path, things: Sequence[Any]) -> None:
        if all(thing is things[0] for thing in things):
            self._unchanged.append(things[0])
            return
        shapes: dict[tuple[Any, ...], list[tuple[int, Any]]] = {}
        for way, thing in enumerate(things):
            for alternative in thing.alternatives if isinstance(thing, Union) else (thing,):
                if _holds_others(alternative):
                    shapes.setdefault(_shape(alternative), []).append((way, alternative))
        for shape, found in shapes.items():
            here = (*path, shape)
            for way, thing in found:
                if is_container(thing):
                    self.ways[way][here] = thing
            for key in shape[1]:
                inner: list[Any] = [_NOTHING] * len(things)
                for way, thing in found:
                    inner[way] = items_of(thing)[key]
                self._walk((*here, key), inner)

    def refuse_changed(self, heap: Heap, places: Sequence[tuple[int, Any]]) -> None:
        """Refuse containers that were there before and have changed on a way: what they hold at its end is put back by now."""
        changed = {id(heap.things[number]) for number, _ in places}
        if any(id(thing) in changed for way in self.ways for thing in way.values()):
            _refuse(
                "a list, dictionary or object changes on one way, and a name stands for another one on the other"
            )

    def settle_known(self) -> None:
        """Settle the containers that must not change any more.

        They are known otherwise, too, once all is bound anew: to other names, or to the caller. Or the way control took decides whether two of them are one.
        """
        things = {id(thing): thing for way in self.ways for thing in way.values()}
        if not things:
            return
        handed = [thing for thing in things.values() if origins_of(thing)]
        for thing in (*handed, *_reachable([*live_roots(), *self._unchanged])):
            if id(thing) in things:
                settle(thing, set())
        same = self.same()
        for path in {
            path for way in self.ways for paths in _aliases(way) for path in paths[1:]
        } - same.keys():
            for way in self.ways:
                if path in way:
                    settle(way[path], set())

    def same(self) -> dict[Path, Path]:
        """Return the paths that lead to the container to which another one, before it, leads, on each way: each with the first of those."""
        first: dict[Path, Path] = {}
        for way in self.ways:
            for one, *others in _aliases(way):
                for other in others:
                    if all(w.get(one) is w.get(other) for w in self.ways if one in w or other in w):
                        first[other] = first.get(one, one)
        return first

    def has_settled(self) -> bool:
        """Whether one of the containers must not change any more."""
        return any(id(thing) in recorder().settled for way in self.ways for thing in way.values())

    def join(self, things: Sequence[Any], settled: bool = False) -> list[Any]:
        """Return what is known of all ways, in which containers are one that were one on each way.

        Those made of ones that must not change must not, either; none must that is made by a loop with `settled`.
        """
        if not any(self.ways):
            return list(things)
        first = self.same()
        made: dict[Path, Any] = {}
        joined = [_unified((number,), thing, first, made) for number, thing in enumerate(things)]
        for path, thing in made.items():
            sources = [way[path] for way in self.ways if path in way and id(way[path]) in recorder().settled]
            if is_container(thing) and (sources or settled):
                settle(thing, {n for source in sources for n in recorder().settled[id(source)][2]})
        return joined


def _aliases(way: dict[Path, Any]) -> list[list[Path]]:
    """Return the paths that lead to each container to which several do."""
    paths: dict[int, list[Path]] = {}
    for path, thing in way.items():
        paths.setdefault(id(thing), []).append(path)
    return [found for found in paths.values() if len(found) > 1]


def settle(thing: Any, shared: set[int]) -> None:
    """Note that a container must not change any more, and what it shares with those that may be one with it."""
    # From the first time on.
    _, before, numbers = recorder().settled.get(
        id(thing), (thing, dict(items_of(thing)), {len(recorder().settled)})
    )
    recorder().settled[id(thing)] = (thing, before, numbers | shared)


def may_be_one(thing: Any, other: Any) -> bool:
    """Whether it depends on the way control took that two containers are one."""
    settled = recorder().settled
    return bool(
        id(thing) in settled and id(other) in settled and settled[id(thing)][2] & settled[id(other)][2]
    )


def check_settled(returned: Sequence[Any]) -> None:
    """Refuse a trace in which a container has changed that must not, or that returns two that may be one."""
    for one, other in itertools.combinations([t for t in returned if id(t) in recorder().settled], 2):
        if may_be_one(one, other):
            _refuse(
                "two lists, dictionaries or objects are returned of which the way control took decides whether they are one"
            )
    for thing, before, _ in recorder().settled.values():
        now = items_of(thing)
        if now.keys() != before.keys() or not all(same_thing(now[key], before[key]) for key in now):
            _refuse(
                "a list, dictionary or object changes after the way control took has decided who knows it"
            )


_NOTHING = object()


def _refuse(reason: str) -> None:
    recorder().unstageable("S110-alias", reason, "make a copy")


def _unified(path: Path, thing: Any, first: dict[Path, Path], made: dict[Path, Any]) -> Any:
    if isinstance(thing, Union):
        thing.alternatives = tuple(_unified(path, way, first, made) for way in thing.alternatives)
        return thing
    if not _holds_others(thing):
        return thing
    here = (*path, _shape(thing))
    if here in first:
        return made[first[here]]
    made[here] = thing
    inner = {key: _unified((*here, key), item, first, made) for key, item in items_of(thing).items()}
    if isinstance(thing, tuple):
        if not is_tuple(thing) and not is_named(type(thing)):
            _refuse("tuples that hold more than their items differ between the ways control may take")
        return tuple(inner.values()) if is_tuple(thing) else type(thing)(*inner.values())
    if isinstance(thing, StagedList) and thing.is_staged:
        if any(inner[place,] is not part for place, part in enumerate(thing.inner())):
            _refuse("lists that hold the same lists differ between the ways control may take")
        return thing
    if isinstance(thing, list):
        thing[:] = inner.values()
    elif isinstance(thing, LackingDict):
        thing.restore(inner)
    else:
        items_of(thing).update(inner)
    return thing


def _reachable(stack: list[Any]) -> Iterator[Any]:
    """Yield some things, and what they lead to."""
    seen: dict[int, Any] = {}
    while stack:
        thing = stack.pop()
        if id(thing) not in seen:
            seen[id(thing)] = thing
            yield thing
            stack.extend(references(thing))
