"""Classes, members of enumerations and functions of the user's, which stand for themselves in a trace: what they hold is guarded, and stays as it is."""

from __future__ import annotations

import abc
import enum
import itertools
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.frames import home_of, original_of
from transpile.runtime.operators.objects import is_special

from .descriptors import decides, is_descriptor
from .guard import Guard
from .held_contents import Contents, copied, holds, refill
from .path import Path

# Note [Selves]
# An instance is found by a class, and a class by those that it inherits from, so classes cannot be replaced by what stands for them. Python itself reads
# what they hold, and would store into them while tracing. So all names that converted code may read of them are guarded, and what was
# stored is taken back. That reaches no deeper than what a container of theirs holds: where there are other things in it, or anything else that can
# change, the trace ends before code runs that may read it.

_VALUES = (bool, int, float, complex, str, bytes, np.generic, np.dtype, range)
_FIXED = (
    type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, property, classmethod, staticmethod, enum.Enum, np.ufunc,
    types.MemberDescriptorType, types.GetSetDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType, type(None),
)  # fmt: skip


_CONTAINERS = (list, dict, set, np.ndarray)
# Where a member of an enumeration has its value.
_VALUE = "_value_"

# What classes and functions tell of themselves, and can be given anew.
_TOLD = ("__name__", "__qualname__", "__module__", "__doc__", "__defaults__", "__kwdefaults__")


class _Registered:
    """What `register` has told abstract classes of others."""

    @property
    def count(self) -> Any:
        """How often it has been called."""
        return abc.get_cache_token()


_REGISTERED = _Registered()
# What abstract classes are asked by.
_ASKED = frozenset(("isinstance", "issubclass"))


class Selves:
    """The classes and functions that a trace has met."""

    def __init__(
        self, is_library: Callable[[str], bool], has_found: Callable[[list[Any]], None] = lambda things: None
    ) -> None:
        self.is_library = is_library
        # Is told of the containers that classes and functions hold.
        self.has_found = has_found
        self._found: dict[int, tuple[Any, dict[str, Any]]] = {}
        # The classes of what was handed in, which may be given methods that Python finds by itself.
        self._kinds: dict[int, type] = {}
        # What else can be exchanged of them.
        self._exchanged: dict[int, tuple[Any, dict[str, Any]]] = {}
        self._contents: list[tuple[Any, Any]] = []
        # The containers whose contents are guarded, with where they are found.
        self.held: list[tuple[Path, Any]] = []
        # Names that converted code may read.
        self._names: set[str] = set()

    def note(self, thing: Any) -> None:
        """Note a class, with those that it inherits from, and its members if it is an enumeration; a member of one; or a function."""
        for holder in _holders(thing):
            module = home_of(holder) if isinstance(holder, types.FunctionType) else str(holder.__module__)
            if id(holder) not in self._found and (not self.is_library(module) or _may_hold(holder)):
                before = _held(holder)
                self._refuse(holder, before)
                self._found[id(holder)] = holder, before
                parts = {name: getattr(holder, name) for name in _exchangeable(holder)}
                self._exchanged[id(holder)] = holder, parts
                things = [*before.values(), *parts.values(), *_given_by(parts)]
                containers = [thing for thing in things if isinstance(thing, _CONTAINERS)]
                self._contents += [(thing, copied(thing)) for thing in containers]
                self.has_found(containers)
                self._refuse_deep(holder, self._names)

    def note_kind(self, kind: type) -> None:
        """Note the class of an object that is handed in."""
        self._kinds.update((id(each), each) for each in kind.__mro__ if not self.is_library(each.__module__))

    def note_names(self, names: Iterable[str]) -> None:
        """Note names that code may read which is about to run."""
        new = {*names} - self._names
        self._names |= new
        for holder, _ in self._found.values():
            self._refuse_deep(holder, new)

    def _refuse_deep(self, holder: Any, names: set[str]) -> None:
        """Refuse what can change where no copy tells of it, if code may read it."""
        before = self._found[id(holder)][1]
        for name in sorted(name for name in before if _read_as(name) in names):
            thing = before[name]
            if not (is_special(name) or self._is_fixed(thing) or _is_value(thing) or self.is_flat(thing)):
                self._refuse_held(holder, name)

    def _refuse_held(self, holder: Any, name: str) -> None:
        text = f"{_label(holder, name)} may change, and is no object's own"
        recorder().unstageable("S249-held", text)

    def _is_fixed(self, thing: Any) -> bool:
        described = hasattr(type(thing), "__get__") and self.is_library(type(thing).__module__)
        return isinstance(thing, _FIXED) or described

    def holds(self, array: Any) -> bool:
        """Whether an array is one that a class or function holds, or a view of one."""
        held = [thing for thing, _ in self._contents if isinstance(thing, np.ndarray)]
        return any(array is thing or array.base is thing for thing in held)

    def keep_as_found(self, thing: Any, path: Path) -> None:
        """Refuse a container that a class holds, and the trace has changed: what stands for it has what was in it."""
        for container, contents in self._contents:
            if container is thing and not holds(container, contents):
                recorder().unstageable("S249-held", f"{path}, which a class holds, changes")

    def is_flat(self, thing: Any) -> bool:
        """Whether a container holds nothing that can change."""
        items = thing.values() if isinstance(thing, dict) else thing
        is_array = isinstance(thing, np.ndarray)
        if is_array or type(thing) not in (list, dict, set):
            return is_array and not thing.dtype.hasobject
        return all(self._is_fixed(item) or _is_value(item) for item in items)

    def _refuse(self, holder: Any, before: dict[str, Any]) -> None:
        """Refuse a class of which code of the user's says what is read of it: that would run while tracing."""
        if not isinstance(holder, type):
            return
        for name, thing in before.items():
            if is_descriptor(thing, self.is_library):
                text = f"{holder.__qualname__}.{name} is what a descriptor gives that is not Python's own"
                recorder().unstageable("S294-descriptor", text)
        if decides(holder, self.is_library):
            text = f"the class of {holder.__qualname__} decides what is read of it"
            recorder().unstageable("S295-metaclass", text)

    def guards(self, names: set[str], asked: set[str]) -> Iterator[Guard]:
        """Yield guards of what the holders hold under names that may be read; refuse what may change unnoticed.

        Names that were `asked` for may be missing, too.
        """
        if names & _ASKED and any(type(holder) is abc.ABCMeta for holder, _ in self._found.values()):
            yield Guard(Path("object", _REGISTERED).attribute("count"), "equals", _REGISTERED.count)
        for holder, _ in self._found.values():
            if isinstance(holder, type):
                self.note_kind(holder)
        for kind in self._kinds.values():
            # What Python asks classes for by itself, and finds nowhere, has no name in the code.
            yield Guard(Path("object", kind).attribute("__dict__"), "keys", tuple(vars(kind)))
            if kind.__base__ is not object:
                yield Guard(Path("object", kind).attribute("__mro__"), "is", kind.__mro__)
        for holder, before in self._found.values():
            if (asked | self._inherited(holder, names)) - before.keys() and id(holder) not in self._kinds:
                yield Guard(Path("object", holder).attribute("__dict__"), "keys", tuple(vars(holder)))
            for name, thing in before.items():
                if not _is_read(name, thing, names):
                    continue
                if name == _VALUE and _is_value(thing):
                    # As its name, nobody gives a member another.
                    continue
                path = Path("object", holder).attribute("__dict__").item(name)
                if self._is_fixed(thing):
                    yield Guard(path, "is", thing)
                elif _is_value(thing):
                    yield Guard(path, "equals", thing)
                else:
                    yield from self._contents_guards(holder, name, path, thing)

    def told(self, names: set[str], path_of: Callable[[Any], Path]) -> Iterator[Guard]:
        """Yield guards of what classes and functions tell of themselves under names that may be read; refuse what may change unnoticed."""
        asked = [name for name in _TOLD if name in names]
        for holder, _ in self._found.values():
            own = [] if isinstance(holder, enum.Enum) else [name for name in asked if hasattr(holder, name)]
            for name in own:
                path, thing = path_of(holder).attribute(name), getattr(holder, name)
                if thing is None or _is_value(thing):
                    yield Guard(path, "equals", thing)
                else:
                    yield from self._contents_guards(holder, name, path, thing)

    def _inherited(self, holder: Any, names: set[str]) -> set[str]:
        """Return the names that may be read and are held by classes that are asked after this one: it would hide them."""
        orders = [[*map(id, kind.__mro__)] for kind, _ in self._found.values() if isinstance(kind, type)]
        own = id(holder)
        later = {base for order in orders if own in order for base in order[order.index(own) + 1 :]}
        found = (self._found[base][1] for base in later & self._found.keys())
        return {name for held in found for name, thing in held.items() if _is_read(name, thing, names)}

    def _contents_guards(self, holder: Any, name: str, path: Path, thing: Any) -> Iterator[Guard]:
        """Yield guards of what a container holds; refuse one that holds too much, or what may change."""
        contents = Contents(thing, lambda item: self._is_fixed(item) or _is_value(item))
        if contents.state is None:
            self._refuse_held(holder, name)
        self.held.append((path, thing))
        yield Guard(path, "is", thing)
        yield Guard(Path("object", contents).attribute("state"), "equals", contents.state)

    def restore(self) -> list[str]:
        """Take back what was stored while tracing; return the labels of it."""
        changed = []
        for container, contents in self._contents:
            if not holds(container, contents):
                changed.append(f"a {type(container).__name__} that a class or function holds")
                refill(container, contents)
        for holder, parts in self._exchanged.values():
            for name, part in parts.items():
                if getattr(holder, name) is not part:
                    changed.append(_label(holder, name))
                    setattr(holder, name, part)
        for holder, before in self._found.values():
            now = _held(holder)
            for name in now.keys() | before.keys():
                if name in before and now.get(name, holder) is before[name]:
                    continue
                changed.append(_label(holder, name))
                given = getattr(vars(holder), "given", {})
                if name in before or name in given:
                    setattr(holder, name, before.get(name, given.get(name)))
                else:
                    delattr(holder, name)
        return changed


def _holders(thing: Any) -> Iterable[Any]:
    if isinstance(thing, type):
        kinds = thing.__mro__
        members: list[tuple[Any, ...]] = [
            tuple(kind.__members__.values()) for kind in kinds if isinstance(kind, enum.EnumType)
        ]
        return (*kinds, *itertools.chain.from_iterable(members))
    # A function that was converted is followed as the one that it was made of; what the program stores goes to itself.
    return (thing,) if isinstance(thing, enum.Enum) else (original_of(thing), thing)


def _exchangeable(holder: Any) -> tuple[str, ...]:
    """Return the names of what can be exchanged of a class or function, and is not in its dictionary."""
    if isinstance(holder, types.FunctionType):
        return ("__code__", "__defaults__", "__kwdefaults__")
    return ("__bases__",) if isinstance(holder, type) else ()


def _given_by(parts: dict[str, Any]) -> Iterator[Any]:
    """Yield the defaults among the parts of a function."""
    yield from parts.get("__defaults__") or ()
    yield from (parts.get("__kwdefaults__") or {}).values()


def _label(holder: Any, name: str) -> str:
    shown = (
        f"{type(holder).__qualname__}.{holder.name}" if isinstance(holder, enum.Enum) else holder.__qualname__
    )
    return f"{shown}.{name}"


def _read_as(name: str) -> str:
    """Return the name by which what is held is read."""
    return "value" if name == _VALUE else name


def _may_hold(holder: Any) -> bool:
    """Whether a library's function is one that the library may store into: it was made in another, or holds something."""
    return isinstance(holder, types.FunctionType) and bool("<locals>" in holder.__qualname__ or vars(holder))


def _held(holder: Any) -> dict[str, Any]:
    """Return what a class or function holds that is not of what stands for a converted function."""
    attributes = vars(holder)
    given: Mapping[str, Any] = getattr(attributes, "given", {})
    return {name: thing for name, thing in attributes.items() if given.get(name, holder) is not thing}


def _is_read(name: str, thing: Any, names: set[str]) -> bool:
    """Whether what is held under a name may be read where code reads some names, or Python asks for it."""
    return isinstance(thing, types.FunctionType) if is_special(name) else _read_as(name) in names


def _is_value(thing: Any) -> bool:
    return isinstance(thing, _VALUES) or (type(thing) in (tuple, frozenset) and all(map(_is_value, thing)))
