"""Runs a loop that goes on as long as some element asks for it over a piece of memory at a time, each piece for as many turns as all have.

Before:
    while True:
        some = False
        for i in range(n): some = some | (t[i] > e)
        if not some: break
        k = k + 1
        for i in range(n): t[i] = t[i] / k
After:
    goal = 0; turns = zeros(pieces); carried = full(pieces, k)
    while True:
        for piece in range(pieces):
            first = piece * 1024; count = min(1024, n - first)
            turn = turns[piece]; k = carried[piece]
            while True:
                some = False
                for i in range(count): some = some | (t[first + i] > e)
                if not (turn < goal or some): break
                k = k + 1
                for i in range(count): t[first + i] = t[first + i] / k
                turn = turn + 1
            goal = max(goal, turn); turns[piece] = turn; carried[piece] = k
        if turns[0] == goal: break
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

from .accesses import Accesses, accesses
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Expression, Position, walk
from .nests import loops_of, parts_of, with_loops, with_outermost
from .sharing import Sharing, all_bodies
from .spread import is_dense
from .statement import (
    Allocate,
    Assign,
    Body,
    For,
    Fused,
    If,
    LeaveIf,
    Let,
    Nest,
    Reduction,
    Reshape,
    Statement,
    While,
)
from .tile import are_lines

# Note [Turns]
# A loop whose test asks whether any element wants another turn has as many turns as the piece of memory that wants most. Where what is done at one index has nothing to do with other
# indices, pieces may run one after the other, each in the cache. No piece runs for longer than the loop as a whole would: `goal` is only raised by a piece that wants another turn when all
# that are known of are done, so there is one then in the loop as well. A piece that ran before goes on where it stopped, in the next pass, until the first is done at the goal, and so all.
#
# What a turn finds of numbers alone each piece finds anew, from the numbers that it stopped with. A piece goes ahead of the others by so many turns at most: where it does not end, an
# error at another one does end the loop.
#
# A test that is true of the whole wherever it is true of a piece is one that grows with `any`, or shrinks with `all`; of several such it is not known.

# How many elements a piece has; and by how many turns one goes ahead in a pass.
_PIECE = 1024
_AHEAD = 1024
_SOME = {"logical_or": 1, "logical_and": -1}
_ZERO, _ONE = Constant(0, INT), Constant(1, INT)


class TurnTiler:
    """Tiles the loops on tests of a program."""

    def __init__(self, sharing: Sharing, name: Callable[[str], str], parallel: bool) -> None:
        self.sharing = sharing
        self.name = name
        self.parallel = parallel

    def program(self, body: Body) -> None:
        """Tile the loops on tests in a body, in place."""
        for inner in list(all_bodies(body)):
            inner[:] = [new for statement in inner for new in self.statement(statement)]

    def statement(self, loop: Statement) -> Body:
        """Return a loop in pieces where that can be done and pays, after the views that it is to have."""
        if not isinstance(loop, While) or loop.until is not None or loop.end.pairs:
            return [loop]
        views = [part for part in (*loop.head, *loop.body) if isinstance(part, Reshape)]
        plain = replace(
            loop,
            head=[part for part in loop.head if part not in views],
            body=[part for part in loop.body if part not in views],
        )
        inside = list(_statements([*plain.head, *plain.body]))
        nests = [part for part in inside if isinstance(part, (Nest, Fused, Reduction))]
        if not nests or not self.is_plain(loop.test, inside, views) or not _asks_for_some(plain, inside):
            return [loop]
        extent = self.sharing.dim(loops_of(nests[0])[0][1])
        defined = accesses(*inside).defines
        if isinstance(extent, int) or defined & set(values_of(extent)):
            return [loop]
        if any(
            len(loops_of(nest)) != 1 or self.sharing.dim(loops_of(nest)[0][1]) != extent for nest in nests
        ):
            return [loop]
        dense = self.parallel and any(
            is_dense(parts_of(nest)) for nest in nests if not isinstance(nest, Reduction)
        )
        if dense or not self.is_apart(inside, nests):
            return [loop]
        return [*views, *self.tiled(plain, loops_of(nests[0])[0][1])]

    def is_plain(self, asked: Expression, inside: Sequence[Statement], views: Sequence[Reshape]) -> bool:
        """Whether a loop has nothing but nests, and numbers that have nothing to do with what nests store."""
        if any(view.base in self.sharing.assigned for view in views):
            return False
        stored = {access.buffer for access in accesses(*inside).writes}
        numbers = Accesses()
        numbers.expression(asked)
        for part in inside:
            match part:
                case Nest(indices) | Fused(indices):
                    if not indices:
                        return False
                case Reduction():
                    if not isinstance(part.target, Value):
                        return False
                case Let() | If():
                    numbers.expression(part.expression if isinstance(part, Let) else part.test)
                case LeaveIf(test, site):
                    if site.exception is not None or site.operands:
                        return False
                    numbers.expression(test)
                case Assign(pairs):
                    for name, source in pairs:
                        if isinstance(name, Buffer) and name is not source:
                            return False
                        if not isinstance(source, Buffer):
                            numbers.expression(source)
                case _:
                    return False
        read = {access.buffer for access in numbers.reads}
        return bool(stored) and not any(self.sharing.may_share(a, b) for a in stored for b in read)

    def is_apart(self, inside: Sequence[Statement], nests: Sequence[Nest | Fused | Reduction]) -> bool:
        """Whether what is done at one index has nothing to do with what is stored at another one."""
        index = loops_of(nests[0])[0][0]
        found = Accesses()
        for nest in nests:
            found.statement(with_outermost(nest, index))
        moving = (found.local | accesses(*inside).defines) - {index}
        return all(
            are_lines(self.sharing, written, other, index, moving)
            for written in found.writes
            for other in (*found.reads, *found.writes)
            if self.sharing.may_share(written.buffer, other.buffer)
        )

    def tiled(self, loop: While, extent: DimLike) -> Body:
        """Return a loop in pieces."""
        pieces, piece, first, count, goal, most, turn, following, raised = (
            Value(INT, self.name(hint))
            for hint in ("pieces", "piece", "first", "count", "goal", "most", "turn", "following", "raised")
        )
        again, done = Value(PYBOOL, self.name("again")), Value(PYBOOL, self.name("done"))
        carried = [name for name, _ in _of_numbers(loop.body[-1]) if isinstance(name, Value)]
        kept = {
            value: Buffer(self.name(f"{value.name}_kept"), value.type.dtype, (Dim.of_value(pieces),))
            for value in (turn, *carried)
            if isinstance(value.type, ScalarType)
        }

        def at(value: Value, place: DimLike) -> Element:
            assert isinstance(value.type, ScalarType)
            return Element(kept[value], (place,), ScalarType(value.type.dtype))

        def moved(body: Body) -> Body:
            """Return statements over a piece."""
            result: Body = []
            for part in body:
                if isinstance(part, If):
                    result.append(replace(part, then=moved(part.then), otherwise=moved(part.otherwise)))
                elif isinstance(part, (Nest, Fused, Reduction)):
                    (index, _), *_ = loops_of(part)
                    there = with_outermost(part, index, Dim.of_value(first) + Dim.of_value(index))
                    result.append(with_loops(there, [(index, Dim.of_value(count))]))
                else:
                    result.append(part)
            return result

        own, here = Value(INT, "k"), Dim.of_value(piece)
        begun = [(value, _ZERO if value is turn else Variable(value)) for value in kept]
        steps = moved(loop.body)
        last = steps.pop() if isinstance(steps[-1], Assign) else Assign([])
        rest = Position(extent - Dim.of_value(first), INT)
        length = Constant(_PIECE, INT)
        is_behind = Apply("less", (Variable(turn), Variable(goal)), PYBOOL)
        is_near = Apply("less", (Variable(turn), Variable(most)), PYBOOL)
        wanted = Apply("bitwise_and", (loop.test, is_near), PYBOOL)
        next_turn = Position(Dim.of_value(turn) + 1, INT)
        steps.append(Let(following, next_turn))
        inner = While(
            [*moved(loop.head), Let(again, Apply("bitwise_or", (is_behind, wanted), PYBOOL))],
            Variable(again),
            Assign([]),
            [*steps, Assign([*_of_numbers(last), (turn, Variable(following))])],
            None,
            loop.location,
        )
        reached = Apply("select", (loop.test, next_turn, Variable(turn)), INT)
        over: Body = [
            Let(first, Position(here * _PIECE, INT)),
            Let(count, Apply("select", (Apply("less", (length, rest), PYBOOL), length, rest), INT)),
            Assign([(value, at(value, here)) for value in kept]),
            inner,
            *(Nest([], at(value, here), Variable(value), loop.location) for value in kept),
            Let(raised, Apply("maximum", (Variable(goal), reached), INT)),
            Assign([(goal, Variable(raised))]),
        ]
        # One of nothing, where there is nothing, as turns may be asked for by numbers, too.
        whole = Apply("floor_divide", (Position(extent + (_PIECE - 1), INT), length), INT)
        every = Apply("maximum", (whole, _ONE), INT)
        stores = [Nest([], at(value, Dim.of_value(own)), start, loop.location) for value, start in begun]
        passes = While(
            [],
            Constant(True, PYBOOL),
            Assign([]),
            [
                Let(most, Position(Dim.of_value(goal) + _AHEAD, INT)),
                For(piece, _ZERO, Variable(pieces), _ONE, over, None, loop.location, in_order=True),
                Let(done, Apply("equal", (at(turn, 0), Variable(goal)), PYBOOL)),
            ],
            done,
            loop.location,
        )
        return [
            Let(pieces, every),
            *map(Allocate, kept.values()),
            Fused([(own, Dim.of_value(pieces))], [*stores], loop.location),
            Assign([(goal, _ZERO)]),
            passes,
        ]


def _statements(body: Body) -> Iterator[Statement]:
    """Yield statements, and those in branches."""
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from _statements([*statement.then, *statement.otherwise])


def _of_numbers(statement: Statement) -> list[tuple[Value | Buffer, Expression | Buffer]]:
    """Return the new values that a statement gives numbers which a loop carries."""
    pairs = statement.pairs if isinstance(statement, Assign) else []
    return [(name, source) for name, source in pairs if not isinstance(name, Buffer)]


def _asks_for_some(loop: While, inside: Sequence[Statement]) -> bool:
    """Whether the test of a loop holds of all elements wherever it holds of some, and nothing else is found of them but whether there is an error."""
    signs: dict[Value, int] = {}
    errors: set[Value] = set()
    for nest in inside:
        if not isinstance(nest, (Fused, Reduction)):
            continue
        for part in parts_of(nest):
            if not isinstance(part, Reduction):
                continue
            target = part.target
            if not isinstance(target, Value):
                return False
            if part.ufunc in _SOME:
                signs[target] = _SOME[part.ufunc]
            elif part.ufunc == "bitwise_or" and part.expression.type.dtype.kind in "iu":
                errors.add(target)
            else:
                return False
    if len(signs) != 1:
        return False
    known: dict[Value, int | None] = dict(signs)
    for statement in _statements(loop.head):
        # What stands in a branch depends on its test as well.
        if isinstance(statement, If) and _sign(statement.test, known) != 0:
            return False
        pairs = statement.pairs if isinstance(statement, Assign) else []
        if isinstance(statement, Let):
            pairs = [(statement.value, statement.expression)]
        for name, source in pairs:
            if isinstance(name, Value) and not isinstance(source, Buffer):
                known[name] = _both(known.get(name, 0), _sign(source, known))
    if _sign(loop.test, known) != 1:
        return False
    # Numbers in the body, and whether errors were met, must not depend on what is known of a piece alone.
    return not any(_uses(statement, errors) for statement in inside) and not any(
        known.get(value, 0) != 0
        for statement in _statements(loop.body)
        for value in accesses(statement).uses
        if isinstance(value, Value)
    )


def _uses(statement: Statement, errors: set[Value]) -> bool:
    """Whether a statement uses the errors of a piece otherwise than to leave the kernel."""
    match statement:
        case LeaveIf(test):
            return test is None or (_mentions(test, errors) and not _is_error(test, errors))
        case Let(_, expression):
            return _mentions(expression, errors)
        case Assign(pairs):
            return any(not isinstance(source, Buffer) and _mentions(source, errors) for _, source in pairs)
        case If(test):
            return _mentions(test, errors)
    return False


def _mentions(expression: Expression, values: Set[Value]) -> bool:
    return any(isinstance(part, Variable) and part.value in values for part in walk(expression))


def _is_error(test: Expression, errors: set[Value]) -> bool:
    """Whether a test asks whether any bit of some is set that are gathered of errors."""
    if not isinstance(test, Apply) or test.name != "not_equal" or not _is_zero(test.operands[1]):
        return False
    bits = test.operands[0]
    if isinstance(bits, Apply) and bits.name == "bitwise_and" and isinstance(bits.operands[1], Constant):
        bits = bits.operands[0]
    return isinstance(bits, Variable) and (bits.value in errors)


def _is_zero(expression: Expression) -> bool:
    return isinstance(expression, Constant) and expression.value == 0


def _sign(expression: Expression, known: dict[Value, int | None]) -> int | None:
    """Return whether a truth value grows (1) or shrinks (-1) with those that are known to, has nothing to do with them (0), or it is not known (None)."""
    if isinstance(expression, Variable):
        return known.get(expression.value, 0)
    if not isinstance(expression, Apply):
        return 0 if all(not isinstance(part, Variable) for part in walk(expression)) else None
    signs = [_sign(operand, known) for operand in expression.operands]
    if not any(sign != 0 for sign in signs):
        return 0
    if expression.type.dtype.kind != "b" or any(of.type.dtype.kind != "b" for of in expression.operands):
        return None
    if expression.name == "cast":
        return signs[0]
    if expression.name == "logical_not":
        return None if signs[0] is None else -signs[0]
    if expression.name == "select":
        test, one, other = expression.operands
        if test in (one, other):
            # `a and b`, `a or b`
            return _both(signs[0], signs[1] if test == other else signs[2])
        return _both(signs[1], signs[2]) if signs[0] == 0 else None
    return _both(*signs) if expression.name in ("bitwise_and", "bitwise_or") else None


def _both(one: int | None, other: int | None) -> int | None:
    if one is None or other is None or one * other < 0:
        return None
    return one or other
