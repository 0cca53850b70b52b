"""What stands in a trace for what comes from outside, by its type: inputs, proxies, staged lists and tables, or the thing itself."""

from __future__ import annotations

import collections
import enum
import sys
import types
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import SymbolicObject, is_object
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.ordered_dicts import Ordered
from transpile.runtime.arrays.rows import is_named
from transpile.runtime.arrays.tuples import indexed
from transpile.runtime.attributes import whole_dictionary
from transpile.runtime.composites.grids import BY_IDENTITY, numpy_with_stand_ins
from transpile.runtime.graph.ir import Input
from transpile.runtime.graph.types import INT
from transpile.runtime.operators.cached import CACHED
from transpile.runtime.operators.paths import SymbolicPath
from transpile.runtime.operators.slots import has_only_slots

from .appended import Appended, Appends
from .guard import none_in, one_each
from .handed_arrays import have_own_memory
from .handed_lists import HandedLists
from .handed_sets import OutsideSet
from .handed_tables import handed_table
from .inputs import name_of
from .libraries import is_library
from .path import Path
from .proxies import OutsideObject
from .sameness import is_value
from .special_methods import proxy_class
from .state import Store
from .system import System

if TYPE_CHECKING:
    from .outside import Outside

# Things that are what they are, told apart by identity.
_FIXED = (
    type, types.BuiltinFunctionType, np.ufunc, type(None), type(Ellipsis), enum.Enum,
    types.MethodDescriptorType, types.WrapperDescriptorType, type(NotImplemented), type(np.concatenate),
    type(np._NoValue), type(np.random.default_rng), types.UnionType, CACHED,
)  # fmt: skip
# Classes of Python's own, and those derived from them, whose methods are written in C and know the object itself.
_CONTAINERS = (
    dict, list, tuple, set, frozenset, str, bytes, bytearray, int, float, complex, collections.deque, types.MappingProxyType,
)  # fmt: skip
# Those that are looked into.
_HOLDING = (tuple, list, dict, collections.OrderedDict)
# Types of what functions hold that is told apart by what it equals.
_TOLD = (bool, int, float, str, bytes, type(None))
# Values that are told apart by what they equal.
_VALUES = (bool, str, bytes, np.dtype, range, slice, frozenset)


class StandIns:
    """Makes what stands for things from outside, and tells those apart that may be other ones on the next call."""

    def __init__(self, outside: Outside, lists: HandedLists, appended: Mapping[str, bool]) -> None:
        self._outside = outside
        self.lists = lists
        # The paths of lists that are only appended to, and whether these were empty, and are looked into.
        self._appended = appended
        # The things that were handed in, by identity of what stands for them.
        self.origins: dict[int, tuple[Path, Any, Any]] = {}
        # Objects and functions that may be other ones on the next call, by identity: their path and what stands for them.
        self._movable: dict[int, tuple[Path, Any]] = {}
        self._kept: list[Any] = []
        # Where arrays are found that classes hold.
        self._held_arrays: list[tuple[Path, Any]] = []
        # Where containers are found that classes hold, of which what stands for them is read alone.
        self._only_read: list[Path] = []
        # What stands for tuples that stay what they are, by their identity.
        self._constants: dict[int, tuple[Any, ...]] = {}
        outside.recorder.note_grown = self._note_grown

    def release(self) -> None:
        """Let go of what the call was handed."""
        self.origins.clear()
        self._movable.clear()
        self._constants.clear()
        self._kept.clear()

    def _note_grown(self, thing: Any) -> None:
        """Have a list that was handed in, and grows in a region, be one that is only appended to, if it is that."""
        path, _, _ = self.origins.get(id(thing), (None, None, None))
        if type(thing) is list and path is not None:
            raise Appends(path)

    def path_of(self, function: type | types.FunctionType) -> Path:
        """Return the path at which a class or function is found: itself, unless it was handed in and may be another one on the next call."""
        known = self._movable.get(id(function))
        return Path("object", function) if known is None else known[0]

    def wrap(self, path: Path, thing: Any) -> Any:
        """Return what stands for a thing that is found at a path."""
        # Asked for its class itself, an object of the user's may run code of its own.
        kind: Any = type(thing)
        if kind is np.ndarray or (kind is np.recarray and thing.dtype.names is not None):
            return self._outside.inputs.array(path, thing)
        if kind in (int, float, complex) or (issubclass(kind, np.generic) and thing.dtype in DTYPES):
            return self._outside.inputs.scalar(path, thing)
        if kind in _VALUES or issubclass(kind, np.dtype):
            if not is_value(thing, is_library):
                text = f"{path} is a {kind.__name__} of things that may change"
                self._outside.recorder.unstageable("S201-argument", text)
            self._outside.guard(path, "equals", thing)
            return thing
        if kind is types.BuiltinFunctionType and isinstance(thing.__self__, _CONTAINERS):
            # A call would run now, on the object itself; and each look finds another method.
            owner = type(thing.__self__).__name__
            text = f"{path} is a method of a {owner} from outside"
            self._outside.recorder.unstageable("S204-decides", text)
        if issubclass(kind, _FIXED):
            self._outside.guard(path, "is", thing)
            for each in getattr(thing, "__args__", ()) if kind is types.UnionType else (thing,):
                if isinstance(each, (type, enum.Enum)):
                    self._outside.selves.note(each)
            return thing
        if kind is types.FunctionType:
            self._outside.selves.note(thing)
            return self._function(path, thing)
        if kind is types.MethodType:
            return self._method(path, thing)
        if issubclass(kind, types.ModuleType):
            self._outside.guard(path, "is", thing)
            if thing is sys:
                return System(self._outside, path)
            if not is_library(thing.__name__):
                return OutsideObject(self._outside, path, thing)
            stand_in = numpy_with_stand_ins() if thing is np else thing
            self._outside.libraries.note(thing, stand_in)
            return stand_in
        known = self._movable.get(id(thing))
        if known is not None:
            self._outside.guard(path, "same", known[0])
            return known[1]
        if kind in _HOLDING or is_named(kind):
            return self._container(path, thing)
        if OutsideSet.can_be(thing):
            return OutsideSet(self._outside, path, thing)
        if is_object(thing):
            return self._object(path, thing)
        if kind is SymbolicPath.stands_for:
            self._outside.guard(path, "equals", thing)
            return self._known(path, thing, thing)
        if issubclass(kind, np.ndarray) or not (kind.__dictoffset__ or has_only_slots(kind)):
            self._outside.recorder.unstageable(
                "S201-argument", f"{path} is of type {kind.__name__}, which is not staged"
            )
        if id(thing) in BY_IDENTITY:
            self._outside.guard(path, "is", thing)
            return BY_IDENTITY[id(thing)]
        whole_dictionary(thing)
        self._outside.guard(path, "type", kind)
        self._outside.selves.note_kind(kind)
        proxy = proxy_class(kind)(self._outside, path, thing)
        self.origins[id(proxy)] = (path, proxy, thing)
        self._note_movable(path, thing, proxy)
        return proxy

    def _object(self, path: Path, thing: Any) -> Any:
        """Return what stands for an object that the trace holds without looking into it."""
        self._outside.guard(path, "type", type(thing))
        value, _ = self._outside.inputs.input(Input("scalar", path, held=True), INT, name_of(path))
        return self._known(path, thing, SymbolicObject(value, type(thing)))

    def _known(self, path: Path, thing: Any, result: Any) -> Any:
        """Note what stands for an object that may be another one on the next call, and return it."""
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
            self._outside.guard(path, "same", known[0])
            return function
        held = vars(function)
        is_local = "<locals>" in function.__qualname__ or function.__closure__
        if not is_local or not all(type(value) in _TOLD for value in held.values()):
            self._outside.guard(path, "is", function)
            return function
        self._outside.guard(path.attribute("__code__"), "is", function.__code__)
        self._outside.guard(path.attribute("__globals__"), "is", function.__globals__)
        # What it holds is read as it is.
        self._outside.guard(path.attribute("__dict__"), "keys", tuple(held))
        for name, value in held.items():
            self._outside.guard(path.attribute("__dict__").item(name), "equals", value)
        self._note_movable(path, function, function)
        return function

    def _method(self, path: Path, method: types.MethodType) -> Any:
        if not isinstance(method.__func__, types.FunctionType) or method in FUNCTIONS:
            self._outside.guard(path, "is", method)
            return method
        self._outside.guard(path, "type", types.MethodType)
        function = self.wrap(path.attribute("__func__"), method.__func__)
        return types.MethodType(function, self.wrap(path.attribute("__self__"), method.__self__))

    def constant(self, path: Path, thing: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return what stands for a tuple of which it is guarded elsewhere that it stays what it is."""
        made = self._constants.get(id(thing))
        if made is None:
            self._kept.append(thing)
            made = self._constants[id(thing)] = indexed(thing)
            if made is not thing:
                self._outside.recorder.handed.add(id(made))
                self.origins[id(made)] = (path, made, list(made))
        return made

    def _emptied(self, path: Path, thing: list[Any]) -> StagedList:
        """Return what stands for an empty list that grows: one that the function might have made, but for what it is at the end."""
        self._outside.guard(path, "length", 0)
        made = self.lists.empty()
        self._outside.recorder.handed.add(id(made))
        self.origins[id(made)] = (path, made, None)
        self._note_movable(path, thing, made)
        return made

    def _container(self, path: Path, thing: Any) -> Any:
        self._outside.guard(path, "type", type(thing))
        result: Any
        if type(thing) is list and str(path) in self._appended:
            if self._appended[str(path)] and not thing:
                return self._emptied(path, thing)
            result = Appended(self._outside, path, not thing)
            self.origins[id(result)] = (path, result, None)
            self._note_movable(path, thing, result)
            return result
        if isinstance(thing, dict):
            if not all(is_value(key, is_library) for key in thing):
                text = f"{path}, a dictionary, has keys that may change, or decide what they equal"
                self._outside.recorder.unstageable("S204-decides", text)
            self._outside.guard(path, "keys", tuple(thing))
            result = {key: self.wrap(path.item(key), item) for key, item in thing.items()}
            is_dict = type(thing) is dict
            result = result if is_dict else Ordered(result)
            table = handed_table(self._outside.recorder, path, result) if is_dict else None
            if table is not None:
                self._note_movable(path, thing, table)
                return table
        else:
            staged = self.lists.wrap(path, thing) if type(thing) is list else None
            if staged is not None:
                self._outside.recorder.handed.add(id(staged))
                self.origins[id(staged)] = (path, staged, None)
                self._note_movable(path, thing, staged)
                return staged
            self._outside.guard(path, "length", len(thing))
            items = [self.wrap(path.item(place), item) for place, item in enumerate(thing)]
            result = (
                items
                if type(thing) is list
                else indexed(tuple(items))
                if type(thing) is tuple
                else type(thing)(*items)
            )
        self._outside.recorder.handed.add(id(result))
        before = dict(result) if isinstance(result, dict) else list(result)
        self.origins[id(result)] = (path, result, before)
        if isinstance(result, (list, dict)):
            self._note_movable(path, thing, result)
            self._outside.recorder.arrived.append(
                (result, before if isinstance(before, dict) else dict(enumerate(before)))
            )
        return result

    def followed(self, thing: Any) -> Any:
        """Return what stands for a container that a class holds, where that was read of an instance; else the thing itself."""
        known = self._movable.get(id(thing)) if type(thing) in (list, dict) else None
        return thing if known is None else known[1]

    def keep_apart_from(self, held: Iterable[tuple[Path, Any]]) -> None:
        """Refuse what classes hold that was handed in, too, and guard that it is not: the trace has it as it is."""
        for path, thing in held:
            known = self._movable.get(id(thing))
            if known is not None and type(thing) in (list, dict):
                # What stands for it has the same in it, as long as nothing is stored there.
                self._outside.guard(path, "same", known[0])
                self._only_read.append(known[0])
                self.origins[id(thing)] = (path, thing, thing.copy())
                continue
            if known is not None or self._outside.inputs.shares_memory(path, thing):
                self._outside.recorder.unstageable("S249-held", f"{path} is handed in, too")
            self._note_movable(path, thing, thing)
            if isinstance(thing, np.ndarray):
                self._held_arrays.append((path, thing))
            self.origins[id(thing)] = (path, thing, thing.copy())

    def keep_stores_from(self, stores: Iterable[Store]) -> None:
        """Refuse stores into what stands for a container that a class holds."""
        for store in stores:
            if any(store.path is path for path in self._only_read):
                self._outside.recorder.unstageable("S249-held", f"{store.path}, which a class holds, changes")

    def keep_distinct(self) -> None:
        """Guard that objects that are told apart are not one."""
        kinds: dict[Any, list[Path]] = {}
        for (path, _), thing in zip(self._movable.values(), self._things(self._movable), strict=True):
            code = thing.__code__ if type(thing) is types.FunctionType else None
            kinds.setdefault((type(thing), code), []).append(path)
        for paths in kinds.values():
            if len(paths) > 1:
                self._outside.guard(paths[0], "distinct", tuple(paths[1:]))

        self._keep_rows()
        self._keep_objects()
        self._keep_held_arrays()

    def _keep_objects(self) -> None:
        """Guard that no object that stands by itself is in a list of which the objects lie in a pool."""
        things = dict(
            zip((path for path, _ in self._movable.values()), self._things(self._movable), strict=True)
        )
        for class_, path in self.lists.objects.listed():
            others = {other: thing for other, thing in things.items() if type(thing) is class_}
            if not others:
                continue
            self._outside.guard(path, "members", tuple(others))
            if not none_in(things[path], others.values()):
                self._outside.recorder.unstageable(
                    "S178-rows", f"an object in {path}, a list that was handed in, is found otherwise, too"
                )

    def _keep_held_arrays(self) -> None:
        """Guard that the arrays which objects in lists hold have memory of their own."""
        holding = self.lists.objects.holding()
        if not holding:
            return
        arrays = [*self._outside.inputs.found_arrays(), *self._held_arrays]
        self._outside.guard(holding[0][0], "held", (holding, [path for path, _ in arrays]))
        known = zip(self._movable.values(), self._things(self._movable), strict=True)
        lists = {path: thing for (path, _), thing in known if isinstance(thing, list)}
        if not have_own_memory(
            ((lists[path], names) for path, names in holding), (array for _, array in arrays)
        ):
            self._outside.recorder.unstageable(
                "S203-overlap", "an array that an object in a list holds is handed in otherwise, too"
            )

    def _keep_rows(self) -> None:
        """Guard that no list in a list of lists is another list that was handed in, or in another list of lists."""
        pools = list(self.lists.pools.values())
        if not pools:
            return
        known = zip(self._movable.values(), self._things(self._movable), strict=True)
        lists = {path: thing for (path, _), thing in known if isinstance(thing, list)}
        self._outside.guard(pools[0], "rows", (tuple(pools), tuple(lists)))
        if not one_each((_table(path, lists) for path in pools), lists.values()):
            self._outside.recorder.unstageable(
                "S178-rows", "a list in a list that was handed in was handed in itself"
            )

    def _things(self, identities: Iterable[int]) -> Iterator[Any]:
        kept = {id(thing): thing for thing in self._kept}
        return (kept[identity] for identity in identities)


def _table(path: Path, lists: Mapping[Path, list[Any]]) -> list[Any]:
    """Return the list of lists that is at a path: one of those that were handed in, or what such ones hold."""
    if path.kind != "made":
        return lists[path]
    function, (base,) = path.key
    found: list[Any] = function(_table(base, lists))
    return found
