"""The recorder: builds the graph while the rewritten function runs on symbolic values."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import thread_time
from types import CodeType
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.errors import OutOfTime, StagingError
from transpile.runtime.graph.bounds import dim_of
from transpile.runtime.graph.dim import Dim, DimLike, substitute, values_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import BOOL, INT, ScalarType
from transpile.runtime.ops.floating_errors import Reporter, heeded
from transpile.runtime.ops.table import TABLE
from transpile.runtime.positions import Location, position_of

from .assumptions import Assumptions
from .cells import Cell
from .current import CURRENT
from .frames import Frame, Frames
from .op_keys import are_scalars, hashable, key_of, stands_for_something
from .repeats import unrepeated
from .signals import Diverged

# Ops that give the same scalar whenever they are computed of the same scalars.
_PURE_SCALAR = frozenset(n for n, op in TABLE.items() if op.family in ("elementwise", "scalar")) | {
    "constant"
}


def recorder() -> Recorder:
    """Return the recorder of the trace under way."""
    return CURRENT.get()


# Operations of a graph, beyond which compiling it takes minutes and gigabytes; and as many that are followed, with those of turns that are recorded anew.
_LONGEST, _FOLLOWED = 8000, 12_000
# As many of a graph that is for one size alone, so that loops over lists of what is no row can be written out.
FOR_ONE_SIZE = 1200


class Recorder(Assumptions, Frames):
    """Builds one graph."""

    def __init__(
        self,
        name: str,
        locate: Callable[[], tuple[Location, str]],
        convert: Callable[..., Callable[..., Any]],
    ) -> None:
        Frames.__init__(self, self._refuse_escaped)
        Assumptions.__init__(self, Graph(name, self.frame.block))
        # The instances of users' classes that the trace has made, by identity.
        # The classes whose instances stand for those of users' classes in the trace.
        self.stand_ins: set[type] = set()
        # What the caller handles.
        self._around = sys.exception()
        self.made: dict[int, Any] = {}
        # Those of them that lie in pools, each with its pool and its number in it, which has to be kept: see Note [Pools of objects]. And the pools, by class.
        self.pooled: dict[int, tuple[Any, Any, Any]] = {}
        self.object_pools: dict[type, Any] = {}
        # The places that loops were found to carry, each with the thing that it is in, by where the loops stand.
        self.carried_places: dict[Location, list[tuple[Any, Any]]] = {}
        # How often deques were changed, by identity: who runs over one must not.
        self.deque_changes: Counter[int] = Counter()
        # Whether instances lie there as soon as they are made, or may at all, and whether any were made that could.
        self.pools_objects = self.makes_objects = False
        # Whether texts that are handed in are any, so that run time gives their characters.
        self.gives_characters = False
        self.keeps_arrays = False  # See Note [One of several arrays].
        self.may_pool = True
        # Converts a Python function so that it can be traced into; and which such calls are under way, of what code and from which region.
        self.convert = convert
        self.calls: list[tuple[Any, Frame]] = []
        # Whether functions that call themselves on run-time values are to be noticed.
        self.follows_recursion = True
        self._locate = locate
        # How many operations and calls there are, and how many were followed in all.
        self.length = self._followed = 0
        self.longest = _LONGEST
        # When tracing has to have come to an end, by the clock of the thread's own time; None where it may take as long as it does.
        self.until: float | None = None
        # The arrays among the arguments, as they are before the call at hand.
        self.at_hand: dict[Value, Any] = {}
        # Texts and paths that are handed in, of which nothing is known, as they are at the call at hand.
        self.texts: dict[Value, Any] = {}
        # Where dictionaries and sets are made that are no tables, of those with keys that run time gives; None where none are tables. And whether any are made, and could be tables.
        self.tables: set[Any] | None = None
        self.makes_tables = False
        self.may_make_tables = False
        # Where dictionaries are made that lack keys on some ways; None where none may be. And those of Python's own that were made, by identity, each with where that was.
        self.lacking: set[Any] | None = None
        self.displays: dict[int, tuple[Any, Any]] = {}
        # Whether lists whose length run time gives hold arrays of several sizes, and whether any would.
        self.takes_sizes = self.asks_sizes = False
        # Whether long comprehensions of known length are loops, and whether any had to be written out at length.
        self.stages_turns = self.writes_turns = False
        # Whether generators may hand their items on to loops, and whether any do.
        self.may_push, self.pushes = True, False
        # Whether arrays that are reshaped may have one stride throughout: see Note [Turns at hand].
        self.may_run_through = False
        # Whether slices with steps of run time pick elements, or may in another trace, and whether there are any.
        self.picks_steps = self.may_pick_steps = self.asks_steps = False
        # What was there before the trace and is stored into; and what is to be done before something that is seen, or may fail.
        self.elsewhere: Any = None
        self.before_effect: Callable[[], None] | None = None
        # Whether the graph holds objects of Python's own, by handles.
        self.holds = False
        # Where what fails does so, if not always.
        self.supposed: Value | None = None
        # What stands for lists and dictionaries that were handed in, by identity.
        self.handed: set[int] = set()
        # Those among them that can change, each with what it held, in the order in which they came up: perhaps within a region.
        self.arrived: list[tuple[Any, dict[Any, Any]]] = []
        # Containers that must not change any more, by identity: each with what it holds, and numbers that it shares with those that may be one with it.
        self.settled: dict[int, tuple[Any, dict[Any, Any], set[int]]] = {}
        # Those that may be the caller's own, depending on the way control took, by identity: each with those, and a number that tells which one, or that it is none.
        self.perhaps_handed: dict[int, tuple[Any, tuple[Any, ...], Any]] = {}
        # Whether an object has an attribute on some ways only.
        self.lacks = False
        # How many `warnings.catch_warnings` are under way; and whether one of them ignores what NumPy warns of.
        self.silenced = 0
        self.ignores = False
        # What NumPy's own Python stands for is being traced, whose warnings are of lines of its own.
        self.inside = False
        # What stands for a function of NumPy's is under way, which may make arrays otherwise than NumPy.
        self.composes = False
        # What reports the floating-point errors of ops that the user's own lines ask for; and, of those that `numpy.errstate` is around, which NumPy is to warn of.
        self.reporters: dict[Op, Reporter] = {}
        self.heeds: dict[Op, int] = {}
        self.changes_errors = False
        # How many `numpy.errstate` are under way; how arrays are printed, where the trace has changed that, and whether it has made text; and what the call does when it ends. See Note [Settings].
        self.in_errstate = 0
        self.printing: dict[str, Any] | None = None
        self.made_text = False
        self.ends: list[Callable[[], object]] = []
        # Has the trace serve only calls that find a setting of NumPy's as it is found now, and returns that.
        self.rests_on: Callable[[str], Any]
        # Tells of two arrays among the inputs whether they share no memory; the trace serves only calls where that is so.
        self.are_apart: Callable[[int, int], bool]
        # Tells of an array among the inputs whether its stride along an axis is negative; the trace serves only calls where it is as it was.
        self.lies_backwards: Callable[[int, int], bool]
        # Tells likewise whether the stride along an axis leads on to the next one.
        self.goes_on: Callable[[int, int, int], bool]
        # Tells likewise whether its axes of length 1 have the strides of a new array.
        self.lies_packed: Callable[[int], bool]
        # Gives what stands for an attribute, of an attribute, of the array that an input is; and has that be one that can be written, or not, when the call ends.
        self.given_attribute: Callable[..., Any]
        self.set_writable: Callable[[int, bool], None]
        # Gives what stands for an array of records that a function of NumPy's makes of a shape and a dtype.
        self.make_records: Callable[[Callable[..., Any], Sequence[DimLike], np.dtype[Any]], Any]
        # Whether an op is recorded as often as the program asks for it.
        self.repeats = False
        self.globals_here: Callable[[], dict[str, Any]] = dict
        # Notes a class that an instance is made of.
        self.note_class: Callable[[type], None] = lambda class_: None
        # Notes a list or dictionary that has another length after a region than before it.
        self.note_grown: Callable[[Any], None] = lambda thing: None
        # Gives what stands for what is imported.
        self.imported: Callable[[Any, Any, str, str | None, int], Any] = lambda thing, *_: thing
        # The code of the function that is traced.
        self.entered: CodeType | None = None
        # The bodies of loops over known things that have to be written out.
        self.written_out: set[CodeType] = set()
        # Names of attributes that were asked for other than in the text of the program, and what is to be told of those that code is about to read.
        self.names: set[str] = set()
        self.note_names: Callable[[tuple[str, ...]], None] = lambda names: None
        # Gives what stands for an array, tuple, list or dictionary that a class holds under a name, where it is read of an instance; whether lists and
        # dictionaries are followed there, as those that are handed in, or known; and whether one was read.
        self.held_by_class: Callable[[type, str, Any], Any] = lambda holder, name, thing: thing
        self.follows_held = self.reads_held = False
        # Gives what stands for a list or dictionary where the class itself is asked for it.
        self.followed: Callable[[Any], Any] = lambda thing: thing
        # Whether an array is one that a class holds, or a view of one: the trace has it as it is, and guards its contents.
        self.is_held: Callable[[Any], bool] = lambda array: False
        # What operands of expressions under way hold: see Note [Operands under way].
        self.operands: list[Any] = []
        # The generators that the trace has made.
        self.generators: list[Any] = []
        # The regions that the `try` statements under way stand in, innermost last.
        self.attempts: list[Frame] = []
        # Exceptions of the user's own that were raised while tracing.
        self.raised: list[BaseException] = []

    def note_name(self, name: str) -> None:
        """Note an attribute that is asked for other than in the text of the program."""
        self.names.add(name)
        self.note_names((name,))

    @contextmanager
    def active(self) -> Iterator[None]:
        """Make this the recorder of the trace under way."""
        token = CURRENT.set(self)
        try:
            yield
        finally:
            CURRENT.reset(token)

    # -- ops ---------------------------------------------------------------------------------------------------

    def location(self) -> Location:
        """Return where in the user's program tracing stands."""
        return self._locate()[0]

    def emit(self, name: str, *operands: Value, **attributes: Any) -> Value:
        """Append an op with one result, and return it; a scalar that the region has computed already is not computed again."""
        if name not in _PURE_SCALAR or not are_scalars(operands):
            return self.append(name, operands, attributes)[0]
        return self._once((name, operands, key_of(attributes)), name, operands, attributes)

    def _once(self, key: Any, name: str, operands: tuple[Value, ...], attributes: dict[str, Any]) -> Value:
        """Append an op that gives a scalar, known by a key: where the region has computed that already, return what it has."""
        if self.repeats:
            return self.append(name, operands, attributes)[0]
        known = self.known(key)
        if known is None:
            (known,) = self.append(name, operands, attributes)
            self.frame.memo[key] = known
        return known

    def advance(self) -> None:
        """Count an operation, or a call that is followed, of which there may be none that is recorded."""
        self.check_time()
        self.length += 1
        self._followed += 1
        if self.length > self.longest or self._followed > _FOLLOWED:
            self.unstageable(
                "S132-too-long",
                f"more than {self.longest} operations and calls are followed",
                "a loop over known things is unrolled: loop over an array or a range of run-time length",
            )

    def check_time(self) -> None:
        """Give up the trace where it has taken longer than it may."""
        if self.until is not None and thread_time() > self.until:
            raise OutOfTime("S321-out-of-time", "tracing takes longer than may be lost on it")

    def append(
        self,
        name: str,
        operands: Sequence[Value],
        attributes: dict[str, Any],
        regions: tuple[Block, ...] = (),
    ) -> tuple[Value, ...]:
        """Append an op, and return its results."""
        definition = TABLE[name]
        if self.before_effect is not None and (definition.effect or definition.fails):
            self.before_effect()
        if len(operands) > 1 and definition.family == "elementwise":
            operands = unrepeated(self, operands)
        self.advance()
        if any(map(stands_for_something, attributes.values())):
            self.unstageable("S232-text", f"{name} is told by what run time gives how to compute")
        if self.silenced and (name == "host_call" or definition.family == "host"):
            self.unstageable("S281-warns", "what may warn is called within warnings.catch_warnings")
        if definition.fails and (self.attempts or self._is_handling()):
            # Handlers are plain Python: what they may have to handle is left to the original, and so is what fails in them, of which Python
            # tells what was handled.
            attributes = {"handled": True, **attributes}
        types = definition.types([operand.type for operand in operands], attributes)
        location, hint = self._locate()
        op = Op(name, tuple(operands), types, attributes, regions, location)
        for result in op.results:
            result.name = hint
        self.frame.block.append(op)
        if self.changes_errors or self.ignores:
            self.heeds[op] = 0 if self.ignores else max(heeded(), 0)
        return op.results

    def _is_handling(self) -> bool:
        """Whether a handler of the program's is being traced."""
        error = sys.exception()
        if error is self._around or not isinstance(error, Exception):
            return False
        return not type(error).__module__.startswith("transpile.")

    def report(self, value: Value, name: str) -> None:
        """Note that NumPy, asked by the user's line for what an op gives, reports its floating-point errors under this name."""
        op = value.op
        if op is not None and op.location and not self.inside:
            here = op.location[-1]
            self.reporters[op] = Reporter(name, here.file, here.line, self.globals_here())

    def reported_within(self, value: Value, reporter: Reporter) -> None:
        """Note what reports the floating-point errors of an op that NumPy's own Python asks for."""
        if value.op is not None:
            self.reporters[value.op] = reporter

    def unreport(self, value: Value) -> None:
        """Note that NumPy may not compute at all what gives a value."""
        if value.op is not None:
            self.reporters.pop(value.op, None)

    def constant(self, number: Any, type_: ScalarType) -> Value:
        """Return the value that is always `number`."""
        # Each region that is asked for it computes what is hashed anew: of a type what tells it apart at once.
        key = ("constant", type_.dtype, type_.weak, hashable(number))
        return self._once(key, "constant", (), {"value": number, "type": type_})

    # -- dims --------------------------------------------------------------------------------------------------

    def refuted(self, first: DimLike, second: DimLike) -> bool:
        """Whether two dims are unequal for the arguments at hand, within a region: as control may never get there, it is not to be assumed that they agree."""
        difference = self.normal(first) - self.normal(second)
        if self.frame is self.graph_frame or any(v not in self.samples for v in values_of(difference)):
            return False
        return substitute(difference, self.samples.__getitem__) != 0

    def dim_value(self, dim: DimLike) -> Value:
        """Return the value, of Python's type int, of a dim: one that the program has computed, if there is one."""
        known = self.known(("dim", dim)) if isinstance(dim, Dim) else None
        if known is not None:
            return known
        total: Value | None = None
        for monomial, factor in dim.terms if isinstance(dim, Dim) else (((), dim),):
            term: Value | None = None
            for value in monomial:
                term = value if term is None else self.emit("multiply", term, value)
            number = self.constant(abs(factor) if total is not None else factor, INT)
            if term is None:
                term = number
            elif abs(factor) != 1 or (factor < 0 and total is None):
                term = self.emit("multiply", term, number)
            total = term if total is None else self.emit("subtract" if factor < 0 else "add", total, term)
        assert total is not None
        return total

    def dim(self, value: Value) -> DimLike:
        """Return the dim that an integer value is."""
        dim = self.normal(dim_of(value))
        if isinstance(dim, Dim) and value.op is not None:
            self.frame.memo.setdefault(("dim", dim), value)
        return dim

    # -- leaving -----------------------------------------------------------------------------------------------

    def unstageable(self, code: str, reason: str, hint: str = "") -> NoReturn:
        """Give up staging here, with the reason: in the function as a whole, where its code has run to its end."""
        whole = () if self.entered is None else (position_of(self.entered, -1),)
        raise StagingError(code, reason, location=self.location() or whole, hint=hint)

    def _refuse_escaped(self, cell: Cell) -> NoReturn:
        self.unstageable(
            "S101-escaped",
            f"{cell.name or 'a value'} was made in a region that is not the one it is used in",
        )

    def deoptimise_if(
        self, test: Value, reason: str, exception: Callable[..., BaseException] | None = None, *values: Value
    ) -> None:
        """Have the original run the call where `test` holds; or, where it cannot any more, raise what `exception` makes of run-time values."""
        test = self._as_supposed(test)
        attributes = {"reason": reason} if exception is None else {"reason": reason, "exception": exception}
        self.append("deoptimise_if", (test, *values), attributes)

    def raise_if(self, test: Value, exception: Callable[..., BaseException], *values: Value) -> None:
        """Raise, where `test` holds, what `exception` makes of the run-time `values`."""
        self.append("raise_if", (self._as_supposed(test), *values), {"exception": exception})

    def assume_equal(self, first: DimLike, second: DimLike) -> bool:
        if self.frame is not self.graph_frame and self.are_unequal(first, second):
            # The call at hand does not come here, or fails here, and so do those that it is traced for. What is needed here must not be assumed of them.
            difference = self.normal(first) - self.normal(second)
            if not self.speculate(difference - 1):
                self.speculate(-difference - 1)
            self.deoptimise_if(
                self.constant(True, ScalarType(BOOL, True)), "dims differ where they must agree"
            )
            raise Diverged
        return super().assume_equal(first, second)

    def expect_sign(self, dim: DimLike) -> int | None:
        """Return the sign that a dim has for the arguments at hand; None where it is not known.

        A call where it has another one is traced anew, or run by the original.
        """
        sample = self.sample_of(dim)
        if sample is None:
            return None
        sign = (sample > 0) - (sample < 0)
        if not (self.speculate(sign * dim - 1) if sign else super().assume_equal(dim, 0)):
            number, zero = self.dim_value(sign * dim if sign else dim), self.constant(0, INT)
            test = self.emit("less_equal" if sign else "not_equal", number, zero)
            self.deoptimise_if(test, "dims are in another order of size")
        return sign

    @contextmanager
    def supposing(self, test: Value) -> Iterator[None]:
        """Within, what fails does so only where `test` holds: what is computed else is not looked at."""
        before = self.supposed
        self.supposed = self._as_supposed(test)
        try:
            yield
        finally:
            self.supposed = before

    def _as_supposed(self, test: Value) -> Value:
        """Return the truth of `test` and of what is supposed."""
        if self.supposed is None:
            return test
        if test.type != self.supposed.type:
            test = self.emit("cast", test, dtype=BOOL, weak=True)
        return self.emit("bitwise_and", test, self.supposed)
