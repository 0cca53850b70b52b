"""Python's functions that make iterators: `iter`, `next`, `enumerate`, `zip`, `map`, `filter`, `reversed`."""

from __future__ import annotations

from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.undefined import Undefined
from transpile.runtime.composites.flat import Flat

from .call import call
from .generators import Generator
from .iteration import run_loop
from .itertools_streams import Endless, zipped_with_endless
from .lengths import within
from .logic import bound, not_
from .side_by_side import Enumerated, Zipped
from .streams import SEQUENCES, Backwards, Foreign, generated, plain, stream_of
from .traversal import Iteration, Stream, SymbolicRange, iteration_of


@implements(iter)
def iterator_of(things: Any, *sentinel: Any) -> Any:
    """Stand for `iter`."""
    return Foreign(iter(lambda: call(things), *sentinel)) if sentinel else stream_of(things)


@implements(next)
def next_of(stream: Any, *default: Any) -> Any:
    """Stand for `next`."""
    if not isinstance(stream, Stream):
        if isinstance(stream, (SymbolicArray, SymbolicRange)):
            kind = "numpy.ndarray" if isinstance(stream, SymbolicArray) else "range"
            raise TypeError(f"{kind!r} object is not an iterator")
        return next(stream, *default)
    if isinstance(stream, Endless):
        return stream.take()
    left = stream.iteration()
    if left is not None and (isinstance(left.length, int) or not default):
        try:
            return stream.take(assumed=True)
        except StopIteration:
            if not default:
                raise
            return default[0]
    if isinstance(stream, Generator):
        # The items after this one may be asked for, too.
        stream.pushed = None
    nothing = default[0] if default else Undefined("next()")
    found, first = run_loop(
        stream,
        lambda item, found, first: (True, item),
        (False, nothing),
        ("whether there is a next item", "the next item"),
        "whether there is a next item",
    )
    if not default:
        raise_if(not_(found), lambda: StopIteration())
    return bound(first)


@implements(enumerate)
def enumerated(iterable: Any, start: Any = 0) -> Stream:
    """Stand for `enumerate`."""
    return Enumerated(stream_of(iterable), start)


@implements(zip)
def zipped(*iterables: Any, strict: bool = False) -> Stream:
    """Stand for `zip`."""
    streams = list(map(stream_of, iterables))
    endless = [isinstance(stream, Endless) for stream in streams]
    if any(endless) and not all(endless) and not strict:
        return zipped_with_endless(streams)
    return Zipped(streams, strict)


@implements(map)
def mapped(function: Any, *iterables: Any) -> Stream:
    """Stand for `map`."""
    if len(iterables) == 1:
        return generated(iterables[0], lambda item: call(function, item), None, map)
    if not iterables:
        raise TypeError("map() must have at least two arguments.")
    return generated(zipped(*iterables), lambda items: call(function, *items), None, map)


@implements(filter)
def filtered(function: Any, iterable: Any) -> Stream:
    """Stand for `filter`."""
    test = (lambda item: item) if function is None else lambda item: call(function, item)
    return generated(iterable, lambda item: item, test, filter)


@implements(reversed)
def backwards(things: Any) -> Stream:
    """Stand for `reversed`."""
    if isinstance(things, SymbolicArray) and not things.ndim:
        raise TypeError("len() of unsized object")
    if isinstance(things, Flat):
        raise TypeError("'numpy.flatiter' object is not reversible")
    inner = iteration_of(things)
    if inner is None and isinstance(things, SEQUENCES):
        known: Any = things
        last = len(known) - 1
        way = Iteration(
            (0, last + 1, 1), lambda place: known[last - place], last + 1, (known,), True, within(known, last)
        )
        return Backwards(way, type(reversed(plain(things))))
    if inner is None or isinstance(things, Stream):
        return Foreign(reversed(things))
    has = within(things, inner.length - 1) if isinstance(things, StagedList) else None
    start, _, step = inner.bounds
    if isinstance(step, int) and abs(step) == 1:
        bounds = (start + step * (inner.length - 1), start - step, -step)
        way = Iteration(bounds, inner.element, inner.length, (inner,), has=has)
    else:
        way = Iteration((inner.length - 1, -1, -1), inner.at, inner.length, (inner,), has=has)
    return Backwards(way, type(reversed(plain(things))))
