"""Instances of users' classes that are made during a trace."""

from __future__ import annotations

import functools
import inspect
import types
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.object_pools import can_be_pooled
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.unseen import attach, subclass

from .protocols import true
from .slots import has_only_slots, slots

# Note [Stand-ins]
# Python itself looks up properties, operators and other special methods, and would run them as they are written, not
# converted. An instance made during a trace is therefore one of a subclass, in which they go through `call`. It says
# that it is of the user's class, and becomes an instance of that when it leaves the trace.

# Special methods that Python calls while an object is made, deleted or looked into, not for what it does.
LEFT = frozenset(
    (
        "__new__", "__init__", "__del__", "__init_subclass__", "__class_getitem__", "__getattribute__", "__getattr__",
        "__setattr__", "__delattr__", "__dir__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__",
        "__set_name__", "__sizeof__", "__hash__", "__repr__", "__subclasshook__",
    )
)  # fmt: skip

# Special methods that Python calls where tracing itself looks into an object, stores into it or drops it.
_HOOKS = ("__getattr__", "__getattribute__", "__setattr__", "__delattr__", "__del__")

# The methods of the right operand that Python asks, first where its class is derived from that of the left one, by those of the left one.
_BINARY = (
    "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow", "lshift", "rshift", "and", "xor", "or",
)  # fmt: skip
_COMPARISONS = {
    "__lt__": "__gt__", "__le__": "__ge__", "__gt__": "__lt__", "__ge__": "__le__", "__eq__": "__eq__", "__ne__": "__ne__",
}  # fmt: skip
_ASKED_FIRST = {f"__{name}__": f"__r{name}__" for name in _BINARY} | _COMPARISONS
_OF_THE_RIGHT = frozenset(f"__r{name}__" for name in _BINARY)

# What was made for a class, and of which members of it.
_stand_ins: weakref.WeakKeyDictionary[type, tuple[dict[str, Any], type]] = weakref.WeakKeyDictionary()

# The flag of classes that are made while Python runs (Py_TPFLAGS_HEAPTYPE).
MADE_BY_PYTHON = 1 << 9


def new_instance(class_: type, call: Callable[..., Any]) -> Any:
    """Make an instance of a user's class; `call` is what stands for a call."""
    instance: Any = object.__new__(stand_in(class_, call))
    recorder().made[id(instance)] = instance
    recorder().note_class(class_)
    return instance


def can_stand_in(class_: type) -> bool:
    """Whether instances of a class can have stand-ins: they keep what they hold in a dictionary or slots, and subclasses are not noticed."""
    own = class_.__mro__[:-1]
    noticed = any("__init_subclass__" in vars(base) for base in own)
    hooks = any(is_written(vars(base).get(name)) for base in own for name in _HOOKS)
    return (class_.__dictoffset__ != 0 or has_only_slots(class_)) and not noticed and not hooks


def is_written(member: Any) -> bool:
    """Whether a method is the user's own, not one that `dataclasses` has made."""
    return isinstance(member, types.FunctionType) and member.__code__.co_filename != "<string>"


def stand_in(class_: type, call: Callable[..., Any]) -> type:
    """Return the subclass whose instances stand for those of a class."""
    own = {name: member for base in reversed(class_.__mro__) for name, member in vars(base).items()}
    before, known = _stand_ins.get(class_, (None, None))
    if known is None or before is None or not _are_same(before, own):
        members: dict[str, Any] = {
            "__class__": property(lambda self: class_),
            "__in_pools__": can_be_pooled(class_),
            **slots(class_),
        }
        for name in own.keys() - members.keys():
            converted = _converted(name, own[name], _as_found(class_, name, own[name], call))
            # What Python itself reads to make a class, such as `__slots__`, stays what it is.
            if type(own[name]) in (np.ndarray, tuple, dict, list) and not is_special(name):
                converted = _OfClass(class_, name, own[name])
            is_function = isinstance(getattr(own[name], "__func__", None), types.FunctionType)
            # Those that Python itself looks for, such as `__subclasshook__`, it asks the class for.
            if type(own[name]) is classmethod and is_function and not is_special(name):
                converted = _bound_to(class_, name, own[name])
            if converted is not None:
                members[name] = converted
        if "__eq__" in members and class_.__hash__ is not None:
            # Python takes a class for one without a hash that says what it equals, and not what its hash is.
            members["__hash__"] = _refused_hash
        if members.keys() & {"__bool__", "__len__"}:
            members["__true__"] = true
        known = subclass(class_, members)
        _stand_ins[class_] = own, known
    if known not in recorder().stand_ins:
        recorder().stand_ins.add(known)
        attach(known)
    return known


def _bound_to(class_: type, name: str, member: classmethod[Any, Any, Any]) -> property:
    """Give a class method of the class itself: it may store into that."""

    def bound(self: Any) -> types.MethodType:
        _check_held(class_, name, member)
        return types.MethodType(member.__func__, class_)

    return property(bound)


def _holder(class_: type, name: str) -> type:
    """Return the class in which a class finds a member."""
    return next((base for base in class_.__mro__ if name in vars(base)), object)


def _check_held(class_: type, name: str, member: Any) -> None:
    """Refuse a member of a class that the call has replaced by now: what stands for an instance has been made with the one before."""
    if vars(_holder(class_, name)).get(name) is not member:
        text = f"{class_.__qualname__}.{name}, which was there before the call, is stored to"
        recorder().unstageable("S200-store", text)


def _as_found(class_: type, name: str, member: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls the functions of a member of a class, as long as the class holds that."""

    def checked(function: Any, *args: Any, **kwargs: Any) -> Any:
        _check_held(class_, name, member)
        return call(function, *args, **kwargs)

    return checked


def is_stand_in(kind: type) -> bool:
    """Whether a class is one whose instances stand for those of a user's class."""
    return any(kind is known for _, known in _stand_ins.values())


class _OfClass:
    """Gives what stands for an array, tuple, list or dictionary that a class holds, where an instance is asked for it."""

    def __init__(self, class_: type, name: str, thing: Any) -> None:
        self.class_, self.name, self.thing = class_, name, thing

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self.thing
        _check_held(self.class_, self.name, self.thing)
        return recorder().held_by_class(_holder(self.class_, self.name), self.name, self.thing)


def _are_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return len(one) == len(other) and all(other.get(name, one) is thing for name, thing in one.items())


def _converted(name: str, member: Any, call: Callable[..., Any]) -> Any:
    """Return what stands for a member of a class that Python would call by itself."""
    if isinstance(member, property):
        return property(
            *(_through_call(f, call) if f else None for f in (member.fget, member.fset, member.fdel))
        )
    if type(member) is functools.cached_property:
        return functools.cached_property(_through_call(member.func, call))
    special = is_special(name) and name not in LEFT
    return operator(name, member, call) if special and isinstance(member, types.FunctionType) else None


def is_special(name: str) -> bool:
    """Whether a name is one that Python itself looks for."""
    return name.startswith("__") and name.endswith("__")


def operator(name: str, function: types.FunctionType, call: Callable[..., Any]) -> Any:
    """Return the method that stands for a special one, which Python finds by the class of what stands for an object."""
    method = _through_call(function, call)
    first = _ASKED_FIRST.get(name)

    def decided(self: Any, other: Any, *rest: Any) -> Any:
        own, others = self.__class__, getattr(other, "__class__", None)
        if own is others and type(self) is not type(other) and name in _OF_THE_RIGHT:
            # Python would not ask, of two of one class.
            _refuse_order(own, name)
        if first is not None and own is not others and isinstance(others, type) and issubclass(others, own):
            theirs = inspect.getattr_static(others, first, None)
            is_other = first in _COMPARISONS or theirs is not inspect.getattr_static(own, first, None)
            if is_other and isinstance(theirs, types.FunctionType):
                # Python asks a derived class first, unless it is a call by name.
                _refuse_order(others, name)
        return method(self, other, *rest)

    return named(method if first is None and name not in _OF_THE_RIGHT else decided, function)


def named(method: Any, function: types.FunctionType) -> Any:
    """Return what stands for a special method, marked with the function that a call by name is one of."""
    method.__written__ = function
    return method


def as_written(function: Any) -> Any:
    """Return the special method that a function stands for, which a call by name is one of; any other function itself."""
    return (
        vars(function).get("__written__", function) if isinstance(function, types.FunctionType) else function
    )


def _refused_hash(self: Any) -> NoReturn:
    recorder().unstageable("S204-decides", f"{self.__class__.__qualname__} decides its hash")


def _refuse_order(class_: Any, name: str) -> None:
    recorder().unstageable("S204-decides", f"{class_.__qualname__} may decide {name} before the left operand")


def _through_call(function: Any, call: Callable[..., Any]) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return call(function, self, *args, **kwargs)

    return method
