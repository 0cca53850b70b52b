"""Which storages the program can still reach through names other than those about to be bound anew."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from transpile.runtime.arrays.cells import Storage
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import references, storages_in

from .heap import reachable
from .pending import held, is_pending, noted
from .program import is_converted, is_result, nearest_converted

_rebound: ContextVar[tuple[tuple[types.FrameType, frozenset[str]], ...]] = ContextVar("rebound", default=())


@contextmanager
def rebinding(names: Sequence[str]) -> Iterator[None]:
    """Note that the names in the program's present frame are bound anew when the construct under way ends.

    What they hold until then is out of reach: the construct's functions take it as arguments of their own.
    """
    frame = nearest_converted(sys._getframe(1))
    token = _rebound.set((*_rebound.get(), *(((frame, frozenset(names)),) if frame else ())))
    try:
        yield
    finally:
        _rebound.reset(token)


def live_roots(passing: bool = False) -> list[Any]:
    """Return what the names of the functions being traced hold, but those about to be bound anew.

    Where control is `passing`, it has not come to a `return`: what is kept for one is not there yet.
    """
    rebound: dict[types.FrameType, set[str]] = {}
    for rebinding_frame, names in _rebound.get():
        rebound.setdefault(rebinding_frame, set()).update(names)
    roots: list[Any] = [*recorder().generators]
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        if is_converted(frame.f_code):
            gone = rebound.get(frame, set())
            roots.extend(
                thing
                for name, thing in frame.f_locals.items()
                if name not in gone and not (passing and is_result(frame.f_code, name))
            )
        frame = frame.f_back
    roots.extend(held())
    roots.extend(noted())
    # Those who called may look into what they handed in.
    roots.extend(thing for thing, _ in recorder().arrived)
    if recorder().elsewhere is not None:
        roots.extend(recorder().elsewhere.contents().values())
    return roots


def is_live(*storages: Storage, passing: bool = False, but: Any = None) -> bool:
    """Whether some name of a function being traced still leads to one of the storages, other than to the array `but` itself, or an expression under way may need one."""
    if but is None and is_pending(storages):
        return True
    roots = live_roots(passing)
    held = [*roots, *(thing for holder in reachable(roots) for thing in references(holder))]
    return any(not storages_in(thing).isdisjoint(storages) for thing in held if thing is not but)


Operand.is_live = staticmethod(is_live)
