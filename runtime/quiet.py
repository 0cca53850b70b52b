"""Nothing warns of what the program has not asked for: of its text, say, of which Python has warned when it was imported.

`warnings.catch_warnings` would have Python forget which warnings it has shown, and show them once more.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

_NOTHING: list[Any] = [("ignore", None, Warning, None, 0)]
_ALL: list[Any] = [("always", None, Warning, None, 0)]


# Threads that trace or compile at the same time would give back what another one of them holds.
_lock = RLock()


@contextmanager
def no_warnings() -> Iterator[None]:
    """Have nothing warn within a `with` statement."""
    with _holding(filters=_NOTHING):
        yield


@contextmanager
def noted_warnings() -> Iterator[list[type[Warning]]]:
    """Give a list of the kinds of warnings within a `with` statement, which are not shown."""
    kinds: list[type[Warning]] = []
    original = warnings.warn

    def warn(message: Any, category: Any = None, stacklevel: int = 1, *rest: Any, **options: Any) -> None:
        # What was shown at the same place is not asked for its filter; filters that the code sets itself are.
        if warnings.filters is _ALL:
            kinds.append(type(message) if isinstance(message, Warning) else category or UserWarning)
        else:
            original(message, category, stacklevel + 1, *rest, **options)

    with _holding(filters=_ALL, warn=warn, _showwarnmsg=lambda shown: kinds.append(shown.category)):
        yield kinds


@contextmanager
def _holding(**named: Any) -> Iterator[None]:
    """Have the module `warnings` hold other things under some names."""
    with _lock:
        before = {name: getattr(warnings, name) for name in named}
        vars(warnings).update(named)
        try:
            yield
        finally:
            vars(warnings).update(before)
