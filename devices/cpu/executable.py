"""An executable: a graph compiled by numba, and the Python around its kernel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from types import NoneType
from typing import Any

import numpy as np

from transpile.devices.loops.buffer import Buffer
from transpile.runtime.errors import Deoptimise, DeviceError, NotAssumed
from transpile.runtime.graph.ir import Graph
from transpile.runtime.graph.types import TokenType
from transpile.runtime.ops.floating_errors import Flagged, may_be_error, warn_of
from transpile.runtime.ops.visible import is_visible
from transpile.runtime.tracebacks import raise_at

from . import copies, kept, upcall
from .handlers import handlers, site_reader
from .processor import converts_halves
from .results import allocator, collector, straight, taker
from .statuses import DEOPTIMISED, FLAGGED, REPORTED, UNASSUMED

# The frame of kernels that hand nothing over.
FRAME = np.zeros(1, np.int64)


class Executable:
    """A compiled graph.

    Calling it with what the graph's inputs name, dims left out, runs the kernel and returns the results of the graph's block; arrays that are
    written are written in place. Raises Deoptimise where the original must run the call, and what the program raises, with the user's lines.
    """

    def __init__(self, graph: Graph) -> None:
        if not converts_halves():
            _refuse_halves(graph)
        self._graph = graph
        content = kept.content_of(graph)
        made = kept.load(content) if content is not None else None
        if made is None:
            # What makes it is loaded where something is made: mostly, it is kept.
            from .make import make

            made = make(graph)
            if content is not None:
                kept.save(content, made)
        self.program, self.kernel = made.program, made.kernel
        # How many calls have met floating-point errors, of which the processor's flags do not tell where.
        self.flagged = 0
        self._keeps = made.keeps
        self.code = made.code
        self.compiled: Callable[..., Any] = made.code.call
        self._handlers = handlers(self.program, self.kernel)
        self._allocate = allocator(self.program.outputs, graph)
        # Whether the kernel never hands anything over in its frame.
        self.is_silent = self.kernel.slots == 1 and len(self._handlers) == 1 + len(self.program.sites)
        self.is_silent = self.is_silent and not any(self._handlers)
        # Calls that have ended, for others.
        self._idle: list[upcall.Call] = []
        self._results = collector(self.program, self.kernel)
        sources = [item.source for item in graph.inputs if item.source != "dim"]
        self._arrays = taker(
            [place for place, source in enumerate(sources) if source == "array"], len(sources)
        )
        self._scalars = taker(
            [place for place, source in enumerate(sources) if source == "scalar"], len(sources)
        )
        buffers = [place for place, item in enumerate(self.program.inputs) if isinstance(item, Buffer)]
        self.saved = [buffers.index(place) for place in self.program.saved]
        # What is saved, too, where a warning may be an error.
        self.spared = [
            buffers.index(place)
            for place in graph.written
            if place in self.program.unread
            or ((self.program.reporter is not None or self.program.tells) and place not in self.program.saved)
        ]

        # Whether a warning that is an error would come after something was done that it should have kept from that.
        shows = self.program.noted and any(op.attributes.get("shows") for op in graph.block.walk())
        self.is_late = (shows or self.program.final) and bool(self.program.heeds or graph.watched)
        # What runs calls: by a shorter way where there is nothing to do for them but to make their results.
        is_straight = not (self.saved or self.is_late)
        self.run: Callable[..., Sequence[Any]] = self._straight() if is_straight else self

    def _straight(self) -> Callable[..., Sequence[Any]]:
        return straight(
            self.program,
            self.kernel,
            careful=self if self.spared else None,
            silent=self.is_silent,
            compiled=self.compiled,
            finish=self.finish,
            frame=FRAME,
            out_of_memory=self._out_of_memory,
            idle=self._idle,
            new_call=self.new_call,
        )

    def new_call(self) -> upcall.Call:
        return upcall.Call(self._handlers, self.kernel.slots + 1)

    @cached_property
    def is_visible(self) -> bool:
        """Whether a call does something that can be seen, besides giving its results."""
        return is_visible(self._graph)

    def _out_of_memory(self, error: MemoryError) -> Exception:
        """Return what a call raises where a kernel has no memory: NumPy says how much it asked for, unless something was done already that can be seen."""
        return error if self.is_visible else Deoptimise("there is not enough memory")

    def __call__(self, *inputs: Any) -> Sequence[Any]:
        if self.is_late and may_be_error():
            raise Deoptimise("a warning may be an error")
        arrays = self._arrays(inputs)
        outputs = self._allocate(arrays, inputs)
        places = self.saved
        if self.spared and may_be_error():
            places = [*places, *self.spared]
        scalars = self._scalars(inputs)
        if not places:
            return self._run(arrays, outputs, (), scalars)
        try:
            saved = [(arrays[place], copies.copied(arrays[place])) for place in places]
        except MemoryError as error:
            raise Deoptimise("there is not enough memory") from error
        return self._run(arrays, outputs, saved, scalars)

    def _run(
        self, arrays: Sequence[Any], outputs: Sequence[Any], saved: Sequence[Any], scalars: Sequence[Any]
    ) -> Sequence[Any]:
        """Run the kernel, given what is saved of the arrays that it writes."""
        if self.is_silent:
            try:
                status = self.compiled(FRAME, *arrays, *outputs, *scalars)
            except MemoryError as error:
                raise self._out_of_memory(error) from None
            return self.finish(None, arrays, outputs, saved, status)
        try:
            call = self._idle.pop()
        except IndexError:
            call = self.new_call()
        with call:
            try:
                status = self.compiled(call.frame, *arrays, *outputs, *scalars)
            except MemoryError as error:
                raise self._out_of_memory(error) from None
            results = self.finish(call, arrays, outputs, saved, status)
        self._idle.append(call)
        return results

    def _report(self, reports: Sequence[tuple[Any, int]], saved: Sequence[Any]) -> None:
        """Warn of the floating-point errors that a call has met."""
        try:
            warn_of(reports, self.program.final)
        except Deoptimise:
            for array, contents in saved:
                np.copyto(array, contents)
            raise

    def _report_flags(self, errors: int) -> int:
        """Warn of the floating-point errors that a call has met, all of one op, and return the status: FLAGGED where a warning may end the call."""
        report = self.program.reporter
        if report.raises(errors):
            return FLAGGED
        report(errors)
        return 0

    def finish(
        self, call: Any, arrays: Sequence[Any], outputs: Sequence[Any], saved: Sequence[Any], status: Any
    ) -> Sequence[Any]:
        """Return the results of a call of the kernel, which gave a status and, with it, scalars; or raise."""
        values: tuple[Any, ...] = ()
        if type(status) is tuple:
            values = status[1:]
            status = status[0]
        if status:
            if status == FLAGGED and call is not None and not isinstance(call.error, (Exception, NoneType)):
                # Someone wants the program to end.
                raise call.error
            is_left = call is not None and isinstance(call.error, Deoptimise)
            if 0 < status <= len(self.program.sites) and self.program.sites[status - 1].exception is None:
                is_left = True
            if is_left:
                status = DEOPTIMISED
            if call is not None and isinstance(call.error, Flagged):
                status = FLAGGED
            if status <= REPORTED:
                status = self._report_flags(REPORTED - status)
            if status in (DEOPTIMISED, UNASSUMED, FLAGGED):
                for array, contents in saved:
                    np.copyto(array, contents)
            if status > 0 and call is not None and call.reports:
                self._report(call.reports, saved)
            if status:
                self._fail(call, status)
        results = self._results(arrays, outputs, call and call.late, values)
        if call is not None and call.reports:
            self._report(call.reports, saved)
        return results

    def _fail(self, call: upcall.Call | None, status: int) -> None:
        if status == UNASSUMED:
            raise NotAssumed("what is assumed of the arguments does not hold")
        if status == FLAGGED:
            self.flagged += 1
            raise Flagged("NumPy warns of floating-point errors")
        if status == DEOPTIMISED:
            raise Deoptimise("the call takes a way that was not compiled")
        if call is not None:
            if call.error is not None and status <= len(self.program.sites):
                # A call of Python has failed: for the user, at the line that asked for it.
                raise_at(self.program.sites[status - 1].location, call.error)
            call.check()
        site = self.program.sites[status - 1]
        values: list[Any] = []
        if site.operands:
            assert call is not None, "a kernel with operands to hand over has a frame"
            values, _ = site_reader(site)(call)
        raise_at(site.location, site.exception(*values))


def _refuse_halves(graph: Graph) -> None:
    """Raise DeviceError where a graph holds numbers of float16, of which the processor knows nothing."""
    made = ((op.location, result.type) for op in graph.block.walk() for result in op.results)
    for location, type_ in (*(((), argument.type) for argument in graph.block.arguments), *made):
        if not isinstance(type_, TokenType) and type_.dtype == np.float16:
            raise DeviceError("D110-float16", "numbers of float16 are not compiled", location=location)
