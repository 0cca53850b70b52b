"""Instances of `types.SimpleNamespace` that the program makes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NoReturn

from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder


class Namespace:
    """Stands for a `SimpleNamespace` made during a trace, as Note [Stand-ins] has it."""

    __hash__ = None  # type: ignore[assignment]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return SimpleNamespace

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        _refuse("what it equals")

    def __repr__(self) -> str:
        _refuse("its text")


# The name is that of Python's errors.
Namespace.__name__ = "types.SimpleNamespace"


def _refuse(what: str) -> NoReturn:
    recorder().unstageable("S204-decides", f"a SimpleNamespace that the function makes decides {what}")


@implements(SimpleNamespace)
def namespace(*args: Any, **kwargs: Any) -> Any:
    """Stand for `types.SimpleNamespace`."""
    SimpleNamespace(*args)
    made = object.__new__(Namespace)
    vars(made).update(*args, **kwargs)
    recorder().made[id(made)] = made
    return made
