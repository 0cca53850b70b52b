"""Sets that were there before the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from transpile.runtime.arrays.handle import Foreign

from .path import Path

if TYPE_CHECKING:
    from .outside import Outside

# What a set may hold, and tuples in it, for its copy to be guarded: things that are told apart by what they equal, of which none equals one of another kind but numbers.
_ITEMS = (str, bytes, int, float, type(None), np.dtype)


class OutsideSet(Foreign):
    """Stands for a set of known things: what is in it, and how many, is guarded. The order of its items may differ from call to call."""

    stands_for = set

    def __init__(self, outside: Outside, path: Path, thing: set[Any]) -> None:
        self._outside, self._path = outside, path
        self._items = self.__members__ = frozenset(thing)
        outside.guard(path, "equals", set(thing))

    @staticmethod
    def can_be(thing: Any) -> bool:
        """Whether a thing is a set that it can stand for."""
        return type(thing) is set and all(map(_is_item, thing))

    def __contains__(self, item: Any) -> bool:
        return item in self._items

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return bool(self._items)

    def _refuse(self, *_: Any) -> NoReturn:
        self._outside.recorder.unstageable(
            "S201-argument", f"{self._path} is a set, of which more is asked than what is in it"
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(set, name):
            raise AttributeError(f"'set' object has no attribute '{name}'")
        self._refuse()

    def __stands_for__(self, other: object) -> bool:
        return self is other or self._refuse()

    __iter__ = __eq__ = __ne__ = __hash__ = __str__ = __repr__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __and__ = __or__ = __sub__ = __xor__ = _refuse
    __rand__ = __ror__ = __rsub__ = __rxor__ = __iand__ = __ior__ = __isub__ = __ixor__ = _refuse


def _is_item(thing: Any) -> bool:
    return type(thing) in _ITEMS or (type(thing) is tuple and all(map(_is_item, thing)))
