"""Nothing warns of what the program has not asked for: of its text, say, of which Python has warned when it was imported."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_NOTHING: list[Any] = [("ignore", None, Warning, None, 0)]


@contextmanager
def no_warnings() -> Iterator[None]:
    """Have nothing warn within a `with` statement.

    `warnings.catch_warnings` would have Python forget which warnings it has shown, and show them once more.
    """
    before = warnings.filters
    warnings.filters = _NOTHING  # type: ignore[assignment]
    try:
        yield
    finally:
        warnings.filters = before
