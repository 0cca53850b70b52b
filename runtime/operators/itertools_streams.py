"""Python's `itertools`: items without end, side by side, and one after another."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import as_dim, is_integer
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.truth import truth

from .branches import as_result, as_tuple, cond
from .call import call
from .heap import MISSING, is_missing
from .iteration import run_loop
from .logic import not_
from .side_by_side import Enumerated, Zipped
from .streams import Body, Carried, Cursor, Flattened, Foreign, generated, stream_of
from .traversal import Iteration, Source, Stream, SymbolicRange
from .whiles import staged_while


class Endless(Source):
    """Items without end, of which `element` gives the one at a place."""

    changing = ("state",)

    def __init__(self, element: Callable[[Any], Any], kind: type) -> None:
        # How many items were taken, which loops on run-time values carry along as they do what is in lists.
        self.taken: list[Any] = [0]
        super().__init__(kind)
        self.element = element

    @property
    def place(self) -> Any:
        """The place of the next item."""
        return self.taken[0]

    @place.setter
    def place(self, place: Any) -> None:
        self.taken[0] = place

    def held(self) -> Iterator[Any]:
        """Yield what gives the items, and how many were taken."""
        yield from (self.element, self.taken)

    def iteration(self) -> None:
        """Return None: there is no last turn."""

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        self.still_known()
        self.place += 1
        return self.element(self.place - 1)

    def beside(self) -> Callable[[Any], Any]:
        """Return what gives the items from here on, of which others decide how many are taken."""
        first = self.place
        self.lose()
        return lambda place: self.element(first + place)

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop that only its body ends."""
        item = self.beside()

        def turn(*carried: Any) -> Any:
            *own, place = carried
            return as_result((*as_tuple(body(item(place), *own), names), place + 1))

        *own, _ = staged_while(
            lambda *carried: True, turn, (*initial, 0), (*names, "the place in an iterator"), until
        )
        return tuple(own)


class Linked(Stream):
    """What a function gives for each item and what it gave for the one before, with what is handed on to the next."""

    changing: tuple[str, ...] = ("last",)

    def __init__(
        self, inner: Stream, link: Callable[[Any, Any], tuple[Any, Any]], first: Any, kind: type
    ) -> None:
        self.inner = inner
        self.link = link
        self.kind = kind
        self.last = first

    def held(self) -> Iterator[Any]:
        """Yield the stream, the function and what is handed on."""
        yield from (self.inner, self.link, self.last)

    def sources(self) -> Iterator[Source]:
        """Yield what the inner stream takes items out of."""
        return self.inner.sources()

    def drain(self) -> Callable[[], None]:
        """Note that what is left of the inner stream is taken."""
        return self.inner.drain()

    def iteration(self) -> None:
        """Return None: positions do not tell the items."""

    def _begin(self, assumed: bool) -> None:
        if is_missing(self.last):
            self.last = self.inner.take(assumed)

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        self._begin(assumed)
        given, self.last = self.link(self.last, self.inner.take(assumed))
        return given

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop that carries along what is handed on."""
        try:
            self._begin(assumed=True)
        except StopIteration:
            return initial

        def turn(item: Any, *carried: Any) -> Any:
            *own, last = carried
            given, last = self.link(last, item)
            return as_result((*as_tuple(body(given, *own), names), last))

        *own, self.last = run_loop(
            self.inner, turn, (*initial, self.last), (*names, "the item before"), until
        )
        return tuple(own)


class Totals(Linked):
    """The first item, and what a function gives for each other one and what was given before."""

    changing = ("last", "is_ahead")

    def __init__(self, inner: Stream, function: Callable[[Any, Any], Any], first: Any) -> None:
        super().__init__(inner, lambda last, item: (function(last, item),) * 2, first, itertools.accumulate)
        # Whether what is handed on to the next is still to be given.
        self.is_ahead = True

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        if not self.is_ahead:
            return super().take(assumed)
        self._begin(assumed)
        self.is_ahead = False
        return self.last

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop that carries along what is handed on."""
        if not self.is_ahead:
            return super().run(body, initial, names, until)
        try:
            first = self.take(assumed=True)
        except StopIteration:
            return initial
        whole = Flattened(stream_of(([first], self)), itertools.accumulate)
        return run_loop(whole, body, initial, names, until)


class Leading(Stream):
    """The items up to the first that fails a test."""

    changing = ("is_over",)

    def __init__(self, inner: Stream, test: Callable[[Any], Any]) -> None:
        self.inner = inner
        self.test = test
        self.kind = itertools.takewhile
        self.is_over = False

    def held(self) -> Iterator[Any]:
        """Yield the stream and the test."""
        yield from (self.inner, self.test)

    def sources(self) -> Iterator[Source]:
        """Yield what the inner stream takes items out of."""
        return self.inner.sources()

    def drain(self) -> Callable[[], None]:
        """Note that run-time values decide what is left of the inner stream."""
        self.inner.drain()
        return lambda: None

    def iteration(self) -> None:
        """Return None: it is not known how many items there are."""

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        item = MISSING if self.is_over else self.inner.take()
        passes = not self.is_over and truth(self.test(item))
        if not isinstance(passes, bool):
            recorder().unstageable("S220-filter", "run-time values decide which items are kept")
        if not passes:
            self.is_over = True
            raise StopIteration
        return item

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop over the items, which ends where one fails the test, or where the body ends it."""
        if self.is_over:
            return initial
        flag = names.index(until) if until else None
        labels = (*names, "whether an item has failed the test")

        def turn(item: Any, *carried: Any) -> Any:
            def within(*own: Any) -> Any:
                result = as_tuple(body(item, *own), names)
                return as_result((*result, False if flag is None else result[flag]))

            return cond(self.test(item), within, lambda *own: as_result((*own, True)), carried[:-1], labels)

        start = False if flag is None else initial[flag]
        *own, _ = run_loop(self.inner, turn, (*initial, start), labels, labels[-1])
        self.is_over = True
        return tuple(own)


def zipped_with_endless(streams: list[Stream]) -> Stream:
    """Return the items of streams side by side, of which some have no end."""
    numbered = Enumerated(Zipped([stream for stream in streams if not isinstance(stream, Endless)], False), 0)
    endless = [stream.beside() if isinstance(stream, Endless) else None for stream in streams]

    def item(pair: Any) -> Any:
        place, given = pair
        items = iter(given)
        return tuple(next(items) if at is None else at(place) for at in endless)

    return generated(numbered, item, None, zip)


def known_integer(value: Any) -> int:
    """Return an integer that the program has to know while tracing."""
    size = as_dim(value) if is_integer(value) else operator.index(value)
    if not isinstance(size, int):
        raise NeedsValue(recorder().dim_value(size))
    return size


@implements(itertools.repeat)
def repeated(thing: Any, times: Any = MISSING) -> Stream:
    """Stand for `itertools.repeat`."""
    if is_missing(times):
        return Endless(lambda place: thing, itertools.repeat)
    return generated(SymbolicRange.of(times), lambda place: thing, None, itertools.repeat)


@implements(itertools.count)
def counted(start: Any = 0, step: Any = 1) -> Stream:
    """Stand for `itertools.count`."""
    if not (is_integer(start) and is_integer(step)):
        recorder().unstageable("S259-count", "itertools.count() of other numbers than integers")
    return Endless(lambda place: start + step * place, itertools.count)


@implements(itertools.chain)
def chained(*iterables: Any) -> Stream:
    """Stand for `itertools.chain`."""
    return Flattened(stream_of(iterables), itertools.chain)


@implements(itertools.chain.from_iterable)
def chained_from(iterables: Any) -> Stream:
    """Stand for `itertools.chain.from_iterable`."""
    return Flattened(stream_of(iterables), itertools.chain)


class Sliced(Foreign):
    """So many items of an iterator, taken as they are asked for."""

    def __init__(self, inner: Stream, *bounds: int | None) -> None:
        super().__init__(itertools.islice(_taken(inner), *bounds))
        self.inner = inner

    def held(self) -> Iterator[Any]:
        """Yield the iterator."""
        yield self.inner


def _taken(inner: Stream) -> Iterator[Any]:
    while True:
        try:
            item = inner.take()
        except StopIteration:
            return
        yield item


class Cut(Cursor):
    """Some of the items of a list, as they are when they are asked for."""

    def __init__(self, things: list[Any], start: int, stop: int | None, step: int) -> None:
        super().__init__(things, itertools.islice)
        self.cut = start, stop, step

    def whole(self) -> Iteration:
        """Return the turns of a loop over all items."""
        items, (start, stop, step) = super().whole(), self.cut
        end = items.length
        if stop is not None:
            end = as_dim(FUNCTIONS[min](dim_scalar(end), stop))
        count = SymbolicRange(start, end, step).length()

        def has(place: Any) -> Any:
            there = start + step * place
            return items.goes_on(there) if stop is None else items.goes_on(there) & (there < stop)

        return Iteration(
            (0, count, 1), lambda place: items.at(start + step * place), count, (items,), items.unrolls, has
        )


@implements(itertools.islice)
def sliced(things: Any, *bounds: Any) -> Stream:
    """Stand for `itertools.islice`; of an iterator, so many items as are known."""
    start, stop, step = (0, *bounds, 1)[:3] if len(bounds) == 1 else (*bounds, 1)[:3]
    start, step = 0 if start is None else start, 1 if step is None else step
    if isinstance(things, Endless) and stop is not None:
        item = things.beside()
        return generated(SymbolicRange.of(start, stop, step), item, None, itertools.islice)
    if isinstance(things, Stream):
        known = (None if bound is None else known_integer(bound) for bound in (start, stop, step))
        return Sliced(things, *known)
    if not isinstance(things, (SymbolicArray, list, tuple, str, range)):
        recorder().unstageable("S219-islice", "itertools.islice() of an iterator")
    for place, bound in enumerate((start, stop, step)):
        if bound is not None and known_integer(bound) < (place == 2):
            what = "Indices" if len(bounds) > 1 else "Stop argument"
            raise ValueError(
                f"{what} for islice() must be None or an integer: 0 <= x <= sys.maxsize."
                if place < 2
                else "Step for islice() must be a positive integer or None."
            )
    if isinstance(things, list):
        end = None if stop is None else known_integer(stop)
        return Cut(things, known_integer(start), end, known_integer(step))
    return generated(things[slice(start, stop, step)], lambda item: item, None, itertools.islice)


@implements(itertools.pairwise)
def paired(things: Any) -> Stream:
    """Stand for `itertools.pairwise`."""
    return Linked(stream_of(things), lambda last, item: ((last, item), item), MISSING, itertools.pairwise)


@implements(itertools.accumulate)
def accumulated(iterable: Any, func: Any = None, *, initial: Any = None) -> Stream:
    """Stand for `itertools.accumulate`."""
    function = operator.add if func is None else lambda total, item: call(func, total, item)
    return Totals(stream_of(iterable), function, MISSING if initial is None else initial)


@implements(itertools.starmap)
def star_mapped(function: Any, things: Any) -> Stream:
    """Stand for `itertools.starmap`."""
    return generated(things, lambda items: call(function, *items), None, itertools.starmap)


@implements(itertools.filterfalse)
def filtered_out(function: Any, things: Any) -> Stream:
    """Stand for `itertools.filterfalse`."""
    test = not_ if function is None else lambda item: not_(call(function, item))
    return generated(things, lambda item: item, test, itertools.filterfalse)


@implements(itertools.takewhile)
def taken_while(function: Any, things: Any) -> Stream:
    """Stand for `itertools.takewhile`."""
    return Leading(stream_of(things), lambda item: call(function, item))
