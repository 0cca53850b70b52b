"""Warnings and log records that were shown, and are not shown again."""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

# Note [Told once]
# What is shown of a warning or a log record is decided by filters, levels and registries, and then handed to one function: `warnings._showwarnmsg`, or the
# method `callHandlers` of its logger. In their place stands one of ours, from the first call on that may have to be run anew. It asks what is under way on
# its thread, the innermost first: a call that notes what it has shown, or one that is run anew, by which the same is not shown a second time. A registry may
# keep it from being shown again before that: what is missing is passed over.

# What tells one thing that is shown from others.
Key = tuple[Any, ...]

_lock = threading.RLock()
_under_way: dict[int, list[Callable[[Key], bool]]] = {}


def _of_warning(message: Any) -> Key:
    return message.category, str(message.message), message.filename, message.lineno


def _of_record(logger: Any, record: Any) -> Key:
    return logger, record.levelno, record.getMessage(), record.pathname, record.lineno


_PLACES: tuple[tuple[Any, str, Callable[..., Key]], ...] = (
    (warnings, "_showwarnmsg", _of_warning),
    (logging.Logger, "callHandlers", _of_record),
)


def is_told(kind: type) -> bool:
    """Whether what loggers of a class show can be kept from being shown again."""
    return getattr(kind, "callHandlers", None) is logging.Logger.callHandlers


def _stand_in(owner: Any, name: str, key: Callable[..., Key]) -> None:
    """Put what asks before it shows something in the place of what shows it, where that is not done yet."""
    show = getattr(owner, name)
    if getattr(show, "asks", False):
        return

    def ask(*given: Any) -> Any:
        waiting = _under_way.get(threading.get_ident())
        if waiting:
            told = key(*given)
            if any(takes(told) for takes in reversed(waiting)):
                return None
        return show(*given)

    ask.asks = True  # type: ignore[attr-defined]
    setattr(owner, name, ask)


@contextmanager
def _asked(takes: Callable[[Key], bool]) -> Iterator[None]:
    """Ask whether to keep back what is shown on this thread."""
    thread = threading.get_ident()
    with _lock:
        for place in _PLACES:
            _stand_in(*place)
        _under_way.setdefault(thread, []).append(takes)
    try:
        yield
    finally:
        with _lock:
            _under_way[thread].remove(takes)
            if not _under_way[thread]:
                del _under_way[thread]


@contextmanager
def noting(shown: list[Key]) -> Iterator[None]:
    """Note what is shown on this thread."""

    def note(key: Key) -> bool:
        shown.append(key)
        return False

    with _asked(note):
        yield


@contextmanager
def passing_over(shown: Sequence[Key]) -> Iterator[None]:
    """Keep back, on this thread, what was shown before, where it comes again in that order."""
    left = [*shown]

    def take(key: Key) -> bool:
        if key not in left:
            return False
        del left[: left.index(key) + 1]
        return True

    if not left:
        yield
        return
    with _asked(take):
        yield
