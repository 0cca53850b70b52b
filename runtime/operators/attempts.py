"""`try` while tracing: the body is traced as if nothing could fail in it, and handlers see what fails with certainty."""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import attribute
from transpile.runtime.arrays.handle import Foreign, SymbolicObject
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.tuples import IndexedTuple
from transpile.runtime.errors import TranspileError

from .attributes import lacking
from .call import known
from .program import is_converted, loses_names

# Note [Attempts]
# A `try` stays a `try` in converted code. What its body records is marked as handled: where it fails at run time, the original runs the call, and raises
# and handles as Python does. So the graph holds the way on which nothing fails. An exception that is raised while the body is traced is handled then and
# there, if it is certain: Python would raise the same on every run that the trace serves, with no test on run-time values between the `try` and the place.

_OWN = "transpile."
# Rooms whose explicit `raise` stands for one of Python's or NumPy's own.
_FAITHFUL = ("transpile.runtime.arrays.", "transpile.runtime.composites.", "transpile.runtime.operators.")

_ASK = (attribute.__code__, IndexedTuple.__getitem__.__code__)


class Attempt:
    """A `try` statement being traced: a context manager around what it tries."""

    def __init__(self) -> None:
        # What is being handled around the statement: in a `finally`, it tells a normal end from a failure.
        self.around = sys.exception()

    def __enter__(self) -> None:
        record = recorder()
        self.frame = record.frame
        record.attempts.append(self.frame)

    def __exit__(self, *_: object) -> None:
        # Not always the last: the statement may be a generator's.
        attempts = recorder().attempts
        del attempts[max(place for place, frame in enumerate(attempts) if frame is self.frame)]

    def catches(self, classes: Any = BaseException, *, late: Callable[[], Any] | None = None) -> Any:
        """Return the classes of an `except` clause, which `late` computes, or none of them where the exception under way is the tracer's own."""
        error = sys.exception()
        if not isinstance(error, Exception) or isinstance(error, TranspileError):
            return ()
        if late is not None:
            classes = late()
        if isinstance(error, classes) and not is_certain(error):
            refuse_uncertain(error)
        return classes

    def ends(self, *, replaces: bool = False) -> bool:
        """Whether a `finally` clause runs: where the tracer itself leaves, it does not; `replaces` says that it may swallow an exception."""
        error = sys.exception()
        if error is None or error is self.around:
            return True
        if not isinstance(error, Exception) or isinstance(error, TranspileError):
            return False
        if replaces:
            refuse_uncertain(error)
        return is_certain(error)


def attempt() -> Attempt:
    """Stand for the beginning of a `try` statement."""
    return Attempt()


def refuse_uncertain(error: BaseException) -> None:
    """Give up staging at an exception that plain Python has to handle."""
    recorder().unstageable(
        "S240-handled", f"{type(error).__name__} is raised, and handled, while tracing: {error}"
    )


def is_certain(error: BaseException) -> bool:
    """Whether Python raises an exception, that was raised while tracing, on every run that the trace serves."""
    record = recorder()
    if any(error is other for other in (*record.halfway, *record.reworded)) or loses_names(
        error.__traceback__
    ):
        return False
    if any(error is other for other in record.raised):
        return True
    traceback = error.__traceback__
    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    frame, place = traceback.tb_frame, traceback.tb_lasti
    if is_converted(frame.f_code):
        # Whether a name or attribute exists is not guarded; and Python itself may speak of what stands for the user's thing.
        return not isinstance(error, (NameError, AttributeError)) and not _names_stand_in(error)
    module = str(frame.f_globals.get("__name__", ""))
    if not module.startswith(_OWN) or frame.f_code is known.__code__:
        return _calls_known(error) and not _names_stand_in(error)
    if isinstance(error, AttributeError):
        return frame.f_code in (attribute.__code__, lacking.__code__)
    return (
        module.startswith(_FAITHFUL)
        and not isinstance(error, (NameError, AssertionError, SystemError, NotImplementedError))
        and _raises(frame.f_code, place)
    )


def is_of_program(error: BaseException) -> bool:
    """Whether an error that was raised while tracing is what Python or NumPy says of what the program asks for: perhaps where no run gets."""
    traceback = error.__traceback__
    if traceback is None:
        return False
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    frame = traceback.tb_frame
    if (
        _calls_known(error)
        or is_converted(frame.f_code)
        or ("unsupported operand" in str(error) and not _names_stand_in(error))
    ):
        return True
    module = str(frame.f_globals.get("__name__", ""))
    return module.startswith(_FAITHFUL) and _raises(frame.f_code, traceback.tb_lasti)


def _calls_known(error: BaseException) -> bool:
    """Whether the innermost frame of the tracer is that of the call of a pure function on things that are known themselves."""
    traceback = error.__traceback__
    own: types.FrameType | None = None
    while traceback is not None:
        if str(traceback.tb_frame.f_globals.get("__name__", "")).startswith(_OWN):
            own = traceback.tb_frame
        traceback = traceback.tb_next
    if own is None or own.f_code is not known.__code__:
        return False
    # What stands for an object has not all that it has.
    handed = (*own.f_locals["args"], *own.f_locals["kwargs"].values())
    return not any(isinstance(thing, Foreign) or type(thing) is SymbolicObject for thing in handed)


def _raises(code: types.CodeType, place: int) -> bool:
    """Whether an instruction is a `raise` statement's, or asks Python itself for what the program asks for."""
    return code in _ASK or dis.opname[code.co_code[place]] == "RAISE_VARARGS"


# What is in Python's message where it speaks of what stands for the user's thing, or of the call that stands for the user's call.
_OURS = (
    "Symbolic",
    "OutsideObject",
    "StagedList",
    "StagedDeque",
    "StagedTuple",
    "Hashed",
    "Union",
    "Undefined",
    "IndexedTuple",
    "transpile.",
    "after * must be",
    # What NumPy says of a number of its own, whatever its index is, or stands for.
    "invalid index to scalar variable",
)


def _names_stand_in(error: BaseException) -> bool:
    return any(name in str(error) for name in _OURS)
