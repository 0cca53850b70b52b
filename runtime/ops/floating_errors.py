"""Floating-point errors: which NumPy is told to warn of, and what it says."""

from __future__ import annotations

import functools
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.errors import Deoptimise
from transpile.runtime.recipes import recipe

# Note [Floating-point errors]
# NumPy clears the processor's status flags before each call of an inner loop, and warns of what they say after it. A kernel does many of NumPy's
# calls at once: its flags tell that there is something to warn of, but not where. So errors are also found by the numbers: NaN where no
# operand was, infinity of finite operands. That is what the flags say of one op, except of underflow.

DIVIDE, OVERFLOW, UNDERFLOW, INVALID = 1, 2, 4, 8
# By how much the bits of errors are moved that there may be, or not: of which the numbers do not tell.
UNSURE = 4
# In the order in which NumPy reports those of one call.
_TEXTS = {
    DIVIDE: "divide by zero encountered in",
    OVERFLOW: "overflow encountered in",
    UNDERFLOW: "underflow encountered in",
    INVALID: "invalid value encountered in",
}
_MODES = {"divide": DIVIDE, "over": OVERFLOW, "under": UNDERFLOW, "invalid": INVALID}

# The state lies behind a context variable of NumPy's own; reading it is much faster than asking for its contents.
VARIABLE = getattr(np._core.umath, "_extobj_contextvar", None)  # type: ignore[attr-defined]
state_of: Callable[[], Any] = getattr(VARIABLE, "get", np.geterr)
_known: tuple[Any, int] = (None, -1)


# How many elements NumPy casts at a time, unless it is told otherwise: sums of what is cast depend on it.
USUAL_BUFFER = 8192


def heeded() -> int:
    """Return which floating-point errors NumPy is told to warn of; -1 where any is to be raised, called, printed or logged, or where elements are cast otherwise, as only the original does."""
    global _known
    state = state_of()
    if state is not _known[0]:
        _known = state, _heeded(told()) if np.getbufsize() == USUAL_BUFFER else -1
    return _known[1]


def _heeded(modes: Any) -> int:
    if not {"ignore", "warn"}.issuperset(modes.values()):
        return -1
    return sum(bit for kind, bit in _MODES.items() if modes[kind] == "warn")


class Called:
    """What NumPy calls while tracing of floating-point errors of numbers that are known, which it would warn of in every call."""

    def __init__(self, refuse: Callable[[str], None]) -> None:
        self.refuse = refuse

    def __call__(self, kind: str, flags: int) -> None:
        self.refuse(kind)


def told() -> dict[str, Any]:
    """Return what NumPy is told to do of floating-point errors; while tracing, what the program has told it."""
    modes: dict[str, Any] = dict(np.geterr())
    if isinstance(np.geterrcall(), Called):
        return {kind: "warn" if mode == "call" else mode for kind, mode in modes.items()}
    return modes


def call_for_warnings() -> None:
    """While tracing, have NumPy call what `calling` was given, where it is told to warn."""
    if isinstance(np.geterrcall(), Called):
        modes: dict[str, Any] = {kind: "call" for kind, mode in np.geterr().items() if mode == "warn"}
        np.seterr(**modes)


@contextmanager
def calling(refuse: Callable[[str], None]) -> Iterator[None]:
    """Have `refuse` called, with the kind of error, where NumPy would warn."""
    with np.errstate(call=Called(refuse)):
        call_for_warnings()
        yield


class Flagged(Deoptimise):
    """The processor's flags tell of floating-point errors that NumPy is to warn of: the original must run the call, to tell where."""


@dataclass(frozen=True, eq=False)
class Reporter:
    """Says what NumPy says of errors in one op of the user's: its name, the line, and the globals of the function there."""

    name: str
    file: str
    line: int
    namespace: Any

    def __repr__(self) -> str:
        return f"{self.name!r} in line {self.line}"

    def __call__(self, errors: int) -> None:
        """Warn, as NumPy does from within the user's function."""
        registry = self.namespace.setdefault("__warningregistry__", {})
        for text in self._texts(errors):
            warnings.warn_explicit(text, RuntimeWarning, self.file, self.line, self._module, registry)

    def raises(self, errors: int) -> bool:
        """Whether a filter makes an exception of one of the warnings; or may do so, of one that there may be."""
        return bool(errors >> UNSURE & ~errors) or any(
            self._action(text) == "error" for text in self._texts(errors)
        )

    def repeats(self, errors: int) -> bool:
        """Whether the warnings are shown each time that they are given, or may be; otherwise the first time alone."""
        return any(self._action(text) in ("always", "all", "error") for text in self._texts(errors))

    @property
    def _module(self) -> str:
        return str(self.namespace.get("__name__", "<string>"))

    def _texts(self, errors: int) -> list[str]:
        return [f"{text} {self.name}" for error, text in _TEXTS.items() if errors & error]

    def _action(self, text: str) -> str:
        """Return what the first filter that a warning passes says."""
        for action, message, category, module, line in warnings.filters:
            if (
                issubclass(RuntimeWarning, category)
                and _passes(message, text)
                and _passes(module, self._module)
                and line in (0, self.line)
            ):
                return action
        return str(warnings.defaultaction)  # type: ignore[attr-defined]


@functools.cache
def overflowing(name: str, call: Callable[[Any], object]) -> Reporter | None:
    """Return what reports errors where NumPy's own Python is when a call with an array overflows; None where it is not there."""
    try:
        with np.errstate(all="raise"):
            call(np.full(2, np.finfo(np.float64).max))
    except FloatingPointError as error:
        return _reporter_at(name, error)
    return None


def _reporter_at(name: str, error: BaseException) -> Reporter | None:
    """Return what reports errors where one was raised. A function of its own: the caller's frame would otherwise hold itself, and the call's arguments, by the traceback."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    own = frame.f_globals is globals()
    return None if own else Reporter(name, frame.f_code.co_filename, line, frame.f_globals)


def flags_of(call: Callable[..., object], *operands: Any) -> int:
    """Return the errors of which NumPy would warn in a call."""
    seen = 0

    def note(kind: str, flags: int) -> None:
        nonlocal seen
        seen |= flags

    with np.errstate(all="call", call=note):
        call(*operands)
    return seen


def warn_of(reports: Sequence[tuple[Reporter, int]], final: bool = False) -> None:
    """Warn of the floating-point errors that a call has met, in their order; leave that to the original where a warning may end the call and it is not too late."""
    if not final and any(report.raises(errors) for report, errors in reports):
        raise Deoptimise("a warning may be an error")
    for report, errors in reports:
        report(errors)


# The filters of warnings that were looked through last, and whether there was one that makes an exception.
_looked: tuple[list[Any], bool] = ([], False)


def may_be_error() -> bool:
    """Whether a filter makes an exception of some RuntimeWarning."""
    global _looked
    if warnings.filters != _looked[0]:
        filters = list(warnings.filters)
        found = any(
            action == "error" and issubclass(RuntimeWarning, kind) for action, _, kind, _, _ in filters
        )
        _looked = filters, found
    return _looked[1] or str(warnings.defaultaction) == "error"  # type: ignore[attr-defined]


def _passes(pattern: Any, text: str) -> bool:
    """Whether a text is one that a filter of warnings is for: its pattern is compiled, a text by itself, or None for all."""
    return pattern is None or bool(pattern == text if isinstance(pattern, str) else pattern.match(text))


def raising(errors: int) -> dict[str, Any]:
    """Return how `numpy.errstate` is to be called for these errors to be raised, and no others."""
    return {kind: "raise" if errors & bit else "ignore" for kind, bit in _MODES.items()}


@recipe
def flagging(function: Callable[..., Any], told: int) -> Callable[..., Any]:
    """Return what calls a function of NumPy's, and raises Flagged where that would warn of one of these errors."""
    modes = raising(told)
    if VARIABLE is None:
        return _flagging(function, modes)
    # The state that NumPy is put into, and the one that it was made of; putting it there is much faster than making it.
    known: tuple[Any, Any] = (None, None)

    def run(*given: Any) -> Any:
        nonlocal known
        before = VARIABLE.get()
        made_of, state = known
        if made_of is not before:
            with np.errstate(**modes):
                state = VARIABLE.get()
            known = before, state
        token = VARIABLE.set(state)
        try:
            return function(*given)
        except FloatingPointError:
            pass
        finally:
            VARIABLE.reset(token)
        raise Flagged("NumPy warns of floating-point errors")

    return run


def _flagging(function: Callable[..., Any], modes: Mapping[str, Any]) -> Callable[..., Any]:
    def run(*given: Any) -> Any:
        with np.errstate(**modes):
            try:
                return function(*given)
            except FloatingPointError:
                pass
        raise Flagged("NumPy warns of floating-point errors")

    return run
