"""Objects of Python's own that a trace holds without looking into them."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NoReturn

from transpile.runtime.graph.ir import Value

from .functions import Method
from .recorder import recorder

# What stands for the methods of objects of a class, by name.
OBJECT_METHODS: dict[type, dict[str, Callable[..., Any]]] = {}


class SymbolicObject:
    """An object that run time gives: `value` is its handle, see Note [Handles]; `kind` is its class."""

    __slots__ = ("kind", "value")

    def __init__(self, value: Value, kind: type) -> None:
        self.value = value
        self.kind = kind

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return self.kind

    def _shown(self, *_: Any) -> NoReturn:
        recorder().unstageable("S205-object", f"the text of an object of type {self.kind.__name__}")

    __str__ = __repr__ = __format__ = _shown

    def __eq__(self, other: object) -> bool:
        decides: Any = self.kind.__eq__
        if decides is not object.__eq__ and self is not other:
            recorder().unstageable("S205-object", f"what equals an object of type {self.kind.__name__}")
        return self is other

    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        for class_ in self.kind.__mro__:
            method = OBJECT_METHODS.get(class_, {}).get(name)
            if method is not None:
                return Method(self, name, method)
        if not hasattr(self.kind, name):
            recorder().unstageable(
                "S205-object", f"an attribute {name} of an object of type {self.kind.__name__}"
            )
        return recorder().unstageable("S170-method", f"{self.kind.__name__}.{name} is not staged")


class Foreign:
    """Stands, while tracing, for an object that was there before the call. It must not get out."""

    # Whether several may be told apart at run time: what one of them stands for is found again on the next call.
    __can_choose__ = False
    # The thing itself, where that is the same on every call.
    __known__: Any = None
    # What is in it, if that is known.
    __members__: frozenset[Any] | None = None

    def __stands_for__(self, other: object) -> bool:
        """Whether it stands for that very thing, which the trace has met as it is."""
        raise NotImplementedError


def is_object(thing: Any) -> bool:
    """Whether a thing is of a class whose objects are held without being looked into, with the methods that are known of it."""
    for class_ in type(thing).__mro__:
        if class_ in OBJECT_METHODS:
            return True
        if any(
            isinstance(member, FunctionType) and not name.startswith("_")
            for name, member in vars(class_).items()
        ):
            return False
    return False
