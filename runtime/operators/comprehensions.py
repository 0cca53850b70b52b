"""Comprehensions and generator expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.lists import UNFIT, StagedList
from transpile.runtime.arrays.recorder import NeedsValue, recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.errors import StagingError

from .branches import cond
from .iteration import Iteration, SymbolicRange, for_loop, iteration_of

Element = Callable[[Any], Any]


def _items(iterable: Any, element: Element, test: Element | None) -> Iterator[Any]:
    for item in known_items(iterable):
        if test is not None:
            kept = truth(test(item))
            if not isinstance(kept, bool):
                recorder().unstageable("S220-filter", "a comprehension keeps items by run-time values")
            if not kept:
                continue
        yield element(item)


def known_items(iterable: Any) -> Iterable[Any]:
    """Return the items of something whose length is known."""
    if isinstance(iterable, (range, SymbolicRange, Iteration, SymbolicArray)):
        iteration = iteration_of(iterable)
        assert iteration is not None
        return iteration
    return iterable  # type: ignore[no-any-return]


def list_comp(iterable: Any, element: Element, test: Element | None = None) -> list[Any]:
    """Stand for a list comprehension: a loop that appends, where run time gives the length."""
    made = StagedList()
    iteration = iteration_of(iterable)
    if iteration is None or isinstance(iteration.length, int):
        made.extend(_items(iterable, element, test))
        return made

    def body(item: Any) -> None:
        if test is None:
            made.append(element(item))
        else:
            cond(test(item), lambda: made.append(element(item)), lambda: None, ())

    try:
        for_loop(iterable, body, ())
    except StagingError as error:
        if error.code not in UNFIT:
            raise
        # Its items are no rows of one array: it has to be a list of known length.
        raise NeedsValue(recorder().dim_value(iteration.length)) from None
    return made


def list_(*items: Any) -> list[Any]:
    """Stand for a list display."""
    return StagedList(items)


def set_comp(iterable: Any, element: Element, test: Element | None = None) -> set[Any]:
    """Stand for a set comprehension."""
    return set(_items(iterable, element, test))


def dict_comp(iterable: Any, element: Element, test: Element | None = None) -> dict[Any, Any]:
    """Stand for a dictionary comprehension, whose element is a pair."""
    return dict(_items(iterable, element, test))


def generator(iterable: Any, element: Element, test: Element | None = None) -> Iterator[Any]:
    """Stand for a generator expression."""
    return _items(iterable, element, test)


def flatten(lists: Iterable[Iterable[Any]]) -> list[Any]:
    """Return the items of lists as one list."""
    return [item for inner in lists for item in inner]
