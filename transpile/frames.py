"""Functions whose frames matter: to themselves, to those who run them bit by bit, to debuggers."""

from __future__ import annotations

import itertools
import sys
import types
from collections.abc import Callable
from typing import Any

# What `inspect` and `dis` say of code takes longer to load than many a script runs: flags of functions that take other values by place and by keyword, and of
# those that are left and entered again.
VARARGS, VARKEYWORDS = 0x4, 0x8
SUSPENDED = 0x20 | 0x80 | 0x200

# Names of what looks at the frames of callers.
_LOOKS = frozenset(("_getframe", "_getframemodulename", "currentframe"))
_STACK = frozenset(("inspect", "stack"))
_COUNTS = frozenset(("stacklevel",))


def looks_at_frames(code: types.CodeType) -> bool:
    """Whether a function asks for frames, and so has to be called by those that call it."""
    names = frozenset(code.co_names)
    return not _LOOKS.isdisjoint(names) or names >= _STACK


def counts_references(code: types.CodeType) -> bool:
    """Whether a function does what depends on how many references there are to what it was handed, among which a caller of ours would have some."""
    if "getrefcount" in code.co_names:
        return True
    if "resize" not in code.co_names:
        return False
    import dis

    handed = code.co_argcount + code.co_kwonlyargcount
    variadic = code.co_flags & (VARARGS | VARKEYWORDS)
    names = frozenset(code.co_varnames[: handed + bool(variadic)])
    return any(
        after.argval == "resize" and (before.argval in names or (variadic and "SUBSCR" in before.opname))
        for before, after in itertools.pairwise(dis.get_instructions(code))
    )


def counts_frames(code: types.CodeType) -> bool:
    """Whether a function asks for frames, or counts them as warnings and logging do."""
    keywords = (name for constant in code.co_consts if isinstance(constant, tuple) for name in constant)
    return looks_at_frames(code) or not _COUNTS.isdisjoint({*code.co_names, *keywords})


# What tells, with anything but None, that the lines that run are followed: by a debugger, say, or by what measures coverage.
WATCHES: tuple[Callable[[], Any], ...] = (sys.gettrace,)

if sys.version_info >= (3, 12):
    # Asked in every call, so without a loop.
    _tool, _events = sys.monitoring.get_tool, sys.monitoring.get_events
    _DEBUGGER, _COVERAGE = sys.monitoring.DEBUGGER_ID, sys.monitoring.COVERAGE_ID
    _PROFILER, _LINE = sys.monitoring.PROFILER_ID, sys.monitoring.events.LINE

    def is_monitored() -> bool | None:
        """Whether a tool follows the lines that run; None where none does."""
        if _tool(_DEBUGGER) is not None or _tool(_COVERAGE) is not None:
            return True
        # Of profilers, some follow lines.
        return True if _tool(_PROFILER) is not None and _events(_PROFILER) & _LINE else None

    WATCHES += (is_monitored,)


def is_watched() -> bool:
    """Whether the lines that run are followed."""
    return any(watch() is not None for watch in WATCHES)
