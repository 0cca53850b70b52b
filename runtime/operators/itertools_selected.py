"""More of Python's `itertools`: items over and over, those that selectors name, from some item on, and side by side to the end of the longest."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.rows import freeze
from transpile.runtime.arrays.truth import truth
from transpile.runtime.graph.dim import DimLike

from .branches import as_result, as_tuple, cond
from .call import call
from .iteration import run_loop
from .itertools_streams import Endless
from .logic import if_exp, not_, or_
from .side_by_side import Zipped
from .streams import Body, Carried, Cursor, generated, stream_of
from .traversal import Iteration, Source, Stream


class Trailing(Stream):
    """The items from the first on that fails a test."""

    changing = ("has_begun",)

    def __init__(self, inner: Stream, test: Callable[[Any], Any]) -> None:
        self.inner = inner
        self.test = test
        self.kind = itertools.dropwhile
        self.has_begun: Any = False

    def held(self) -> Iterator[Any]:
        """Yield the stream and the test."""
        yield from (self.inner, self.test)

    def sources(self) -> Iterator[Source]:
        """Yield what the inner stream takes items out of."""
        return self.inner.sources()

    def drain(self) -> Callable[[], None]:
        """Note that what is left of the inner stream is taken."""
        return self.inner.drain()

    def iteration(self) -> Iteration | None:
        """Return the turns of a loop, once an item has failed the test."""
        return self.inner.iteration() if self.has_begun is True else None

    def resume(self, taken: int, is_over: bool) -> None:
        """Note how many items of the inner stream were taken."""
        self.inner.resume(taken, is_over)

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        item = self.inner.take(assumed)
        while not self.has_begun:
            passes = truth(self.test(item))
            if not isinstance(passes, bool):
                recorder().unstageable("S220-filter", "run-time values decide which items are kept")
            self.has_begun = not passes
            if passes:
                item = self.inner.take()
        return item

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop whose body stands behind a test that is asked until it has failed."""

        def turn(item: Any, *carried: Any) -> Any:
            *own, before = carried
            begun = truth(or_(before, lambda: not_(self.test(item))))
            after = cond(begun, lambda *own: body(item, *own), lambda *own: as_result(own), tuple(own), names)
            return as_result((*as_tuple(after, names), begun))

        labels = (*names, "whether an item has failed the test")
        *own, self.has_begun = run_loop(self.inner, turn, (*initial, self.has_begun), labels, until)
        return tuple(own)


@implements(itertools.dropwhile)
def dropped_while(function: Any, things: Any) -> Stream:
    """Stand for `itertools.dropwhile`."""
    return Trailing(stream_of(things), lambda item: call(function, item))


@implements(itertools.compress)
def compressed(data: Any, selectors: Any) -> Stream:
    """Stand for `itertools.compress`."""
    pairs = Zipped([stream_of(data), stream_of(selectors)], False)
    return generated(pairs, lambda pair: pair[0], lambda pair: pair[1], itertools.compress)


@implements(itertools.cycle)
def cycled(things: Any) -> Stream:
    """Stand for `itertools.cycle`, which takes each item when it is asked for, and keeps it."""
    if isinstance(things, SymbolicArray):
        freeze(things.storage)
    if isinstance(things, Stream) or (isinstance(things, StagedList) and things.pool is not None):
        recorder().unstageable("S302-cycle", "itertools.cycle() of an iterator, or of a list in a list")
    pool = things if isinstance(things, SymbolicArray) else FUNCTIONS[list](things)
    length = FUNCTIONS[len](pool)
    if isinstance(length, int) and not length:
        return Cursor((), itertools.cycle)
    if not isinstance(length, int) and not recorder().assume_nonnegative(as_dim(length) - 1):
        recorder().unstageable("S302-cycle", "itertools.cycle() of what may be empty")
    before = _contents(things)

    def element(place: Any) -> Any:
        if any(now is not then for now, then in zip_longest(_contents(things), before)):
            recorder().unstageable("S302-cycle", "itertools.cycle() of a list that has changed since")
        return pool[place % length]

    return Endless(element, itertools.cycle)


def _contents(things: Any) -> list[Any]:
    """Return what tells whether a list has changed."""
    if isinstance(things, StagedList) and things.is_staged:
        return [*things.columns, things.begin, things.end]
    return list(things) if isinstance(things, list) else []


@implements(itertools.zip_longest)
def zipped_longest(*iterables: Any, fillvalue: Any = None) -> Stream:
    """Stand for `itertools.zip_longest`, of what has positions."""
    ways = [_positions(things) for things in iterables]
    if not ways:
        return Cursor((), itertools.zip_longest)
    lengths = [dim_scalar(way.length) for way in ways]
    length = as_dim(FUNCTIONS[max](*lengths) if len(lengths) > 1 else lengths[0])

    def item(way: Iteration, place: DimLike) -> Any:
        if way.length == length:
            return way.at(place)
        inside = dim_scalar(place) < dim_scalar(way.length)
        return if_exp(inside, lambda: way.at(place), lambda: fillvalue)

    unrolls = isinstance(length, int) and any(way.unrolls for way in ways)
    return Cursor(
        Iteration(
            (0, length, 1), lambda place: tuple(item(way, place) for way in ways), length, ways, unrolls
        ),
        itertools.zip_longest,
    )


def _positions(things: Any) -> Iteration:
    """Return how a loop runs over something by position."""
    way = None if isinstance(things, Stream) else stream_of(things).iteration()
    if way is None:
        recorder().unstageable("S303-longest", "itertools.zip_longest() of what has no positions")
    return way
