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
_APART = LEFT | {"__str__", "__format__", "__enter__", "__exit__", "__call__", "__new__"}

# What was made for a class, and of which methods of it.
_classes: weakref.WeakKeyDictionary[type, tuple[dict[str, Any], type]] = weakref.WeakKeyDictionary()


def proxy_class(kind: type) -> type:
    """Return the class of what stands for objects of a class. It has the special methods of that where all are written in Python, and refuses their use elsewhere."""
    found = {name: member for base in reversed(kind.__mro__[:-1]) for name, member in vars(base).items()}
    # A class says by None that its objects cannot do what others of their kind can.
    members = {
        name: member
        for name, member in found.items()
        if is_special(name)
        and name not in _APART
        and (callable(member) or (member is None and name != "__hash__"))
        and member is not vars(object).get(name, object)
    }
    before, known = _classes.get(kind, ({}, OutsideObject))
    if before != members:
        written = all(member is None or isinstance(member, types.FunctionType) for member in members.values())
        known = type(OutsideObject.__name__, (OutsideObject,), _stand_ins(members) if written else _REFUSED)
        _classes[kind] = members, known
    return known


def _refused(self: Any, *_: Any) -> NoReturn:
    """Refuse what is asked of an object whose class is written in C, or derived from one that is, other than its attributes."""
    outside, path, thing = held_by(self)
    text = f"{path} is of {type(thing).__qualname__}, of which not all special methods are written in Python, and is asked for more than its attributes"
    outside.recorder.unstageable("S204-decides", text)


# What Python asks the class of an operand for.
_OPERATORS = (
    "len iter next reversed getitem setitem delitem contains add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow matmul "
    "rmatmul divmod rdivmod lshift rlshift rshift rrshift and rand or ror xor rxor neg pos abs invert lt le gt ge index int float complex round trunc "
    "floor ceil iadd isub imul itruediv ifloordiv imod ipow imatmul ilshift irshift iand ior ixor"
)
_REFUSED = {f"__{name}__": _refused for name in _OPERATORS.split()}


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
