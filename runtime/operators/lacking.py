"""Attributes that an object has on some of the ways that control may take."""

from __future__ import annotations

import inspect
from typing import Any, NoReturn

from transpile.runtime.arrays.lacking_dicts import AbsentKey, LackingDict
from transpile.runtime.arrays.presence import present, refuse_absent
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.structure import is_constant
from transpile.runtime.arrays.undefined import Absent
from transpile.runtime.arrays.unseen import class_of

from .heap import Elsewhere, Heap
from .objects import is_stand_in

# Note [Lacking]
# `if error < self.best: self.best_weights = w.copy()` gives an object an attribute on one way. There it holds one of several things, as a name does that may
# be unbound: what was stored, or an Absent. That is asked as soon as the attribute is read, and not where what was read is used.


class Lacking:
    """Gives an attribute of what stands for instances of a class that may lack it, and what the class itself has where they do."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        held = {} if instance is None else vars(instance)
        if self.name in held:
            return present(held[self.name])
        kind: type = class_of(owner) if instance is None else instance.__class__
        inherited = inspect.getattr_static(kind, self.name, kind)
        if inherited is kind:
            raise Absent(kind, self.name).error()
        return inherited

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self.name] = value

    def __delete__(self, instance: Any) -> None:
        held = vars(instance).get(self.name)
        refuse_absent(held)
        if self.name not in vars(instance):
            raise Absent(instance.__class__, self.name).deletion_error()
        del vars(instance)[self.name]


def absent(heap: Heap, number: int, key: Any) -> Absent:
    """Return what an attribute, or a key, holds on the ways on which there is none."""
    thing = heap.things[number]
    if isinstance(thing, LackingDict):
        return AbsentKey(key)
    found = thing.absent(key) if isinstance(thing, Elsewhere) else _absent_of_made(thing, key)
    if found is None:
        refuse_lacking(str(key))
    recorder().lacks = True
    return found


def _absent_of_made(thing: Any, name: str) -> Absent | None:
    if not is_stand_in(type(thing)):
        return None
    kind: type = thing.__class__
    inherited = inspect.getattr_static(kind, name, None)
    if inspect.getattr_static(kind, name, kind) is kind:
        found = Absent(kind, name)
    elif inherited is None or is_constant(inherited) or type(inherited) is str:
        found = Absent(kind, name, lambda: inherited)
    else:
        return None
    setattr(type(thing), name, Lacking(name))
    return found


def refuse_lacking(name: str) -> NoReturn:
    """Give up staging where an attribute is there on one way only, and no object can tell so."""
    recorder().unstageable("S161-attribute", f"the attribute {name!r} is made on one way only")
