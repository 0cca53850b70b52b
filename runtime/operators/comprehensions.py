"""Comprehensions and generator expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.array_attributes import Attribute, Lent
from transpile.runtime.arrays.functions import within
from transpile.runtime.arrays.lists import UNFIT, StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.tuples import indexed
from transpile.runtime.errors import StagingError
from transpile.runtime.graph.types import ArrayType

from .iteration import UNROLLED, run_loop
from .pending import holding
from .streams import Flattened, Generated, generated
from .traversal import Stream, drained

Element = Callable[[Any], Any]

# Operations of one comprehension from which on it is rather a loop.
_WRITTEN = 1000


class Comprehended(StagedList):
    """The list that a comprehension makes; `lenders` are the attributes of objects whose arrays it has copies of, until it is made."""

    __slots__ = ("lenders",)

    def __init__(self) -> None:
        super().__init__()
        self.lenders: list[Attribute] | None = []

    def settle(self, has_written: bool) -> None:
        """Be made; such arrays may have been written as it was."""
        lenders, self.lenders = dict.fromkeys(self.lenders or ()), None
        for lender in lenders if has_written or not isinstance(self.row, ArrayType) else ():
            lender.note_known()
        for column in self.columns if lenders else ():
            column.storage.attribute = Lent(lenders)


def list_comp(iterable: Any, element: Element, test: Element | None = None) -> list[Any]:
    """Stand for a list comprehension: a loop that appends, where run time gives the length."""
    return listed(generated(iterable, element, test))


def listed(items: Stream) -> StagedList:
    """Stand for a list comprehension of several ``for``, whose items a generator expression gives."""
    with holding(items):
        return _listed(items)


def _listed(items: Stream) -> StagedList:
    made = Comprehended()
    streams = items.inner if isinstance(items, Flattened) else items
    assert isinstance(streams, Generated)
    inner, element, test = streams.inner, streams.element, streams.test
    left = inner.iteration()
    if left is not None and isinstance(left.length, int):
        if test is None and not (recorder().stages_turns and left.length > UNROLLED):
            # An iterator that ends within the element does not end the comprehension.
            made.settle(has_written=False)
            before = recorder().length
            for item in inner:
                _add(made, element(item), streams is not items)
                if left.length > UNROLLED and recorder().length > before + _WRITTEN:
                    _refuse_length()
            return made
        if left.length <= UNROLLED:
            # So that what is known of the items decides which are kept while tracing.
            known = generated(left.unrolled(), element, test)
            with drained(inner):
                made.settle(has_written=False)
                run_loop(known if streams is items else flatten(known), made.append, ())
            return made
    before = _writes()
    try:
        run_loop(items, made.append, ())
    except StagingError as error:
        if error.code not in UNFIT or left is None or test is not None:
            raise
        # Its items are no rows of one array: it has to be a list of known length.
        raise NeedsValue(recorder().dim_value(left.length)) from None
    made.settle(before != _writes())
    return made


def _refuse_length() -> None:
    """Refuse to write out a comprehension of which so many operations come that compiling them takes too long: it may be a loop."""
    recorder().writes_turns = True
    recorder().unstageable(
        "S132-too-long",
        f"more than {_WRITTEN} operations of a comprehension are followed",
        "loop over an array or a range of run-time length",
    )


def _writes() -> int:
    """Return how often arrays were written that objects in pools hold."""
    return sum(pool.writes() for pool in recorder().object_pools.values())


def _add(made: StagedList, item: Any, several: bool) -> None:
    """Add an item, or those of a stream of them."""
    if not several:
        made.append(item)
        return
    others = listed(item)
    try:
        made.extend(others)
    except StagingError as error:
        if error.code not in UNFIT or not others.is_staged:
            raise
        raise NeedsValue(recorder().dim_value(others.size())) from None


def list_(*items: Any) -> list[Any]:
    """Stand for a list display."""
    return StagedList(items)


def tuple_(*items: Any) -> tuple[Any, ...]:
    """Stand for a tuple display of constants."""
    return indexed(items)


def generator(iterable: Any, element: Element, test: Element | None = None) -> Stream:
    """Stand for a generator expression."""
    return generated(iterable, ending(element), test and ending(test))


def ending(function: Element) -> Element:
    """Return a function for the items of a stream that refuses to end it: Python raises another error where an iterator ends within one."""

    def given(item: Any) -> Any:
        try:
            # It is the user's, whatever asks for the item.
            return within(False, function, (item,), {}, composes=False)
        except StopIteration:
            recorder().unstageable("S168-iterator", "an iterator ends within a comprehension")

    return given


def flatten(streams: Stream) -> Flattened:
    """Return the items of generator expressions as those of one."""
    return Flattened(streams, streams.kind)
