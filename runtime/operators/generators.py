"""Generators: functions that yield, run as far as their items are asked for."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from transpile.runtime.arrays.recorder import recorder

from .iteration import unrolled
from .traversal import Source

# Note [Generators]
# A converted generator is one: statements that yield stay as they are, and their tests and loops must be decided while tracing. Its variables are out of
# the reach of regions, so a region may run it only if it has made it.


class Generator(Source):
    """The generator that a call of a converted function gives."""

    # Whether the trace is over: Python closes what a generator that is closed yields from.
    is_over = False

    def __init__(self, items: types.GeneratorType[Any, Any, Any]) -> None:
        super().__init__(types.GeneratorType)
        self.items = items
        record = recorder()
        self.frame = record.frame
        record.generators.append(self)

    def held(self) -> Iterator[Any]:
        """Yield the variables."""
        if self.items.gi_frame is not None:
            yield from self.items.gi_frame.f_locals.values()

    def restore(self, before: dict[str, Any]) -> None:
        """Refuse to go on where an item was taken: it cannot be put back."""
        if before["place"] != self.place:
            _refuse()
        super().restore(before)

    def iteration(self) -> None:
        """Return None: what is left shows as it is taken."""

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        self.still_known()
        if self.frame is not recorder().frame:
            _refuse()
        self.place += 1
        return next(self.items)

    def run(
        self, body: Callable[..., Any], initial: tuple[Any, ...], names: tuple[str, ...], until: str | None
    ) -> tuple[Any, ...]:
        """Run a loop over what is left, now."""
        return unrolled(self, body, initial, names, until)

    def __getattr__(self, name: str) -> Any:
        if name in ("send", "throw", "close") and not self.is_over:
            recorder().unstageable("S246-generator", f"a generator's method {name} is used")
        raise AttributeError(name)

    @property
    def is_abandoned(self) -> bool:
        """Whether something is still to be done, which Python does when it drops the generator."""
        frame = self.items.gi_frame
        if frame is None or not self.place:
            return False
        return not {"attempt", "manager"}.isdisjoint(frame.f_code.co_names)


def _refuse() -> NoReturn:
    recorder().unstageable("S168-iterator", "run-time values decide how much is taken out of an iterator")


@contextmanager
def closing_generators() -> Iterator[None]:
    """Close the generators of a trace at its end: none of what they still have to do is done."""
    try:
        yield
    finally:
        for generator in recorder().generators:
            generator.is_over = True
        for generator in recorder().generators:
            generator.items.close()


def refuse_abandoned() -> None:
    """Refuse a trace that leaves a generator amid a `try` or `with`, the end of which Python sees to when it drops the generator."""
    if any(generator.is_abandoned for generator in recorder().generators):
        recorder().unstageable("S247-abandoned", "a generator is left amid a try or with")
