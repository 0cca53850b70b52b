"""What a function stores into objects, globals and closure cells that were there before the call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CellType
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.cells import Resource
from transpile.runtime.arrays.frames import Frame
from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.structure import same_thing
from transpile.runtime.arrays.undefined import Absent
from transpile.runtime.operators.heap import MISSING, Elsewhere, contents_of
from transpile.runtime.operators.hosts import host_call, is_handed
from transpile.runtime.ops import journal

from .path import Path
from .proxies import OWN_NAMES

# Note [State from outside]
# What is stored into a place that was there before the call is kept by the trace, as all state is, and stored at the end of the call. Where something
# fails before that, nothing has been stored, and the original runs the call. A trace that does something visible before its end is made anew: what it
# calls may see the places, so what is to be stored then is stored before each effect, and before whatever may fail.

OBJECTS = Resource("objects")


@dataclass(frozen=True)
class Place:
    """An attribute of an object or of an array's flags, a name in a dictionary of globals, or the contents of a cell."""

    kind: str
    owner: int
    name: str
    label: str = field(compare=False)

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True, eq=False)
class Store:
    """What is stored at the end of a call: into the `key` of what is at a path; an attribute, or an item where `is_item` says so."""

    path: Path
    key: Any
    value: Any
    is_item: bool = False


class State(Elsewhere):
    """The places that a trace has stored into, with what they hold now."""

    def __init__(self, recorder: Recorder, eager: bool) -> None:
        self.recorder = recorder
        self.eager = eager
        self.stored: dict[Place, Any] = {}
        self.namespaces: dict[int, dict[str, Any]] = {}
        # For each place, where its owner is found, and what gives what it held before, MISSING where it held nothing.
        self.origins: dict[Place, tuple[Path, Callable[[], Any]]] = {}
        # Finds what an attribute holds of an object that has none.
        self.absences: dict[Place, Callable[[], Absent | None]] = {}
        # How a global of a dictionary is found.
        self.global_place: Callable[[int, str], Place]
        # Finds the handle of an object from outside, given what stands for it; None for another thing.
        self.handle: Callable[[Any], SymbolicObject | None]
        # Whether an object in a list that was handed in holds something else, or an array that was written.
        self.objects_changed: Callable[[], bool] = bool
        # Cells of functions that were there before: where they are found, what stands for them, and what that held.
        self.cells: list[tuple[Path, CellType, Any]] = []
        self._flushed: dict[Frame, dict[Place, Any]] = {}
        self._flushing = False
        # Whether something may fail, or is seen, while something is stored that is not so at the end: in a branch that fails, say.
        self.is_pending = False
        recorder.before_effect = self.flush if eager else self.note

    def release(self) -> None:
        """Forget what was stored, and what held something before."""
        self.stored.clear()
        self.origins.clear()
        self.absences.clear()
        self.namespaces.clear()
        self.cells.clear()
        self._flushed.clear()

    # -- as a heap of regions ----------------------------------------------------------------------------------

    def contents(self) -> dict[Any, Any]:
        """Return what has been stored."""
        found = dict(self.stored)
        for owner, namespace in self.namespaces.items():
            for name in namespace.keys() - OWN_NAMES:
                # Not as the program reads it, which asks whether it is bound.
                found[self.global_place(owner, name)] = dict.__getitem__(namespace, name)
        return found

    def initial(self, key: Any) -> Any:
        """Return what stands for what a place held when the call began."""
        return self.origins[key][1]()

    def store(self, key: Any, value: Any) -> None:
        """Have a place hold something."""
        if key.kind == "global":
            dict.__setitem__(self.namespaces[key.owner], key.name, value)
        else:
            self.stored[key] = value

    def remove(self, key: Any) -> None:
        """Forget that something was stored."""
        if key.kind == "global":
            dict.__delitem__(self.namespaces[key.owner], key.name)
        else:
            self.stored.pop(key, None)

    def absent(self, key: Any) -> Absent | None:
        """Return what an attribute holds where nothing is stored into it and nothing was there; None where that cannot be told."""
        return self.absences[key]() if key in self.absences else None

    # -- at the end, or before effects -------------------------------------------------------------------------

    def changes(self) -> Iterator[tuple[Place, Path, Any]]:
        """Yield what has been stored in the end, with where its owner is found."""
        for path, cell, initial_contents in self.cells:
            if not same_thing(cell.cell_contents, initial_contents):
                yield Place("cell", id(cell), "cell_contents", str(path)), path, cell.cell_contents
        for place, value in self.contents().items():
            path, initial = self.origins[place]
            if value is MISSING:
                self.recorder.unstageable(
                    "S200-store", f"{place}, which was there before the call, is deleted"
                )
            if not (getattr(initial, "read", False) and same_thing(initial(), value)):
                yield place, path, value

    def flush(self) -> None:
        """Have the graph store what the program has stored so far."""
        if self._flushing:
            return
        self._flushing = True
        if self._changes_containers():
            self._flushing = False
            self.recorder.unstageable(
                "S209-order",
                "a list or dictionary of the caller's is changed before something else that can be seen",
            )
        try:
            done = self._flushed.setdefault(self.recorder.frame, {})
            for place, path, value in list(self.changes()):
                if place not in done or not same_thing(done[place], value):
                    self._store_now(place, path, value)
                    done[place] = value
        finally:
            self._flushing = False

    def note(self) -> None:
        """Note whether something has been stored by now."""
        if not self.is_pending:
            self.is_pending = self._changes_containers() or any(True for _ in self.changes())

    def _changes_containers(self) -> bool:
        """Whether a list or dictionary that was handed in has changed."""
        if self.objects_changed():
            return True
        for thing, before in self.recorder.arrived:
            if isinstance(thing, CellType):
                continue
            now = contents_of(thing)
            if now.keys() != before.keys() or not all(same_thing(now[key], before[key]) for key in now):
                return True
        return False

    def _store_now(self, place: Place, path: Path, value: Any) -> None:
        if place.kind == "flags":
            text = (
                f"{path}, the flags of the caller's own array, change before something else that can be seen"
            )
            self.recorder.unstageable("S209-order", text)
        value = self.handle(value) or value
        if isinstance(value, SymbolicArray) or not is_handed(value):
            self.recorder.unstageable(
                "S209-order",
                f"{place} is given something other than a number before something else that can be seen",
            )
        if place.kind == "global":
            store = functools.partial(path.key.__setitem__, place.name)
            noted = functools.partial(journal.store_item, path.key, place.name)
            host_call(OBJECTS, store, (value,), noted=noted)
        else:
            arguments = (self.handle(path), place.name, value)
            host_call(OBJECTS, setattr, arguments, noted=journal.store_attribute)
