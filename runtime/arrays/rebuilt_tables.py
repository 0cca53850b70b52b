"""What the dictionaries and sets that tables stand for are made of, where they leave."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable
from typing import Any

from .hash_tables import HashedCounter, HashedDefaults, HashedDict, HashedSet, Table
from .lists import StagedList


def parts_of(table: Table) -> tuple[Callable[..., Any], list[StagedList]]:
    """Return a function that makes what a table stands for, and the lists that it makes it of."""
    table.leave()
    if isinstance(table, HashedSet):
        if table.as_added is not True or type(table.gone) is not int:
            table.refuse("the order")
        return _set_of, [table.entries]
    assert isinstance(table, HashedDict)
    table.close_gaps()
    make: Any = _dict_of
    if isinstance(table, HashedDefaults):
        if table.make is not None and table.make not in (int, float, bool, complex, list, dict, set):
            table.refuse("the function for missing keys")
        make = functools.partial(_defaults_of, table.make)
    elif isinstance(table, HashedCounter):
        make = _counter_of
    return make, [table.entries, table.held]


def _set_of(keys: list[Any]) -> set[Any]:
    """Return a set to which keys have been added one by one, as their order depends on that."""
    made: set[Any] = set()
    list(map(made.add, keys))
    return made


def _dict_of(keys: list[Any], held: list[Any]) -> dict[Any, Any]:
    return dict(zip(keys, held, strict=True))


def _counter_of(keys: list[Any], held: list[Any]) -> dict[Any, Any]:
    return collections.Counter(_dict_of(keys, held))


def _defaults_of(make: Any, keys: list[Any], held: list[Any]) -> dict[Any, Any]:
    return collections.defaultdict(make, _dict_of(keys, held))
