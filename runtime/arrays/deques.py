"""Stand-ins for `collections.deque`."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from .functions import FUNCTIONS, implements
from .lists import StagedList
from .recorder import recorder
from .scalar import SymbolicScalar


class StagedDeque:
    """A deque made by converted code: a list that loses items at its front, too.

    Its items are found through its attributes, as those of an instance of a class of the user's are.
    """

    stands_for = collections.deque
    is_staged = True

    def __init__(self, items: StagedList, most: int | None) -> None:
        recorder().made[id(self)] = self
        self.items = items
        self.most = most
        if most is not None:
            items.keep_last(most)

    @property
    def length(self) -> Any:
        """How many items there are: a number, or run time's."""
        return self.items.length

    @property
    def changes(self) -> int:
        """How many times it was changed, on whichever way."""
        return recorder().deque_changes[id(self)]

    def _changed(self) -> None:
        recorder().deque_changes[id(self)] += 1

    def append(self, item: Any) -> None:
        """Add an item at the end; where there are more than there may be, the first one goes."""
        self._changed()
        self.items.append(item)
        if self.most is not None:
            self.items.keep_last(self.most)

    def extend(self, items: Iterable[Any]) -> None:
        """Add items at the end; those that it has itself are taken all at once."""
        for item in list(self) if items is self else items:
            self.append(item)

    def pop(self) -> Any:
        """Take the last item out."""
        self._changed()
        return self.items.pop(-1, "pop from an empty deque")

    def popleft(self) -> Any:
        """Take the first item out."""
        self._changed()
        return self.items.pop(0, "pop from an empty deque")

    def clear(self) -> None:
        """Take all items out."""
        self._changed()
        self.items.clear()

    @property
    def maxlen(self) -> int | None:
        """How many items there may be."""
        return self.most

    def __getitem__(self, key: Any) -> Any:
        return self.items.item(key, "deque index out of range")

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __iadd__(self, items: Iterable[Any]) -> StagedDeque:
        self.extend(items)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._refuse(name)

    def _refuse(self, what: str) -> NoReturn:
        recorder().unstageable("S164-list", f"{what} of a deque", "use a list")


def _refused(name: str) -> Any:
    def method(self: StagedDeque, *args: Any) -> Any:
        self._refuse(name)

    return method


for _name in (
    "__setitem__", "__delitem__", "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__mul__", "__rmul__", "__imul__",
    "__contains__", "__reversed__", "__copy__", "__deepcopy__", "__hash__", "__str__", "__repr__", "__format__",
):  # fmt: skip
    setattr(StagedDeque, _name, _refused(_name))


@implements(collections.deque)
def deque(iterable: Any = (), maxlen: Any = None) -> StagedDeque:
    """Stand for `collections.deque`."""
    if (
        maxlen is not None
        and not isinstance(maxlen, int)
        and not (isinstance(maxlen, SymbolicScalar) and maxlen.weak)
    ):
        raise TypeError("an integer is required")
    most = None if maxlen is None else int(maxlen.__index__())
    if most is not None and most < 0:
        raise ValueError("maxlen must be non-negative")
    return StagedDeque(FUNCTIONS[list](iterable), most)
