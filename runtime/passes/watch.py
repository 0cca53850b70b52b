"""Has a graph find the floating-point errors that NumPy warns of.

Before:
    graph ratio:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        y: float64[n] = array('y')
        t0: float64[n] = divide(x, y)
        return t0
After, every op watched:
    graph ratio:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        y: float64[n] = array('y')
        t0: float64[n] = divide(x, y)
        errors: int64[n] = float_errors(t0, x, y) of='divide'
        found: int64 = reduce(errors) axes=(0), dtype=int64, ufunc='bitwise_or'
        heed(found) report='x / y'
        return t0
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from transpile.runtime.errors import StagingError
from transpile.runtime.graph.clone import Cloner
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT64, ArrayType, ScalarType, TokenType, Type, dims_of, element
from transpile.runtime.ops.errors_by_numbers import (
    DIVIDES,
    OVERFLOWS,
    RUN,
    WRAPS,
    is_hidden,
    is_known,
    is_sure,
)
from transpile.runtime.ops.floating_errors import OVERFLOW, UNDERFLOW, UNSURE, Reporter
from transpile.runtime.ops.journal import is_final
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .computed import Computed
from .final import mark_final
from .hazards import is_tame, known_float, may_warn
from .shown import Run, Shown
from .spare import spares_copies, writes_input

# Note [Watched ops]
# The processor's flags, read when a kernel ends, tell whether anything in it went wrong, at no cost. They miss what is not computed, because nobody uses it or
# uses only a part; what the compiler may compute beforehand, or only where it is chosen; and what sets no flags. Such ops are watched by
# their numbers always, and all others in a kernel of its own, which is made when the flags of the first have told of errors.

# So are those after what is final: the original cannot run the call anew when the kernel ends.
#
# Of a loop whose errors show in what it comes to, that number is looked at first: where it is not finite, the loop runs again, to find out where and which.

# Calls of NumPy, which tells of errors itself.
_CALLS = frozenset(("numpy", "numpy_several", "kept"))
# Sums of products, of whose errors NumPy can be asked.
_PRODUCTS = frozenset(("matmul", "dot"))
# What gives the same flags in a kernel as in NumPy's loops.
_EXACT = frozenset(("add", "subtract", "multiply", "divide"))
# All errors that show in numbers.
_SHOWN = 15 & ~UNDERFLOW


def watch(
    graph: Graph, reporters: Mapping[Op, Reporter], heeds: Mapping[Op, int], told: int, every: bool
) -> Graph:
    """Watch the ops of a graph, in place: every one, or those that the flags do not tell of, with the flags heeded.

    `told` are the errors that NumPy is to warn of, where `heeds` says nothing else of an op.
    """
    watcher = _Watcher(mark_final(graph), reporters, heeds, told)
    graph.heeds = 0
    if not watcher.warns:
        return graph
    # Flags do not tell of which op they are.
    mixed = {errors for op, errors in heeds.items() if is_watchable(op, reporters)}
    underflow = any(errors & UNDERFLOW for errors in (told, *mixed))
    hidden = underflow or any(_is_hidden(op) for op in graph.block.walk())
    if every and hidden:
        raise StagingError("S289-hidden-errors", "numbers do not show of which op a floating-point error is")
    sole = None if mixed - {told} else watcher.sole_reporter(graph)
    if not every and not hidden:
        every = bool(mixed - {told}) or (
            not sole and spares_copies(graph, watcher.shown, watcher.told_of, watcher.is_sure)
        )
    graph.watched = every
    if watcher.has_flags:
        graph.heeds = functools.reduce(operator.or_, heeds.values(), told)
    graph.reporter = None if every else sole
    watcher.block(graph.block, every)
    return graph


def keep_errors(graph: Graph, reporters: Mapping[Op, Reporter]) -> Graph:
    """Keep the ops of a graph, in place, that NumPy may warn of, although nobody uses what they give, and have it compute scalars by their operators."""
    watcher = _Watcher(graph, reporters, {}, 15)
    for op in graph.block.walk():
        if leaves_range(op, reporters):
            op.attributes["operator"] = True
    for block in {op.block: None for op in graph.block.walk()}:
        if block is not None:
            for op in [
                op for op in block.ops if watcher.told_of(op) and not watcher.computed.is_computed(op)
            ]:
                kept = Op("heed", (op.results[0],), (), {"report": None}, (), op.location)
                kept.block = block
                block.ops.insert(block.ops.index(op) + 1, kept)
    return graph


def warns(graph: Graph, reporters: Mapping[Op, Reporter]) -> bool:
    """Whether NumPy may warn of floating-point errors anywhere in a graph."""
    return any(is_watchable(op, reporters) or op.name in _CALLS for op in graph.block.walk())


def is_watchable(op: Op, reporters: Mapping[Op, Reporter]) -> bool:
    """Whether NumPy may warn of floating-point errors in an op, and that shows."""
    if not may_warn(op):
        return False
    if _kinds(op) <= set("biu"):
        return _divides(op) or leaves_range(op, reporters)
    # NumPy clears the flags after it has computed absolute values.
    return op.name.removeprefix("scalar_") != "absolute"


def leaves_range(op: Op, reporters: Mapping[Op, Reporter]) -> bool:
    """Whether an op is an operator between NumPy's integer scalars, which warns where it wraps around."""
    report = reporters.get(op)
    return (
        op.name in WRAPS
        and _kinds(op) <= set("iu")
        and report is not None
        and report.name.startswith("scalar ")
    )


def _is_hidden(op: Op) -> bool:
    return is_hidden(op.name.removeprefix("scalar_"), _kinds(op))


def _kinds(op: Op) -> set[str]:
    return _kinds_of((*op.operands, *op.results))


def _kinds_of(values: Iterable[Value]) -> set[str]:
    return {element(value.type).kind for value in values if not isinstance(value.type, TokenType)}


def _leaves_flags(op: Op) -> bool:
    """Whether an op has no effect and leaves the processor's floating-point flags as they are."""
    if op.regions or TABLE[op.name].effect:
        return False
    return op.name in ("constant", "view", "update") or _kinds(op) <= set("biu")


def _divides(op: Op) -> bool:
    """Whether an op on integers divides them by what may be 0, or -1 where that matters."""
    name = op.name.removeprefix("scalar_")
    if name not in DIVIDES or name == "reciprocal":
        return name in DIVIDES
    divisor = known_float(op.operands[1])
    return divisor is None or divisor == 0 or (divisor == 1 and name in OVERFLOWS)


class _Watcher:
    def __init__(
        self, graph: Graph, reporters: Mapping[Op, Reporter], heeds: Mapping[Op, int], told: int
    ) -> None:
        self.reporters, self.heeds, self.told = dict(reporters), dict(heeds), told
        ops = list(graph.block.walk())
        # Whether there is anything that sets the processor's flags.
        self.has_flags = any(
            op.name in _CALLS or (self.told_of(op) and not _kinds(op) <= set("biu")) for op in ops
        )
        self.warns = (told or any(heeds.values())) and (self.has_flags or any(map(self.told_of, ops)))
        self.shown = Shown(graph.block, self.told_of, self.is_sure)
        # Whether something was done that is final: the flags tell too late of errors after it.
        self.final = False
        self.computed = Computed(graph)

    def told_of(self, op: Op) -> int:
        """Return the errors in an op that NumPy is to warn of."""
        if not is_watchable(op, self.reporters):
            return 0
        told = self.heeds.get(op, self.told)
        if not told & UNDERFLOW and is_tame(op):
            return 0
        return told & OVERFLOW if leaves_range(op, self.reporters) else told

    def is_sure(self, op: Op) -> bool:
        """Whether the errors in an op show for certain, or NumPy can be asked for them, and can be reported."""
        if self.asks(op):
            return True
        if op.name == "reduce":
            return False
        name = op.name.removeprefix("scalar_")
        # Of a power with a known exponent, the base shows all.
        known = name == "power" and _kinds(op) == {"f"} and (known_float(op.operands[1]) or np.inf) < np.inf
        sure = known or is_sure(name, _kinds(op))
        return sure and len(op.results) == 1 and op in self.reporters

    def asks(self, op: Op) -> bool:
        """Whether an op is a sum or product of matrices, so that NumPy can be asked for its errors once a number that it gives is not finite."""
        if op not in self.reporters or _kinds(op) != {"f"}:
            return False
        adds = op.name == "reduce" and op.attributes["ufunc"] == "add"
        return op.name in _PRODUCTS or (adds and element(op.operands[0].type) == element(op.result.type))

    # -- what the flags tell -----------------------------------------------------------------------------------

    def is_flagged(self, op: Op) -> bool:
        """Whether the flags tell of an op's errors when the kernel ends."""
        return (
            self.computed.is_computed(op)
            and not _kinds_of(op.results) <= set("biu")
            and not self.computed.is_folded(op)
        )

    def sole_reporter(self, graph: Graph) -> Reporter | None:
        """Return what reports all errors of a graph, where one op alone can have any, once a call, and nothing else touches the flags."""
        loud = [op for op in graph.block.walk() if not _leaves_flags(op)]
        if len(loud) != 1:
            return None
        (op,) = loud
        once = op.block is graph.block and self.is_flagged(op)
        return self.reporters.get(op) if once and op.name in _EXACT and _kinds(op) == {"f"} else None

    # -- what is added -----------------------------------------------------------------------------------------

    def block(self, block: Block, every: bool, again: bool = False) -> None:
        """Add what watches the ops of a block, where nothing is computed `again`. What is found is reported before anything else may happen, and at the end."""
        runs = [] if again else [run for run in self.shown.runs(block) if every or self.misses(run)]
        inside = {op for run in runs for op in run.ops}
        ends = {run.ops[-1]: run for run in runs}
        ops, block.ops = block.ops, []
        waiting: list[Op] = []
        for op in ops:
            if op in inside:
                block.append(op)
                if op in ends:
                    self._append(block, waiting)
                    waiting = []
                    self.look_back(block, ends[op], every)
                continue
            leaves = any(heed.attributes["report"] is None for heed in waiting)
            if op.regions or TABLE[op.name].effect or TABLE[op.name].fails or (leaves and writes_input(op)):
                self._append(block, waiting)
                waiting = []
            block.append(op)
            if op.name in ("for_loop", "while_loop"):
                # What a turn does comes before the next one.
                self.final |= any(is_final(inner) for region in op.regions for inner in region.walk())
            for region in op.regions:
                self.block(region, every, again)
            self.final |= is_final(op)
            told = self.told_of(op)
            if told and (every or self.final or not self.is_flagged(op)):
                waiting += self.watched(block, op, told, every)
                if leaves_range(op, self.reporters) and len(waiting) == 1:
                    # The processor tells at once, and forgets with the next sum.
                    self._append(block, waiting)
                    waiting = []
        self._append(block, waiting)

    def misses(self, run: Run) -> bool:
        """Whether the flags do not tell of the errors of some ops in a run."""
        return any(self.told_of(op) and not self.is_flagged(op) for each in run.ops for op in each.walk())

    def look_back(self, block: Block, run: Run, every: bool) -> None:
        """Add what computes a run again where something in it went wrong, every op watched."""
        (at, *_) = run.ops
        errors = [self._add(block, at, "float_errors", (number,), of=RUN) for number in run.numbers]
        found = functools.reduce(lambda one, other: self._add(block, at, "bitwise_or", (one, other)), errors)
        none = self._add(block, at, "constant", (), value=INT64.type(0), type=ScalarType(INT64))
        wrong = self._add(block, at, "not_equal", (found, none))
        cloner = Cloner()
        again, otherwise = Block(), Block()
        for op in run.ops:
            again.append(cloner.clone(op))
        self.reporters |= {
            new: self.reporters[op] for op, new in cloner.copies.items() if op in self.reporters
        }
        self.heeds |= {new: self.heeds[op] for op, new in cloner.copies.items() if op in self.heeds}
        self.block(again, every, again=True)
        block.append(Op("cond", (wrong,), (), {"types": ()}, (again, otherwise), at.location))

    def _append(self, block: Block, ops: Iterable[Op]) -> None:
        for op in ops:
            block.append(op)

    def watched(self, block: Block, op: Op, told: int, every: bool) -> list[Op]:
        """Add what finds the errors in an op, and return what reports them: where every op is watched, it says which are sure."""
        name = op.name.removeprefix("scalar_")
        known = is_known(name, _kinds(op))
        found: list[Op] = []
        for result in op.results:
            if isinstance(result.type, TokenType) or (name == "frexp" and element(result.type).kind == "i"):
                continue
            shown = known or name == "cast" or element(result.type).kind in "iu"
            looked_at = (result, *op.operands) if shown else (result,)
            numbers = tuple(self._number(block, op, value) for value in looked_at)
            errors = self._add(block, op, "float_errors", numbers, of=name)
            if isinstance(errors.type, ArrayType):
                axes = tuple(range(len(dims_of(errors.type))))
                errors = self._add(block, op, "reduce", (errors,), ufunc="bitwise_or", axes=axes, dtype=INT64)
            if self.asks(op):
                errors = self._add(
                    block, op, "asked_errors", (errors, *op.operands), of=op.name, **op.attributes
                )
                known = True
            if (told & _SHOWN != _SHOWN or self.asks(op)) and not leaves_range(op, self.reporters):
                mask = self._add(
                    block, op, "constant", (), value=INT64.type(told | told << UNSURE), type=ScalarType(INT64)
                )
                errors = self._add(block, op, "bitwise_and", (errors, mask))
            report = self.reporters.get(op) if known and len(op.results) == 1 else None
            attributes: dict[str, Any] = {"report": report}
            if every and report and self.is_sure(op):
                attributes["sure"] = True
            found.append(Op("heed", (errors,), (), attributes, (), op.location))
        return found

    def _number(self, block: Block, at: Op, value: Value) -> Value:
        """Return a value, the element of an array without axes."""
        if not isinstance(value.type, ArrayType) or dims_of(value.type):
            return value
        return self._add(block, at, "load", (value,), view=View.identity(()))

    def _add(self, block: Block, at: Op, name: str, operands: tuple[Value, ...], **attributes: Any) -> Value:
        types: tuple[Type, ...] = TABLE[name].types([operand.type for operand in operands], attributes)
        added = Op(name, operands, types, attributes, (), at.location)
        added.result.name = "errors"
        block.append(added)
        return added.result
