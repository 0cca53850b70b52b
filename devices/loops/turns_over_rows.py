"""A loop whose turns run together, each some rows behind the one before: what is known of a turn, and the loop made of that.

Before:
    for step in range(steps):
        c = cos(step)
        for row in range(n): u[row] = u[row] * c
        s = sum(u)
        means[step] = s
After:
    most = 8
    for first in range(0, steps, most):
        many = min(most, steps - first)
        for turn in range(many):
            step = first + turn
            c = cos(step)
            c_kept[turn] = c
            begin the sum of this turn
        for row in range(n + lag * (many - 1)):
            for turn in range(many):
                here = row - lag * turn
                if 0 <= here < n:
                    c = c_kept[turn]
                    u[here] = u[here] * c
                    add the row to the sum of this turn
        for turn in range(many):
            step = first + turn
            s = the sum of this turn
            means[step] = s
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeGuard

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

from .accesses import accesses
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Expression, Position, rebuilt
from .ring import Stage
from .row_loop import RowLoop, all_of, integer
from .statement import Allocate, Assign, Body, For, If, Let, Nest, Reshape
from .steps import Rows, changed_rows

if TYPE_CHECKING:
    from .follow import Follower

_ZERO, _ONE = Constant(0, INT), Constant(1, INT)
# The dtypes of numbers that are kept.
_NUMBERS = "?bhilqBHILQfdFD"


@dataclass
class Turn:
    """What a turn of a loop does: before its rows, over them, which are whole arrays in `plain`, and behind them.

    `made` are the arrays that it makes, `views` those that are others in other dims, `roles` those that are exchanged at its end, and `carried` gives the numbers that the next turn goes on with.
    """

    before: Body = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    behind: Body = field(default_factory=list)
    plain: Body = field(default_factory=list)
    made: set[Buffer] = field(default_factory=set)
    views: list[Reshape] = field(default_factory=list)
    roles: dict[Buffer, Buffer] = field(default_factory=dict)
    carried: Assign = field(default_factory=lambda: Assign([]))

    @property
    def own(self) -> set[Buffer]:
        """The arrays that are other ones in each turn."""
        return self.made | self.roles.keys()


class TurnsOverRows:
    """Makes the loop whose turns run together."""

    def __init__(
        self,
        follower: Follower,
        loop: For,
        turn: Turn,
        rings: Mapping[Buffer, Buffer],
        lag: int,
        along: bool,
        turns: int,
    ) -> None:
        self.loop = loop
        self.turn = turn
        self.lag = lag
        self.turns = turns
        self.length = follower.turns(turn.stages)
        self.most, self.many, self.first, self.end, self.number, self.here = (
            Value(INT, follower.name(hint)) for hint in ("most", "many", "first", "end", "turn", "here")
        )
        # Whether turns go over rows, or whole arrays.
        self.over = Value(PYBOOL, follower.name("over"))
        # Whether sums are added up on the way; None where they always are.
        self.along = None if along else Value(PYBOOL, follower.name("along"))
        # The rings of all turns, one after the other.
        self.rings = {ring: self.longer(ring) for ring in rings.values()}
        # What the arrays that are exchanged are in a turn, at a row.
        self.lent = {role: replace(role, name=follower.name(role.name), source="lent") for role in turn.roles}
        follower.sharing.assigned.update(self.lent.values())
        found = accesses(*turn.before)
        named = found.defines | {name for name, _ in turn.carried.pairs}
        # What is done at rows uses, and what is done behind them.
        self.over_uses = set[object]().union(*(stage.found.uses for stage in turn.stages))
        self.behind_uses = set[object](accesses(*turn.behind).uses)
        # The numbers that turns find beforehand, and where they are kept for each of them, and what the next ones go on with behind them.
        self.kept = {
            value: Buffer(
                follower.name(f"{value.name}_kept"), _type(value).dtype, (turns + 1,), source="scratch"
            )
            for value in sorted(filter(is_kept, named & (self.over_uses | self.behind_uses)), key=_serial)
        }

    def body(self, most: Expression, over: Expression | None) -> Body:
        """Return the loop, given how many turns run together, and the test whether they go over rows at all."""
        turn = self.turn
        for stage in turn.stages:
            stage.nest = self.laid(stage.nest)
        along = None if self.along is None else Variable(self.along)
        rows = RowLoop(self.here, turn=self.number, turns=self.turns, along=along)
        rows.add(turn.stages)
        sums: Body = [stage.summed for stage in turn.stages if stage.summed is not None]
        plain, begins, ends = turn.plain, rows.begins, rows.ends
        if sums and along is not None:
            plain = [statement for statement in plain if statement not in sums]
            begins = [If(along, begins, [])]
            ends = [If(along, ends, sums)]
        elif sums and over is not None:
            ends = [If(Variable(self.over), ends, [])]
        now = Dim.of_value(self.number)
        handed = [name for name, _ in turn.carried.pairs if name in self.kept and is_kept(name)]
        rest = Position(Dim.of_value(self.end) - Dim.of_value(self.first), INT)
        is_less = Apply("less", (Variable(self.most), rest), PYBOOL)
        sweep: Body = [
            *map(Allocate, self.rings.values()),
            self.over_rows([*self.find(now, self.over_uses), *rows.body]),
        ]
        if over is not None:
            whole: Body = [*self.find(0, self.over_uses), *plain]
            sweep = [If(Variable(self.over), sweep, whole)]
        behind = [*ends, *turn.behind, *_assigned(turn.roles.items())]
        last = Dim.of_value(self.many)
        strip: Body = [
            Let(self.many, Apply("select", (is_less, Variable(self.most), rest), INT)),
            self.of_turns(
                [
                    self.step(now),
                    *turn.before,
                    *(self.keep(value, now) for value in self.kept),
                    *_assigned(turn.carried.pairs),
                    *begins,
                ]
            ),
            *(self.keep(value, last) for value in handed),
            *sweep,
            *([self.of_turns([*self.find(now, self.behind_uses), *behind])] if behind else []),
            *_assigned([(value, self.at(value, last)) for value in handed]),
        ]
        result: Body = [*map(Allocate, self.kept.values())]
        if over is not None:
            result.append(Let(self.over, over))
        result.append(Let(self.most, most))
        if begins and self.along is not None:
            result.append(Let(self.along, Apply("greater", (Variable(self.most), _ONE), PYBOOL)))
        result.append(Let(self.end, self.loop.stop))
        start, stop, most = self.loop.start, Variable(self.end), Variable(self.most)
        return [*result, For(self.first, start, stop, most, strip, None, self.loop.location)]

    def over_rows(self, body: Body) -> For:
        """Return the loop over the rows of all turns, given what a turn does at one."""
        row, here, many = (Dim.of_value(value) for value in (Value(INT, "row"), self.here, self.many))
        tests = (
            Apply("greater_equal", (integer(here), _ZERO), PYBOOL),
            Apply("less", (integer(here), integer(self.length)), PYBOOL),
        )
        turn: Body = [
            Let(self.here, Position(row - Dim.of_value(self.number) * self.lag, INT)),
            *([If(all_of(tests), body, [])] if self.lag else body),
        ]
        lend: Body = []
        if self.lent:
            lend = [Assign([(lent, role) for role, lent in self.lent.items()])]
            turn.append(
                Assign([(lent, self.lent[self.turn.roles[role]]) for role, lent in self.lent.items()])
            )
        (index,) = row.values()
        stop = Position(self.length + (many - 1) * self.lag, INT)
        return For(
            index,
            _ZERO,
            stop,
            _ONE,
            [*lend, self.of_turns(turn)],
            None,
            self.loop.location,
            in_order=True,
        )

    def of_turns(self, body: Body) -> For:
        """Return a loop over the turns that run together."""
        return For(
            self.number,
            _ZERO,
            Variable(self.many),
            _ONE,
            body,
            None,
            self.loop.location,
            in_order=True,
        )

    def step(self, number: DimLike) -> Let:
        """Return what tells which turn of the loop a turn is."""
        return Let(self.loop.index, Position(Dim.of_value(self.first) + number, INT))

    def find(self, number: DimLike, used: Set[object]) -> Body:
        """Return what finds the numbers of a turn again that are used."""
        pairs = [(value, self.at(value, number)) for value in self.kept if value in used]
        return [*([self.step(number)] if self.loop.index in used else []), *_assigned(pairs)]

    def keep(self, value: Value, place: DimLike) -> Nest:
        """Return what keeps a number."""
        return Nest([], self.at(value, place), Variable(value), self.loop.location)

    def at(self, value: Value, place: DimLike) -> Element:
        """Return where a number is kept."""
        return Element(self.kept[value], (place,), ScalarType(_type(value).dtype))

    def longer(self, ring: Buffer) -> Buffer:
        """Return a ring with as many rows for each turn."""
        return replace(ring, dims=(ring.dims[0] * self.turns, *ring.dims[1:]))

    def laid(self, nest: Rows) -> Rows:
        """Return a nest that has its rings where those of its turn lie, and the arrays that the turn has of those that are exchanged."""

        def leaf(part: Expression) -> Expression:
            if isinstance(part, Element) and part.buffer in self.lent:
                return replace(part, buffer=self.lent[part.buffer])
            if not isinstance(part, Element) or part.buffer not in self.rings:
                return part
            beyond = Dim.of_value(self.number) * part.buffer.dims[0]
            return Element(self.rings[part.buffer], (part.indices[0] + beyond, *part.indices[1:]), part.type)

        return changed_rows(nest, lambda part: rebuilt(part, leaf))


def is_kept(part: object) -> TypeGuard[Value]:
    """Whether something is a number that can be kept for each turn."""
    return isinstance(part, Value) and isinstance(part.type, ScalarType) and part.type.dtype.char in _NUMBERS


def _type(value: Value) -> ScalarType:
    assert isinstance(value.type, ScalarType)
    return value.type


def _assigned(pairs: Iterable[tuple[Value | Buffer, Expression | Buffer]]) -> Body:
    """Return what gives variables new values, nothing where there are none."""
    found = list(pairs)
    return [Assign(found)] if found else []


def _serial(value: Value) -> int:
    return value.serial
