"""`getattr`, `hasattr` and `setattr`, which do what the syntax does; and what is imported."""

from __future__ import annotations

import sys
from typing import Any

from transpile.runtime.arrays.choices import choose
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.union import Union

from .builtins import type_of
from .slots import has_only_slots

_MISSING = object()

FUNCTIONS[setattr] = setattr
FUNCTIONS[delattr] = delattr


@implements(getattr)
def getattr_(thing: Any, name: str, *default: Any) -> Any:
    """Stand for `getattr`."""
    recorder().names.add(name)
    if name == "__class__":
        return class_of(thing)
    if not default:
        return getattr(thing, name)
    has = _has(thing, name)
    if isinstance(has, SymbolicScalar):
        return thing.bound().on_each_way(lambda way: getattr_(way, name, *default))
    found = _MISSING if has is False else getattr(thing, name, _MISSING)
    if found is not _MISSING:
        return found
    if has:
        recorder().unstageable("S170-method", f"{type_of(thing).__name__}.{name} is not staged")
    _refuse_missing(thing, name)
    return default[0]


@implements(hasattr)
def hasattr_(thing: Any, name: str) -> Any:
    """Stand for `hasattr`."""
    recorder().names.add(name)
    has = _has(thing, name)
    if has is None:
        has = hasattr(thing, name)
        if not has:
            _refuse_missing(thing, name)
    return has


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
    decides = hasattr(kind, "__getattr__")
    if isinstance(thing, Foreign) or kind.__dictoffset__ or has_only_slots(kind) or decides:
        return None
    return any(name in vars(base) for base in kind.__mro__)


def class_of(thing: Any) -> Any:
    """Stand for `thing.__class__`: what stands for a value of Python's or NumPy's own is of another class."""
    return type_of(thing)


def imported(thing: Any, module: str, name: str | None = None, level: int = 0) -> Any:
    """Return what stands for a thing that the program has just imported: a module, or what it has under a name."""
    return recorder().imported(thing, sys._getframe(1).f_globals, module, name, level)


def _refuse_missing(thing: Any, name: str) -> None:
    """Refuse what depends on an attribute that an object from outside has not: it may have it on the next call."""
    if isinstance(thing, Foreign):
        recorder().unstageable("S276-missing", f"an object from outside has no attribute {name}, as yet")
