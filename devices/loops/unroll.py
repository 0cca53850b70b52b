"""Unrolls short loops around loop nests, so that what their turns do can be fused.

Before:
    for d in range(2):
        for i in range(n): s[i] = s[i] + x[d + i]
After:
    for i in range(n): s[i] = s[i] + x[i]
    for i in range(n): s[i] = s[i] + x[i + 1]

Where the loop's variable decides a branch, only the branch that is taken is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value

from .buffer import Buffer, Variable
from .expression import Constant, Element, Expression, Position, rebuilt
from .folding import folded
from .statement import (
    Allocate,
    Assign,
    Body,
    CheckedLet,
    For,
    If,
    LeaveIf,
    Let,
    Nest,
    Reduction,
    Reshape,
    Statement,
    While,
)

# How many turns a loop may have, and how many statements its unrolling may make.
_TURNS = 16
_STATEMENTS = 64


def unroll(body: Body) -> Body:
    """Return a body with its short loops around loop nests unrolled, inner ones first."""
    result: Body = []
    for statement in body:
        if isinstance(statement, If):
            statement = replace(statement, then=unroll(statement.then), otherwise=unroll(statement.otherwise))
        elif isinstance(statement, While):
            statement = replace(statement, head=unroll(statement.head), body=unroll(statement.body))
        elif isinstance(statement, For):
            statement = replace(statement, body=unroll(statement.body))
            turns = _turns(statement)
            if turns is not None:
                for number in turns:
                    known = Constant(number, Variable(statement.index).type)
                    result += _Copy(statement.body, {statement.index: known}).run()
                continue
        result.append(statement)
    return result


def _turns(loop: For) -> range | None:
    """Return the numbers that a loop's variable takes, None where the loop stays."""
    bounds = [bound.value for bound in (loop.start, loop.stop, loop.step) if isinstance(bound, Constant)]
    if len(bounds) < 3 or loop.until is not None:
        return None
    turns = range(*bounds)
    inside = list(_all(loop.body))
    if not 0 < len(turns) <= _TURNS or len(turns) * len(inside) > _STATEMENTS:
        return None
    if not any(isinstance(statement, Nest) and statement.indices for statement in inside):
        return None
    return turns if all(map(_can_copy, inside)) else None


def _all(body: Body) -> Iterator[Statement]:
    for statement in body:
        yield statement
        if isinstance(statement, If):
            yield from _all(statement.then)
            yield from _all(statement.otherwise)


def _can_copy(statement: Statement) -> bool:
    """Whether a statement may stand several times in a kernel: what hands something over at a site may not."""
    if isinstance(statement, (LeaveIf, CheckedLet)):
        return statement.site.exception is None
    return isinstance(statement, (Let, Allocate, Reshape, Nest, Reduction, Assign, If))


class _Copy:
    """Copies the statements of one turn: what they define is defined anew, what is known is put in."""

    def __init__(self, body: Body, known: Mapping[Value, Expression]) -> None:
        self.source = body
        self.values: dict[Value, Expression] = dict(known)
        self.buffers: dict[Buffer, Buffer] = {}

    def run(self) -> Body:
        """Return the copy."""
        return self.body(self.source)

    def body(self, body: Body) -> Body:
        """Copy statements."""
        return [copy for statement in body for copy in self.statement(statement)]

    def statement(self, statement: Statement) -> Body:
        """Copy a statement."""
        match statement:
            case Let(value, expression):
                result = self.expression(expression)
                if isinstance(result, Constant):
                    self.values[value] = result
                    return []
                return [Let(self.define(value), result)]
            case CheckedLet(value, expression, site):
                expression = self.expression(expression)
                return [CheckedLet(self.define(value), expression, site)]
            case LeaveIf(test, site):
                return [LeaveIf(None if test is None else self.expression(test), site)]
            case Allocate(buffer):
                return [Allocate(self.allocate(buffer))]
            case Reshape(buffer, base):
                base = self.buffer(base)
                return [Reshape(self.allocate(buffer), base)]
            case Nest():
                return [
                    replace(
                        statement,
                        indices=[(index, self.dim(dim)) for index, dim in statement.indices],
                        target=self.element(statement.target),
                        expression=self.expression(statement.expression),
                    )
                ]
            case Reduction():
                target = statement.target
                return [
                    replace(
                        statement,
                        loops=[(index, self.dim(dim)) for index, dim in statement.loops],
                        expression=self.expression(statement.expression),
                        target=self.define(target) if isinstance(target, Value) else self.element(target),
                    )
                ]
            case Assign(pairs):
                return [
                    Assign(
                        [
                            (
                                name,
                                self.buffer(source)
                                if isinstance(source, Buffer)
                                else self.expression(source),
                            )
                            for name, source in pairs
                        ]
                    )
                ]
            case If(test, then, otherwise, location):
                known = self.expression(test)
                if isinstance(known, Constant):
                    return self.body(then if known.value else otherwise)
                return [If(known, self.body(then), self.body(otherwise), location)]
        raise AssertionError(f"{type(statement).__name__} is not copied")

    # -- parts -------------------------------------------------------------------------------------------------

    def define(self, value: Value) -> Value:
        """Return a value of this copy's own."""
        own = Value(value.type, value.name)
        self.values[value] = Variable(own)
        return own

    def allocate(self, buffer: Buffer) -> Buffer:
        """Return a buffer of this copy's own."""
        base = None if buffer.base is None else self.buffer(buffer.base)
        own = self.buffers[buffer] = replace(buffer, dims=tuple(map(self.dim, buffer.dims)), base=base)
        return own

    def buffer(self, buffer: Buffer) -> Buffer:
        """Return what a buffer is in this copy."""
        return self.buffers.get(buffer, buffer)

    def value(self, value: Value) -> DimLike:
        """Return what a value in a dim is in this copy."""
        known = self.values.get(value)
        if known is None:
            return Dim.of_value(value)
        if isinstance(known, Variable):
            return Dim.of_value(known.value)
        if isinstance(known, Position):
            return known.dim
        assert isinstance(known, Constant)
        return int(known.value)

    def dim(self, dim: DimLike) -> DimLike:
        """Return what a dim is in this copy."""
        return substitute(dim, self.value)

    def element(self, element: Element) -> Element:
        """Return what an element is in this copy."""
        return Element(self.buffer(element.buffer), tuple(map(self.dim, element.indices)), element.type)

    def leaf(self, expression: Expression) -> Expression:
        """Return what a part of an expression is in this copy."""
        if isinstance(expression, Element):
            return self.element(expression)
        if isinstance(expression, Position):
            dim = self.dim(expression.dim)
            return Position(dim, expression.type) if isinstance(dim, Dim) else Constant(dim, expression.type)
        if isinstance(expression, Variable):
            return self.values.get(expression.value, expression)
        return expression

    def expression(self, expression: Expression) -> Expression:
        """Return what an expression is in this copy."""
        return folded(rebuilt(expression, self.leaf))
