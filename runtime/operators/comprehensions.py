"""Comprehensions and generator expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.lists import UNFIT, StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.tuples import indexed
from transpile.runtime.errors import StagingError

from .iteration import UNROLLED, run_loop
from .streams import Flattened, generated, stream_of
from .traversal import Stream, drained

Element = Callable[[Any], Any]


def list_comp(iterable: Any, element: Element, test: Element | None = None) -> list[Any]:
    """Stand for a list comprehension: a loop that appends, where run time gives the length."""
    made = StagedList()
    inner = stream_of(iterable)
    items = generated(inner, element, test)
    left = inner.iteration()
    if left is not None and isinstance(left.length, int):
        if test is None:
            made.extend(items)
            return made
        if left.length <= UNROLLED:
            # So that what is known of the items decides which are kept while tracing.
            with drained(inner):
                run_loop(generated(left.unrolled(), element, test), made.append, ())
            return made
    try:
        run_loop(items, made.append, ())
    except StagingError as error:
        if error.code not in UNFIT or left is None or test is not None:
            raise
        # Its items are no rows of one array: it has to be a list of known length.
        raise NeedsValue(recorder().dim_value(left.length)) from None
    return made


def list_(*items: Any) -> list[Any]:
    """Stand for a list display."""
    return StagedList(items)


def tuple_(*items: Any) -> tuple[Any, ...]:
    """Stand for a tuple display of constants."""
    return indexed(items)


def generator(iterable: Any, element: Element, test: Element | None = None) -> Stream:
    """Stand for a generator expression."""
    return generated(iterable, element, test)


def flatten(things: Any) -> Any:
    """Return the items of lists as one list, those of generator expressions as one."""
    if isinstance(things, Stream):
        return Flattened(things, things.kind)
    return StagedList(item for inner in things for item in inner)
