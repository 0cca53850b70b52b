"""What transpile raises and warns: a stable code, what happened, where, why, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .positions import Location


class TranspileError(Exception):
    """The base of everything that transpile itself raises.

    ``code`` is stable. ``location`` goes from the outermost caller to the innermost and may be empty.
    """

    def __init__(
        self, code: str, message: str, *, location: Location = (), why: str = "", hint: str = ""
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.location = location
        self.why = why
        self.hint = hint

    def __str__(self) -> str:
        """Gives the whole report, one aspect a line."""
        return report(self.code, self.message, self.location, self.why, self.hint)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles by the two arguments of the constructor, the rest as state."""
        return type(self), (self.code, self.message), self.__dict__


class ConversionError(TranspileError):
    """A function cannot be rewritten: a statement or expression in it is not understood. Codes start with C."""


class StagingError(TranspileError):
    """A converted function cannot be traced into a graph. Codes start with S."""


class AlwaysRaises(StagingError):
    """A converted function raises whatever run time gives: the original is to do it."""


class OutOfTime(TranspileError):
    """Tracing takes longer than it may: other calls may be worth more of it."""


class DeviceError(TranspileError):
    """A device cannot compile or run a graph. Codes start with D."""


class Deoptimise(Exception):
    """A call takes a way that was not traced: the original must run it, anew where a `journal` tells what was done before."""

    journal: Any = None


class NotAssumed(Deoptimise):
    """What a trace assumes of the arguments does not hold: another trace may serve the call."""


class FallbackWarning(UserWarning):
    """A function runs as the plain Python it was."""


class RetraceWarning(UserWarning):
    """A function is traced over and over, because something that traces depend on keeps changing."""


def report(code: str, message: str, location: Location = (), why: str = "", hint: str = "") -> str:
    """Formats code, message, location, reason and hint for people."""
    parts = [f"[{code}] {message}"]
    if location:
        from .positions import describe

        parts.append(describe(location))
    if why:
        parts.append(f"  why: {why}")
    if hint:
        parts.append(f"  hint: {hint}")
    return "\n".join(parts)
