"""Tuples of numbers that may be read at a place that run time gives."""

from __future__ import annotations

from typing import Any, ClassVar

from .indexing import one_integer
from .lists import StagedList, is_run_time
from .union import Union


class IndexedTuple(tuple[Any, ...]):
    """A known tuple: as long as places are known, too, it is one like any other."""

    __slots__ = ()
    stands_for: ClassVar[type] = tuple

    def __getitem__(self, key: Any) -> Any:
        key = one_integer(key) if isinstance(key, Union) else key
        if isinstance(key, slice) or not is_run_time(key):
            return tuple.__getitem__(self, key)
        return StagedList(self).item(key, "tuple index out of range")


def indexed(things: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return a tuple that may be read at a place that run time gives, where its items are numbers, None, or tuples of such."""
    return IndexedTuple(things) if StagedList(things).row_of_numbers() is not None else things


def is_tuple(thing: Any) -> bool:
    """Whether a thing is a tuple, and of no class of its own."""
    return type(thing) in (tuple, IndexedTuple)


def as_key(thing: Any) -> Any:
    """Return a key of a dictionary as Python has it: tuples are of no other class, within it neither."""
    return tuple(map(as_key, thing)) if is_tuple(thing) else thing
