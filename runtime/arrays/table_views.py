"""What `keys`, `values` and `items` of a dictionary give whose keys run time gives, and how a loop runs over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from transpile.runtime.graph.dim import DimLike

from .array import dim_scalar
from .functions import FUNCTIONS
from .indexing import as_dim
from .lists import StagedList
from .numbers import lift
from .operand import Operand
from .recorder import recorder
from .searches import holds
from .truth import truth

if TYPE_CHECKING:
    from .hash_tables import HashedDict


class TableView:
    """The keys of a dictionary, what they lead to, or both."""

    is_staged = True
    stands_for: ClassVar[Any]
    name: ClassVar[str]

    def __init__(self, table: HashedDict) -> None:
        recorder().made[id(self)] = self
        self.table = table

    @property
    def length(self) -> Any:
        """How many items there are."""
        return self.table.length

    def at(self, place: DimLike) -> Any:
        """Return the item at a place that is in range, of a table without gaps."""
        table = self.table
        if self.name == "keys":
            return _at(table.entries, place)
        value = _at(table.held, place)
        return value if self.name == "values" else (_at(table.entries, place), value)

    def steps(self) -> tuple[DimLike, Callable[[DimLike], Any], Callable[[Any], None]]:
        """Return how many places there are, what gives the item at each, and what leaves the call to the original where the keys are others by now.

        The latter is told whether the loop was left before its end, after which Python does not look.
        """
        table = self.table
        table.close_gaps()
        size = as_dim(table.entries.length)

        def check(over: Any) -> None:
            if as_dim(table.entries.length) == size and type(table.dead) is int and not table.dead:
                return
            changed = (table.entries.length != dim_scalar(size)) | (table.dead != 0)
            changed = truth(changed) & Operand.operate("logical_not", truth(over))
            recorder().deoptimise_if(lift(changed), "a dictionary changes its size as it is run through")

        def element(place: DimLike) -> Any:
            check(False)
            return self.at(place)

        return size, element, check

    def lists(self) -> list[StagedList]:
        """Return the lists that are run through."""
        return [self.table.entries, self.table.held]

    def holds(self, item: Any) -> Any:
        """Return whether an item is one of them."""
        if self.name == "keys":
            return self.table.holds(item)
        if self.name == "items":
            self.table.refuse("a search for an item")
        self.table.close_gaps()
        return (
            truth(FUNCTIONS[np.any](holds(self.table.held, item)))
            if self.table.held.row is not None
            else False
        )

    def __iter__(self) -> Iterator[Any]:
        self.table.close_gaps()
        return map(self.at, range(len(self.table)))

    def __len__(self) -> int:
        return len(self.table)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self.table.refuse(name)


def _at(things: StagedList, place: DimLike) -> Any:
    """Return the item at a place that is in range, of a list that may be known item by item."""
    return things.at(place) if things.is_staged else things.item(dim_scalar(place))


class KeysView(TableView):
    """The keys."""

    stands_for: ClassVar[Any] = type({}.keys())
    name = "keys"


class ValuesView(TableView):
    """What the keys lead to."""

    stands_for: ClassVar[Any] = type({}.values())
    name = "values"


class ItemsView(TableView):
    """The keys, with what they lead to."""

    stands_for: ClassVar[Any] = type({}.items())
    name = "items"
