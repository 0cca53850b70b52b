"""Copies of statements with variables of their own: the same may then be done in two places, and nobody asks in the one for what the other has found.

Before:
    w = weights[k]
    for i in range(n): y[i] = y[i] + w * x[i + k]
A copy, with `first + 1` in the place of `k`:
    w_1 = weights[first + 1]
    for i in range(n): y[i] = y[i] + w_1 * x[i + first + 1]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.ops.floating_errors import Reporter

from .buffer import Buffer, Variable
from .expression import Expression, Position, moved, rebuilt
from .nests import changed_part
from .program import Upcall
from .statement import Assign, Body, For, Fused, If, LeaveIf, Let, Nest, Part, Statement


class Copy:
    """Copies statements once, with something else in the place of some variables."""

    def __init__(self, places: Mapping[Value, DimLike] | None = None) -> None:
        self.places = places or {}
        self.own: dict[Value, Value] = {}

    def body(self, body: Body) -> Body:
        """Return copies of statements."""
        return [self.statement(statement) for statement in body]

    def statement(self, statement: Statement) -> Statement:
        """Return a statement's copy."""
        match statement:
            case Let():
                return self.part(statement)
            case Nest(indices):
                return self.part(replace(statement, indices=self.loops(indices)))
            case Fused(indices, parts):
                own = [self.part(part) for part in parts]
                return replace(statement, indices=self.loops(indices), parts=own)
            case If(test, then, otherwise):
                test = self.expression(test)
                return replace(statement, test=test, then=self.body(then), otherwise=self.body(otherwise))
            case LeaveIf(test) if not statement.site.operands:
                return replace(statement, test=test and self.expression(test))
            case For():
                return self.loop(statement)
            case Assign(pairs):
                return Assign([(self.variable(name), self.source(source)) for name, source in pairs])
            case Upcall(site, Reporter()):
                site = replace(site, operands=list(map(self.source, site.operands)))
                return replace(statement, site=site)
        raise AssertionError(f"{type(statement).__name__} is not copied")

    def loop(self, loop: For) -> For:
        """Return a loop's copy."""
        start, stop, step = map(self.expression, (loop.start, loop.stop, loop.step))
        index = self.named(loop.index)
        return replace(loop, index=index, start=start, stop=stop, step=step, body=self.body(loop.body))

    def loops(self, loops: list[tuple[Value, DimLike]]) -> list[tuple[Value, DimLike]]:
        """Return the loops of a nest, whose variables are its own anyway."""
        return [(index, substitute(dim, self.place)) for index, dim in loops]

    def part(self, part: Part) -> Part:
        """Return the copy of a number, or of what a nest does."""
        part = changed_part(part, self.expression)
        return replace(part, value=self.named(part.value)) if isinstance(part, Let) else part

    def variable(self, name: Value | Buffer) -> Value | Buffer:
        """Return what is assigned to in the copy."""
        assert isinstance(name, Value), "buffers are not assigned in what is copied"
        return self.named(name)

    def source(self, source: Expression | Buffer) -> Expression | Buffer:
        """Return what is assigned, or handed over, in the copy."""
        return source if isinstance(source, Buffer) else self.expression(source)

    def named(self, value: Value) -> Value:
        """Return a variable that stands for one from here on."""
        return self.own.setdefault(value, Value(value.type, value.name))

    def expression(self, expression: Expression) -> Expression:
        """Return what an expression is in the copy."""
        return rebuilt(expression, self.leaf)

    def leaf(self, part: Expression) -> Expression:
        """Return what a part of an expression is in the copy."""
        if not isinstance(part, Variable):
            return moved(part, self.place)
        if part.value in self.places:
            return Position(self.places[part.value], part.type)
        return Variable(self.own.get(part.value, part.value))

    def place(self, value: Value) -> DimLike:
        """Return what a variable in an index is in the copy."""
        return self.places[value] if value in self.places else Dim.of_value(self.own.get(value, value))
