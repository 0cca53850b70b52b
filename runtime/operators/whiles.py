"""`while` loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from transpile.runtime.errors import StagingError

from .branches import as_result
from .first_turns import UNSURE, MakesPlace, begins, then, tried
from .heap import Heap
from .liveness import rebinding
from .loops import traced_while


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


def staged_while(
    test: Callable[..., Any],
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Trace a loop on a run-time test, with its first turn before it where that has to be: see Note [First turns]."""
    roots = (test, body, initial)
    heap = Heap(roots)

    def rest(carried: tuple[Any, ...]) -> tuple[Any, ...]:
        return traced_while(test, body, carried, names, until, may_lack=True)

    def with_first_turn_apart() -> tuple[Any, ...]:
        if not begins(test(*initial)):
            return initial
        return then(rest, body(*initial), names, until, (test, body))

    try:
        return traced_while(test, body, initial, names, until)
    except MakesPlace:
        return with_first_turn_apart()
    except StagingError as error:
        if error.code != UNSURE:
            raise
        heap.restore()
        found = tried(with_first_turn_apart, roots)
        if found is None:
            raise
        return found
