"""What the sites of a kernel call in Python."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.program import Program, Site, Upcall
from transpile.runtime.graph.types import ArrayType
from transpile.runtime.ops.floating_errors import Reporter, warn_of
from transpile.runtime.ops.journal import telling

from . import generators, upcall
from .kernel import Kernel
from .results import new_array

if TYPE_CHECKING:
    from transpile.devices.loops.statement import Body


def handlers(program: Program, kernel: Kernel) -> list[Any]:
    """Return what the sites of a kernel call in Python, by number."""
    handlers: list[Any] = [None]
    calls = {s.site.number: s for s in upcalls(program.body)}
    for site in program.sites:
        statement = calls.get(site.number)
        made = _telling_call if statement and statement.tells else _python_call
        handlers.append(made(statement, program.noted, kernel.late) if statement else None)
    handlers += [_maker(buffer, number) for number, buffer in enumerate(kernel.late)]
    return handlers


def upcalls(body: Body) -> Iterator[Upcall]:
    """Yield the calls of Python among statements, and in those."""
    for statement in body:
        if isinstance(statement, Upcall):
            yield statement
        else:
            for part in ("then", "otherwise", "head", "body"):
                yield from upcalls(getattr(statement, part, []))


def _telling_call(statement: Upcall, noted: bool, late: Sequence[Buffer]) -> Callable[[upcall.Call], None]:
    run, warn = _python_call(statement, noted, late), telling(warn_of) if noted else warn_of

    def tell(call: upcall.Call) -> None:
        if call.reports:
            reports, call.reports = call.reports, []
            warn(reports, statement.site.final)
        run(call)

    return tell


def _python_call(statement: Upcall, noted: bool, late: Sequence[Buffer]) -> Callable[[upcall.Call], None]:
    read, function, result = site_reader(statement.site), statement.function, statement.result
    if noted:
        function = statement.noted or function
    if isinstance(function, Reporter):
        settle = upcall.writer("q")

        def note(call: upcall.Call) -> None:
            (errors,), _memory = read(call)
            call.reports.append((function, int(errors)))
            settle(call.memory, 0 if function.repeats(int(errors)) else int(errors))

        return note
    if statement.gives is not None:
        dtype, hand_over = statement.gives.dtype, _receiver(statement.gives, late)

        def give(call: upcall.Call) -> None:
            values, _memory = read(call)
            hand_over(call, _own(function(*values), dtype))

        def give_with_number(call: upcall.Call) -> None:
            values, _memory = read(call)
            found = list(function(*values))
            write(call.memory, found[1])
            hand_over(call, _own(found.pop(0), dtype))

        if result is None:
            return give
        write = upcall.writer(result.type.dtype.char)  # type: ignore[union-attr]
        return give_with_number
    if result is None:

        def run(call: upcall.Call) -> None:
            values, _memory = read(call)
            function(*values)

        return run
    write = upcall.writer(result.type.dtype.char)  # type: ignore[union-attr]
    if statement.lends:

        def lend(call: upcall.Call) -> None:
            values, _memory = read(call)
            write(call.memory, generators.lend(call, *function(*values)))

        return lend

    def run_for_number(call: upcall.Call) -> None:
        values, _memory = read(call)
        write(call.memory, function(*values))

    return run_for_number


def site_reader(site: Site) -> Callable[[upcall.Call], tuple[list[Any], Any]]:
    """Return what reads the run-time values of a site's operands, and what keeps their memory."""
    kinds = [
        ArrayType(operand.dtype, operand.dims) if isinstance(operand, Buffer) else operand.type
        for operand in site.operands
    ]
    return upcall.reader(kinds, site.shared)


def _receiver(buffer: Buffer, late: Sequence[Buffer]) -> Callable[[upcall.Call, Any], None]:
    """Return what is handed an array that Python gives: the kernel, or the results of the call."""
    if buffer.source == "taken":
        return upcall.Call.give
    number = late.index(buffer)

    def keep(call: upcall.Call, array: Any) -> None:
        call.late[number] = array

    return keep


def _own(result: Any, dtype: Any) -> Any:
    """Return what NumPy gives as a result of ours: itself where it is an array in C order that nobody else refers to, and views nothing else."""
    fits = type(result) is np.ndarray and result.dtype == dtype and result.flags.carray
    if fits and result.flags.owndata and sys.getrefcount(result) == 2:
        return result
    base = result.base if fits else None
    if type(base) is np.ndarray and base.flags.owndata and sys.getrefcount(result) == 2:
        # This name, the argument below, and what the result views.
        if sys.getrefcount(base) == 3:
            return result
    return np.array(result, dtype, order="C")


def _maker(buffer: Buffer, number: int) -> Callable[[upcall.Call], None]:
    """Return what makes the array of a result whose dims the kernel knows."""

    rank = len(buffer.dims)
    read, write = struct.Struct(f"{rank}q").unpack_from, struct.Struct("q").pack_into

    def make(call: upcall.Call) -> None:
        array = call.late[number] = new_array(buffer, read(call.memory, 8))
        write(call.memory, 8 * rank + 8, upcall.address(array))

    return make
