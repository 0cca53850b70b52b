"""Runs nests that follow each other in one loop over rows, each a few rows behind the one before: what one stores, the next finds in the cache.

Before:
    for i in range(n):
        for j in range(m): t[i, j] = (a[i, j] + a[i + 2, j]) * 0.5
    for i in range(n):
        for j in range(m): a[i + 1, j] = t[i, j]
After, where rows are long:
    for row in range(n + 1):
        if row < n:
            i = row
            for j in range(m): t[i & 1, j] = (a[i, j] + a[i + 2, j]) * 0.5
        if row >= 1:
            i_1 = row - 1
            for j in range(m): a[i_1 + 1, j] = t[i_1 & 1, j]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, product, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

from .accesses import Access, accesses
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Position
from .nests import parts_of, with_outermost
from .program import Program
from .ring import Rings, Stage, line_of
from .sharing import Sharing, all_bodies, clashes
from .spread import is_dense
from .statement import (
    Allocate,
    Assign,
    Body,
    CheckedLet,
    For,
    Fused,
    If,
    LeaveIf,
    Let,
    Nest,
    Part,
    Reduction,
    Statement,
)

# Note [Following]
# Of two nests over rows, as many or a known number more, row i of the second may run as soon as row i + d of the first has: d is the most by which a row of the first that touches an element
# lies behind the row of the second that touches it, too, where one of them stores. Each index is a row's plus something known, on an axis on which nothing else moves; so that is a difference
# of numbers. A third nest waits for both, and so on; one that runs only where a variable says so goes along.
# A statement that stores over what it has read, `a[1:-1] = f(a)`, is two such nests, one into memory of its own and one that copies it back: see Note [Rings] for that memory.
#
# Nests that compute for longer than they wait for memory keep their loops, which several threads may share.

# By how many rows a nest may lie behind the first, how long rows are at least, and how many nests follow each other. They gain nothing where all that is stored is wanted
# later.
_FARTHEST = 16
_LONG = 16
_STAGES = 16


class Follower:
    """Has the nests of a program follow each other."""

    def __init__(self, sharing: Sharing, name: Callable[[str], str]) -> None:
        self.sharing = sharing
        self.name = name

    def program(self, program: Program) -> None:
        """Have nests of a program follow each other, in place."""
        self.rings = Rings(program, self.sharing, self.name)
        for inner in list(all_bodies(program.body)):
            result: Body = []
            place = 0
            while place < len(inner):
                stages, before, end = self.stages(inner, place)
                rings = self.rings.shorten(stages, inner) if len(stages) > 1 else {}
                if rings:
                    whole = [statement for statement in inner[place:end] if statement not in before]
                    result += [*before, *self.chosen(stages, rings, whole)]
                else:
                    result.append(inner[place])
                    end = place + 1
                place = end
            inner[:] = result

    def stages(self, body: Body, place: int) -> tuple[list[Stage], Body, int]:
        """Return the stages of a loop that begins at a place, the statements between them, which go before, and where it ends."""
        stages: list[Stage] = []
        between: Body = []
        ended = 0, 0, place
        for at in range(place, len(body)):
            statement = body[at]
            stage = self.stage(statement, stages) if len(stages) < _STAGES else None
            if stage is not None:
                stages.append(stage)
                # What has to do with none before may have with one behind it.
                if len(stages) == 1 or stage.follows:
                    ended = len(stages), len(between), at + 1
            elif stages and self.goes_before(statement, stages):
                between.append(statement)
            else:
                break
        count, passed, end = ended
        return stages[:count], between[:passed], end

    def stage(self, statement: Statement, stages: Sequence[Stage]) -> Stage | None:
        """Return a statement as the stage after others, None where it cannot be, or does not pay."""
        test = None
        if isinstance(statement, If) and isinstance(statement.test, Variable) and stages:
            if len(statement.then) != 1 or statement.otherwise:
                return None
            test, (statement,) = statement.test, statement.then
        stage = self.alone(statement, test)
        if stage is None or not stages:
            return stage
        longer = self.sharing.dim(self.sharing.dim(rows_of(stage)) - self.sharing.dim(rows_of(stages[0])))
        if not isinstance(longer, int):
            return None
        stage.longer = longer
        delays: list[int] = []
        for other in stages:
            between = self.between(other, stage)
            if between is None or other.found.defines & stage.found.uses:
                return None
            delays += [other.delay + rows for rows in between]
        stage.delay = max((0, *delays))
        stage.follows = bool(delays)
        return stage if stage.delay <= _FARTHEST else None

    def alone(self, statement: Statement, test: Variable | None) -> Stage | None:
        """Return a statement, run where a test holds, as a first stage, None where it cannot be one."""
        if not isinstance(statement, (Nest, Fused)) or len(statement.indices) < 2:
            return None
        parts = parts_of(statement)
        gathered = {part.target for part in parts if isinstance(part, Reduction)}
        if not all(gathers_bits(part) for part in parts if isinstance(part, Reduction)) or is_dense(parts):
            return None
        length = length_of(statement)
        if isinstance(length, int) and length < _LONG:
            return None
        index = Value(INT, statement.indices[0][0].name)
        nest = with_outermost(statement, index)
        found = accesses(nest)
        if (
            any(index in values_of(dim) for _, dim in nest.indices)
            or found.leaves
            or found.defines - gathered
        ):
            return None
        if test is not None:
            if gathered:
                return None
            found.uses.add(test.value)
        return Stage(nest, index, found, 0, test)

    def between(self, first: Stage, second: Stage) -> list[int] | None:
        """Return, for what one of two nests stores and the other touches, how many rows later the first comes to it; None where that is not known."""
        loops = [*first.nest.indices, *second.nest.indices]
        found: list[int] = []
        for one, other in clashes(first.found, second.found):
            if self.sharing.may_share(one.buffer, other.buffer):
                rows = self.rows_between(first, one, second, other)
                if rows is not None:
                    found.append(rows)
                elif not self.sharing.is_apart(one, other, loops):
                    return None
        return found

    def rows_between(self, first: Stage, one: Access, second: Stage, other: Access) -> int | None:
        """Return how many rows later the first nest comes to an element than the second, None where that is not known."""
        if one.indices is None or other.indices is None:
            return None
        if self.sharing.place(one.buffer) != self.sharing.place(other.buffer):
            return None
        for place, same in zip(one.indices, other.indices, strict=True):
            start, step = line_of(first, place)
            begin, stride = line_of(second, same)
            if step and step == stride and start is not None and begin is not None:
                between = self.sharing.dim(begin) - self.sharing.dim(start)
                if isinstance(between, int) and between % step == 0:
                    return between // step
        return None

    def goes_before(self, statement: Statement, stages: Sequence[Stage]) -> bool:
        """Whether a statement between nests may run before all of them."""
        if not isinstance(statement, (Allocate, Let, LeaveIf, CheckedLet)):
            return False
        found = accesses(statement)
        return not found.is_seen and not any(self.sharing.conflict(stage.found, found) for stage in stages)

    def chosen(self, stages: list[Stage], rings: dict[Buffer, Buffer], whole: Body) -> Body:
        """Return nests as they were where rows are short, and in one loop, with its rings, where they are long."""
        length = length_of(stages[0].nest)
        if isinstance(length, int):
            for buffer, ring in rings.items():
                self.rings.made[buffer].buffer = ring
            return self.loop(stages)
        test = Apply("greater_equal", (Position(length, INT), Constant(_LONG, INT)), PYBOOL)
        location = stages[0].nest.location
        return [If(test, [*map(Allocate, rings.values()), *self.loop(stages)], whole, location)]

    def loop(self, stages: list[Stage]) -> Body:
        """Return nests as one loop over rows, with what begins the bits that they gather."""
        row = Value(INT, "row")
        ends = [stage.delay + stage.longer for stage in stages]
        begins: Body = []
        body: Body = []
        for stage, end in zip(stages, ends, strict=True):
            own = Dim.of_value(row) - stage.delay
            nest, gathered = _of_row(stage.nest)
            begins += [Assign([(target, Constant(0, _type_of(target)))]) for target, _ in gathered]
            inside: Body = [
                Let(stage.index, Position(own, INT)),
                *stage.places,
                nest,
                *(
                    Assign(
                        [(target, Apply("bitwise_or", (Variable(target), Variable(found)), _type_of(target)))]
                    )
                    for target, found in gathered
                ),
            ]
            if stage.test is not None:
                inside = [If(stage.test, inside, [])]
            if stage.delay:
                begun = (Position(Dim.of_value(row), INT), Constant(stage.delay, INT))
                inside = [If(Apply("greater_equal", begun, PYBOOL), inside, [])]
            if end < max(ends):
                goes_on = (Position(own, INT), Position(rows_of(stage), INT))
                inside = [If(Apply("less", goes_on, PYBOOL), inside, [])]
            body += inside
        zero, one = Constant(0, INT), Constant(1, INT)
        location = stages[0].nest.location
        turns = Position(rows_of(stages[0]) + max(ends), INT)
        return [*begins, For(row, zero, turns, one, body, None, location)]


def rows_of(stage: Stage) -> DimLike:
    """Return how many rows a stage has."""
    return stage.nest.indices[0][1]


def length_of(nest: Nest | Fused) -> DimLike:
    """Return how many elements a row of a nest has."""
    return product(tuple(dim for _, dim in nest.indices[1:]))


def gathers_bits(part: Part) -> bool:
    """Whether a part gathers bits, as those of floating-point errors, in a number of its own."""
    return (
        isinstance(part, Reduction)
        and part.ufunc == "bitwise_or"
        and isinstance(part.target, Value)
        and isinstance(part.target.type, ScalarType)
        and part.target.type.dtype.kind in "iu"
    )


def _type_of(value: Value) -> ScalarType:
    assert isinstance(value.type, ScalarType)
    return value.type


def _of_row(nest: Nest | Fused) -> tuple[Nest | Fused, list[tuple[Value, Value]]]:
    """Return a nest over one row, and the numbers for which it gathers bits, each with the one that holds those of the row."""
    gathered: list[tuple[Value, Value]] = []
    if isinstance(nest, Fused):
        parts: list[Part] = []
        for part in nest.parts:
            if isinstance(part, Reduction):
                assert isinstance(part.target, Value)
                gathered.append((part.target, Value(part.target.type, part.target.name)))
                part = replace(part, target=gathered[-1][1])
            parts.append(part)
        nest = replace(nest, parts=parts)
    return replace(nest, indices=nest.indices[1:]), gathered
