"""Functions that call themselves as often as run time decides: they are traced as loops."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.frames import original_of

# Calls of a function, each under a test on run-time values in the one before, after which such tests are held to decide where that ends.
_ENOUGH = 4
# As many where it cannot be traced as a loop, after which it is given up.
_TOO_MANY = 12
# Calls inside calls that are traced into, before the recursion is held to be without end.
_DEPTH = 60
# Calls inside calls that Python has room for, at least, under those of a program.
_ROOM = 100


class Recurs(BaseException):
    """A function calls itself until run-time values end that: it is to be traced as a loop, if it can be.

    Not an `Exception`, so that no handler of the user's takes it.
    """

    def __init__(self, function: types.FunctionType) -> None:
        super().__init__(function)
        self.function = function


def notice_recursion(function: types.FunctionType) -> None:
    """Tell the tracer of a function that is called where run-time values decide how often it calls itself; give it up where it cannot be a loop."""
    record = recorder()
    frames = {id(frame) for code, frame in record.calls if code is function.__code__}
    if len(frames) < _ENOUGH or id(record.frame) in frames:
        return
    if record.follows_recursion:
        raise Recurs(function)
    if len(frames) >= _TOO_MANY:
        record.unstageable("S141-recursion", f"{function.__qualname__} calls itself on run-time values")


@contextmanager
def inside(code: types.CodeType, name: str) -> Iterator[None]:
    """Trace into a call of some code of the user's, by the name that it has in messages."""
    record = recorder()
    if len(record.calls) >= _DEPTH:
        record.unstageable("S141-recursion", f"{name} calls itself on run-time values")
    record.calls.append((code, record.frame))
    try:
        yield
    finally:
        record.calls.pop()


def itself(method: Any) -> None:
    """Refuse a method that is traced as a loop where what it is called through has another one by its name."""
    record = recorder()
    code = record.calls[-1][0] if record.calls else record.entered
    function = getattr(method, "__func__", None)
    if getattr(original_of(function), "__code__", None) is not code:
        record.unstageable("S141-recursion", "a method calls itself through what has another one by its name")


def deeper(depth: Any) -> Any:
    """Count a call inside calls of a function that is traced as a loop; of too many the original makes what Python does."""
    further = depth + 1
    test = further > max(sys.getrecursionlimit() - _ROOM, 0)
    if isinstance(test, SymbolicScalar):
        recorder().deoptimise_if(test.value, "calls inside calls, almost as many as Python allows")
    return further
