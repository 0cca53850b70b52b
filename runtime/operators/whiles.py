"""`while` loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .branches import as_result
from .liveness import rebinding
from .loops import staged_while


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
