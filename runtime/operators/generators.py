"""Generators: functions that yield, run as far as their items are asked for."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth

from .branches import as_tuple
from .recursion import inside
from .traversal import Source
from .turns import unrolled

# Note [Generators]
# A converted generator is made of two functions. One is a generator: statements that yield stay as they are, and their tests and loops must be decided while tracing. Its variables are out of
# the reach of regions, so a region may run it only if it has made it. The other hands each item on to a function, and is what a loop over all that the generator yields runs: its tests
# and loops are staged like any others. Where that cannot be, the trace begins anew, with all items asked for.


class _Passed(Exception):
    """What is done with an item that was handed on has raised StopIteration, which means nothing to the generator."""


class Generator(Source):
    """The generator that a call of a converted function gives."""

    # Whether the trace is over: Python closes what a generator that is closed yields from.
    is_over = False

    def __init__(
        self,
        pulled: Callable[..., types.GeneratorType[Any, Any, Any]],
        pushed: Callable[..., Any] | None,
        arguments: tuple[Any, ...],
    ) -> None:
        super().__init__(types.GeneratorType)
        self.pulled = pulled(*arguments)
        self.pushed, self.arguments = pushed, arguments
        self.slots: tuple[types.CellType, ...] = ()
        record = recorder()
        self.frame = record.frame
        record.generators.append(self)

    def held(self) -> Iterator[Any]:
        """Yield the variables, and those of a loop that has items handed on to it."""
        if self.pulled.gi_frame is not None:
            yield from self.pulled.gi_frame.f_locals.values()
        yield from self.slots

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
        if self.state == "over":
            raise StopIteration
        if self.frame is not recorder().frame:
            _refuse()
        self.place += 1
        return next(self.pulled)

    def run(
        self, body: Callable[..., Any], initial: tuple[Any, ...], names: tuple[str, ...], until: str | None
    ) -> tuple[Any, ...]:
        """Run a loop over what is left: by having it handed on, or else now."""
        record = recorder()
        begun = self.place or self.state or (until and truth(initial[names.index(until)]) is not False)
        if self.pushed is None or begun or not record.may_push:
            return unrolled(self, body, initial, names, until)
        if self.frame is not record.frame:
            _refuse()
        self.lose()
        self.slots = slots = tuple(map(types.CellType, initial))
        depth = len(record.calls)

        def hand_on(item: Any) -> Any:
            # The generator waits, and is nobody's caller.
            waiting, record.calls[depth:] = record.calls[depth:], []
            try:
                carried = as_tuple(body(item, *(slot.cell_contents for slot in slots)), names)
            except StopIteration as error:
                raise _Passed from error
            finally:
                record.calls[depth:] = waiting
            for slot, thing in zip(slots, carried, strict=True):
                slot.cell_contents = thing
            return slots[names.index(until)].cell_contents if until else False

        self._push(hand_on)
        self.slots = ()
        if until is None:
            self.end()
        return tuple(slot.cell_contents for slot in slots)

    def _push(self, hand_on: Callable[[Any], Any]) -> None:
        """Have all items handed on."""
        record = recorder()
        assert self.pushed is not None
        code = self.pushed.__code__
        record.pushes = True
        try:
            with inside(code, code.co_qualname.rpartition(".<locals>.")[0]):
                self.pushed(*self.arguments, hand_on)
        except StopIteration as error:
            raise RuntimeError("generator raised StopIteration") from error
        except _Passed as passed:
            assert passed.__cause__ is not None
            raise passed.__cause__ from None

    def __getattr__(self, name: str) -> Any:
        if name in ("send", "throw", "close") and not self.is_over:
            recorder().unstageable("S246-generator", f"a generator's method {name} is used")
        raise AttributeError(name)

    @property
    def is_abandoned(self) -> bool:
        """Whether something is still to be done, which Python does when it drops the generator."""
        frame = self.pulled.gi_frame
        if frame is None or not self.place:
            return False
        return not {"attempt", "manager"}.isdisjoint(frame.f_code.co_names)


def yielding(
    pulled: Callable[..., Any], pushed: Callable[..., Any] | None, arguments: tuple[Any, ...]
) -> Generator:
    """Make the generator that a call gives, of the functions that it was made of."""
    return Generator(pulled, pushed, arguments)


def handed_on(hand_on: Callable[[Any], Any], item: Any) -> Any:
    """Hand an item on; return whether it is the last one that is wanted."""
    return hand_on(item)


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
            generator.pulled.close()


def refuse_abandoned() -> None:
    """Refuse a trace that leaves a generator amid a `try` or `with`, the end of which Python sees to when it drops the generator."""
    if any(generator.is_abandoned for generator in recorder().generators):
        recorder().unstageable("S247-abandoned", "a generator is left amid a try or with")
