"""Whose memory an array lies in: `array.base`, and whether an array owns its memory."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import attribute_of
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import storages_in

# Functions and methods that give new arrays, which own their memory.
_MAKING = frozenset(
    (
        np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.copy, np.arange, "copy", "astype",
    )
)  # fmt: skip


def made_by(function: Any, result: Any, given: tuple[Any, ...]) -> Any:
    """Return what a function or method was traced to give of what it was given, and note whether it owns its memory."""
    made = storages_in(result) - storages_in(given)
    for storage in made:
        storage.owned = function in _MAKING and result is storage.owner
    return result


@attribute_of("base")
def base(array: Any) -> Any:
    """Stand for `array.base`: the array at the end of a chain of views, which owns its memory, or has no base; None of that one itself.

    Of the caller's own array it is what that has when the call begins.
    """
    if not isinstance(array, SymbolicArray):
        return None
    _check_known(array)
    return _base_of_owner(array) if is_owner(array) else _end(array)


def owns_memory(array: SymbolicArray) -> Any:
    """Return `array.flags.owndata`."""
    _check_known(array)
    if not is_owner(array):
        return False
    if array.storage.input is not None:
        return recorder().given_attribute(array.storage.input, "flags", "owndata")
    return _base_of_owner(array) is None


def is_owner(array: SymbolicArray) -> bool:
    """Whether an array is the caller's own, or the one that an op has made, and no view of it."""
    if array.storage.input is not None:
        return array.region is None
    return array.storage.owner is array


def _base_of_owner(array: SymbolicArray) -> Any:
    if array.storage.input is not None:
        return recorder().given_attribute(array.storage.input, "base")
    return None


def _end(array: SymbolicArray) -> SymbolicArray:
    """Return the array that a view is a view of: NumPy goes on from there, as long as it has a base that is an array."""
    owner = array.storage.owner
    if not isinstance(owner, SymbolicArray) or array.detached:
        _refuse()
    found: Any = owner if array.storage.input is None else _base_of_owner(owner)
    if found is None:
        return owner
    if not isinstance(found, SymbolicArray) or not is_owner(found):
        _refuse()
    if found is not owner and _base_of_owner(found) is not None:
        _refuse()
    return found


def _check_known(array: SymbolicArray) -> None:
    storage = array.storage
    decided = storage.copied or storage.seen or storage.aliases or storage.origins or storage.is_view
    if decided or storage.frozen or array.parts:
        _refuse()
    if storage.input is None and not storage.owned:
        _refuse()


def _refuse() -> NoReturn:
    recorder().unstageable(
        "S170-method",
        "it is not known whose memory an array lies in: run time decides, or a function of NumPy's that may give a view of what it makes",
    )
