"""Iterators: what is taken out of sequences, and out of generator expressions."""

from __future__ import annotations

import collections
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.hash_tables import HashedDict
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.records import RecordArray, RecordScalar
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.arrays.truth import truth
from transpile.runtime.composites.flat import Flat

from .branches import as_result, cond
from .characters import HandedText
from .iteration import run_loop, steps_of
from .lengths import refuse_changed, within
from .protocols import is_users
from .traversal import Iteration, Source, Stream, SymbolicRange, iteration_of
from .turns import unrolled

Element = Callable[[Any], Any]
Body = Callable[..., Any]
Carried = tuple[Any, ...]

SEQUENCES = (list, tuple, str, bytes)


class Cursor(Source):
    """Takes the items of a sequence, known or not, one after the other."""

    def __init__(self, things: Any, kind: type) -> None:
        super().__init__(kind)
        self.things = things

    def held(self) -> Iterator[Any]:
        """Yield the sequence."""
        yield self.things

    def iteration(self) -> Iteration:
        """Return the turns of a loop over what is left."""
        self.still_known()
        whole = self.whole()
        if self.state == "over":
            return Iteration((0, 0, 1), lambda place: None, 0, unrolls=whole.unrolls)
        return whole.from_(self.place)

    def whole(self) -> Iteration:
        """Return the turns of a loop over all items."""
        known = self.things
        whole = known if isinstance(known, Iteration) else iteration_of(known)
        if whole is None:
            return Iteration(
                (0, len(known), 1), lambda place: known[place], len(known), (known,), True, within(known)
            )
        return whole

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        left = self.iteration()
        if isinstance(left.length, int):
            if left.length <= 0:
                self.end()
                raise StopIteration
        elif not (assumed and recorder().assume_nonnegative(left.length - 1)):
            raise NeedsValue(recorder().dim_value(left.length))
        item = left.at(0)
        self.place += 1
        return item


class Backwards(Cursor):
    """Takes the items of a sequence from the last one on; where a list is too short for the next one by then, none is left."""

    def iteration(self) -> Iteration:
        """Return the turns of a loop over what is left."""
        for things in self.things.lists():
            size = things.size() if isinstance(things, StagedList) else len(things)
            if isinstance(size, int) and isinstance(self.things.length, int):
                if size < self.things.length - self.place:
                    self.end()
            elif not recorder().bounds.nonnegative(size - self.things.length):
                recorder().unstageable(
                    "S165-grows", "a list may have become shorter since reversed() was called"
                )
        return super().iteration()


class OverDeque(Cursor):
    """Takes the items of a deque, which must not change until they are taken."""

    def __init__(self, things: StagedDeque) -> None:
        super().__init__(things.items, type(iter(collections.deque())))
        self.deque = things
        self.before = things.changes

    def held(self) -> Iterator[Any]:
        """Yield the deque and its items."""
        yield from (self.deque, self.things)

    def iteration(self) -> Iteration:
        """Return the turns of a loop over what is left."""
        self.check()
        return super().iteration()

    def check(self) -> None:
        """Refuse a deque that has changed."""
        refuse_changed(self.deque, self.before)


class Foreign(Source):
    """Takes items out of an iterator of Python's own."""

    def __init__(self, items: Iterator[Any]) -> None:
        super().__init__(type(items))
        self.items = items

    def held(self) -> Iterator[Any]:
        """Yield nothing: what such an iterator holds is known, and does not change."""
        yield from ()

    def restore(self, before: dict[str, Any]) -> None:
        """Refuse to go on where an item was taken: it cannot be put back."""
        if before["place"] != self.place:
            recorder().unstageable(
                "S168-iterator", "run-time values decide how much is taken out of an iterator"
            )
        super().restore(before)

    def iteration(self) -> None:
        """Return None: what is left shows as it is taken."""

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        self.still_known()
        self.place += 1
        return next(self.items)

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop over what is left, now."""
        return unrolled(self, body, initial, names, until)


class Through(Stream):
    """Takes its items out of another stream."""

    inner: Stream

    def sources(self) -> Iterator[Source]:
        """Yield what the inner stream takes items out of."""
        return self.inner.sources()

    def drain(self) -> Callable[[], None]:
        """Note that what is left of the inner stream is taken."""
        return self.inner.drain()


class Generated(Through):
    """What a function gives for each item of a stream that passes a test."""

    def __init__(self, inner: Stream, element: Element, test: Element | None, kind: type) -> None:
        self.inner = inner
        self.element = element
        self.test = test
        self.kind = kind

    def held(self) -> Iterator[Any]:
        """Yield the stream and the functions."""
        yield from (self.inner, self.element, self.test)

    def resume(self, taken: int, is_over: bool) -> None:
        """Note how many items of the inner stream were taken."""
        self.inner.resume(taken, is_over)

    def iteration(self) -> Iteration | None:
        """Return the turns of a loop, where all items pass."""
        inner = self.inner.iteration()
        return inner.mapped(self.element, self.element) if inner and self.test is None else None

    def take(self, assumed: bool = False) -> Any:
        """Take the next item that passes."""
        while True:
            item = self.inner.take(assumed and self.test is None)
            kept = self.test is None or truth(self.test(item))
            if not isinstance(kept, bool):
                recorder().unstageable("S220-filter", "run-time values decide which items are kept")
            if kept:
                return self.element(item)

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop over what is left, whose body stands behind the test."""

        def turn(item: Any, *carried: Any) -> Any:
            return cond(
                True if self.test is None else self.test(item),
                lambda *carried: body(self.element(item), *carried),
                lambda *carried: as_result(carried),
                carried,
                names,
            )

        return run_loop(self.inner, turn, initial, names, until)


class Flattened(Through):
    """The items of each of a stream of streams."""

    changing = ("current",)

    def __init__(self, inner: Stream, kind: type) -> None:
        self.inner = inner
        self.kind = kind
        self.current: Stream | None = None

    def held(self) -> Iterator[Any]:
        """Yield the streams."""
        yield from (self.inner, self.current)

    def iteration(self) -> None:
        """Return None: positions do not tell the items."""

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        while True:
            if self.current is None:
                self.current = stream_of(self.inner.take())
            try:
                return self.current.take()
            except StopIteration:
                self.current = None

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop in a loop."""
        if self.current is not None:
            recorder().unstageable("S169-taken", "a loop takes up a generator expression in the middle")
        return run_loop(
            self.inner,
            lambda things, *carried: as_result(run_loop(things, body, carried, names, until)),
            initial,
            names,
            until,
        )


def stream_of(things: Any) -> Stream:
    """Return the iterator over something."""
    if isinstance(things, Stream):
        return things
    if isinstance(things, StagedDeque):
        return OverDeque(things)
    if isinstance(things, Flat):
        things = things.taken()
    if isinstance(things, StagedTuple):
        things = iteration_of(things.items)
    if isinstance(things, (HashedDict, TableView)):
        things = iteration_of(things)
    is_array = isinstance(things, (SymbolicArray, RecordArray)) and not isinstance(things, RecordScalar)
    if is_array or isinstance(things, (Iteration, SymbolicRange, HandedText, range, *SEQUENCES)):
        if is_array:
            # Refuses an array without axes now, as Python does.
            iteration_of(things)
        return Cursor(things, type(iter(plain(things))))
    return steps_of(things) if is_users(things) else Foreign(iter(things))


def plain(things: Any) -> Any:
    """Return something of Python's own whose iterators are of the kind that those over `things` are of."""
    if isinstance(things, (SymbolicArray, RecordArray)):
        return np.empty(1)
    if isinstance(things, Iteration):
        return ()
    if isinstance(things, HandedText):
        return things.stands_for()
    return range(0) if isinstance(things, SymbolicRange) else [] if isinstance(things, list) else things


def generated(
    iterable: Any, element: Element, test: Element | None = None, kind: type = types.GeneratorType
) -> Generated:
    """Return what a function gives for each item that passes a test."""
    return Generated(stream_of(iterable), element, test, kind)
