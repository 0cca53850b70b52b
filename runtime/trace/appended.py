"""Lists from outside that a function appends to, and does not look into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from transpile.runtime.arrays.functions import Method
from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.lists import StagedList

from .path import Path

if TYPE_CHECKING:
    from .outside import Outside

# Where a list ends, however long it is.
END = slice(2**62, None)


class Appends(BaseException):
    """A list from outside grew while it was traced: if nothing else is done with it, a trace need not depend on its length."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class LooksInto(BaseException):
    """A list from outside grew, and was looked into: one that was empty can be told by what is appended."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.path = path


class Appended(Foreign):
    """Stands for a list from outside of which nothing is known but what is appended, and perhaps that it was empty."""

    stands_for = list

    def __init__(self, outside: Outside, path: Path, empty: bool) -> None:
        self.outside = outside
        self.path = path
        self.empty = empty
        # What is appended: a list of the trace's own, which may grow in loops.
        self.items = StagedList()
        outside.recorder.arrived.append((self.items, {}))

    def __getattr__(self, name: str) -> Any:
        if name in ("append", "extend"):
            return Method(self, name, _append if name == "append" else _extend)
        if name.startswith("__"):
            raise AttributeError(name)
        return self._looked_into()

    def _looked_into(self, *_: Any) -> NoReturn:
        if self.empty:
            raise LooksInto(self.path)
        # One of numbers may do, staged.
        self.outside.stand_ins.lists.left = True
        self.outside.recorder.unstageable(
            "S202-container", f"{self.path}, a list from outside the function, grows and is looked into"
        )

    __len__ = __iter__ = __getitem__ = __setitem__ = __delitem__ = __contains__ = __bool__ = _looked_into
    __eq__ = __ne__ = __lt__ = __add__ = __radd__ = __mul__ = __str__ = __repr__ = _looked_into
    __hash__ = None  # type: ignore[assignment]

    def __stands_for__(self, other: object) -> bool:
        return self._looked_into() if isinstance(other, (list, Foreign)) else False

    def __iadd__(self, items: Any) -> Appended:  # type: ignore[misc]
        self.items.extend(items)
        return self


def _append(things: Appended, item: Any) -> None:
    things.items.append(item)


def _extend(things: Appended, items: Any) -> None:
    things.items.extend(items)
