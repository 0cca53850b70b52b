"""The trace under way, as those ask who may never see one."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .recorder import Recorder

CURRENT: ContextVar[Recorder] = ContextVar("recorder")


def tracing() -> bool:
    """Whether a trace is under way."""
    return CURRENT.get(None) is not None
