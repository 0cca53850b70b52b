"""Assignments in expressions that are evaluated lazily, hoisted into statements."""

from collections.abc import Iterator
from typing import Any

import gast

from .context import Context
from .converter import Converter
from .scopes import Scopes
from .syntax import (
    COMPREHENSIONS,
    LOOPS,
    SCOPES,
    assign,
    constant,
    inner_blocks,
    load,
    negate,
    place,
)


class Walrus(Converter):
    """Makes statements of expressions that assign a name where an operator would make a function of them.

    An assignment in an expression that is evaluated in any case may stay: it binds the name where it stands. In the
    right side of an ``and``, an arm of a conditional expression, a comprehension or the test of a ``while`` it would
    bind a name of the function that the operator is given.

    Before:
        def f(xs):
            while (n := next(xs)) > 0:
                print(n)

    After:
        def f(xs):
            while True:
                if (n := next(xs)) > 0:
                    print(n)
                else:
                    break

    Before:
        def f(x):
            if g(x) + (x and (y := h(x))):
                return y

    After:
        def f(x):
            value = g(x)
            value_1 = x
            if value_1:
                value_1 = (y := h(x))
            if value + value_1:
                return y

    Before:
        def f(xs):
            return [y for x in xs if (y := g(x))]

    After:
        def f(xs):
            items = []
            for x_1 in xs:
                if (y := g(x_1)):
                    items.append(y)
            return items
    """

    def __init__(self, scopes: Scopes, context: Context) -> None:
        super().__init__(context)
        self._scopes = scopes

    def convert(self, function: gast.FunctionDef | gast.Lambda) -> None:
        """Rewrites a function in place, but not the functions inside it; a lambda has no place for statements."""
        if isinstance(function, gast.Lambda):
            self._refuse_lazy(function)
        else:
            super().convert(function)

    def visit(self, node: gast.AST) -> Any:
        """Rewrites a statement."""
        if isinstance(node, SCOPES) or next(_assignments(node), None) is None:
            self._refuse_lazy(node)
            return node
        if isinstance(node, gast.While) and next(_assignments(node.test), None):
            return self._while(node)
        before: list[gast.stmt] = []
        field = _EVALUATED_FIRST.get(type(node))
        if field is not None and getattr(node, field) is not None:
            setattr(node, field, self._hoist(getattr(node, field), before))
        self._refuse_lazy(node)
        for block in inner_blocks(node):
            block[:] = self.block(block)
        return [*self.block(before), node]

    def _refuse_lazy(self, node: gast.AST) -> None:
        for found in (*_lazy(node), *_read_early(node)):
            raise self.context.refuse("C032-walrus", found, name=found.target.id)

    def _while(self, node: gast.While) -> list[gast.stmt]:
        # In an else clause a jump leaves the loop around, but in the body it would leave this one.
        if any(isinstance(inner, gast.Break | gast.Continue) for inner in _own_statements(node.orelse)):
            found = next(_assignments(node.test))
            raise self.context.refuse("C032-walrus", found, name=found.target.id)
        leave = [*node.orelse, place(gast.Break(), node.test)]
        turn = place(gast.If(node.test, node.body, leave), node.test)
        return [place(gast.While(place(constant(True), node.test), self.block([turn]), []), node)]

    def _hoist(self, node: gast.expr, before: list[gast.stmt]) -> gast.expr:
        """Takes lazy assignments out of an expression. What has to be done first is added to ``before``."""
        if next(_lazy(node), None) is None:
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
                left = self._saved(node.left, before)
                before += self._links(value.id, left, node.ops, node.comparators)
                return value
            case gast.ListComp() | gast.SetComp() | gast.DictComp():
                return self._loop(node, before)
        slots = list(_slots(node))
        lazy = [next(_lazy(owner[key]), None) is not None for owner, key in slots]
        last = max((number for number, found in enumerate(lazy) if found), default=-1)
        for number, (owner, key) in enumerate(slots[: last + 1]):
            owner[key] = self._hoist(owner[key], before)
            if number < last and not isinstance(owner[key], gast.Constant | gast.Starred):
                owner[key] = self._saved(owner[key], before)
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
        right = self._saved(comparators[0], statements)
        link = place(gast.Compare(left, ops[:1], [right]), right)
        rest = self._links(value, place(load(right.id), right), ops[1:], comparators[1:])
        return [*statements, assign(value, link, right), place(gast.If(load(value), rest, []), right)]

    def _loop(self, node: gast.expr, before: list[gast.stmt]) -> gast.expr:
        """Makes a loop of a comprehension."""
        items = place(load(self.context.names.fresh("items")), node)
        self._rename(node)
        if isinstance(node, gast.ListComp):
            empty = gast.List([], gast.Load())
            body = [self._method_call(items, "append", node.elt)]
        elif isinstance(node, gast.SetComp):
            # The name "set" might be the user's own.
            empty = gast.Set([gast.Starred(gast.Tuple([], gast.Load()), gast.Load())])
            body = [self._method_call(items, "add", node.elt)]
        else:
            empty = gast.Dict([], [])
            body = []
            key = self._saved(node.key, body)
            body.append(assign(gast.Subscript(load(items.id), key, gast.Store()), node.value, node.value))
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [place(gast.If(test, body, []), test)]
            body = [place(gast.For(generator.target, generator.iter, body, [], None), generator.iter)]
        before += [assign(items.id, empty, node), *body]
        return items

    def _rename(self, node: gast.expr) -> None:
        """Gives a comprehension's targets names of their own, since they become names of the function."""
        renamed = {name: self.context.names.fresh(name) for name in self._scopes[node].bound}
        first = node.generators[0].iter
        node.generators[0].iter = constant(None)
        for inner in gast.walk(node):
            if isinstance(inner, gast.Name) and inner.id in renamed:
                if isinstance(inner.ctx, gast.Param):
                    raise self.context.refuse("C032-walrus", node, name=next(_assignments(node)).target.id)
                inner.id = renamed[inner.id]
            elif isinstance(inner, gast.Name):
                self.context.from_comprehensions.add(inner)
        node.generators[0].iter = first

    def _method_call(self, items: gast.Name, method: str, argument: gast.expr) -> gast.stmt:
        function = place(gast.Attribute(load(items.id), method, gast.Load()), argument)
        call = gast.Call(function, [argument], [])
        return place(gast.Expr(place(call, argument)), argument)

    def _fresh(self, node: gast.expr) -> gast.Name:
        return place(load(self.context.names.fresh("value")), node)

    def _saved(self, node: gast.expr, before: list[gast.stmt]) -> gast.Name:
        value = self._fresh(node)
        before.append(assign(value.id, node, node))
        return value


_EVALUATED_FIRST = {
    gast.If: "test",
    gast.For: "iter",
    gast.Assign: "value",
    gast.AnnAssign: "value",
    gast.Return: "value",
    gast.Expr: "value",
    gast.Assert: "test",
    gast.Raise: "exc",
}


def _assignments(node: gast.AST) -> Iterator[gast.NamedExpr]:
    """Finds all assignments in expressions, but not in functions inside."""
    if isinstance(node, gast.NamedExpr):
        yield node
    for child in gast.iter_child_nodes(node):
        if not isinstance(child, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
            yield from _assignments(child)


def _lazy(node: gast.AST, lazy: bool = False) -> Iterator[gast.NamedExpr]:
    """Finds the assignments in an expression, or in those of a statement, that operators would hide in a function."""
    eager: list[gast.AST] = []
    match node:
        case gast.NamedExpr():
            if lazy:
                yield node
        case gast.Lambda():
            # What a lambda assigns is its own, but operators inside it hide that from it as well.
            lazy = False
        case gast.BoolOp(values=[first, *_]):
            eager = [first]
        case gast.IfExp(test=test) | gast.Assert(test=test):
            eager = [test]
        case gast.Compare(ops=[_, _, *_], left=left):
            eager = [left]
        case _ if isinstance(node, COMPREHENSIONS):
            eager = [node.generators[0].iter]
    for child in gast.iter_child_nodes(node):
        if isinstance(child, gast.comprehension):
            for part in gast.iter_child_nodes(child):
                yield from _lazy(part, lazy or part not in eager)
        elif not isinstance(child, gast.stmt):
            yield from _lazy(child, lazy or (bool(eager) and child not in eager))


def _read_early(node: gast.AST) -> Iterator[gast.NamedExpr]:
    """Finds the assignments in lambdas to names that are read before: what fails then would be another error in an operator's function."""
    for inner in gast.walk(node):
        if not isinstance(inner, gast.Lambda):
            continue
        for found in _assignments(inner.body):
            end = found.end_lineno, found.end_col_offset
            for name in gast.walk(inner.body):
                if (
                    isinstance(name, gast.Name)
                    and name.id == found.target.id
                    and isinstance(name.ctx, gast.Load)
                ):
                    if (name.lineno, name.col_offset) < end:
                        yield found


def _own_statements(block: list[gast.stmt]) -> Iterator[gast.stmt]:
    """Gives the statements of a block whose jumps leave the loop around it."""
    for node in block:
        yield node
        for block in [node.orelse] if isinstance(node, LOOPS) else inner_blocks(node):
            yield from _own_statements(block)


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
