"""Iterators: items with their numbers, and items of several streams side by side."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from transpile.runtime.arrays.array import dim_scalar
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.graph.dim import DimLike

from .branches import as_result, as_tuple
from .iteration import run_loop
from .streams import Body, Carried, Through
from .traversal import Iteration, Source, Stream
from .turns import unrolled


class Enumerated(Through):
    """Items with their numbers."""

    changing = ("number",)

    def __init__(self, inner: Stream, start: Any) -> None:
        self.inner = inner
        self.kind = enumerate
        self.number = start

    def held(self) -> Iterator[Any]:
        """Yield the stream."""
        yield self.inner

    def resume(self, taken: int, is_over: bool) -> None:
        """Note how many items were taken and numbered."""
        self.inner.resume(taken, is_over)
        self.number = self.number + taken

    def iteration(self) -> Iteration | None:
        """Return the turns of a loop, where the inner stream has positions."""
        inner = self.inner.iteration()
        if inner is None:
            return None
        start = as_dim(self.number)
        return Iteration(
            (0, inner.length, 1),
            lambda place: (dim_scalar(start + place), inner.at(place)),
            inner.length,
            (inner,),
            inner.unrolls,
            inner.goes_on,
        )

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        item = self.inner.take(assumed)
        number = self.number
        self.number = number + 1
        return number, item

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop that carries the number along."""

        def turn(item: Any, *carried: Any) -> Any:
            *own, number = carried
            return as_result((*as_tuple(body((number, item), *own), names), number + 1))

        *own, self.number = run_loop(
            self.inner, turn, (*initial, self.number), (*names, "a number of enumerate()"), until
        )
        return tuple(own)


def _mismatch(place: int, how: str) -> str:
    """Return what Python says where a stream is longer, or shorter, than those before it."""
    return (
        f"zip() argument {place + 1} is {how} than argument{'s' * (place > 1)} 1{f'-{place}' * (place > 1)}"
    )


class Zipped(Stream):
    """Items of several streams, side by side."""

    def __init__(self, inner: list[Stream], strict: bool) -> None:
        self.inner = inner
        self.strict = strict
        self.kind = zip

    def held(self) -> Iterator[Any]:
        """Yield the streams."""
        yield from self.inner

    def sources(self) -> Iterator[Source]:
        """Yield what the streams take items out of."""
        for inner in self.inner:
            yield from inner.sources()

    def iteration(self) -> Iteration | None:
        """Return the turns of a loop, where all streams have positions."""
        ways = [inner.iteration() for inner in self.inner]
        known = [way for way in ways if way is not None]
        if len(known) < len(ways) or not ways:
            return None
        unrolls = any(way.unrolls for way in known)

        def has(place: Any) -> Any:
            return functools.reduce(operator.and_, [way.goes_on(place) for way in known])

        return Iteration(
            (0, length := self._length(known), 1),
            lambda place: tuple(way.at(place) for way in known),
            length,
            known,
            unrolls,
            None if self.strict else has,
        )

    def drain(self) -> Callable[[], None]:
        """Note that what is left is taken; of all but the first that ends, something may be left over."""
        ways = [inner.iteration() for inner in self.inner]
        lengths = [None if way is None else way.length for way in ways]
        ends = [inner.drain() for inner in self.inner]
        turns = [length for length in lengths if isinstance(length, int)]

        def end() -> None:
            known = [length for length in lengths if length is not None]
            if len(known) == len(lengths) and all(recorder().same(length, known[0]) for length in known):
                for end_one in ends:
                    end_one()
            elif len(turns) == len(lengths):
                first = lengths.index(min(turns))
                for place, (inner, length) in enumerate(zip(self.inner, turns, strict=True)):
                    if len(list(inner.sources())) == 1:
                        # Those before the first that ends were asked for one item more.
                        inner.resume(min(turns) + (place < first), is_over=length == min(turns))

        return end

    def _length(self, ways: list[Iteration]) -> DimLike:
        record = recorder()
        length = ways[0].length
        if self.strict:
            for way in ways[1:]:
                if not record.assume_equal(length, way.length):
                    for needed in (length, way.length):
                        if not isinstance(needed, int):
                            raise NeedsValue(record.dim_value(needed))
                    self._fail([way.length for way in ways])  # type: ignore[misc]
            return length
        fixed = [way.length for way in ways if way.unrolls]
        if fixed:
            # As many turns as there are of known things, at the most.
            least = min(fixed)  # type: ignore[type-var]
            for way in ways:
                if not way.unrolls and not record.assume_nonnegative(way.length - least):
                    raise NeedsValue(record.dim_value(way.length))
            return least
        for way in ways[1:]:
            if not record.same(length, way.length):
                length = record.dim(
                    record.emit("minimum", record.dim_value(length), record.dim_value(way.length))
                )
        return length

    def _fail(self, lengths: list[int]) -> None:
        place = next(p for p, length in enumerate(lengths) if length != lengths[0])
        if any(lengths):
            recorder().unstageable("S166-zip", "zip(strict=True) fails after some turns")
        raise ValueError(_mismatch(place, "longer" if lengths[place] > lengths[0] else "shorter"))

    def take(self, assumed: bool = False) -> Any:
        """Take the next item of each."""
        if not self.inner:
            raise StopIteration
        items = []
        for place, inner in enumerate(self.inner):
            try:
                items.append(inner.take())
            except StopIteration:
                if self.strict:
                    self._check_ended(place)
                raise
        return tuple(items)

    def _check_ended(self, ended: int) -> None:
        """Raise what `strict` does where one stream ends, and those before it do not, or those after it."""
        if ended:
            raise ValueError(_mismatch(ended, "shorter")) from None
        for place, inner in enumerate(self.inner[1:], 1):
            with suppress(StopIteration):
                inner.take()
                raise ValueError(_mismatch(place, "longer")) from None

    def run(self, body: Body, initial: Carried, names: tuple[str, ...], until: str | None) -> Carried:
        """Run a loop over what is left, now."""
        return unrolled(self, body, initial, names, until)
