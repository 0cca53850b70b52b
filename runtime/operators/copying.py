"""The module `copy`, for arrays, numbers and the containers of them that Python itself would copy item by item."""

from __future__ import annotations

import copy
import types
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.union import Union

from .comprehensions import list_

_ITSELF = (bool, int, float, complex, str, bytes, type(None), range, type, types.FunctionType, SymbolicScalar)


@implements(copy.copy)
def shallow(x: Any) -> Any:
    """Stand for `copy.copy`."""
    return _copied(x, lambda item: item)


@implements(copy.deepcopy)
def deep(x: Any) -> Any:
    """Stand for `copy.deepcopy`: what is met twice is copied once."""
    copies: dict[int, Any] = {}

    def once(item: Any) -> Any:
        if id(item) not in copies:
            copies[id(item)] = _copied(item, once)
        return copies[id(item)]

    return once(x)


def _copied(thing: Any, item: Any) -> Any:
    if type(thing) in _ITSELF or isinstance(thing, np.generic):
        return thing
    if isinstance(thing, Union):
        found = thing.bound()
        several = isinstance(found, Union)
        return found.on_each_way(lambda way: _copied(way, item)) if several else _copied(found, item)
    if isinstance(thing, SymbolicArray):
        return FUNCTIONS[np.copy](thing)
    if type(thing) is list or (isinstance(thing, StagedList) and not thing.is_staged):
        return list_(*map(item, thing))
    if is_tuple(thing):
        return _same_or(thing, tuple(map(item, thing)))
    if type(thing) is dict:
        return {key: item(value) for key, value in thing.items()}
    return recorder().unstageable("S284-copied", f"a {type(thing).__name__} is copied")


def _same_or(thing: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a tuple itself where no item of it had to be copied."""
    return thing if all(a is b for a, b in zip(thing, other, strict=True)) else other
