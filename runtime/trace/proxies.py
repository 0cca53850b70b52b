"""What stands, while tracing, for objects, modules and globals that were there before the call."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.presence import present

from .descriptors import HeldAttributes, given_by_code
from .path import Path

if TYPE_CHECKING:
    from .outside import Outside


# What the tracer asks of what stands for an object.
_OWN = frozenset(
    ("__class__", "__dict__", "__can_choose__", "__known__", "__members__", "__stands_for__", "__stored__")
)


def held_by(proxy: OutsideObject) -> tuple[Outside, Path, Any]:
    """Return what an object that stands for another one holds: the trace's view of what is outside, the path, and the other one."""
    held: tuple[Outside, Path, Any] = object.__getattribute__(proxy, "_outside")
    return held


class OutsideObject(Foreign):
    """Stands for an object that was there before the call: what is read of it is guarded and fed."""

    __can_choose__ = True

    def __init__(self, outside: Outside, path: Path, thing: Any) -> None:
        object.__setattr__(self, "_outside", (outside, path, thing))

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(held_by(self)[2])

    @property
    def __known__(self) -> Any:
        thing = held_by(self)[2]
        return thing if isinstance(thing, types.ModuleType) else None

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        """What the object holds, to be looked at: nothing can be put into it here."""
        return HeldAttributes(self, *held_by(self))

    def __getattribute__(self, name: str) -> Any:
        # It has nothing else of its own that the program could ask for.
        if name in _OWN:
            return object.__getattribute__(self, name)
        outside, path, thing = held_by(self)
        given = given_by_code(self, outside, path, thing, name)
        return given[0] if given else outside.attribute(self, path, thing, name)

    def __setattr__(self, name: str, value: Any) -> None:
        outside, path, thing = held_by(self)
        outside.store_attribute(self, path, thing, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        outside, path, _ = held_by(self)
        outside.recorder.unstageable(
            "S200-store", f"{path}.{name}, which was there before the call, is deleted"
        )

    def __stands_for__(self, other: object) -> bool:
        outside, path, thing = held_by(self)
        if isinstance(other, Foreign) or type(other) is not type(thing):
            return False
        # Either way it must be the same object on the next call.
        outside.guard(path, "is", thing)
        return thing is other

    def __stored__(self, name: str) -> Any:
        """Return what the trace has stored under a name; None where it has stored nothing."""
        outside, _, thing = held_by(self)
        return outside.stored(thing, name)

    def __bool__(self) -> bool:
        if any(hasattr(type(held_by(self)[2]), name) for name in ("__bool__", "__len__")):
            _decides(self, "whether it is true")
        return True

    def __eq__(self, other: object) -> bool:
        kind: Any = type(held_by(self)[2])
        if kind.__eq__ is not object.__eq__:
            _decides(self, "what it equals")
        return True if self is other or self.__stands_for__(other) else NotImplemented

    def __ne__(self, other: object) -> bool:
        kind: Any = type(held_by(self)[2])
        if kind.__ne__ is not object.__ne__:
            _decides(self, "what it does not equal")
        equal = type(self).__eq__(self, other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        return hash(_decides(self, "its hash"))

    def __str__(self) -> str:
        return str(_decides(self, "its text"))

    __repr__ = __str__

    def __format__(self, specification: str) -> str:
        _decides(self, "its text")

    def __dir__(self) -> Any:
        _decides(self, "which attributes it has")


def _decides(proxy: OutsideObject, what: str) -> NoReturn:
    """Refuse what an object from outside itself decides."""
    outside, path, _ = held_by(proxy)
    outside.recorder.unstageable("S204-decides", f"{path}, an object from outside, decides {what}")


OWN_NAMES = frozenset(("__builtins__", "__name__", "__package__", "__spec__", "__path__"))


class OutsideGlobals(dict[str, Any]):
    """The globals of a traced function: what is read is guarded and fed."""

    def __init__(self, outside: Outside, namespace: dict[str, Any]) -> None:
        super().__init__()
        self._outside = outside
        self.namespace = namespace
        # What Python itself looks up there, to find builtins and to import.
        dict.__setitem__(self, "__builtins__", namespace.get("__builtins__", __builtins__))
        for name in OWN_NAMES & namespace.keys():
            dict.__setitem__(self, name, namespace[name])
        dict.__setitem__(self, "__name__", namespace.get("__name__", ""))

    def __getitem__(self, name: str) -> Any:
        if dict.__contains__(self, name):
            return present(dict.__getitem__(self, name))
        return self._outside.global_(self.namespace, name)


class Before:
    """Gives what a place held before the call; `read` tells whether the trace depends on it already."""

    def __init__(self, give: Callable[[], Any], is_read: Callable[[], bool]) -> None:
        self._give = give
        self._is_read = is_read

    @property
    def read(self) -> bool:
        """Whether the trace depends on it."""
        return self._is_read()

    def __call__(self) -> Any:
        return self._give()
