"""What NumPy makes of an array when it is asked for an attribute of it: its flags, its memory, its address, its elements one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .array import SymbolicArray
from .recorder import recorder
from .references import Holder


class Aspect(Holder):
    """An object that tells of an array as it was when it was asked for, and leaves the function as that attribute of it.

    `is_array` is False of a NumPy scalar, of which an array is made for it.
    """

    # The attribute.
    asked = ""
    shows = True

    def __init__(self, array: SymbolicArray, is_array: bool = True) -> None:
        self.array = array
        self.is_array = is_array
        # What of it may change: to be asked in its place.
        self.before = SymbolicArray(array.storage, array.chain, array.parts)
        self.before.readonly = array.readonly

    def held(self) -> Iterator[Any]:
        """Yield what it holds."""
        yield self.array

    @property
    def is_current(self) -> bool:
        """Whether the array has the shape, and can be written, as when it was asked."""
        return self.before.shows_same(self.array) and self.before.readonly == self.array.readonly

    def of(self) -> SymbolicArray:
        """Return the array whose attribute it is, to leave the function with it."""
        if not self.is_array or not self.is_current:
            recorder().unstageable(
                "S210-result", f"the {self.asked} of a number, or of an array that was changed since, leave"
            )
        return self.array
