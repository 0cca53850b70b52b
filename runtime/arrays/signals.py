"""What ends a trace, or a region of one, from within: no exceptions of the program that is traced."""

from __future__ import annotations

from transpile.runtime.graph.ir import Value


class NeedsValue(BaseException):
    """Tracing cannot go on without the value of `value`, which is known at run time only.

    Not an `Exception`, so that no handler of the user's takes it.
    """

    def __init__(self, value: Value) -> None:
        super().__init__(value)
        self.value = value


class NeedsHash(NeedsValue):
    """The value is needed because it is, or is part of, a key of a dictionary or set."""


class NeedsStep(NeedsValue):
    """The value is needed because it is the step of a slice."""


class Diverged(BaseException):
    """The region being traced never reaches its end: it raises."""
