"""Tuples whose length run time gives: `tuple(things)` of a list that grew."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from .lists import StagedList
from .recorder import recorder


class StagedTuple:
    """A tuple made by converted code of a list whose length run time gives: read as that is, returned as a tuple.

    Its items are found through its attributes, as those of an instance of a class of the user's are. Whatever else is asked of it
    needs its items one by one.
    """

    stands_for = tuple
    is_staged = True

    def __init__(self, items: StagedList) -> None:
        recorder().made[id(self)] = self
        self.items = items

    @property
    def length(self) -> Any:
        """How many items there are."""
        return self.items.length

    def known(self) -> tuple[Any, ...]:
        """Return the tuple, where its length is known; NeedsValue where it is not."""
        return tuple(self.items)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return tuple_of_list(self.items[key])
        return self.items.item(key, "tuple index out of range")

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.known(), name)

    def __radd__(self, other: Any) -> Any:
        return other + self.known()

    def __hash__(self) -> int:
        return hash(self.known())


def _asked(method: Callable[..., Any]) -> Any:
    def ask(self: StagedTuple, *others: Any) -> Any:
        known = (other.known() if isinstance(other, StagedTuple) else other for other in others)
        return method(self.known(), *known)

    return ask


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "mul", "contains"):
    setattr(StagedTuple, f"__{_name}__", _asked(getattr(operator, _name)))
for _built in (repr, str, format, reversed):
    setattr(StagedTuple, f"__{_built.__name__}__", _asked(_built))


def tuple_of_list(things: StagedList) -> Any:
    """Return the tuple of the items of a list that nothing else holds."""
    return StagedTuple(things) if things.is_staged else tuple(things)
