"""What holds for all functions that are converted in a process: `transpile.options`."""

from __future__ import annotations

from types import TracebackType


class Options:
    """Options, and what they were before."""

    def __init__(self) -> None:
        # Whether compiling is done in the background, while calls run as plain Python.
        self.tiered = False
        # Whether several threads may run the loops of what is compiled from now on.
        self.parallel = True


OPTIONS = Options()


class options:
    """Set options from now on, or for the block of a `with` statement.

    `tiered=True` compiles in the background, while calls run as plain Python; functions under `strict=True` are compiled at once. `parallel=False`
    has the loops of what is compiled from then on run in the thread that calls.
    """

    def __init__(self, *, tiered: bool | None = None, parallel: bool | None = None) -> None:
        self._before = dict(vars(OPTIONS))
        if tiered is not None:
            OPTIONS.tiered = tiered
        if parallel is not None:
            OPTIONS.parallel = parallel

    def __enter__(self) -> options:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        vars(OPTIONS).update(self._before)
