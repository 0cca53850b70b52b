"""What loops run over that gets longer or shorter meanwhile: lists, whose iterators look at each turn, and deques, whose iterators raise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from transpile.runtime.arrays.array import dim_scalar
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.graph.dim import DimLike

if TYPE_CHECKING:
    from .traversal import Iteration


def within(things: Any, last: DimLike | None = None) -> Callable[[Any], Any]:
    """Return what tells whether a list has an item at a place by now; with `last`, at one counted back from it."""

    def has(place: Any) -> Any:
        staged = isinstance(things, StagedList) and things.is_staged
        size = things.length if staged else len(things)
        if last is None:
            return place < size
        back = dim_scalar(last) - place
        return (back >= 0) & (back < size)

    return has


class Places:
    """The places of an iteration over known things, as long as there is something at them."""

    def __init__(self, iteration: Iteration) -> None:
        self.iteration = iteration

    def __iter__(self) -> Iterator[int]:
        lists = list(self.iteration.lists())
        sizes = list(map(_size, lists))
        place = 0
        while True:
            changed = any(_size(things) != size for things, size in zip(lists, sizes, strict=True))
            within_length = dim_scalar(self.iteration.length) > place
            goes_on = truth(self.iteration.goes_on(place)) if changed else within_length
            if not isinstance(goes_on, bool):
                recorder().unstageable("S165-grows", "a list grows or shrinks while a loop runs over it")
            if not goes_on:
                return
            yield place
            place += 1


def _size(things: list[Any]) -> int | None:
    """Return how many items a list has; None where only run time knows."""
    return None if isinstance(things, StagedList) and things.is_staged else len(things)


def refuse_changed(things: StagedDeque, before: int) -> None:
    """Refuse a deque that has changed while something runs over it: Python raises at the next item."""
    if things.changes != before:
        recorder().unstageable("S165-grows", "a deque changes while a loop runs over it")
