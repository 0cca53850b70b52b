"""Runs several turns of a loop side by side, where each of them goes through a loop that waits for its own last result.

Before:
    for i in range(n):
        s = 0.0
        for k in range(m): s = s + a[i, k] * x[k]
        y[i] = s
After:
    whole = n & -8 if n > 0 else 0
    for i in range(0, whole, 8):
        s = 0.0; s_1 = 0.0; ...
        for k in range(m): s = s + a[i, k] * x[k]; s_1 = s_1 + a[i + 1, k] * x[k]; ...
        y[i] = s; y[i + 1] = s_1; ...
    for i in range(whole, n):
        s = 0.0
        for k in range(m): s = s + a[i, k] * x[k]
        y[i] = s
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace

from transpile.runtime.graph.bounds import dim_of
from transpile.runtime.graph.dim import Dim, DimLike, substitute, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType, Type
from transpile.runtime.ops.floating_errors import Reporter

from .accesses import Access, Accesses, accesses, goes_on
from .buffer import Buffer, Variable
from .copies import Copy
from .expression import Apply, Constant, Element, Expression, Position, rebuilt
from .program import Upcall
from .sharing import Sharing, all_bodies
from .statement import Assign, Body, For, If, LeaveIf, Let, Nest, Spread, Statement
from .tile import are_lines

# Note [Interleaving]
# A sum that a program adds up in a loop may not be added up in another order. So each addition waits for the one before, and a processor that could do eight at a time does one in four
# cycles. Other turns of a loop around have sums of their own: where no turn reads or stores what another one stores, eight of them go through the inner loop together, each in its own
# order. Where what they read lies side by side, LLVM makes vectors of them.

# How many turns run side by side: as many as make no more statements than this.
_TURNS = (8, 4)
_STATEMENTS = 112
_ONE = Constant(1, INT)


class Interleaver:
    """Interleaves the turns of a program's loops."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing

    def program(self, body: Body) -> None:
        """Interleave the loops in a body, in place: of loops in one another, the innermost that can be."""
        for inner in reversed(list(all_bodies(body))):
            inner[:] = [new for statement in inner for new in self.statement(statement)]

    def statement(self, loop: Statement) -> Body:
        """Return a loop, or those that stand for it."""
        if not isinstance(loop, For) or loop.until is not None or loop.step != _ONE:
            return [loop]
        reports = [statement for statement in loop.body if _reports(statement)]
        first = loop.body[: loop.body.index(reports[0])] if reports else []
        if len(reports) > 1 or accesses(*first).writes:
            return [loop]
        count = sum(len(body) for body in all_bodies(_quick(loop)))
        turns = next((turns for turns in _TURNS if turns * count <= _STATEMENTS), 0)
        if not turns or not self.counts_up(loop) or not self.pays(loop) or not self.is_apart(loop):
            return [loop]
        return interleaved(loop, turns)

    def counts_up(self, loop: For) -> bool:
        """Whether a loop starts at no negative number, so that how often it turns is a number of 64 bits."""
        match loop.start:
            case Constant(value):
                return bool(value >= 0)
            case Variable(value):
                return self.sharing.bounds.nonnegative(dim_of(value))
            case Position(dim):
                return self.sharing.bounds.nonnegative(dim)
        return False

    def pays(self, loop: For) -> bool:
        """Whether there are loops in a loop that wait for their results, and turn as often in each of its turns."""
        own = accesses(*loop.body).defines | {loop.index}
        inside = [statement for body in all_bodies(_quick(loop)) for statement in body]
        return (
            any(waits(statement) for statement in inside)
            and all(map(_can_copy, inside))
            and all(is_fixed(inner, own) for inner in inside if isinstance(inner, For))
            and not any(_has_loop(statement) for statement in inside if isinstance(statement, If))
        )

    def is_apart(self, loop: For) -> bool:
        """Whether no turn of a loop reads or goes on with what another one stores."""
        found = accesses(*loop.body)
        if goes_on(loop.body, found.defines):
            return False
        moving = (found.local | found.defines) - {loop.index}
        return all(
            are_lines(self.sharing, written, other, loop.index, moving)
            or self.never_meet(written, other, moving | {loop.index})
            for written in found.writes
            for other in (*found.reads, *found.writes)
            if self.sharing.may_share(written.buffer, other.buffer)
        )

    def never_meet(self, one: Access, other: Access, moving: Set[Value | Buffer]) -> bool:
        """Whether two accesses are proved to be to different elements, whichever turns they are of."""
        if one.indices is None or other.indices is None:
            return False
        if self.sharing.place(one.buffer) != self.sharing.place(other.buffer):
            return False
        bounds = self.sharing.bounds.anew()
        bounds.ranges = dict(self.sharing.bounds.ranges)
        others = {value: Value(INT, value.name) for value in moving if isinstance(value, Value)}
        for value, twin in others.items():
            ends = bounds.ranges.get(value, (None, None))
            bounds.ranges[twin] = tuple(  # type: ignore[assignment]
                None if end is None or moving & set(values_of(end)) else end for end in ends
            )
        for place, same in zip(one.indices, other.indices, strict=True):
            moved = substitute(same, lambda value: Dim.of_value(others.get(value, value)))
            if bounds.nonnegative(place - moved - 1) or bounds.nonnegative(moved - place - 1):
                return True
        return False


def waits(statement: Statement) -> bool:
    """Whether a statement is a loop each turn of which needs a float that the one before has computed, and has left in a variable or an element."""
    return isinstance(statement, For) and any(_adds_up(inner, statement) for inner in statement.body)


def _adds_up(statement: Statement, loop: For) -> bool:
    match statement:
        case Assign(pairs):
            return any(isinstance(name, Value) and _is_float(name.type) for name, _ in pairs)
        case Nest(_, target):
            reads = accesses(*loop.body).reads
            stays = not any(loop.index in values_of(place) for place in target.indices)
            return stays and _is_float(target.type) and Access(target.buffer, target.indices) in reads
    return False


def _is_float(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.dtype.kind in "fc"


def is_fixed(loop: For, own: Set[Value | Buffer]) -> bool:
    """Whether a loop turns as often in each turn of the one around it, which defines the values given."""
    bounds = Accesses()
    for bound in (loop.start, loop.stop, loop.step):
        bounds.expression(bound)
    return loop.until is None and not bounds.uses & own


def _reports(statement: Statement) -> bool:
    """Whether a statement does nothing but report errors, seldom."""
    inside = [inner for body in all_bodies([statement]) for inner in body]
    return (
        isinstance(statement, If)
        and any(isinstance(inner, (LeaveIf, Upcall)) for inner in inside)
        and all(_is_harmless(inner) for inner in inside)
    )


def _is_harmless(statement: Statement) -> bool:
    """Whether a statement stores nothing, and leaves the kernel, if it does, for the original to begin anew."""
    if isinstance(statement, Upcall):
        return isinstance(statement.function, Reporter) and statement.site.exception is None
    return _can_copy(statement) and not isinstance(statement, Nest)


def _quick(loop: For) -> Body:
    """Return what a loop does where there is nothing to report."""
    return [statement for statement in loop.body if not _reports(statement)]


def _can_copy(statement: Statement) -> bool:
    match statement:
        case Assign(pairs):
            return all(isinstance(name, Value) for name, _ in pairs)
        case Nest():
            return not statement.indices
        case Let() | For() | If():
            return True
    return False


def _has_loop(statement: If) -> bool:
    return any(isinstance(inner, For) for body in all_bodies([statement]) for inner in body)


def interleaved(loop: For, together: int) -> Body:
    """Return a loop over so many turns at a time, and one over the rest."""
    count, whole, middle = (Value(INT, name) for name in ("count", "whole", "middle"))
    some = Apply("greater", (loop.stop, loop.start), PYBOOL)
    turns = Apply("bitwise_and", (Variable(count), Constant(-together, INT)), INT)
    index = Value(INT, loop.index.name)
    copies = [_Copy(loop, Dim.of_value(index) + turn) for turn in range(together)]
    spread = loop.spread and Spread(index, loop.spread.work * together)
    return [
        Let(count, Apply("subtract", (loop.stop, loop.start), INT)),
        Let(whole, Apply("select", (some, turns, Constant(0, INT)), INT)),
        Let(middle, Apply("add", (loop.start, Variable(whole)), INT)),
        For(
            index,
            loop.start,
            Variable(middle),
            Constant(together, INT),
            list(_together(loop.body, copies, lambda report: _one_by_one(loop, report, index, copies))),
            None,
            loop.location,
            spread,
        ),
        replace(loop, start=Variable(middle), spread=None),
    ]


def _one_by_one(loop: For, report: If, first: Value, copies: Sequence[_Copy]) -> If:
    """Return what runs turns again, one after the other as far as the report in them, where any of them has something to report."""
    some = functools.reduce(
        lambda one, other: Apply("logical_or", (one, other), PYBOOL),
        (copy.expression(report.test) for copy in copies),
    )
    turn = Value(INT, loop.index.name)
    start, stop = (Position(Dim.of_value(first) + past, INT) for past in (0, len(copies)))
    body = Copy({loop.index: Dim.of_value(turn)}).body(loop.body[: loop.body.index(report) + 1])
    return If(some, [For(turn, start, stop, _ONE, body, None, loop.location)], [], report.location)


def _together(body: Body, copies: Sequence[_Copy], reported: Callable[[If], If]) -> Iterator[Statement]:
    """Yield the copies of each statement, side by side; of a loop there is one, with all of its statements' copies, and for a report what is `reported` of all."""
    for statement in body:
        if isinstance(statement, If) and _reports(statement):
            yield reported(statement)
        elif isinstance(statement, For):
            first = copies[0]
            for copy in copies[1:]:
                copy.values[statement.index] = first.own(statement.index)
            yield replace(
                statement,
                index=first.own(statement.index),
                body=list(_together(statement.body, copies, reported)),
                spread=None,
            )
        else:
            for copy in copies:
                yield copy.statement(statement)


class _Copy:
    """Copies the statements of a turn, with variables of its own."""

    def __init__(self, loop: For, index: DimLike) -> None:
        self.index, self.place = loop.index, index
        self.defined = accesses(*loop.body).defines
        self.values: dict[Value, Value] = {}

    def own(self, value: Value) -> Value:
        """Return what stands for a variable in this copy."""
        if value not in self.defined:
            return value
        if value not in self.values:
            self.values[value] = Value(value.type, value.name)
        return self.values[value]

    def statement(self, statement: Statement) -> Statement:
        """Return a statement's copy."""
        match statement:
            case Let(value, expression):
                return replace(statement, value=self.own(value), expression=self.expression(expression))
            case Assign(pairs):
                return Assign([(self.own(name), self.expression(value)) for name, value in pairs])  # type: ignore[arg-type]
            case Nest(_, target, expression):
                return replace(statement, target=self.element(target), expression=self.expression(expression))
            case If(test, then, otherwise):
                ways = [list(map(self.statement, body)) for body in (then, otherwise)]
                return replace(statement, test=self.expression(test), then=ways[0], otherwise=ways[1])
        raise AssertionError(f"{type(statement).__name__} is not copied")

    def dim(self, dim: DimLike) -> DimLike:
        """Return what a dim is in this copy."""
        return substitute(
            dim, lambda value: self.place if value is self.index else Dim.of_value(self.own(value))
        )

    def element(self, element: Element) -> Element:
        """Return what an element is in this copy."""
        return replace(element, indices=tuple(map(self.dim, element.indices)))

    def expression(self, expression: Expression) -> Expression:
        """Return what an expression is in this copy."""
        return rebuilt(expression, self.leaf)

    def leaf(self, part: Expression) -> Expression:
        """Return what a part of an expression is in this copy."""
        if isinstance(part, Element):
            return self.element(part)
        if isinstance(part, Position):
            return Position(self.dim(part.dim), part.type)
        if isinstance(part, Variable):
            if part.value is self.index:
                return Position(self.place, part.type)
            return Variable(self.own(part.value))
        return part
