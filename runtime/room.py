"""Room on Python's own stack."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

# Note [Room on the stack]
# CPython keeps the frames of Python's functions in pieces of 16 KiB. A call for which the last piece has no room gets a new one from the system, which goes back when it returns: a function
# that happens to be called at the end of a piece takes several microseconds longer each time. Tracing calls many small functions a hundred deep, and lost up to a fifth of its time so,
# more or less as the frames of its callers were large. A frame that is larger than a piece gets one of its own, of twice the size if need be, and leaves the rest of it to all that it calls.

# The words of a frame for which a piece of 256 KiB is made, half of which it leaves; none of its own are touched.
_WORDS = 16_500

P = ParamSpec("P")
R = TypeVar("R")


def with_room(function: Callable[P, R]) -> Callable[P, R]:
    """Have a function be called with room on the stack for what it calls."""

    def called(*args: P.args, **kwargs: P.kwargs) -> R:
        return function(*args, **kwargs)

    called.__code__ = called.__code__.replace(co_stacksize=_WORDS)
    return functools.wraps(function)(called)
