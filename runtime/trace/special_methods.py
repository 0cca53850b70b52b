"""What stands for objects from outside whose classes have special methods: Python itself finds those by the class."""

from __future__ import annotations

import types
import weakref
from typing import Any, NoReturn

from transpile.runtime.operators.call import call
from transpile.runtime.operators.logic import not_
from transpile.runtime.operators.objects import LEFT, is_special, named, operator
from transpile.runtime.operators.protocols import long, true

from .proxies import OutsideObject, held_by

# What stands for an object decides these by itself; or converted code asks its class for them.
_APART = LEFT | {"__str__", "__format__", "__enter__", "__exit__", "__call__"}

# What was made for a class, and of which methods of it.
_classes: weakref.WeakKeyDictionary[type, tuple[dict[str, Any], type]] = weakref.WeakKeyDictionary()


def proxy_class(kind: type) -> type:
    """Return the class of what stands for objects of a class. It has the special methods of that where all are written in Python."""
    found = {name: member for base in reversed(kind.__mro__[:-1]) for name, member in vars(base).items()}
    # A class says by None that its objects cannot do what others of their kind can.
    members = {
        name: member
        for name, member in found.items()
        if is_special(name)
        and name not in _APART
        and (callable(member) or (member is None and name != "__hash__"))
    }
    written = (member for member in members.values() if member is not None)
    if not members or not all(isinstance(member, types.FunctionType) for member in written):
        return _OfBuiltin if issubclass(kind, _BUILTINS) else OutsideObject
    before, known = _classes.get(kind, (None, OutsideObject))
    if before != members:
        known = type(OutsideObject.__name__, (OutsideObject,), _stand_ins(members))
        _classes[kind] = members, known
    return known


class _OfBuiltin(OutsideObject):
    """Stands for an object of a class derived from one of Python's own, whose operators are written in C."""

    def _as_builtin(self, *_: Any) -> NoReturn:
        outside, path, thing = held_by(self)
        kind = type(thing)
        base = next(base.__name__ for base in kind.__mro__ if base in _BUILTINS)
        text = f"{path} is of {kind.__qualname__}, a class derived from {base}, and is asked for more than its attributes"
        outside.recorder.unstageable("S204-decides", text)

    __len__ = __iter__ = __reversed__ = __getitem__ = __setitem__ = __delitem__ = __contains__ = _as_builtin
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _as_builtin
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __neg__ = __pos__ = __abs__ = (
        _as_builtin
    )
    __or__ = __ror__ = __and__ = __rand__ = __xor__ = __rxor__ = __invert__ = _as_builtin
    __lt__ = __le__ = __gt__ = __ge__ = __index__ = __int__ = __float__ = __complex__ = _as_builtin


# The classes that a program derives its own from, and whose operators Python finds by the class alone.
_BUILTINS = (dict, list, tuple, set, frozenset, str, bytes, bytearray, int, float, complex)


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
    found: dict[str, Any] = {name: member and _guarded(name, member) for name, member in members.items()}
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
