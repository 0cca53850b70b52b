"""`getattr`, `hasattr` and `setattr`, which do what the syntax does."""

from __future__ import annotations

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


def _refuse_missing(thing: Any, name: str) -> None:
    """Refuse what depends on an attribute that an object from outside has not: it may have it on the next call."""
    if isinstance(thing, Foreign):
        recorder().unstageable("S206-missing", f"an object from outside has no attribute {name}, as yet")
