"""Functions whose frames matter: to themselves, to those who run them bit by bit, to debuggers."""

from __future__ import annotations

import inspect
import sys
import types

# Functions that are left and entered again.
SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

# Names of what looks at the frames of callers.
_LOOKS = frozenset(("_getframe", "_getframemodulename", "currentframe"))
_STACK = frozenset(("inspect", "stack"))
_COUNTS = frozenset(("stacklevel",))


def looks_at_frames(code: types.CodeType) -> bool:
    """Whether a function asks for frames, and so has to be called by those that call it."""
    names = frozenset(code.co_names)
    return not _LOOKS.isdisjoint(names) or names >= _STACK


def counts_frames(code: types.CodeType) -> bool:
    """Whether a function asks for frames, or counts them as warnings and logging do."""
    keywords = (name for constant in code.co_consts if isinstance(constant, tuple) for name in constant)
    return looks_at_frames(code) or not _COUNTS.isdisjoint({*code.co_names, *keywords})


def is_watched() -> bool:
    """Whether a debugger, or what measures coverage, follows the lines that run."""
    return sys.gettrace() is not None


if sys.version_info >= (3, 12):
    _TOOLS = (sys.monitoring.DEBUGGER_ID, sys.monitoring.COVERAGE_ID)

    def is_watched() -> bool:
        """Whether a debugger, or what measures coverage, follows the lines that run."""
        tool = sys.monitoring.get_tool
        return sys.gettrace() is not None or any(tool(number) is not None for number in _TOOLS)
