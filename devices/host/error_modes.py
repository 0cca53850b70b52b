"""NumPy's floating-point error modes: ops compute in modes of their own, what they call of Python's in those of who calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

_CALLERS: ContextVar[dict[str, Any]] = ContextVar("the modes of who calls")


@contextmanager
def computing(modes: Mapping[str, Any]) -> Iterator[None]:
    """Set the modes of ops, and afterwards those of who calls, as `as_caller` has left them."""
    before: dict[str, Any] = {**np.geterr()}
    token = _CALLERS.set(before)
    try:
        with np.errstate(**modes):
            yield
    finally:
        after = _CALLERS.get()
        _CALLERS.reset(token)
        if after != before:
            np.seterr(**after)


@contextmanager
def as_caller() -> Iterator[None]:
    """Set the modes of who calls, and afterwards those of ops."""
    inside = np.geterr()
    np.seterr(**_CALLERS.get())
    try:
        yield
    finally:
        _CALLERS.set({**np.geterr()})
        np.seterr(**inside)
