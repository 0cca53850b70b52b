"""Loops on run-time values, as ops with regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.arrays.frames import Frame
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.values import values_in
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Block, Value
from transpile.runtime.graph.types import INT, PYBOOL

from .branches import as_tuple, run_region
from .traced_loops import Loop


class ChangesLength(Exception):
    """A loop runs over a list that gets longer or shorter in it."""


class Refused(Exception):
    """A loop that could be staged is not to be."""


def _append(
    name: str, operands: Sequence[Value], carried: int, blocks: tuple[Block, ...], until: int | None
) -> tuple[Value, ...]:
    types = tuple(value.type for value in operands[len(operands) - carried :])
    return recorder().append(name, operands, {"types": types, "until": until}, blocks)


def staged_for(
    bounds: tuple[DimLike, DimLike, DimLike],
    element: Callable[[DimLike], Any],
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
    roots: Sequence[Any],
    lists: Sequence[StagedList] = (),
    may_lack: bool = False,
    accepts: Callable[[Loop], bool] = lambda loop: True,
) -> tuple[Any, ...]:
    """Trace a loop over a range; the body takes `element(position)` and what is carried. With `may_lack`, attributes that it makes may be absent in a turn.

    Raises ChangesLength where one of the lists, which it runs over, gets longer or shorter in it, MakesPlace where it makes an attribute or key otherwise,
    Refused where `accepts` says so of the traced loop.
    """
    record = recorder()
    loop = Loop(names, initial, (body, initial, *roots), may_lack)

    def turn(frame: Frame, carried: list[Any]) -> tuple[Frame, Sequence[Any] | None]:
        variable = frame.block.argument(INT, "i")
        record.bounds.enter_loop(variable, *bounds)
        inner = record.child("branch")
        inner.block = frame.block

        def run(things: Sequence[Any]) -> tuple[Any, ...]:
            return as_tuple(body(element(record.dim(variable)), *things), names)

        return inner, run_region(inner, lambda: loop.identities.each(loop, run, carried))

    limits = [record.dim_value(bound) for bound in bounds]
    frame, _, values = loop.trace(turn)
    if any(map(loop.changes_length, lists)):
        raise ChangesLength
    if not accepts(loop):
        raise Refused
    return loop.results(
        _append("for_loop", [*limits, *values], len(values), (frame.block,), loop.flag(until))
    )


def traced_while(
    test: Callable[..., Any],
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
    may_lack: bool = False,
) -> tuple[Any, ...]:
    """Trace a loop on a run-time test.

    The body's region stands inside the test's, and sees its values. The test's region yields the truth and, for the end of the loop, what is carried.
    """
    record = recorder()
    loop = Loop(names, initial, (test, body, initial), may_lack, tests=True)
    truths: list[Value] = []

    def turn(frame: Frame, carried: list[Any]) -> tuple[Frame, Sequence[Any] | None]:
        goes_on = truth(test(*carried))
        loop.note_tested()
        truths[:] = [record.constant(goes_on, PYBOOL) if isinstance(goes_on, bool) else goes_on.value]
        inner = record.child("branch")

        def run(things: Sequence[Any]) -> tuple[Any, ...]:
            return as_tuple(body(*things), names)

        return inner, run_region(inner, lambda: loop.identities.each(loop, run, carried))

    frame, inner, values = loop.trace(turn)
    # What the test itself writes leaves the loop as the test left it.
    with record.region(frame):
        ends = [
            *loop.ends,
            *(v for c in loop.carried[loop.names :] for v in values_in(c.structure, c.tested)),
            *(frame.cells[cell] for cell in loop.cells),
        ]
    frame.block.results = (truths[0], *ends)
    return loop.results(
        _append("while_loop", values, len(values), (frame.block, inner.block), loop.flag(until))
    )
