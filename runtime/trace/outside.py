"""Values from outside the trace: arguments, globals, closure cells, attributes of objects that were there before."""

from __future__ import annotations

import enum
import inspect
import sys
import types
from collections.abc import Callable, Collection, Iterable, Iterator
from importlib.util import resolve_name
from typing import Any

import numpy as np

from transpile.runtime.arrays.handle import SymbolicObject, is_object
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.rows import is_named
from transpile.runtime.arrays.tuples import indexed
from transpile.runtime.composites.grids import BY_IDENTITY, numpy_with_stand_ins
from transpile.runtime.graph.ir import Input
from transpile.runtime.graph.types import INT
from transpile.runtime.operators.cached import CACHED
from transpile.runtime.operators.call import call
from transpile.runtime.operators.heap import MISSING
from transpile.runtime.operators.slots import has_only_slots

from .appended import Appended
from .descriptors import hashes
from .guard import Guard, one_each
from .handed_lists import HandedLists
from .handed_sets import OutsideSet
from .handed_tables import handed_table
from .inputs import Inputs, name_of
from .libraries import Libraries, is_library
from .path import Path
from .proxies import Before, OutsideGlobals, OutsideObject, System, held_by
from .selves import Selves
from .special_methods import proxy_class
from .state import Place, State

# Things that are what they are, told apart by identity.
_FIXED = (
    type, types.BuiltinFunctionType, np.ufunc, type(None), type(Ellipsis), enum.Enum,
    types.MethodDescriptorType, types.WrapperDescriptorType, type(NotImplemented), type(np.concatenate),
    type(np._NoValue), CACHED,
)  # fmt: skip
# Types of what functions hold that is told apart by what it equals.
_TOLD = (bool, int, float, str, bytes, type(None))
# Values that are told apart by what they equal.
_VALUES = (bool, str, bytes, np.dtype, range, slice, frozenset)


class Outside:
    """Wraps what comes from outside, and notes guards and inputs."""

    def __init__(
        self,
        recorder: Recorder,
        specialised: dict[str, Any],
        eager: bool = False,
        appended: Collection[str] = (),
        stages_lists: bool | None = None,
    ) -> None:
        self.recorder = recorder
        self.lists = HandedLists(self, stages_lists)
        # The paths of lists that are only appended to.
        self.appended = appended
        self.state = recorder.elsewhere = State(recorder, eager)
        self.state.global_place, self.state.handle = self._global_place, self._handle
        self._globals: dict[int, OutsideGlobals] = {}
        self.guards: list[Guard] = []
        recorder.imported = self.imported
        self.selves = Selves(is_library)
        recorder.note_class = self.selves.note
        self.libraries = Libraries()
        self.inputs = Inputs(recorder, self.guard, specialised)
        # Each value by its path's text, so that it is wrapped once; and the things that were handed in, by identity of what stands for them.
        self._wrapped: dict[Any, Any] = {}
        self.origins: dict[int, tuple[Path, Any, Any]] = {}
        # Objects and functions that may be other ones on the next call, by identity: their path and what stands for them.
        self._movable: dict[int, tuple[Path, Any]] = {}
        self._kept: list[Any] = []
        self._handles: dict[Path, SymbolicObject] = {}

    def release(self) -> None:
        """Let go of what the call was handed: what has been traced is tied in cycles, which live until they are collected."""
        for table in (self._wrapped, self.origins, self._movable, self._globals, self._handles):
            table.clear()
        self._kept.clear()
        self.state.release()
        self.inputs.release()

    # -- where values come from --------------------------------------------------------------------------------

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
        return place

    def _before(self, kind: str, owner: Any, name: str, path: Path | None = None) -> Callable[[], Any]:
        """Return what gives what a place held before the call; it tells whether that has been looked at."""
        key = (kind, id(owner), name)

        def initial() -> Any:
            try:
                return self.global_(owner, name) if path is None else self._read(path, owner, name)
            except (KeyError, AttributeError):
                return MISSING

        return Before(initial, lambda: key in self._wrapped)

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
        path = self.path_of(function)
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

    def path_of(self, function: types.FunctionType) -> Path:
        """Return the path at which a function is found: itself, unless it was handed in and may be another one on the next call."""
        known = self._movable.get(id(function))
        return Path("object", function) if known is None else known[0]

    def attribute(self, proxy: Any, path: Path, thing: Any, name: str) -> Any:
        """Return what stands for an attribute of an object from outside."""
        if isinstance(thing, types.ModuleType) and id(vars(thing)) in self._globals:
            namespace = self._globals[id(vars(thing))]
            if dict.__contains__(namespace, name):
                return namespace[name]
        found = inspect.getattr_static(type(thing), name, None)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            self.guard(path.attribute("__class__").attribute(name), "is", found)
            return call(found.fget, proxy)
        if isinstance(found, types.FunctionType) and name not in getattr(thing, "__dict__", {}):
            # Neither is the class given another method, nor the object one of its own.
            self.guard(path.attribute(name).attribute("__func__"), "is", found)
            return types.MethodType(found, proxy)
        stored = self.state.stored.get(Place("attribute", id(thing), name, name), MISSING)
        return self._read(path, thing, name) if stored is MISSING else stored

    def _read(self, path: Path, thing: Any, name: str) -> Any:
        key = ("attribute", id(thing), name)
        if key not in self._wrapped:
            self._kept.append(thing)
            self._wrapped[key] = self.wrap(path.attribute(name), getattr(thing, name))
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
        found = inspect.getattr_static(type(thing), name, None)
        if isinstance(found, property) and isinstance(found.fset, types.FunctionType):
            self.guard(path.attribute("__class__").attribute(name), "is", found)
            call(found.fset, proxy, value)
            return
        decides: Any = type(thing).__setattr__
        is_slot = isinstance(found, types.MemberDescriptorType)
        if decides is not object.__setattr__ or (hasattr(type(found), "__set__") and not is_slot):
            self.recorder.unstageable(
                "S200-store", f"{path}, an object from outside, decides how {name} is stored"
            )
        self.guard(path.attribute("__class__").attribute("__setattr__"), "is", object.__setattr__)
        place = Place("attribute", id(thing), name, f"{path}.{name}")
        self._kept.append(thing)
        self.state.origins.setdefault(place, (path, self._before("attribute", thing, name, path)))
        self.state.stored[place] = value

    # -- wrapping ----------------------------------------------------------------------------------------------

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
        path = Path("object", sys.modules).item(module)
        key = ("module", module)
        if key not in self._wrapped:
            self._wrapped[key] = self.wrap(path, found)
        proxy = self._wrapped[key]
        return proxy if name is None else getattr(proxy, name)

    def guard_selves(self, names: set[str]) -> None:
        """Guard what classes, functions and libraries hold under names that the program may have read."""
        self.guards.extend(self.libraries.guards(names | self.recorder.names))
        asks = (names | self.recorder.names) & {"__dict__", "vars"}
        if asks and any(has_only_slots(made.__class__) for made in self.recorder.made.values()):
            self.recorder.unstageable("S204-decides", "a dictionary is asked for, and an instance has none")
        for guard in self.selves.guards(names | self.recorder.names, self.recorder.names):
            if isinstance(guard, str):
                self.recorder.unstageable("S249-held", f"{guard} may change, and is no object's own")
            self.guards.append(guard)

    def guard(self, path: Path, kind: str, expected: Any) -> None:
        """Note a guard."""
        self.guards.append(Guard(path, kind, expected))

    def wrap(self, path: Path, thing: Any) -> Any:
        """Return what stands for a thing in the trace."""
        kind = type(thing)
        if kind is np.ndarray:
            return self.inputs.array(path, thing)
        if kind in (int, float, complex) or (isinstance(thing, np.generic) and thing.dtype in DTYPES):
            return self.inputs.scalar(path, thing)
        if kind in _VALUES or isinstance(thing, np.dtype):
            self.guard(path, "equals", thing)
            return thing
        if isinstance(thing, _FIXED):
            self.guard(path, "is", thing)
            if isinstance(thing, type):
                self.selves.note(thing)
            return thing
        if isinstance(thing, types.FunctionType):
            self.selves.note(thing)
            return self._function(path, thing)
        if isinstance(thing, types.MethodType):
            return self._method(path, thing)
        if isinstance(thing, types.ModuleType):
            self.guard(path, "is", thing)
            if thing is sys:
                return System(self, path)
            if not is_library(thing.__name__):
                return OutsideObject(self, path, thing)
            self.libraries.note(thing)
            return numpy_with_stand_ins() if thing is np else thing
        known = self._movable.get(id(thing))
        if known is not None:
            self.guard(path, "same", known[0])
            return known[1]
        if kind in (tuple, list, dict) or is_named(kind):
            return self._container(path, thing)
        if OutsideSet.can_be(thing):
            return OutsideSet(self, path, thing)
        if is_object(thing):
            return self._object(path, thing)
        if isinstance(thing, np.ndarray) or not (hasattr(thing, "__dict__") or has_only_slots(kind)):
            self.recorder.unstageable(
                "S201-argument", f"{path} is of type {kind.__name__}, which is not staged"
            )
        if id(thing) in BY_IDENTITY:
            self.guard(path, "is", thing)
            return BY_IDENTITY[id(thing)]
        self.guard(path, "type", kind)
        proxy = proxy_class(kind)(self, path, thing)
        self.origins[id(proxy)] = (path, proxy, thing)
        self._note_movable(path, thing, proxy)
        return proxy

    def _object(self, path: Path, thing: Any) -> Any:
        """Return what stands for an object that the trace holds without looking into it."""
        self.guard(path, "type", type(thing))
        value, _ = self.inputs.input(Input("scalar", path, held=True), INT, name_of(path))
        result = SymbolicObject(value, type(thing))
        self.origins[id(result)] = (path, result, thing)
        self._note_movable(path, thing, result)
        return result

    def _note_movable(self, path: Path, thing: Any, proxy: Any) -> None:
        self._kept.append(thing)
        self._movable[id(thing)] = (path, proxy)

    def _function(self, path: Path, function: types.FunctionType) -> Any:
        """Return a function itself; one that was made inside another, with what it closes over, may be another one of its kind."""
        known = self._movable.get(id(function))
        if known is not None:
            self.guard(path, "same", known[0])
            return function
        held = vars(function)
        is_local = "<locals>" in function.__qualname__ or function.__closure__
        if not is_local or not all(type(value) in _TOLD for value in held.values()):
            self.guard(path, "is", function)
            return function
        self.guard(path.attribute("__code__"), "is", function.__code__)
        self.guard(path.attribute("__globals__"), "is", function.__globals__)
        # What it holds is read as it is.
        self.guard(path.attribute("__dict__"), "keys", tuple(held))
        for name, value in held.items():
            self.guard(path.attribute("__dict__").item(name), "equals", value)
        self._note_movable(path, function, function)
        return function

    def _method(self, path: Path, method: types.MethodType) -> Any:
        if not isinstance(method.__func__, types.FunctionType):
            self.guard(path, "is", method)
            return method
        self.guard(path, "type", types.MethodType)
        function = self.wrap(path.attribute("__func__"), method.__func__)
        return types.MethodType(function, self.wrap(path.attribute("__self__"), method.__self__))

    def _container(self, path: Path, thing: Any) -> Any:
        self.guard(path, "type", type(thing))
        result: Any
        if type(thing) is list and str(path) in self.appended:
            result = Appended(self, path)
            self.origins[id(result)] = (path, result, None)
            self._note_movable(path, thing, result)
            return result
        if isinstance(thing, dict):
            if any(hashes(key, is_library) for key in thing):
                self.recorder.unstageable(
                    "S204-decides", f"{path}, a dictionary, has keys that decide what they equal"
                )
            self.guard(path, "keys", tuple(thing))
            result = {key: self.wrap(path.item(key), item) for key, item in thing.items()}
            table = handed_table(self.recorder, path, result)
            if table is not None:
                self._note_movable(path, thing, table)
                return table
        else:
            staged = self.lists.wrap(path, thing) if type(thing) is list else None
            if staged is not None:
                self.recorder.handed.add(id(staged))
                self.origins[id(staged)] = (path, staged, None)
                self._note_movable(path, thing, staged)
                return staged
            self.guard(path, "length", len(thing))
            items = [self.wrap(path.item(place), item) for place, item in enumerate(thing)]
            result = (
                items
                if type(thing) is list
                else indexed(tuple(items))
                if type(thing) is tuple
                else type(thing)(*items)
            )
        self.recorder.handed.add(id(result))
        before = dict(result) if isinstance(result, dict) else list(result)
        self.origins[id(result)] = (path, result, before)
        if isinstance(result, (list, dict)):
            self._note_movable(path, thing, result)
            self.recorder.arrived.append(
                (result, before if isinstance(before, dict) else dict(enumerate(before)))
            )
        return result

    def keep_distinct(self) -> None:
        """Guard that objects that are told apart are not one."""
        kinds: dict[Any, list[Path]] = {}
        for (path, _), thing in zip(self._movable.values(), self._things(self._movable), strict=True):
            code = thing.__code__ if isinstance(thing, types.FunctionType) else None
            kinds.setdefault((type(thing), code), []).append(path)
        for paths in kinds.values():
            if len(paths) > 1:
                self.guard(paths[0], "distinct", tuple(paths[1:]))

        self._keep_rows()

    def _keep_rows(self) -> None:
        """Guard that no list in a list of lists is another list that was handed in, or in another list of lists."""
        pools = list(self.lists.pools.values())
        if not pools:
            return
        known = zip(self._movable.values(), self._things(self._movable), strict=True)
        lists = {path: thing for (path, _), thing in known if isinstance(thing, list)}
        self.guard(pools[0], "rows", (tuple(pools), tuple(lists)))
        if not one_each((lists[path] for path in pools), lists.values()):
            self.recorder.unstageable("S178-rows", "a list in a list that was handed in was handed in itself")

    def _things(self, identities: Iterable[int]) -> Iterator[Any]:
        kept = {id(thing): thing for thing in self._kept}
        return (kept[identity] for identity in identities)
