"""`getattr`, `hasattr` and `setattr`, which do what the syntax does; and what is imported."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, NoReturn

from transpile.runtime.arrays.choices import choose
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.handle import Foreign, SymbolicObject
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.presence import given_instead, has, may_lack, present
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.union import Union

from .builtins import type_of
from .objects import MADE_BY_PYTHON, is_stand_in
from .slots import has_only_slots

_MISSING = object()


def _by_name(function: Callable[..., Any]) -> Callable[..., Any]:
    """Have a function of an attribute find it under each name that it may have, where the way control took decides which."""

    @functools.wraps(function)
    def by_name(thing: Any, name: Any, *rest: Any) -> Any:
        ways = name.alternatives if isinstance(name, Union) else (name,)
        if not all(isinstance(way, str) for way in ways):
            recorder().unstageable("S170-method", "the name of an attribute is other than known text")
        if isinstance(name, Union):
            return Operand.on_way(name.tag, ways, lambda way: by_name(thing, way, *rest))
        return function(thing, name, *rest)

    return by_name


@implements(getattr)
@_by_name
def getattr_(thing: Any, name: str, *default: Any) -> Any:
    """Stand for `getattr`."""
    recorder().note_name(name)
    if name == "__class__":
        return class_of(thing)
    if not default:
        return getattr(owner(thing, name), name)
    held = _held_perhaps(thing, name)
    if held is not None:
        return given_instead(held, default[0]) if has(held) is not True else present(held)
    known = _has(thing, name)
    if isinstance(known, SymbolicScalar):
        return thing.bound().on_each_way(lambda way: getattr_(way, name, *default))
    found = _MISSING if known is False else getattr(thing, name, _MISSING)
    if found is not _MISSING:
        return found
    if known:
        recorder().unstageable("S170-method", f"{type_of(thing).__name__}.{name} is not staged")
    _refuse_missing(thing, name)
    return default[0]


@implements(hasattr)
@_by_name
def hasattr_(thing: Any, name: str) -> Any:
    """Stand for `hasattr`."""
    recorder().note_name(name)
    held = _held_perhaps(thing, name)
    known = _has(thing, name) if held is None else has(held)
    if known is None:
        known = hasattr(thing, name)
        if not known:
            _refuse_missing(thing, name)
    return known


def _held_perhaps(thing: Any, name: str) -> Any:
    """Return what an object holds under a name that it may lack; None where it is known whether it has it."""
    if isinstance(thing, Foreign):
        held = getattr(thing, "__stored__", lambda name: None)(name)
    else:
        held = vars(thing).get(name) if is_stand_in(type(thing)) else None
    return held if may_lack(held) else None


def _has(thing: Any, name: str) -> Any:
    """Return whether a value has an attribute, as its class alone says it; None where only the value itself can say so.

    What stands for a value of Python's or NumPy's own has other attributes than that.
    """
    if isinstance(thing, Union):
        thing = thing.bound()
    if isinstance(thing, Union):
        answers = [_has(way, name) for way in thing.alternatives]
        return (
            None if None in answers else choose(thing.tag, answers) if len(set(answers)) > 1 else answers[0]
        )
    kind = type_of(thing)
    if type(thing) is SymbolicObject and hasattr(kind, name):
        return True
    decides = hasattr(kind, "__getattr__")
    foreign = isinstance(thing, Foreign) and not hasattr(type(thing), "stands_for")
    if foreign or kind.__dictoffset__ or has_only_slots(kind) or decides:
        return None
    return any(name in vars(base) for base in kind.__mro__)


@implements(vars)
def vars_(thing: Any) -> Any:
    """Stand for `vars` of a thing: what stands for a value of Python's or NumPy's own has a dictionary where that has none."""
    kind = type_of(thing)
    if isinstance(thing, Union):
        recorder().unstageable("S170-method", "the attributes of one of several things")
    if not kind.__dictoffset__ and not any("__dict__" in vars(base) for base in kind.__mro__):
        raise TypeError("vars() argument must have __dict__ attribute")
    return vars(thing)


@implements(setattr)
@_by_name
def setattr_(thing: Any, name: str, value: Any) -> None:
    """Stand for `setattr`."""
    recorder().note_name(name)
    setattr(owner(thing, name), name, value)


@implements(delattr)
@_by_name
def delattr_(thing: Any, name: str) -> None:
    """Stand for `delattr`."""
    recorder().note_name(name)
    delattr(owner(thing, name), name)


def owner(thing: Any, name: str) -> Any:
    """Stand for `thing` in `thing.name`: what stands for a value of Python's or NumPy's own has other attributes than that.

    Raises AttributeError where the value has no such attribute.
    """
    has = _has(thing, name)
    if name == "__module__" and has is None and not type_of(thing).__flags__ & MADE_BY_PYTHON:
        # What stands for a thing of Python's own is of a class that says where it is written.
        has = any(name in vars(base) for base in type_of(thing).__mro__)
    if has is None:
        return thing
    several = isinstance(thing, Union)
    if has is False and not several:
        return lacking(thing, name)
    if several and hasattr(Union, name):
        recorder().unstageable("S170-method", f"{name} of one of several things")
    if name == "__doc__":
        # A class itself gives it without its signature.
        kinds = (vars(kind) for kind in type_of(thing).__mro__)
        return SimpleNamespace(__doc__=next(held[name] for held in kinds if name in held))
    if name.startswith("__") and not hasattr(type(thing), name):
        recorder().unstageable("S170-method", f"{type_of(thing).__name__}.{name} is not staged")
    return thing


def lacking(thing: Any, name: str) -> NoReturn:
    """Raise what Python raises where a value has no such attribute."""
    kind = type_of(thing)
    # Classes that are written in C give their whole names.
    whole = kind.__module__ != "builtins" and not kind.__flags__ & MADE_BY_PYTHON
    text = f"{kind.__module__}.{kind.__name__}" if whole else kind.__name__
    raise AttributeError(f"{text!r} object has no attribute {name!r}", name=name)


def class_of(thing: Any) -> Any:
    """Stand for `thing.__class__`: what stands for a value of Python's or NumPy's own is of another class."""
    return type_of(thing)


def imported(thing: Any, module: str, name: str | None = None, level: int = 0) -> Any:
    """Return what stands for a thing that the program has just imported: a module, or what it has under a name."""
    return recorder().imported(thing, sys._getframe(1).f_globals, module, name, level)


def _refuse_missing(thing: Any, name: str) -> None:
    """Refuse what depends on an attribute that an object from outside has not: it may have it on the next call."""
    if isinstance(thing, Foreign) or type(thing) is SymbolicObject:
        recorder().unstageable("S276-missing", f"an object from outside has no attribute {name}, as yet")
