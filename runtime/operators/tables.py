"""Dictionaries and sets that a program makes: tables where run time gives their keys, else Python's own."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.hash_tables import (
    HashedCounter,
    HashedDefaults,
    HashedDict,
    HashedSet,
)
from transpile.runtime.arrays.lacking_dicts import LackingDict
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.ordered_dicts import Ordered
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.signals import NeedsHash, NeedsValue

from .comprehensions import generator
from .iteration import run_loop
from .traversal import Stream

Element = Callable[[Any], Any]

# Note [Tables]
# A dictionary or set that a program makes is Python's own at first. Where that will not do, because run time gives a key or it changes in a loop
# on run-time values, the trace is made anew with tables for all that are made, but for those that turn out to have other keys than integers and
# tuples of them, or hold what no list can. Where that will not do either, they are Python's own again.


def is_table() -> bool:
    """Whether the dictionary or set that is made here is a table."""
    record = recorder()
    record.makes_tables = True
    return record.tables is not None and record.location() not in record.tables


@contextmanager
def _of_known_items() -> Iterator[None]:
    """Within, a value that is needed would not be by a table."""
    try:
        yield
    except NeedsValue as need:
        raise NeedsHash(need.value) from None


def dict_(*pairs: tuple[Any, Any]) -> Any:
    """Stand for a dictionary display."""
    if not is_table():
        return _known_dict(dict(pairs))
    site = recorder().location()
    if any(is_symbolic(key) for key, _ in pairs):
        made = HashedDict(site)
        for pair in pairs:
            made[pair[0]] = pair[1]
        return made
    return HashedDict(site, dict(pairs))


def _known_dict(made: dict[Any, Any]) -> dict[Any, Any]:
    """Return a dictionary of known keys, which may lack some where that has been found out. See Note [Lacking keys]."""
    record = recorder()
    site = record.location()
    if record.lacking and site in record.lacking:
        return LackingDict(made.items())
    record.displays[id(made)] = (made, site)
    return made


def set_(*items: Any) -> Any:
    """Stand for a set display."""
    if not is_table():
        return set(items)
    site = recorder().location()
    if any(map(is_symbolic, items)):
        made = HashedSet(site)
        for item in items:
            made.add(item)
        return made
    return HashedSet(site, dict.fromkeys(items))


@implements(dict)
def dictionary_of(*pairs: Any, **named: Any) -> Any:
    """Stand for `dict`."""
    tables = any(isinstance(other, HashedDict) for other in pairs)
    if not tables and (named or not is_table()):
        with _of_known_items():
            return _known_dict(dict(*pairs, **named))
    made = HashedDict(recorder().location())
    made.update(*pairs, **named)
    return made


@implements(set)
def set_of(items: Iterable[Any] = ()) -> Any:
    """Stand for `set`."""
    if not is_table():
        with _of_known_items():
            return set(items)
    made = HashedSet(recorder().location())
    made.update(items)
    return made


@implements(collections.defaultdict)
def defaults(make: Any = None, *pairs: Any) -> Any:
    """Stand for `collections.defaultdict`."""
    made = HashedDefaults(make, recorder().location())
    made.update(*pairs)
    return made


@implements(collections.OrderedDict)
def ordered(*pairs: Any, **named: Any) -> Any:
    """Stand for `collections.OrderedDict`."""
    record = recorder()
    made = dictionary_of(*pairs, **named)
    if record.frame is not record.graph_frame or type(made) is not dict:
        record.unstageable(
            "S142-unknown",
            "collections.OrderedDict is called in a loop or branch, or of keys that run time gives",
            "make it before, or make a dictionary",
        )
    return Ordered(made)


@implements(collections.Counter)
def counter(items: Iterable[Any] = ()) -> Any:
    """Stand for `collections.Counter`."""
    made = HashedCounter(recorder().location())
    made.update(items)
    return made


def set_comp(iterable: Any, element: Element, test: Element | None = None) -> Any:
    """Stand for a set comprehension."""
    return set_of(generator(iterable, element, test))


def dict_comp(iterable: Any, element: Element, test: Element | None = None) -> Any:
    """Stand for a dictionary comprehension, whose element is a pair."""
    return dictionary_of(generator(iterable, element, test))


def _each(things: Any, function: Callable[[Any], Any]) -> None:
    """Do something with each item."""

    def does(item: Any) -> tuple[Any, ...]:
        function(item)
        return ()

    run_loop(things, does, ())


def _each_decided(things: Any, function: Callable[[Any], Any]) -> bool:
    """Do something with each item of an iterator where run-time values decide which there are; return whether they do."""
    decide = isinstance(things, Stream) and things.iteration() is None
    if decide:
        _each(things, function)
    return decide


Operand.each, Operand.each_decided = staticmethod(_each), staticmethod(_each_decided)
