"""Assignments in expressions that are evaluated lazily, hoisted into statements."""

from collections.abc import Iterator
from typing import Any

import gast

from .context import Context
from .hoisting import EVALUATED_FIRST, Hoisting
from .scopes import Scopes
from .syntax import (
    COMPREHENSIONS,
    LOOPS,
    SCOPES,
    assign,
    constant,
    inner_blocks,
    load,
    place,
)


class Walrus(Hoisting):
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
        field = EVALUATED_FIRST.get(type(node))
        if field is not None and getattr(node, field) is not None:
            setattr(node, field, self.hoist(getattr(node, field), before))
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

    def has(self, node: gast.expr) -> bool:
        """Says whether an expression assigns a name where an operator would hide that in a function."""
        return next(_lazy(node), None) is not None

    def hoist(self, node: gast.expr, before: list[gast.stmt]) -> gast.expr:
        """Takes lazy assignments out of an expression, of which a comprehension becomes a loop."""
        if isinstance(node, gast.ListComp | gast.SetComp | gast.DictComp) and self.has(node):
            return self._loop(node, before)
        return super().hoist(node, before)

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
            key = self.saved(node.key, body)
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
