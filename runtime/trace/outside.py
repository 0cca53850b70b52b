"""Where values from outside a trace are found: globals, closure cells, attributes, imported modules; what is read there is guarded, what is stored noted."""

from __future__ import annotations

import builtins
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from importlib.util import resolve_name
from types import MappingProxyType
from typing import Any

from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.presence import may_lack, present
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.undefined import Absent, AbsentGlobal
from transpile.runtime.graph.ir import Input
from transpile.runtime.graph.types import INT
from transpile.runtime.operators.call import call
from transpile.runtime.operators.heap import MISSING
from transpile.runtime.operators.slots import has_only_slots

from .guard import Guard
from .handed_lists import HandedLists
from .inputs import Inputs, name_of
from .libraries import Libraries, is_library
from .path import Path
from .proxies import Before, OutsideGlobals, OutsideObject, held_by
from .selves import Selves
from .stand_ins import StandIns
from .state import Place, State

# What stores an attribute in the dictionary of an object, or in a slot, and does nothing else.
_STORING = (object.__setattr__, types.SimpleNamespace.__setattr__)


class Outside:
    """Wraps what comes from outside, and notes guards and inputs."""

    def __init__(
        self,
        recorder: Recorder,
        specialised: dict[str, Any],
        eager: bool = False,
        appended: Mapping[str, bool] = MappingProxyType({}),
        stages_lists: bool | None = None,
    ) -> None:
        self.recorder = recorder
        self.state = recorder.elsewhere = State(recorder, eager)
        self.state.global_place, self.state.handle = self._global_place, self._handle
        self._globals: dict[int, OutsideGlobals] = {}
        self.guards: list[Guard] = []
        recorder.imported = self.imported
        self.selves = Selves(is_library, self._note_handed)
        recorder.note_class = self.selves.note
        recorder.note_names, recorder.is_held = self.note_names, self.selves.holds
        recorder.held_by_class = self._held_by_class
        self.libraries = Libraries(self._note_handed)
        self.inputs = Inputs(recorder, self.guard, specialised)
        # What stands for each value, by where it is found, so that it is wrapped once; and what its owners are told apart by.
        self._wrapped: dict[Any, Any] = {}
        self._kept: list[Any] = []
        lists = HandedLists(self, stages_lists)
        self.state.objects_changed = lists.objects.any_changed
        self.stand_ins = StandIns(self, lists, appended)
        recorder.followed = self.stand_ins.followed
        self._handles: dict[Path, SymbolicObject] = {}

    def _note_handed(self, things: Iterable[Any]) -> None:
        self.recorder.handed.update(map(id, things))

    def release(self) -> None:
        """Let go of what the call was handed: what has been traced is tied in cycles, which live until they are collected."""
        for table in (self._wrapped, self._globals, self._handles):
            table.clear()
        self._kept.clear()
        self.stand_ins.release()
        self.state.release()
        self.inputs.release()

    def globals_of(self, function: types.FunctionType) -> OutsideGlobals:
        """Return what stands for the globals of a function."""
        namespace = function.__globals__
        if id(namespace) not in self._globals:
            self._kept.append(namespace)
            self._globals[id(namespace)] = OutsideGlobals(self, namespace)
            self.state.namespaces[id(namespace)] = self._globals[id(namespace)]
        return self._globals[id(namespace)]

    def _global_place(self, owner: int, name: str) -> Place:
        namespace = self._globals[owner].namespace
        place = Place("global", owner, name, name)
        if place not in self.state.origins:
            self.state.origins[place] = (Path("object", namespace), self._before("global", namespace, name))
            self.state.absences[place] = lambda: self._absent_global(namespace, name)
        return place

    def _absent_global(self, namespace: dict[str, Any], name: str) -> Absent | None:
        """Return what a global holds that is not there, which is guarded; None where it is, or is a builtin."""
        held = namespace.get("__builtins__", builtins)
        if name in namespace or name in (vars(held) if isinstance(held, types.ModuleType) else held):
            return None
        self.guard(Path("global", (namespace, name)), "missing", None)
        return AbsentGlobal(name)

    def _before(
        self, kind: str, owner: Any, name: str, path: Path | None = None, is_own: bool = True
    ) -> Callable[[], Any]:
        """Return what gives what a place held before the call; it tells whether that has been looked at.

        What is not the owner's own may be its class's, or what a `__getattr__` gives: to store the same there is to store something, and where it is not stored nothing is held.
        """
        key = (kind, id(owner), name)

        def initial() -> Any:
            try:
                if path is None:
                    return self.global_(owner, name)
                if not is_own:
                    own = path.attribute("__dict__").item(name)
                    self.guard(own, "type", type(getattr(owner, "__dict__", {})[name]))
                return self._read(path, owner, name)
            except (KeyError, AttributeError):
                return MISSING

        return Before(initial, lambda: is_own and key in self._wrapped)

    def _handle(self, thing: Any) -> SymbolicObject | None:
        """Return the handle of an object from outside, given what stands for it or the path to it."""
        path = thing
        if not isinstance(thing, Path):
            if not isinstance(thing, OutsideObject):
                return None
            path = held_by(thing)[1]
        if path not in self._handles:
            value, _ = self.inputs.input(Input("scalar", path, held=True), INT, name_of(path))
            self._handles[path] = SymbolicObject(value, object)
        return self._handles[path]

    def global_(self, namespace: dict[str, Any], name: str) -> Any:
        """Return what stands for a global; KeyError where there is none."""
        key = ("global", id(namespace), name)
        if key not in self._wrapped:
            self._kept.append(namespace)
            if name not in namespace:
                self.libraries.note_missing(namespace, name)
            self._wrapped[key] = self.wrap(Path("global", (namespace, name)), namespace[name])
        return self._wrapped[key]

    def cells(self, function: types.FunctionType) -> dict[str, types.CellType]:
        """Return cells with what stands for the contents of a closure's cells, by name."""
        path = self.stand_ins.path_of(function)
        cells: dict[str, types.CellType] = {}
        for place, (name, cell) in enumerate(
            zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        ):
            key = ("cell", id(cell))
            if key not in self._wrapped:
                self._kept.append(cell)
                known = path.kind == "object"
                own = Path("cell", cell) if known else path.attribute("__closure__").item(place)
                try:
                    contents = cell.cell_contents
                except ValueError:
                    self._wrapped[key] = types.CellType()
                else:
                    inside = own if known else own.attribute("cell_contents")
                    wrapped = self.wrap(inside, contents)
                    self._wrapped[key] = types.CellType(wrapped)
                    whole = Path("object", cell) if known else own
                    self.state.cells.append((whole, self._wrapped[key], wrapped))
                    self.recorder.arrived.append((self._wrapped[key], {"cell_contents": wrapped}))
            cells[name] = self._wrapped[key]
        return cells

    def attribute(self, proxy: Any, path: Path, thing: Any, name: str) -> Any:
        """Return what stands for an attribute of an object from outside."""
        if isinstance(thing, types.ModuleType) and id(vars(thing)) in self._globals:
            namespace = self._globals[id(vars(thing))]
            if dict.__contains__(namespace, name):
                if may_lack(held := dict.__getitem__(namespace, name)):
                    self.recorder.unstageable(
                        "S161-attribute", f"the global {name!r} of a module is made on one way only"
                    )
                return held
        found = inspect.getattr_static(type(thing), name, None)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            self.guard(path.attribute("__class__").attribute(name), "is", found)
            return call(found.fget, proxy)
        if isinstance(found, types.FunctionType) and name not in getattr(thing, "__dict__", {}):
            # Neither is the class given another method, nor the object one of its own.
            self.guard(path.attribute(name).attribute("__func__"), "is", found)
            return types.MethodType(found, proxy)
        stored = self.stored(thing, name)
        return self._read(path, thing, name) if stored is MISSING else present(stored)

    def stored(self, thing: Any, name: str) -> Any:
        """Return what the trace has stored under a name of an object, or MISSING."""
        return self.state.stored.get(Place("attribute", id(thing), name, name), MISSING)

    def _read(self, path: Path, thing: Any, name: str) -> Any:
        key = ("attribute", id(thing), name)
        if key not in self._wrapped:
            self._kept.append(thing)
            self._wrapped[key] = self.wrap(path.attribute(name), getattr(thing, name))
        elif name not in getattr(thing, "__dict__", {}):
            self.selves.keep_as_found(getattr(thing, name), path.attribute(name))
        return self._wrapped[key]

    def store_attribute(self, proxy: Any, path: Path, thing: Any, name: str, value: Any) -> None:
        """Have an object from outside hold something."""
        if isinstance(thing, types.ModuleType):
            if id(vars(thing)) not in self._globals:
                self._kept.append(thing)
                self._globals[id(vars(thing))] = OutsideGlobals(self, vars(thing))
                self.state.namespaces[id(vars(thing))] = self._globals[id(vars(thing))]
            self._globals[id(vars(thing))][name] = value
            return
        found = inspect.getattr_static(type(thing), name, MISSING)
        if isinstance(found, property) and isinstance(found.fset, types.FunctionType):
            self.guard(path.attribute("__class__").attribute(name), "is", found)
            call(found.fset, proxy, value)
            return
        decides: Any = type(thing).__setattr__
        is_slot = isinstance(found, types.MemberDescriptorType)
        if decides not in _STORING or (hasattr(type(found), "__set__") and not is_slot):
            self.recorder.unstageable(
                "S200-store", f"{path}, an object from outside, decides how {name} is stored"
            )
        self.guard(path.attribute("__class__").attribute("__setattr__"), "is", object.__setattr__)
        place = Place("attribute", id(thing), name, f"{path}.{name}")
        self._kept.append(thing)
        is_own = is_slot or (found is MISSING and not hasattr(type(thing), "__getattr__"))
        before = self._before("attribute", thing, name, path, is_own)
        self.state.origins.setdefault(place, (path, before))
        self.state.absences[place] = lambda: self._absent(path, thing, name)
        self.state.stored[place] = value

    def _absent(self, path: Path, thing: Any, name: str) -> Absent | None:
        """Return what an attribute holds of an object from outside that has none, which is guarded; None where more than its class says what is read then."""
        kind, held = type(thing), getattr(thing, "__dict__", None)
        found = inspect.getattr_static(kind, name, MISSING)
        # Python's error is asked of a new instance, which code of the class must not make.
        is_made_by_code = kind.__new__ is not object.__new__  # type: ignore[comparison-overlap]
        if held is None or name in held or is_made_by_code or hasattr(kind, "__getattr__"):
            return None
        self.guard(path.attribute("__dict__"), "keys", tuple(held))
        if found is MISSING:
            return Absent(kind, name)
        if hasattr(type(found), "__get__"):
            return None
        return Absent(kind, name, lambda: self._read(path, thing, name))

    def _held_by_class(self, holder: type, name: str, thing: Any) -> Any:
        path = Path("object", holder).attribute("__dict__").item(name)
        if type(thing) in (dict, list):
            self.recorder.reads_held = True
            if not self.recorder.follows_held:
                return thing
            self.selves.keep_as_found(thing, path)
            return self.wrap(path, thing)
        return (
            self.stand_ins.constant(path, thing) if type(thing) is tuple else self.inputs.array(path, thing)
        )

    def imported(
        self, thing: Any, namespace: OutsideGlobals, module: str, name: str | None, level: int
    ) -> Any:
        """Return what stands for a module that is imported in a function, or for what it has under a name."""
        if level:
            module = resolve_name("." * level + module, namespace.namespace.get("__package__") or "")
        found = sys.modules.get(module)
        if found is None or (name is None and found is not thing):
            self.recorder.unstageable("S277-import", f"the module {module} is not where modules are kept")
        if is_library(module) and found is not sys:
            self.libraries.note(found)
            return thing
        proxy = self.module(module)
        return proxy if name is None else getattr(proxy, name)

    def module(self, name: str) -> Any:
        """Return what stands for a module that has been imported."""
        key = ("module", name)
        if key not in self._wrapped:
            self._wrapped[key] = self.wrap(Path("object", sys.modules).item(name), sys.modules[name])
        return self._wrapped[key]

    def given_attribute(self, place: int, *names: str) -> Any:
        """Return what stands for an attribute, of an attribute, of the array that is an input."""
        path, thing = self._array_at(place, ".".join(names))
        key = ("array", place, names)
        if key not in self._wrapped:
            for name in names:
                path, thing = path.attribute(name), getattr(thing, name)
            self._wrapped[key] = self.wrap(path, thing)
        return self._wrapped[key]

    def set_writable(self, place: int, wanted: bool) -> None:
        """Have the array that is an input be one that can be written, or not, when the call ends."""
        path, thing = self._array_at(place, "flags.writeable")
        if self.recorder.frame is not self.recorder.graph_frame:
            self.recorder.unstageable(
                "S170-method", f"{path} is made one that cannot be written, in a branch or loop"
            )
        own = Place("flags", id(thing), "writeable", f"{path}.flags.writeable")
        self.state.origins[own] = (path.attribute("flags"), Before(lambda: True, lambda: True))
        self.state.stored[own] = wanted

    def _array_at(self, place: int, name: str) -> tuple[Path, Any]:
        found = self.inputs.found(place)
        if found is None:
            self.recorder.unstageable("S170-method", f"{name} of a field of records is asked for")
        return found

    def note_names(self, names: Iterable[str]) -> None:
        """Note names that code may read or store under which is about to run."""
        self.selves.note_names(names)
        self.libraries.note_names(names)

    def restore(self) -> list[str]:
        """Take back what was stored into classes, functions and libraries while tracing; return the labels of it."""
        return [*self.selves.restore(), *self.libraries.restore()]

    def guard_selves(self, names: set[str]) -> None:
        """Guard what classes, functions and libraries hold under names that the program may have read."""
        self.guards.extend(self.libraries.guards(names | self.recorder.names))
        asks = (names | self.recorder.names) & {"__dict__", "vars"}
        if asks and any(has_only_slots(made.__class__) for made in self.recorder.made.values()):
            self.recorder.unstageable("S204-decides", "a dictionary is asked for, and an instance has none")
        if asks and self.recorder.lacks:
            text = "a dictionary is asked for, and an object has an attribute on one way only"
            self.recorder.unstageable("S161-attribute", text)
        for pool in self.recorder.object_pools.values():
            self.selves.note_kind(pool.class_)
        self.guards.extend(self.selves.guards(names | self.recorder.names, self.recorder.names))
        self.guards.extend(self.selves.told(names | self.recorder.names, self.stand_ins.path_of))
        self.stand_ins.keep_apart_from(self.selves.held)

    def guard(self, path: Path, kind: str, expected: Any) -> None:
        """Note a guard."""
        self.guards.append(Guard(path, kind, expected))

    def wrap(self, path: Path, thing: Any) -> Any:
        """Return what stands for a thing that is found at a path."""
        return self.stand_ins.wrap(path, thing)
