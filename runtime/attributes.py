"""What objects of the program hold, looked at so that the program does not get slower by it."""

from __future__ import annotations

import gc
import sys
import threading
import types
from typing import Any

# Note [Whole dictionaries]
# The attributes of most objects lie in the object itself until somebody asks for its `__dict__`. Up to Python 3.12, the dictionary that is made then shares
# the table of its names with its class, the interpreter has no fast way to what lies in it, and each attribute takes twice as long from then on, for as long as
# the object is there: a program whose time is in its objects takes a quarter longer because of a look at them. So what is looked at without need of a dictionary
# is read without one; and one that had to be made gets a table of its own, which takes hardly longer than none.

_SHARES_TABLES = sys.version_info < (3, 13)
# Whether objects of a class hold their attributes themselves, at first.
_MANAGED = 1 << 4
_MRO, _DICT = vars(type)["__mro__"], vars(type)["__dict__"]
# What gives the dictionary of an object, but where its class has something else.
_PYTHONS = types.GetSetDescriptorType, types.MemberDescriptorType
_MISSING: Any = object()


class _Name(str):
    """A name that is in no table of names alone: one with it is a table of anything, and no class's."""


def in_class(class_: type, name: str, default: Any) -> Any:
    """Return what lies under a name in a class or in one that it comes from, without asking it."""
    for each in _MRO.__get__(class_):
        found = _DICT.__get__(each)
        if name in found:
            return found[name]
    return default


def own_attribute(thing: Any, name: str, default: Any) -> Any:
    """Return what an object holds under a name itself, without asking it, and without a dictionary; where its class has a plain value there, maybe that."""
    kind = type(thing)
    if not kind.__dictoffset__:
        return default
    theirs = in_class(kind, name, _MISSING)
    is_plain = theirs is _MISSING or in_class(type(theirs), "__get__", None) is None
    if not is_plain and type(theirs) is not types.FunctionType:
        return default
    try:
        found = object.__getattribute__(thing, name)
    except (AttributeError, TypeError):
        return default
    if not is_plain and type(found) is types.MethodType and found.__func__ is theirs:
        return default
    return found


def held_by(thing: Any) -> list[Any]:
    """Return what an object holds in its attributes, without asking it, and without a dictionary where that can be."""
    kind = type(thing)
    if kind.__flags__ & _MANAGED:
        held = gc.get_referents(thing)
        if not any(type(each) is dict for each in held):
            return [each for each in held if each is not kind]
    return list(whole_dictionary(thing).values())


def whole_dictionary(thing: Any) -> dict[str, Any]:
    """Return the dictionary of an object, without asking it; one that has to be made for it gets a table of its own: Note [Whole dictionaries]."""
    kind = type(thing)
    if not kind.__dictoffset__ or type(in_class(kind, "__dict__", None)) not in _PYTHONS:
        return {}
    shares = _SHARES_TABLES and bool(kind.__flags__ & _MANAGED)
    before = gc.get_referents(thing) if shares else []
    held: dict[str, Any] = object.__getattribute__(thing, "__dict__")
    # Another thread might drop the name meanwhile.
    if shares and held and not any(each is held for each in before) and threading.active_count() == 1:
        held.setdefault(_Name(next(iter(held))))
    return held
