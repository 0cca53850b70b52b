"""The turns of a loop, run now one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.graph.dim import DimLike

from .branches import always, as_result, as_tuple, branch
from .heavy_turns import FirstTurn, can_be_staged, rest_staged
from .lengths import within
from .whiles import staged_while

# How many turns of one loop are traced one by one, in which little need be recorded, and how often it is looked how long that takes.
_MOST, _LOOKED_AT = 100_000, 1000


def unrolled(
    iterable: Any,
    body: Callable[..., Any],
    carried: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Trace a body once for each item."""
    flag = names.index(until) if until else None
    items = iter(iterable)
    taken = 0
    first = FirstTurn() if can_be_staged(iterable) else None
    while True:
        if isinstance(iterable, StagedList) and iterable.is_staged:
            # It has grown: Python goes on with the items that it has by now.
            return while_there_are(within(iterable), iterable.at, taken, body, carried, names, until)
        if taken == 1 and first is not None and first.is_heavy(len(iterable) - 1):
            rest = rest_staged(iterable, body, carried, names, until)
            if rest is not None:
                return rest
        taken += 1
        if not taken % _LOOKED_AT:
            recorder().check_time()
            if taken > _MOST:
                recorder().unstageable(
                    "S132-too-long", f"more than {_MOST} turns of a loop are traced one by one"
                )
        over = truth(carried[flag]) if flag is not None else False
        if over is True:
            return carried
        if over is not False:
            if isinstance(iterable, Counted):
                iterable.is_exact = False
            elif items is iterable:
                # To take an item may be an effect, and it is another item next time.
                recorder().unstageable(
                    "S168-iterator", "run-time values decide how much is taken out of an iterator"
                )
        try:
            item = next(items)
        except StopIteration:
            return carried
        if over is False:
            carried = as_tuple(body(item, *carried), names)
        else:
            runs = [always(carried), _turn(body, item, carried, names)]
            carried = branch(over, runs, names, (body, carried, item))


def _turn(
    body: Callable[..., Any], item: Any, carried: tuple[Any, ...], names: tuple[str, ...]
) -> Callable[[], tuple[Any, ...]]:
    return lambda: as_tuple(body(item, *carried), names)


def while_there_are(
    goes_on: Callable[[Any], Any],
    element: Callable[[DimLike], Any],
    first: int,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Run a loop over lists that grow or shrink in it, from a place on: it ends where they do by then."""

    def turn(place: Any, *carried: Any) -> Any:
        return as_result((place + 1, *as_tuple(body(element(as_dim(place)), *carried), names)))

    return staged_while(
        lambda place, *carried: goes_on(place), turn, (first, *initial), ("a place", *names), until
    )[1:]


class Counted:
    """Counts what a loop takes; the count is `is_exact` unless the loop went on without knowing whether it was over."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = items
        self.taken = 0
        self.is_over = False
        self.is_exact = True

    def __iter__(self) -> Iterator[Any]:
        for item in self.items:
            self.taken += 1
            yield item
        self.is_over = True
