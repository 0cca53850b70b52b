"""Instances whose class says what they hold, by `__slots__`."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping
from typing import Any

from .object_text import is_generated

# Note [Slots]
# What stands for an instance made during a trace keeps what is in slots in its dictionary, as it keeps everything else: there branches and loops look
# for it. An empty slot, and a name for which there is none, raise what the class itself raises.


class _Slot:
    """Hides a slot from what stands for an instance, as long as there is nothing in it."""

    def __init__(self, member: types.MemberDescriptorType) -> None:
        self.member = member

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.member if instance is None else self.member.__get__(object.__new__(instance.__class__))


def has_only_slots(class_: type) -> bool:
    """Whether all that instances of a class hold is in slots."""
    return all("__slots__" in vars(base) for base in class_.__mro__[:-1])


def slots(class_: type) -> dict[str, Any]:
    """Return the members by which a subclass keeps in a dictionary what instances of a class have in slots."""
    own = {name: member for base in reversed(class_.__mro__) for name, member in vars(base).items()}
    members: dict[str, Any] = {
        name: _Slot(member) for name, member in own.items() if isinstance(member, types.MemberDescriptorType)
    }
    decides: Any = class_.__setattr__
    if has_only_slots(class_) and decides is object.__setattr__:

        def store(self: Any, name: str, value: Any) -> None:
            found = inspect.getattr_static(class_, name, None)
            known = name == "__class__" or hasattr(type(found), "__set__")
            object.__setattr__(self if known else object.__new__(class_), name, value)

        members["__setattr__"] = store
    for name in ("__setattr__", "__delattr__"):
        if is_generated(vars(class_).get(name)):
            members[name] = _of_frozen(class_, name)
    return members


def _of_frozen(class_: type, name: str) -> Any:
    """Have an instance of a frozen dataclass itself refuse every attribute: what `dataclasses` makes asks for the very class."""
    return lambda self, *given: getattr(class_, name)(object.__new__(class_), *given)


def fill(instance: Any, held: Mapping[str, Any]) -> None:
    """Have an instance hold things by their names."""
    for name, thing in held.items():
        if isinstance(inspect.getattr_static(type(instance), name, None), types.MemberDescriptorType):
            object.__setattr__(instance, name, thing)
        else:
            vars(instance)[name] = thing
