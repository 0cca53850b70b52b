"""Functions that say how they were made, so that another process can make them again."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

Factory = TypeVar("Factory", bound="Callable[..., Callable[..., Any]]")


def recipe(factory: Factory) -> Factory:
    """Have what a function makes, a function of its own, remember of what."""

    @functools.wraps(factory)
    def make(*given: Any, **named: Any) -> Any:
        made = factory(*given, **named)
        made.made_of = functools.partial(make, *given, **named)  # type: ignore[attr-defined]
        return made

    return make  # type: ignore[return-value]


def made_of(function: Any) -> functools.partial[Any] | None:
    """Return the call that makes a function again, if it is known."""
    found = getattr(function, "made_of", None)
    return found if isinstance(found, functools.partial) else None
