"""What holds for all functions that are converted in a process: `transpile.options`."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType


@dataclass
class Options:
    """Options, and what they were before."""

    # Whether compiling is done in the background, while calls run as plain Python.
    tiered: bool = False


OPTIONS = Options()


class options:
    """Set options from now on, or for the block of a `with` statement.

    `tiered=True` compiles in the background, while calls run as plain Python; functions under `strict=True` are compiled at once.
    """

    def __init__(self, *, tiered: bool) -> None:
        self._before = OPTIONS.tiered
        OPTIONS.tiered = tiered

    def __enter__(self) -> options:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        OPTIONS.tiered = self._before
