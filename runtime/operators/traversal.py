"""What loops run over: positions of a range, and the element at each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar, fresh
from transpile.runtime.arrays.countable import Countable
from transpile.runtime.arrays.hash_tables import HashedDict
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.records import RecordArray, RecordScalar
from transpile.runtime.arrays.references import Holder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.dim import DimLike

from .characters import HandedText
from .lengths import within


class SymbolicRange(Countable, Holder):
    """A `range` with a bound that run time gives, or a known one, whose loop stays a loop."""

    def __init__(self, low: DimLike, high: DimLike, stride: DimLike) -> None:
        self.low, self.high, self.stride = low, high, stride

    start = property(lambda self: dim_scalar(self.low))
    stop = property(lambda self: dim_scalar(self.high))
    step = property(lambda self: dim_scalar(self.stride))

    def held(self) -> Iterator[Any]:
        """Yield the bounds."""
        yield from map(dim_scalar, (self.low, self.high, self.stride))

    @staticmethod
    def of(*bounds: Any) -> SymbolicRange:
        """Make the range that `range(*bounds)` is."""
        if not 1 <= len(bounds) <= 3:
            range(*(0 for _ in bounds))  # raises what Python raises of so many
        start, stop, step = (0, *bounds, 1)[:3] if len(bounds) == 1 else (*bounds, 1)[:3]
        step = as_dim(step)
        if not isinstance(step, int):
            raise_if(dim_scalar(step) == 0, lambda: ValueError("range() arg 3 must not be zero"))
        elif step == 0:
            raise ValueError("range() arg 3 must not be zero")
        return SymbolicRange(as_dim(start), as_dim(stop), step)

    @property
    def known(self) -> range | None:
        """The range, where all its bounds are known."""
        bounds = (self.low, self.high, self.stride)
        return range(*bounds) if all(isinstance(b, int) for b in bounds) else None  # type: ignore[arg-type]

    def length(self) -> DimLike:
        """Return how many turns there are."""
        known = self.known
        if known is not None:
            return len(known)
        record = recorder()
        if self.stride == 1 and record.bounds.nonnegative(self.high - self.low):
            return self.high - self.low
        if not isinstance(self.stride, int):
            # Of either sign: as many as the way goes into, rounded up.
            turns = -(dim_scalar(self.low - self.high) // dim_scalar(self.stride))
            return record.dim(record.emit("maximum", record.dim_value(as_dim(turns)), record.dim_value(0)))
        length = record.emit(
            "slice_length", record.dim_value(self.low), record.dim_value(self.high), step=self.stride
        )
        return record.dim(length)

    def numbers(self) -> Any:
        """Return the array that NumPy makes of the range."""
        if self.known is not None:
            return Operand.as_array(list(self.known))
        record = recorder()
        length = self.length()
        if not record.assume_nonnegative(length - 1):
            # Of nothing it makes an array of floats.
            test = record.emit("equal", record.dim_value(length), record.dim_value(0))
            record.deoptimise_if(test, "a range without numbers becomes an array")
        places = fresh(record.emit("iota", dims=(length,)))
        return places * dim_scalar(self.stride) + dim_scalar(self.low)

    def __len__(self) -> int:
        length = self.length()
        if isinstance(length, int):
            return length
        raise NeedsValue(recorder().dim_value(length))

    def exact(self) -> range:
        """Return the range; NeedsValue where run time gives a bound."""
        for bound in (self.low, self.high, self.stride):
            if not isinstance(bound, int):
                raise NeedsValue(recorder().dim_value(bound))
        known = self.known
        assert known is not None
        return known

    def __iter__(self) -> Iterator[int]:
        return iter(self.exact())

    def __contains__(self, item: Any) -> bool:
        return item in self.exact()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, SymbolicScalar) and key.type.dtype.kind in "bi":
            return self._at(as_dim(key))
        if isinstance(key, int) and self.known is None:
            return self._at(key)
        found = self.exact()[key]
        return SymbolicRange(found.start, found.stop, found.step) if isinstance(found, range) else found

    def _at(self, place: DimLike) -> Any:
        """Return the number at a place, which may count from the end."""
        record, size = recorder(), self.length()
        for outside in (dim_scalar(place) >= dim_scalar(size), dim_scalar(place) < -dim_scalar(size)):
            raise_if(outside, lambda: IndexError("range object index out of range"))
        inside = record.dim(record.emit("index", record.dim_value(place), record.dim_value(size), axis=0))
        return dim_scalar(inside) * dim_scalar(self.stride) + dim_scalar(self.low)

    def __eq__(self, other: object) -> bool:
        return self.exact() == (other.exact() if isinstance(other, SymbolicRange) else other)

    def __hash__(self) -> int:
        return hash(self.exact())

    def __repr__(self) -> str:
        return repr(self.exact())


class Iteration(Holder):
    """The turns of a loop: bounds of a range, and the element at each position of it.

    A loop over it is staged; one over known things, which need not be of one type, `unrolls`. `roots` lead to what `element` reads.
    `has` tells, where lists under it may get longer or shorter, whether there is an element at a place by then.
    """

    def __init__(
        self,
        bounds: tuple[DimLike, DimLike, DimLike],
        element: Callable[[DimLike], Any],
        length: DimLike | Callable[[], DimLike],
        roots: Sequence[Any] = (),
        unrolls: bool = False,
        has: Callable[[Any], Any] | None = None,
    ) -> None:
        self.bounds = bounds
        self.element = element
        self._length = length
        self.roots = tuple(roots)
        self.unrolls = unrolls
        self.has = has

    @property
    def length(self) -> DimLike:
        """How many turns there are."""
        if callable(self._length):
            self._length = self._length()
        return self._length

    def held(self) -> Iterator[Any]:
        """Yield what it holds."""
        yield self.element
        yield self.has
        yield from self.roots

    def at(self, place: DimLike) -> Any:
        """Return the element at a place counted from 0."""
        start, _, step = self.bounds
        return self.element(start + step * place)

    def lists(self) -> Iterator[list[Any]]:
        """Yield the lists that it runs over, by itself or by way of others."""
        for root in self.roots:
            if isinstance(root, Iteration):
                yield from root.lists()
            elif isinstance(root, list):
                yield root

    def goes_on(self, place: Any) -> Any:
        """Whether there is an element at a place, counted from 0, by now."""
        if self.has is not None:
            return self.has(place)
        if any(True for _ in self.lists()):
            recorder().unstageable("S165-grows", "a list grows or shrinks while a loop runs over it")
        return place < dim_scalar(self.length)

    def mapped(self, function: Callable[[Any], Any], *roots: Any) -> Iteration:
        """Return the iteration over what a function gives for each element."""
        return Iteration(
            self.bounds,
            lambda place: function(self.element(place)),
            self._length,
            (*self.roots, *roots),
            self.unrolls,
            self.goes_on,
        )

    def from_(self, place: int) -> Iteration:
        """Return what is left from a place on."""
        if not place:
            return self
        return Iteration(
            (place, self.length, 1),
            self.at,
            self.length - place,
            self.roots,
            self.unrolls,
            lambda taken: self.goes_on(taken + place),
        )

    def unrolled(self) -> Iteration:
        """Return the same turns, to be traced one by one."""
        return Iteration(self.bounds, self.element, self._length, self.roots, True, self.goes_on)


class Stream(Holder):
    """An iterator that converted code made: what has been taken out of it does not come again.

    `kind` is the class that Python's own has. What changes as items are taken is in the attributes named in `changing`.
    """

    kind: type
    changing: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self.take()

    def __repr__(self) -> str:
        recorder().unstageable("S257-text", f"the text of an object of type {self.kind.__name__}")

    def take(self, assumed: bool = False) -> Any:
        """Take the next item; with `assumed`, the original runs a call where there is none.

        Raises StopIteration where none is left, NeedsValue where only run time knows.
        """
        raise NotImplementedError

    def iteration(self) -> Iteration | None:
        """Return the turns of a loop over what is left, where each position gives one item."""
        raise NotImplementedError

    def sources(self) -> Iterator[Source]:
        """Yield the streams at the bottom, out of which all items come."""
        raise NotImplementedError

    def drain(self) -> Callable[[], None]:
        """Note that what is left is taken, as far as run time decides; return what notes that nothing was left over."""
        raise NotImplementedError

    def resume(self, taken: int, is_over: bool) -> None:
        """Note how many items of a stream of one source were taken after all, and whether nothing is left."""
        raise NotImplementedError

    def restore(self, before: dict[str, Any]) -> None:
        """Put back what changes, as it was."""
        for name, value in before.items():
            setattr(self, name, value)

    def run(
        self,
        body: Callable[..., Any],
        initial: tuple[Any, ...],
        names: tuple[str, ...],
        until: str | None,
    ) -> tuple[Any, ...]:
        """Run a loop over what is left, where positions do not tell the items."""
        raise NotImplementedError


class Source(Stream):
    """A stream that takes items out of something that is no stream.

    It is "over" when nothing is left, and "lost" where run-time values decided what was taken.
    """

    changing: tuple[str, ...] = ("place", "state")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.place = 0
        self.state = ""

    def sources(self) -> Iterator[Source]:
        """Yield the stream itself."""
        yield self

    def drain(self) -> Callable[[], None]:
        """Note that what is left is taken."""
        self.lose()
        return self.end

    def lose(self) -> None:
        """Note that run-time values decide what is taken."""
        self.still_known()
        self.state = "lost"

    def end(self) -> None:
        """Note that nothing is left."""
        self.state = "over"

    def resume(self, taken: int, is_over: bool) -> None:
        """Note how many items were taken, and whether nothing is left."""
        self.place += taken
        self.state = "over" if is_over else ""

    def check(self) -> None:
        """Refuse what has changed though an iterator runs over it, where Python raises of that."""

    def still_known(self) -> None:
        """Refuse to go on where it is not known what is left."""
        if self.state == "lost":
            recorder().unstageable(
                "S169-taken",
                "an iterator is used of which run-time values, or the loop around, decide what is left",
            )


@contextmanager
def drained(stream: Stream) -> Iterator[None]:
    """Note that all that is left of a stream is taken within."""
    end = stream.drain()
    yield
    end()


def iteration_of(iterable: Any) -> Iteration | None:
    """Return how a loop runs over something by position; None where Python itself iterates, or a stream does."""
    if isinstance(iterable, Union):
        iterable = iterable.iterable()
    if isinstance(iterable, range):
        iterable = SymbolicRange(iterable.start, iterable.stop, iterable.step)
    if isinstance(iterable, SymbolicRange):
        return Iteration((iterable.low, iterable.high, iterable.stride), dim_scalar, iterable.length)
    if isinstance(iterable, StagedList) and iterable.is_staged and iterable.home.row is None:
        return Iteration((0, 0, 1), dim_scalar, 0, (iterable,), unrolls=True)
    if isinstance(iterable, StagedList) and iterable.is_staged:
        size = iterable.size()
        return Iteration((0, size, 1), iterable.at, size, (iterable,), has=within(iterable))
    if isinstance(iterable, (HashedDict, TableView)):
        view = iterable if isinstance(iterable, TableView) else iterable.keys()
        size, element, _ = view.steps()
        lists = list(view.lists())
        has = within(lists[0]) if len(lists) == 1 else None
        return Iteration((0, size, 1), element, size, (view, *lists), has=has)
    if isinstance(iterable, (SymbolicArray, RecordArray)) and not isinstance(iterable, RecordScalar):
        if not iterable.ndim:
            raise TypeError("iteration over a 0-d array")
        return Iteration(
            (0, iterable.dims[0], 1), lambda place: iterable[dim_scalar(place)], iterable.dims[0]
        )
    if isinstance(iterable, Iteration):
        return iterable
    if isinstance(iterable, HandedText):
        codes = iteration_of(iterable.codes())
        return codes and codes.mapped(iterable.element)
    return iterable.iteration() if isinstance(iterable, Stream) else None
