"""What ends a trace, or a region of one, from within: no exceptions of the program that is traced."""

from __future__ import annotations

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.ir import Value

from .current import CURRENT


class NeedsValue(BaseException):
    """Tracing cannot go on without the value of `value`, which is known at run time only.

    Not an `Exception`, so that no handler of the user's takes it.
    """

    # What is said where it cannot be known.
    code = "S130-value"
    reason = "the value of something that run time gives is needed to go on"

    def __init__(self, value: Value, instead: StagingError | None = None) -> None:
        super().__init__(value)
        self.value = value
        # Where in the program it is needed: whoever takes it stands elsewhere.
        record = CURRENT.get(None)
        self.location = () if record is None else record.location()
        # Why it is needed, if there is more to say.
        self.instead = instead


class NeedsHash(NeedsValue):
    """The value is needed because it is, or is part of, a key of a dictionary or set."""


class NeedsStep(NeedsValue):
    """The value is needed because it is the step of a slice."""


class NeedsWay(NeedsValue):
    """The value is needed because a trace for all values leaves the call at hand to the original."""


class NeedsText(NeedsValue):
    """The value is needed because text that is made of it is looked into: it is a key, say."""

    code = "S232-text"
    reason = "text that run time gives is looked into"


class ReadsText(BaseException):
    """A text that is handed in, under a name, is asked for more than its characters: it has to be known."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Diverged(BaseException):
    """The region being traced never reaches its end: it raises."""
