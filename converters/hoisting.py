"""Expressions of which a part has to become a statement."""

from collections.abc import Iterator
from typing import Any

import gast

from .converter import Converter
from .syntax import assign, load, negate, place


class Hoisting(Converter):
    """Makes statements of the parts of expressions, in the order in which Python evaluates them.

    ``has`` says which expressions have such a part. What comes before it is done before it, too, and kept in variables.
    """

    def has(self, node: gast.expr) -> bool:
        """Says whether an expression has a part that has to become a statement."""
        raise NotImplementedError

    def stays(self, node: gast.expr) -> bool:
        """Says whether an operand may be evaluated later as well."""
        return isinstance(node, gast.Constant | gast.Starred)

    def hoist(self, node: gast.expr, before: list[gast.stmt]) -> gast.expr:
        """Takes such parts out of an expression. What has to be done first is added to ``before``."""
        if not self.has(node):
            return node
        match node:
            case gast.BoolOp(op=op, values=[first, *others]):
                return self._logic(node, first, others, isinstance(op, gast.And), before)
            case gast.IfExp():
                value = self._fresh(node)
                branches = ([assign(value.id, operand, operand)] for operand in (node.body, node.orelse))
                before.append(place(gast.If(node.test, *branches), node.test))
                return value
            case gast.Compare() if len(node.ops) > 1:
                value = self._fresh(node)
                left = self.saved(node.left, before)
                before += self._links(value.id, left, node.ops, node.comparators)
                return value
        slots = list(_slots(node))
        last = max((number for number, (owner, key) in enumerate(slots) if self.has(owner[key])), default=-1)
        for number, (owner, key) in enumerate(slots[: last + 1]):
            owner[key] = self.hoist(owner[key], before)
            if number < last and not self.stays(owner[key]):
                owner[key] = self.saved(owner[key], before)
        return node

    def _logic(
        self,
        node: gast.BoolOp,
        first: gast.expr,
        others: list[gast.expr],
        all_: bool,
        before: list[gast.stmt],
    ) -> gast.expr:
        value = self._fresh(node)
        inner: list[gast.stmt] = []
        for operand in reversed(others):
            test = place(load(value.id), operand)
            going_on = test if all_ else place(negate(test), operand)
            inner = [place(gast.If(going_on, [assign(value.id, operand, operand), *inner], []), operand)]
        before += [assign(value.id, first, first), *inner]
        return value

    def _links(
        self, value: str, left: gast.expr, ops: list[gast.cmpop], comparators: list[gast.expr]
    ) -> list[gast.stmt]:
        """Gives the statements that compare links of a chain until one of them does not hold."""
        if len(ops) == 1:
            return [
                assign(value, place(gast.Compare(left, ops, comparators), comparators[0]), comparators[0])
            ]
        statements: list[gast.stmt] = []
        right = self.saved(comparators[0], statements)
        link = place(gast.Compare(left, ops[:1], [right]), right)
        rest = self._links(value, place(load(right.id), right), ops[1:], comparators[1:])
        return [*statements, assign(value, link, right), place(gast.If(load(value), rest, []), right)]

    def _fresh(self, node: gast.expr) -> gast.Name:
        return place(load(self.context.names.fresh("value")), node)

    def saved(self, node: gast.expr, before: list[gast.stmt]) -> gast.Name:
        """Keeps the value of an expression in a variable."""
        value = self._fresh(node)
        before.append(assign(value.id, node, node))
        return value


EVALUATED_FIRST = {
    gast.If: "test",
    gast.For: "iter",
    gast.Assign: "value",
    gast.AnnAssign: "value",
    gast.Return: "value",
    gast.Expr: "value",
    gast.Assert: "test",
    gast.Raise: "exc",
}
"""The part of a statement that is evaluated before anything else of it."""


def _slots(node: gast.expr) -> Iterator[tuple[Any, Any]]:
    """Gives the operands of an expression in order of evaluation, as ``(owner, key)``; none where that is not known.

    Operands stop before an unpacking, which happens when it is reached.
    """
    fields = _OPERANDS.get(type(node), ())
    for field in fields:
        value = getattr(node, field)
        for number, operand in enumerate(value if isinstance(value, list) else ()):
            if isinstance(operand, gast.keyword):
                if operand.arg is None:
                    return
                yield vars(operand), "value"
            elif isinstance(operand, gast.Starred):
                return
            else:
                yield value, number
        if isinstance(value, gast.AST):
            yield vars(node), field


_OPERANDS = {
    gast.Attribute: ("value",),
    gast.BinOp: ("left", "right"),
    gast.Call: ("func", "args", "keywords"),
    gast.Compare: ("left", "comparators"),
    gast.List: ("elts",),
    gast.NamedExpr: ("value",),
    gast.Set: ("elts",),
    gast.Slice: ("lower", "upper", "step"),
    gast.Subscript: ("value", "slice"),
    gast.Tuple: ("elts",),
    gast.UnaryOp: ("operand",),
}
