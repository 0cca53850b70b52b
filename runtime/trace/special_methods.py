"""What stands for objects from outside whose classes have special methods: Python itself finds those by the class."""

from __future__ import annotations

import types
import weakref
from typing import Any

from transpile.runtime.operators.call import call
from transpile.runtime.operators.logic import not_
from transpile.runtime.operators.objects import LEFT, named, operator
from transpile.runtime.operators.protocols import long, true

from .proxies import OutsideObject, held_by

# What stands for an object decides these by itself; or converted code asks its class for them.
_APART = LEFT | {"__str__", "__format__", "__enter__", "__exit__", "__call__"}

# What was made for a class, and of which methods of it.
_classes: weakref.WeakKeyDictionary[type, tuple[dict[str, Any], type]] = weakref.WeakKeyDictionary()


def proxy_class(kind: type) -> type:
    """Return the class of what stands for objects of a class. It has the special methods of that where all are written in Python."""
    members = {
        name: member
        for base in reversed(kind.__mro__[:-1])
        for name, member in vars(base).items()
        if name.startswith("__") and name.endswith("__") and name not in _APART and callable(member)
    }
    if not members or not all(isinstance(member, types.FunctionType) for member in members.values()):
        return OutsideObject
    before, known = _classes.get(kind, (None, OutsideObject))
    if before != members:
        known = type(OutsideObject.__name__, (OutsideObject,), _stand_ins(members))
        _classes[kind] = members, known
    return known


def _guarded(name: str, member: types.FunctionType) -> Any:
    """Return what stands for a special method, of which it is guarded that the class still has it."""
    method = operator(name, member, call)

    def guarded(self: Any, *args: Any) -> Any:
        outside, path, _ = held_by(self)
        outside.guard(path.attribute("__class__").attribute(name), "is", member)
        return method(self, *args)

    return named(guarded, member)


def _stand_ins(members: dict[str, Any]) -> dict[str, Any]:
    """Return what stands for the special methods of a class."""
    found: dict[str, Any] = {name: _guarded(name, member) for name, member in members.items()}
    if "__len__" in found:
        found.setdefault("__bool__", lambda self: long(self) != 0)
    if "__bool__" in found:
        found["__true__"] = true
    if "__eq__" in found:
        found.setdefault("__ne__", _differs)
        found["__hash__"] = OutsideObject.__hash__
    return found


def _differs(self: Any, other: Any) -> Any:
    decides: Any = type(self).__eq__
    equal = decides(self, other)
    return equal if equal is NotImplemented else not_(equal)
