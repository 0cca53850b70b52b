"""`getattr`, `hasattr` and `setattr`, which do what the syntax does; and what is imported."""

from __future__ import annotations

import sys
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.recorder import recorder

_MISSING = object()

FUNCTIONS[setattr] = setattr
FUNCTIONS[delattr] = delattr


@implements(getattr)
def getattr_(thing: Any, name: str, *default: Any) -> Any:
    """Stand for `getattr`."""
    recorder().names.add(name)
    if not default:
        return getattr(thing, name)
    found = getattr(thing, name, _MISSING)
    if found is not _MISSING:
        return found
    _refuse_missing(thing, name)
    return default[0]


@implements(hasattr)
def hasattr_(thing: Any, name: str) -> bool:
    """Stand for `hasattr`."""
    recorder().names.add(name)
    found = hasattr(thing, name)
    if not found:
        _refuse_missing(thing, name)
    return found


def imported(thing: Any, module: str, name: str | None = None, level: int = 0) -> Any:
    """Return what stands for a thing that the program has just imported: a module, or what it has under a name."""
    return recorder().imported(thing, sys._getframe(1).f_globals, module, name, level)


def _refuse_missing(thing: Any, name: str) -> None:
    """Refuse what depends on an attribute that an object from outside has not: it may have it on the next call."""
    if isinstance(thing, Foreign):
        recorder().unstageable("S276-missing", f"an object from outside has no attribute {name}, as yet")
