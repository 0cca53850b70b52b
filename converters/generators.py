"""Generators, as functions that run as far as items are asked for, or hand each item on."""

import copy
from collections.abc import Iterable, Iterator

import gast

from .context import Context
from .syntax import arguments_of, assign, constant, function, inner_blocks, load, place, store, tuple_of

_YIELDS = (gast.Yield, gast.YieldFrom)


class Generators:
    """Makes two functions of a generator: one that yields, and one that hands each item on, in whose loops nothing is left half done.

    What is handed an item says whether it was the last one that is wanted. Where an item is yielded under ``try`` or ``with``, which would see what is raised
    where it goes, or where something is made of what ``yield from`` gives, there is no such function.

    Before:
        def f(n, *, step=1):
            for i in range(0, n, step):
                yield i
            got = yield n
            yield from got

    After:
        def f(n, *, step=1):
            def pulled(n, step):
                for i in range(0, n, step):
                    yield i
                got = yield n
                yield from got
            def pushed(n, step, hand_on):
                for i in range(0, n, step):
                    if ops.handed_on(hand_on, i):
                        return
                if ops.handed_on(hand_on, n):
                    return
                got = None
                for yielded in got:
                    if ops.handed_on(hand_on, yielded):
                        return
            return ops.yielding(pulled, pushed, (n, step))

    Before:
        def f(x):
            with x:
                yield x

    After:
        def f(x):
            def pulled(x):
                with x:
                    yield x
            return ops.yielding(pulled, None, (x,))
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    def convert(self, node: gast.FunctionDef) -> list[gast.FunctionDef]:
        """Rewrites a function in place, if it is a generator, and gives the functions that it is made of."""
        if node.name in self._context.names.made_functions or not any(_yields_in(node.body)):
            return []
        names = [name.id for name in arguments_of(node.args)]
        pulled, pushed = self._context.names.functions("pulled", "pushed")
        made = [function(pulled, names, node.body, node)]
        if not _resists(node.body):
            hand_on = self._context.names.fresh("hand_on")
            body = self._pushing(copy.deepcopy(node.body), hand_on)
            made.append(function(pushed, [*names, hand_on], body, node))
        second = load(pushed) if len(made) > 1 else constant(None)
        call = self._context.operator("yielding", load(pulled), second, tuple_of(names))
        node.body = [*made, place(gast.Return(place(call, node)), node)]
        return made

    def _pushing(self, block: list[gast.stmt], hand_on: str) -> list[gast.stmt]:
        return [new for statement in block for new in self._pushed(statement, hand_on)]

    def _pushed(self, node: gast.stmt, hand_on: str) -> list[gast.stmt]:
        value = getattr(node, "value", None)
        if isinstance(value, gast.YieldFrom):
            item = self._context.names.fresh("yielded")
            body = [self._hand_on(hand_on, load(item), value)]
            return [place(gast.For(store(item), value.value, body, [], None), node)]
        if isinstance(value, gast.Yield):
            handed = self._hand_on(hand_on, value.value or constant(None), value)
            if isinstance(node, gast.Assign):
                return [handed, *(assign(target, constant(None), node) for target in node.targets)]
            return [handed]
        for block in _blocks(node):
            block[:] = self._pushing(block, hand_on)
        return [node]

    def _hand_on(self, hand_on: str, item: gast.expr, at: gast.expr) -> gast.stmt:
        call = place(self._context.operator("handed_on", load(hand_on), item), at)
        return place(gast.If(call, [place(gast.Return(None), at)], []), at)


def _blocks(statement: gast.stmt) -> Iterable[list[gast.stmt]]:
    return [*inner_blocks(statement), *(case.body for case in getattr(statement, "cases", ()))]


def _yields_in(block: list[gast.stmt]) -> Iterator[gast.stmt]:
    """Finds the statements of a block, but not of functions inside, that yield."""
    for statement in block:
        if isinstance(getattr(statement, "value", None), _YIELDS):
            yield statement
        for inner in _blocks(statement):
            yield from _yields_in(inner)


def _resists(block: list[gast.stmt]) -> bool:
    """Whether a block yields where an item cannot be handed on instead."""
    for statement in block:
        value = getattr(statement, "value", None)
        if isinstance(statement, gast.Return | gast.AugAssign) and isinstance(value, _YIELDS):
            return True
        if isinstance(statement, gast.Assign) and isinstance(value, gast.YieldFrom):
            return True
        guards = isinstance(statement, gast.Try | gast.With)
        if any(any(_yields_in(inner)) if guards else _resists(inner) for inner in _blocks(statement)):
            return True
    return False
