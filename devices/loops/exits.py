"""The places where a kernel may be left, and what the caller would see of the call there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.ops.journal import is_final
from transpile.runtime.ops.scalars import CannotDeoptimise, is_handled

from .buffer import Buffer
from .called import stored_exception
from .expression import Expression
from .memory import is_array, is_update
from .program import Site

if TYPE_CHECKING:
    from .scheduler import Scheduler


class Exits:
    """The exits of one kernel, as far as it is scheduled."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self.sites: list[Site] = []
        # What the caller would see of the call if the kernel were left here: writes to arrays, by input, and other effects; and whether one of
        # them is final, so that the original cannot run the call anew.
        self.writes: frozenset[int] = frozenset()
        self.effects = self.final = False
        # The inputs that have to be as they were when the original takes over; and whether it may do so after effects, which are noted for that.
        self.saved: set[int] = set()
        self.noted = False
        # Whether something is told when the kernel has ended that may end the call where a warning is an error.
        self.tells = False
        self._written_before_noted: frozenset[int] = frozenset()

    def site(self, op: Op, operands: Sequence[Value], exception: Any = None, reason: str = "") -> Site:
        """Make a site to leave the kernel at: for the original to run the call, as long as nothing visible was written."""
        if exception and self.is_left(op):
            return self.way_out(op, "an error that plain Python has to raise")
        if not self.writes and not self.effects:
            exception = None
        if exception and self.writes & self._scheduler.memory.moved:
            return self.way_out(op, "an error, with the contents of a changed argument elsewhere")
        given = (
            [self._scheduler.stored(v).buffer if is_array(v) else self._scheduler.scalar(v) for v in operands]
            if exception
            else []
        )
        site = Site(len(self.sites) + 1, exception, given, op.location, reason, final=self.final)
        self.sites.append(site)
        return site

    def way_out(self, op: Op, reason: str, operands: Sequence[Value] = (), exception: Any = None) -> Site:
        """Make a site from which the original takes over: it finds the caller's arrays as they were, and nothing else done.

        Where it is too late for that, an `exception` of the operands is raised, if one is given.
        """
        if self.final:
            if exception is None:
                raise CannotDeoptimise(op, reason)
            return self.site(op, operands, exception, reason)
        self.saved |= self.writes
        self.noted |= self.effects
        return self.site(op, (), None, reason)

    def told_at_end(self, op: Op, reason: str) -> Site:
        """Make a site for what is told when the kernel has ended: the original takes over only where a warning is an error."""
        self.tells = True
        return self.site(op, (), None, reason)

    def is_left(self, op: Op) -> bool:
        """Whether the original has to run the call where an op fails: for a handler, or for what is not stored yet."""
        return is_handled(op) or self._scheduler.graph.stores

    def call_site(self, op: Op, operands: list[Expression | Buffer]) -> Site:
        """Make a site for a call of Python."""
        exception: Any = stored_exception
        if self.is_left(op):
            if self.final:
                raise CannotDeoptimise(op, "an error that a handler may catch")
            self.saved |= self.writes
            self.noted |= self.effects or "noted" in op.attributes
            exception = None
        elif not self.final:
            # What it writes to may be a stream of which the original has to take care.
            self._written_before_noted |= self.writes
        site = Site(len(self.sites) + 1, exception, operands, op.location, final=self.final)
        self.sites.append(site)
        return site

    def tell(self) -> None:
        """Note that the original may take over before something is told or final, where it has to warn of floating-point errors first."""
        graph = self._scheduler.graph
        if not self.final and (graph.heeds or graph.watched):
            self.saved |= self.writes
            self.noted |= self.effects

    def note_effects(self, op: Op) -> None:
        """Note what an op, or a region of it, does that the caller can see."""
        for inner in op.walk():
            if inner.name == "host_call":
                self.effects = True
                self.final |= is_final(inner)
            elif is_update(inner) and inner.attributes["input"] is not None:
                self.writes |= {inner.attributes["input"]}

    def end(self) -> tuple[int, list[int], Any]:
        """Return the floating-point errors that the kernel heeds when it ends, the inputs that are saved before it runs, and what reports all of these errors."""
        graph = self._scheduler.graph
        heeds = 0 if graph.watched else graph.heeds
        if heeds and not self.final:
            self.noted |= self.effects
        # Where the kernel ends with an error, others have to tell of those that it has met before.
        reporter = None if any(site.exception for site in self.sites) else graph.reporter
        if heeds and reporter is None and not self.final:
            self.saved |= set(graph.written)
        saved = self.saved | self._written_before_noted if self.noted else self.saved
        return heeds, sorted(saved), reporter
