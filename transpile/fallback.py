"""What runs as plain Python, and why."""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from time import thread_time
from typing import TYPE_CHECKING, Any

from transpile.runtime.errors import ConversionError, StagingError, TranspileError
from transpile.runtime.frames import call_from

from .frames import SUSPENDED, VARARGS, VARKEYWORDS, counts_frames, counts_references, looks_at_frames
from .losses import Losses

if TYPE_CHECKING:
    from .budget import Budget
    from .entry import Entry
    from .parts import Parts

# How many of its callers a function sees that counts them.
_CALLERS = 4
# Kinds of arguments that cannot be staged, after which a function runs as plain Python for good.
_FAILURES = 8
# How often calls of some kind are found to have failed before their kind is told apart only roughly, and before it is taken for the only one.
_FOUND = 4
_FOUND_FOR_GOOD = 200
# How many plain calls of a function there may be inside each other before those within run in frames of their own: Python allows
# only so many frames, and a call that is handed on takes several.
NESTED = 4


class Fallback:
    """The plain way of calls of one function.

    `failures` are the kinds of arguments that no trace serves, and why; `broken` is why none serves any. `warns` says so as it happens.
    Such calls run `plain`: the original, or the original in parts, of which some are compiled.
    """

    # What compiling may cost; None where it was asked for.
    budget: Budget | None = None
    # What `convert` takes it to be.
    accuracy = "numpy"
    parallel = True

    def __init__(self, function: types.FunctionType, strict: bool, device: str, warns: bool) -> None:
        self.function = function
        self.strict = strict
        self.device = device
        self.warns = warns
        code = function.__code__
        variadic = bool(code.co_flags & VARARGS) + bool(code.co_flags & VARKEYWORDS)
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + variadic]
        self.positional = code.co_argcount == len(self.parameters)
        # Whether it counts the frames of its callers, among which ours are none.
        self.counts = counts_frames(code)
        # As long as there are plain calls of it under way.
        self.running: list[None] = []
        # The traces, which serve the calls that do not run as plain Python.
        self.entries: list[Entry] = []
        self.failures: dict[Any, TranspileError] = {}
        self.broken: TranspileError | None = None
        self.plain = function
        self.parts: Parts | None = None
        # How long a trace has taken that was left because it took too long.
        self.left_after = 0.0
        # What was lost on traces that came to nothing.
        self.losses = Losses()
        # Kinds of arguments that were found among the failures, told apart roughly, and how often.
        self._found: dict[Any, int] = {}
        # The function that stands for the original, and its code as long as it hands on calls.
        self._stub: weakref.ref[types.FunctionType] | None = None
        self._handing_on: types.CodeType | None = None
        # The code that it was given last: where it has another one, that is the program's.
        self._given: types.CodeType | None = None

    @property
    def _lock(self) -> AbstractContextManager[Any]:
        from .making import MAKING

        return MAKING

    @property
    def title(self) -> str:
        """Names what is called."""
        return self.function.__qualname__

    def run_plain(self, values: Sequence[Any]) -> Any:
        """Run a call the plain way."""
        return self._called(self.plain, values)

    def original(self, values: Sequence[Any]) -> Any:
        """Run a call as the plain Python it was."""
        return self._called(self.function, values)

    def _called(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        self.running.append(None)
        try:
            if len(self.running) >= NESTED:
                return self._called_in_own_frames(function, values)
            return self._call(function, values)
        finally:
            self.running.pop()

    def _called_in_own_frames(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """Run a call whose calls of the same function are not handed on."""
        stub = None if self._stub is None else self._stub()
        code, handing_on = self.function.__code__, self._handing_on
        if stub is None or handing_on is None or stub.__code__ is not handing_on:
            return self._call(function, values)
        self._stand(code)
        try:
            return self._call(function, values)
        finally:
            # Unless it was settled meanwhile.
            if stub.__code__ is code and (self.broken is None or self.entries):
                self._stand(handing_on)

    def _call(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        if self.counts:
            args, kwargs = self.arguments(values)
            return call_from((), _CALLERS, functools.partial(function, *args, **kwargs))
        if self.positional:
            return function(*values)
        return self._handing(function, values)

    @functools.cached_property
    def _handing(self) -> Callable[[Callable[..., Any], Sequence[Any]], Any]:
        return handing(*_kinds_of_parameters(self.function.__code__))

    def arguments(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return values of the parameters as they are handed to a call."""
        handed: tuple[list[Any], dict[str, Any]] = self._handing(_as_handed, values)
        return handed

    def stop(self) -> None:
        """Leave the function to plain Python for good, as there is nothing in it to compile."""
        self.broken = StagingError("S283-idle", "its calls leave nothing to compile")
        self.settle()

    def fall_back(self, values: Sequence[Any], error: TranspileError) -> None:
        """Note that no trace serves calls of this kind. Under `strict` raises the error instead."""
        from .report import warn_of_fallback

        if self.strict:
            raise error
        self.note_failure(values, error)
        if isinstance(error, ConversionError) or len(self.failures) >= _FAILURES:
            self.broken = error
        self.part()
        self.leave_out(error)
        if self.warns:
            warn_of_fallback(self, error)
        self.settle()

    def note_failure(self, values: Sequence[Any], error: TranspileError) -> None:
        """Keep why calls of this kind are served by no trace."""
        # It says itself where it comes from, in the user's program; frames would keep the arguments for as long as it is kept.
        error.__traceback__ = error.__context__ = error.__cause__ = None
        from .kinds import kinds_of

        self.failures[kinds_of(values)] = error

    def has_failed(self, values: Sequence[Any]) -> bool:
        """Whether calls of this kind are known to fail. What has often been found is looked up by less, and in the end not at all."""
        from .choice import roughly
        from .kinds import kinds_of

        rough = roughly(values)
        found = self._found.get(rough, 0)
        if found < _FOUND and kinds_of(values) not in self.failures:
            return False
        self._found[rough] = found + 1
        if found > _FOUND_FOR_GOOD and not self.entries and self.broken is None:
            self.broken = next(iter(self.failures.values()))
            self.settle()
        return True

    def part(self) -> None:
        """Let what is compiled by itself run within the original from now on."""
        from .parts import parts_of

        with self._lock:
            if self.parts is None:
                start = thread_time()
                self.parts = parts_of(self)
                self.losses.load(thread_time() - start)
                if self.parts is not None:
                    self.plain = self.parts.function

    def note_part(self) -> None:
        """Note that a piece of the function is compiled by itself."""

    def leave_out(self, error: TranspileError) -> None:
        """Leave the pieces alone that are refused for the same reason."""
        if self.parts is not None:
            self.parts.leave_out(error)

    def wants(self, values: Sequence[Any]) -> bool:
        """Whether a loop of the function that works on these values is to be compiled."""
        return True

    def begin(self) -> types.CodeType | None:
        """Return the code of what stands for the original where that must run in a frame of its own; None where it can hand on its calls."""
        error = None if self.strict else self._own_frame()
        if error is None:
            return None
        self.broken = error
        self.fall_back((), error)
        return self.plain.__code__

    def stands_in(self, stub: types.FunctionType, hands_on: bool) -> None:
        """Note which function stands for the original, and whether it hands on its calls."""
        self._stub, self._handing_on = weakref.ref(stub), stub.__code__ if hands_on else None
        self._given = stub.__code__

    def _own_frame(self) -> TranspileError | None:
        """Return why the function has to run in a frame of its own; None where it need not."""
        code = self.function.__code__
        if code.co_flags & SUSPENDED:
            return StagingError("S270-suspended", "it is left and entered again, and lives on between calls")
        if looks_at_frames(code):
            return StagingError("S268-frames", "it looks at the frames that call it")
        if counts_references(code):
            return StagingError("S268-frames", "it depends on how many references there are to an argument")
        return None

    def settle(self) -> None:
        """Once nothing serves calls any more, make the function that stands for the original run its code, so that a call costs nothing more."""
        with self._lock:
            if self.parts is not None and not self.parts.live:
                self.plain = self.function
            if self.broken is not None and not self.entries:
                self._stand(self.plain.__code__)

    def _stand(self, code: types.CodeType | None) -> None:
        stub = self._stub and self._stub()
        if stub and code and stub.__code__ is self._given and code.co_freevars == self._given.co_freevars:
            stub.__code__ = self._given = code

    def begin_anew(self) -> None:
        """Forget what runs as plain Python."""
        self.failures.clear()
        self._found.clear()
        if self.parts is not None:
            self.parts.give_up()
        self.broken = self.parts = None
        self.plain = self.function
        self._stand(self._handing_on or self.begin())


def _kinds_of_parameters(code: types.CodeType) -> tuple[int, tuple[str, ...], bool, bool]:
    """Return how many parameters take values by place, the names of those that take them by keyword alone, and whether there are others of either kind."""
    count, flags = code.co_argcount, code.co_flags
    names = code.co_varnames[count : count + code.co_kwonlyargcount]
    return count, names, bool(flags & VARARGS), bool(flags & VARKEYWORDS)


@functools.lru_cache
def handing(
    count: int, names: tuple[str, ...], star: bool, keywords: bool
) -> Callable[[Callable[..., Any], Sequence[Any]], Any]:
    """Return a function that calls another one with values of its parameters, which are of these kinds."""
    # What takes other values comes last in the code of a function.
    more = count + len(names)
    parts = [f"values[{place}]" for place in range(count)] + [f"*values[{more}]"] * star
    parts += [f"{name}=values[{place}]" for place, name in enumerate(names, count)]
    parts += [f"**values[{more + star}]"] * keywords
    text = f"lambda function, values: function({', '.join(parts)})"
    made: Callable[[Callable[..., Any], Sequence[Any]], Any] = eval(compile(text, "<transpile>", "eval"))
    return made


def _as_handed(*args: Any, **kwargs: Any) -> tuple[list[Any], dict[str, Any]]:
    return list(args), kwargs


def fault_of(error: Exception) -> StagingError:
    """Return what is said of an error while tracing that the program does not raise."""
    from transpile.runtime.operators.attempts import is_of_program

    code = "S291-elsewhere" if is_of_program(error) else "S290-fault"
    fault = StagingError(code, f"tracing met {type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault
