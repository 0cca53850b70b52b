"""Lists of run-time length several times over, and every so many of their items: `things * n`, `things[::2] = others`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from transpile.runtime.views.view import View

from .array import dim_scalar
from .functions import FUNCTIONS
from .indexing import as_dim, slice_axis
from .lists import StagedList
from .numbers import raise_if
from .operand import Operand
from .recorder import recorder
from .row_buffers import column_of
from .rows import freeze, holds_arrays, pools_of
from .strided import Steps, steps_of


def times(things: StagedList, count: Any) -> StagedList:
    """Return a list of the items so many times."""
    made = things.copy()
    if not made.is_staged:
        made.stage(made.row_of_numbers() or made.row_of_all())
    if made.row is None:
        return made
    if pools_of(made.row):
        things.refuse("a multiple")
    turns = FUNCTIONS[max](count, 0)
    for number, rows in enumerate(made.rows()):
        tiled = FUNCTIONS[np.tile](rows, (turns, *[1] * (rows.ndim - 1)))
        made.columns[number] = column_of(tiled.read())
        freeze(made.columns[number].storage)
    made.end = dim_scalar(made.size() * as_dim(turns))
    made.begin = 0
    made.shared = made.shared or holds_arrays(made.row)
    return made


def _steps(things: StagedList, key: slice) -> Steps:
    """Return which items a slice names."""
    if Operand.picks(key):
        return steps_of(key, 0, things.size())
    start, length, step = slice_axis(key, things.size())
    return Steps(0, start, step, length)


def _picked(self: StagedList, key: slice) -> StagedList:
    """Return a list of items that are picked one by one."""
    home, steps = self.home, _steps(self, key)
    made = StagedList()
    made.row, made.end = home.row, dim_scalar(steps.length)
    made.hold_like(home)
    places = steps.places(0, (steps.length,), self.span()[0])
    for column in home.columns:
        made.columns.append(column_of(recorder().emit("gather", column.read(), places)))
    made.shared = made.shared or holds_arrays(made.row)
    return made


def _store_each(self: StagedList, key: slice, items: Iterable[Any]) -> None:
    """Store an item for each that a slice names."""
    home, steps = self.home, _steps(self, key)
    made = items if isinstance(items, StagedList) else StagedList(FUNCTIONS[list](items))
    own, given = dim_scalar(steps.length), dim_scalar(made.size())
    raise_if(
        own != given,
        lambda own, given: ValueError(
            f"attempt to assign sequence of size {given} to extended slice of size {own}"
        ),
        own,
        given,
    )
    if isinstance(given, int) and not given:
        return
    made = made.copy()
    if not made.is_staged:
        made.stage(made.row_of_numbers() or made.row_of_all())
    assert home.row is not None
    if made.row is None:
        return
    if pools_of(made.row) or pools_of(home.row):
        self.refuse("an assignment to some of the items")
    home.widen(made.row)
    made.become(home.row)
    home.hold_like(made)
    places = steps.places(0, (steps.length,), self.span()[0])
    for number, rows in enumerate(made.rows()):
        base = home.columns[number]
        value = recorder().emit(
            "scatter", base.read(), rows.read(), places, view=View.identity(base.dims), input=None
        )
        home.columns[number] = column_of(value)


StagedList.picked = _picked  # type: ignore[method-assign]
StagedList.store_each = _store_each  # type: ignore[method-assign]
