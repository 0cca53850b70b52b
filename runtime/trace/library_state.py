"""What modules of libraries hold that can change: what code may read of it is guarded, and what was stored into it while tracing is taken back."""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.composites.grids import STAND_INS
from transpile.runtime.operators.objects import is_special

from .guard import Guard
from .held_contents import copied, holds, refill
from .path import Path
from .sameness import same_number

# Note [State of libraries]
# Modules of libraries stand for themselves in a trace, and Python itself reads what they hold. Most of that stays what it is: functions, classes, numbers. The rest,
# objects, lists and dictionaries, attributes of classes, is followed by the names that code uses, from a module to what it holds, and on to what that
# holds: under all of them it has to be, on a later call, what it was.

# What nobody can change, or has no attributes that are read.
_SETTLED = (
    type(None), bool, int, float, complex, str, bytes, range, slice, frozenset, np.generic, np.dtype, np.ufunc, re.Pattern,
    types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.MemberDescriptorType, types.GetSetDescriptorType, type(NotImplemented), type(Ellipsis), type(np.concatenate),
    types.GenericAlias, types.UnionType, property, staticmethod, classmethod, types.CodeType,
)  # fmt: skip
_CONTAINERS = (list, dict, set, np.ndarray)
_ATTRIBUTES = (types.MemberDescriptorType, types.GetSetDescriptorType)
_NUMBERS = (bool, int, float, complex, str, bytes)
# Containers of more are dear to compare with what they were.
_MOST_ITEMS, _MOST_BYTES = 1024, 4096
# Of a class, that it is written in C and cannot be given attributes.
_IMMUTABLE = 1 << 8
# Special methods that are followed, or have run.
_CALLED = ("__call__", "__init__", "__new__")
_STAND_INS = frozenset(map(id, STAND_INS.values()))


class _Missing:
    """Stands for an attribute that is not there."""


class _Attributes:
    """The attributes of an object, or those of a class itself, that code may read."""

    def __init__(self, thing: Any, label: str) -> None:
        if isinstance(thing, np.ndarray):
            recorder().unstageable("S249-held", f"{label}, an array of a class of its own, may change")
        self.thing, self.label = thing, label
        self._is_class = isinstance(thing, type)
        self._own = _own(thing)
        self._names: set[str] = set()
        self._before: dict[str, Any] = {}
        kinds = thing.__mro__[1:] if self._is_class else type(thing).__mro__
        self._inherited = {name: held for kind in reversed(kinds) for name, held in vars(kind).items()}
        # What was there.
        self._held = {*self._own}
        # What Python runs by itself reads more.
        run = () if self._is_class else _run_by_python(self._inherited)
        self._asked = {name for code in run for name in code.co_names}

    def note(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Note names that code may read or store under, and yield what is there."""
        self._names |= self._asked.union(names)
        for name in (self._names & (self._held | self._inherited.keys())) - self._before.keys():
            found = self._attribute(name)
            if not _is_same(self._attribute(name), found):
                recorder().unstageable(
                    "S249-held", f"{self.label}.{name} is made anew whenever it is asked for"
                )
            self._before[name] = found
            if found is not _Missing:
                yield f"{self.label}.{name}", found
            given = self._inherited.get(name)
            if isinstance(given, property) and isinstance(given.fget, types.FunctionType):
                yield from self.note(given.fget.__code__.co_names)

    def _attribute(self, name: str) -> Any:
        """Return what there is under a name that is not its class's."""
        if name in self._own:
            return self._own[name]
        if isinstance(self._inherited.get(name), _ATTRIBUTES):
            return getattr(self.thing, name, _Missing)
        return _Missing

    @functools.cached_property
    def _read(self) -> list[tuple[str, Any]]:
        """What code may have read, in the end, when all names are known."""
        may_gain = bool(self._own) or hasattr(self.thing, "__dict__")
        return [(name, held) for name, held in self._before.items() if may_gain or held is not _Missing]

    @property
    def guarded(self) -> bool:
        """Whether code may have read anything of it."""
        return bool(self._read)

    @property
    def unchanged(self) -> bool:
        """Whether all that code may read is what it was."""
        return all(_is_same(self._attribute(name), before) for name, before in self._read)

    def restore(self) -> Iterator[str]:
        """Take back what was stored, and yield what that was."""
        for name in (self._own.keys() - self._held) & self._names:
            self._before.setdefault(name, _Missing)
        for name, before in self._before.items():
            if _is_same(self._attribute(name), before):
                continue
            yield f"{self.label}.{name}"
            if before is _Missing:
                delattr(self.thing, name)
            else:
                setattr(self.thing, name, before)


class _Contents:
    """What is in a container."""

    guarded = True

    def __init__(self, thing: Any, label: str) -> None:
        self.thing, self.label = thing, label
        is_large = thing.nbytes > _MOST_BYTES if isinstance(thing, np.ndarray) else len(thing) > _MOST_ITEMS
        if is_large or (isinstance(thing, np.ndarray) and thing.dtype.hasobject):
            recorder().unstageable("S249-held", f"{label} may change, and holds much")
        self._before = copied(thing)

    def note(self, names: Iterable[str]) -> Iterator[tuple[str, Any]]:
        """Yield what is in it."""
        if isinstance(self.thing, dict):
            yield from ((f"{self.label}[{key!r}]", item) for key, item in self.thing.items())
        elif not isinstance(self.thing, np.ndarray):
            yield from ((f"an item of {self.label}", item) for item in self.thing)

    @property
    def unchanged(self) -> bool:
        """Whether it holds what it held."""
        now, before = self.thing, self._before
        if isinstance(now, np.ndarray) and (now.dtype, now.shape) != (before.dtype, before.shape):
            return False
        return holds(now, before)

    def restore(self) -> Iterator[str]:
        """Take back what was done to it, and yield what that was."""
        if not self.unchanged:
            yield self.label
            refill(self.thing, self._before)


class LibraryState:
    """What code may read of what modules of libraries hold; `has_found` is told of containers."""

    def __init__(self, has_found: Callable[[list[Any]], None] = lambda things: None) -> None:
        self.has_found = has_found
        self._met: dict[int, _Attributes | _Contents] = {}
        self._names: set[str] = set()

    def reach(self, label: str, thing: Any) -> None:
        """Note what a module holds under a name that code may read."""
        if isinstance(thing, types.MethodType):
            label, thing = f"{label}.__self__", thing.__self__
        if isinstance(thing, tuple):
            for item in thing:
                self.reach(f"an item of {label}", item)
            return
        if id(thing) in self._met or _is_settled(thing):
            return
        found: _Attributes | _Contents
        if type(thing) in _CONTAINERS:
            found = _Contents(thing, label)
            self.has_found([thing])
        else:
            found = _Attributes(thing, label)
        self._met[id(thing)] = found
        for kind in (thing if isinstance(thing, type) else type(thing)).__mro__:
            self.reach(f"{kind.__module__}.{kind.__qualname__}", kind)
        for inner, held in [*found.note(self._names)]:
            self.reach(inner, held)

    def note_names(self, names: Iterable[str]) -> None:
        """Note names that code may read or store under which is about to run."""
        new = {*names} - self._names
        self._names |= new
        for found in [*self._met.values()]:
            if isinstance(found, _Attributes):
                for label, held in [*found.note(new)]:
                    self.reach(label, held)

    def guards(self) -> Iterator[Guard]:
        """Yield guards of what code may have read."""
        for found in self._met.values():
            if found.guarded:
                yield Guard(Path("object", found).attribute("unchanged"), "equals", True)

    def restore(self) -> list[str]:
        """Take back what was stored while tracing; return the labels of it."""
        return [label for found in self._met.values() for label in found.restore()]


def _is_settled(thing: Any) -> bool:
    if isinstance(thing, type):
        return bool(thing.__flags__ & _IMMUTABLE)
    return isinstance(thing, _SETTLED) or id(thing) in _STAND_INS


def _own(thing: Any) -> Mapping[str, Any]:
    """Return what an object, or a class, has in its own dictionary."""
    held = getattr(thing, "__dict__", None)
    return held if isinstance(held, (dict, types.MappingProxyType)) else {}


def _run_by_python(held: Mapping[str, Any]) -> Iterator[types.CodeType]:
    """Yield the code of special methods, which Python itself calls."""
    for name, method in held.items():
        if is_special(name) and name not in _CALLED and isinstance(method, types.FunctionType):
            yield method.__code__


def _is_same(now: Any, before: Any) -> bool:
    return now is before or (
        type(now) is type(before) and isinstance(now, _NUMBERS) and same_number(now, before)
    )
