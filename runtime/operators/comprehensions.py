"""Comprehensions and generator expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.elementwise import truth
from transpile.runtime.arrays.recorder import recorder

from .iteration import Iteration, SymbolicRange, iteration_of

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
    """Stand for a list comprehension."""
    return list(_items(iterable, element, test))


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
