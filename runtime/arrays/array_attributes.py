"""Attributes of objects in pools that are arrays: what is known of them, and whether each is still the one that was handed in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

from .array import SymbolicArray
from .recorder import recorder

if TYPE_CHECKING:
    from .object_pools import ObjectPool

# Note [Attributes that are arrays]
# The arrays that objects hold under one name are rows of an array, which are copies of what was stored. So what is read is a view of it, and what is
# written into that is written for all who know the object. That is what Python does as long as an array is known by way of its object alone. It is
# known otherwise where it was a view or known elsewhere when it was stored, where the array that was stored is used afterwards, where what was read
# leaves a region or is stored elsewhere, and where it is used after the rows have been replaced by others, as they are when an object comes to hold
# another array or one more object moves in. An attribute of which an array is known otherwise, and one is written in place, is left to plain Python.
# Arrays that were handed in are the caller's, who may know them: besides the rows there is a column that tells which objects have come to hold another
# array, and one of what theirs held when that was stored. Such an array leaves neither the function nor a loop or branch, where it would be a copy.


class Attribute:
    """What is known of the arrays that the objects of a pool hold under one name."""

    def __init__(self, pool: ObjectPool, name: str) -> None:
        self.pool, self._name = pool, name
        # Whether one of them may be known otherwise, and whether one is written in place.
        self.is_known = False
        # How often one is written, in the order in which the program is traced.
        self.writes = 0

    def note_known(self) -> None:
        """Note that one of them may be known otherwise."""
        self.is_known = True
        self._check()

    @property
    def is_written(self) -> bool:
        """Whether one of them is written in place."""
        return self.writes > 0

    def note_listed(self, things: Any) -> None:
        """Note that a list comes to hold a copy of one: a comprehension may be done with it before any is written."""
        lenders = getattr(things, "lenders", None)
        if lenders is None:
            self.note_known()
        else:
            lenders.append(self)

    def note_left(self, array: SymbolicArray) -> None:
        """Note that one of them leaves a region, by a copy."""
        if not array.chain:
            return
        if self.pool.is_handed:
            refuse(f"holds {self._name!r}, an array that was handed in and leaves a loop or branch")
        self.note_known()

    def used(self, array: SymbolicArray) -> None:
        """Note that one of them, or the memory of all of them, is read."""
        if array.chain and not self.pool.is_current(self._name, array.storage):
            self.note_known()

    def changed(self, array: SymbolicArray) -> None:
        """Note that one of them is written."""
        self.writes += 1
        self.used(array)
        self._check()

    def _check(self) -> None:
        if self.is_known and self.is_written:
            refuse(f"holds {self._name!r}, an array that is known otherwise, too, and written")


class Copied:
    """What is known of an array that was stored as an attribute: the object has a copy of it."""

    def __init__(self, attribute: Attribute) -> None:
        self.attribute = attribute

    def note_known(self, *_: Any) -> None:
        """Note that the array is known otherwise than by way of the object."""
        self.attribute.note_known()

    used = changed = note_left = note_listed = note_known


class Lent:
    """What is known of the arrays in a list that a comprehension has made of some that objects hold.

    They are not known by way of the list where that is made an array of before one of them is written, in the region that the list was made in.
    """

    def __init__(self, lenders: Iterable[Attribute]) -> None:
        self._lenders = [(lender, lender.writes) for lender in lenders]
        self._frame = recorder().frame
        self._is_taken = False

    def used(self, *_: Any) -> None:
        """Note that the list is read."""
        as_they_are = all(lender.writes == writes for lender, writes in self._lenders)
        if not (self._is_taken and as_they_are and recorder().frame is self._frame):
            self.note_known()

    def note_known(self, *_: Any) -> None:
        """Note that the arrays are known by way of the list."""
        for lender, _writes in self._lenders:
            lender.note_known()

    changed = note_left = note_listed = note_known

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Have the list be read of which an array is made."""
        self._is_taken = True
        yield
        self._is_taken = False


def is_new(name: str) -> str:
    """Return the name under which a pool keeps whether an object has come to hold another array than the one that was handed in."""
    return f"{name}, is new"


def as_it_was(name: str) -> str:
    """Return the name under which a pool keeps what the array held that was handed in, when another one was stored."""
    return f"{name}, as it was"


def refuse(why: str) -> NoReturn:
    """Leave the call to the original because of what an object holds, or is asked for."""
    recorder().unstageable("S163-items", f"an object in a list whose length run time gives {why}")
