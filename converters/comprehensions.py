"""Comprehensions and generator expressions."""

from typing import Any

import gast

from .converter import Converter
from .syntax import constant, load, place, thunk


class Comprehensions(Converter):
    """Hands comprehensions to operators, with their element and condition as functions of one item.

    A target that is more than a name is unpacked by a comprehension over the one item: it is an expression, and fails
    as the original does. Where there are conditions, too, the item is unpacked once, before them.

    Before:
        def f(xs, pairs):
            return [x + y for x in xs if x for y in g(x)], {k: v for k, v in pairs}, {x for x, _ in pairs if x}

    After:
        def f(xs, pairs):
            return (
                ops.listed(ops.flatten(ops.generator(xs, lambda x: ops.generator(g(x), lambda y: x + y, None), lambda x: x))),
                ops.dict_comp(pairs, lambda item: [(k, v) for k, v in [item]][0], None),
                ops.set_comp(
                    ops.generator(pairs, lambda item: [(x, _) for x, _ in [item]][0], None),
                    lambda item: [x for x, _ in [item]][0],
                    lambda item: [x for x, _ in [item]][0]
                )
            )
    """

    def visit_ListComp(self, node: gast.ListComp) -> Any:
        """Rewrites a list comprehension."""
        self.generic_visit(node)
        if len(node.generators) == 1:
            return place(self._nest("list_comp", node.generators, node.elt), node)
        items = self._nest("generator", node.generators, node.elt)
        return place(self.context.operator("listed", items), node)

    def visit_GeneratorExp(self, node: gast.GeneratorExp) -> Any:
        """Rewrites a generator expression."""
        self.generic_visit(node)
        return place(self._nest("generator", node.generators, node.elt), node)

    def visit_SetComp(self, node: gast.SetComp) -> Any:
        """Rewrites a set comprehension."""
        self.generic_visit(node)
        return place(self._collected("set_comp", node.generators, node.elt), node)

    def visit_DictComp(self, node: gast.DictComp) -> Any:
        """Rewrites a dictionary comprehension, whose elements are pairs."""
        self.generic_visit(node)
        pair = place(gast.Tuple([node.key, node.value], gast.Load()), node.key)
        return place(self._collected("dict_comp", node.generators, pair), node)

    def _collected(self, name: str, generators: list[gast.comprehension], element: gast.expr) -> gast.expr:
        """Rewrites one that is not a sequence: elements of several ``for`` arrive one by one, as they are made."""
        if len(generators) == 1:
            return self._nest(name, generators, element)
        item = self.context.names.shared("item")
        elements = self._nest("generator", generators, element)
        return self.context.operator(name, elements, thunk(load(item), item), constant(None))

    def _nest(self, name: str, generators: list[gast.comprehension], element: gast.expr) -> gast.expr:
        first, *others = generators
        if others:
            element = self._nest(name, others, element)
        test = self._all(first.ifs)
        iterable, target = first.iter, first.target
        if test is not None and not isinstance(target, gast.Name):
            iterable, target = self._unpacked(iterable, target)
        made = self.context.operator(
            name,
            iterable,
            self._function(target, element),
            constant(None) if test is None else self._function(target, test),
        )
        return self.context.operator("flatten", made) if others else made

    def _all(self, tests: list[gast.expr]) -> gast.expr | None:
        if len(tests) < 2:
            return tests[0] if tests else None
        return place(self.context.operator("and_", tests[0], *map(thunk, tests[1:])), tests[0])

    def _unpacked(self, iterable: gast.expr, target: gast.expr) -> tuple[gast.expr, gast.expr]:
        """Gives an iterable of plain tuples, and a target that takes them apart any number of times alike."""
        names = []
        for node in gast.walk(target):
            if isinstance(node, gast.Name):
                names.append(node.id)
            elif isinstance(node, gast.Subscript | gast.Attribute):
                raise self.context.refuse("C034-comprehension-target", node)
        names = list(dict.fromkeys(names))
        value = gast.Tuple([load(name) for name in names], gast.Load())
        plain = gast.Tuple([gast.Name(name, gast.Store(), None, None) for name in names], gast.Store())
        function = self._function(target, place(value, target))
        return self.context.operator("generator", iterable, function, constant(None)), place(plain, target)

    def _function(self, target: gast.expr, value: gast.expr) -> gast.Lambda:
        if isinstance(target, gast.Name):
            return thunk(value, target.id)
        item = self.context.names.shared("item")
        only = place(gast.List([load(item)], gast.Load()), target)
        unpacking = place(gast.ListComp(value, [gast.comprehension(target, only, [], 0)]), target)
        return thunk(place(gast.Subscript(unpacking, constant(0), gast.Load()), value), item)
