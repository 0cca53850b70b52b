"""Handles: numbers by which a graph holds objects of Python's own during a call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

# Note [Handles]
# A graph computes with numbers and arrays. A file, a generator of random numbers or another object of Python's own that it hands to the functions
# it calls is a number to it: the place in a table that exists for one call. Calls may nest, and run in many threads; what a kernel calls
# runs in the thread of the call.


class _Calls(threading.local):
    def __init__(self) -> None:
        self.tables: list[list[Any]] = []
        # What ops keep for those that follow, by the op's number.
        self.kept: list[dict[int, Any]] = []


_calls = _Calls()


def holding(run: Callable[..., Any], places: Sequence[bool]) -> Callable[..., Any]:
    """Return `run` as a function that is handed objects, and hands on handles in their stead, where `places` says so."""
    held_places = [place for place, is_held in enumerate(places) if is_held]

    def run_holding(*values: Any) -> Any:
        table = [values[place] for place in held_places]
        given = list(values)
        for handle, place in enumerate(held_places):
            given[place] = handle
        _calls.tables.append(table)
        _calls.kept.append({})
        try:
            return run(*given)
        finally:
            _calls.tables.pop()
            _calls.kept.pop()

    return run_holding


def held(handle: int) -> Any:
    """Return the object of a handle."""
    return _calls.tables[-1][handle]


def hold(thing: Any) -> int:
    """Return a handle for an object."""
    table = _calls.tables[-1]
    table.append(thing)
    return len(table) - 1


def keep(place: int, thing: Any) -> None:
    """Keep a thing under a number, until the next one is kept under it."""
    _calls.kept[-1][place] = thing


def kept(place: int) -> Any:
    """Return what is kept under a number."""
    return _calls.kept[-1][place]
