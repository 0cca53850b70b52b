"""Displays of lists, dictionaries and sets."""

from typing import Any

import gast

from .converter import Converter
from .syntax import place

# The methods that put something into a list or dictionary, or may give it.
_GIVEN = ("append", "appendleft", "get", "insert", "setdefault")


class Displays(Converter):
    """Hands the lists that a function keeps to an operator, because they may grow.

    A display that is used up where it stands, as an argument or in a comparison, stays as it is, unless it is repeated as often as run time may say.

    Before:
        def f(x, n):
            found = []
            for i in range(n):
                ops.call(found.append, [x[i]])
            return g([1, 2]), found

    After:
        def f(x, n):
            found = ops.list_()
            for i in range(n):
                ops.call(found.append, ops.list_(x[i]))
            return g([1, 2]), found
    """

    def visit_Assign(self, node: gast.Assign) -> Any:
        """Rewrites what is given a name, or put into something."""
        self.generic_visit(node)
        if not (isinstance(node.value, gast.List) and isinstance(node.targets[0], gast.Tuple | gast.List)):
            node.value = self._kept(node.value)
            if isinstance(node.targets[0], gast.Name) and _is_constant(node.value):
                node.value = place(self.context.operator("tuple_", *node.value.elts), node.value)
        return node

    def visit_AnnAssign(self, node: gast.AnnAssign) -> Any:
        """Rewrites what is given a name."""
        super().visit_AnnAssign(node)
        if node.value is not None:
            node.value = self._kept(node.value)
        return node

    def visit_Return(self, node: gast.Return) -> Any:
        """Rewrites what the caller, or the code around a generated function, is given."""
        self.generic_visit(node)
        if node.value is not None:
            node.value = self._kept(node.value)
        return node

    def visit_Subscript(self, node: gast.Subscript) -> Any:
        """Rewrites what is read at a place that run time may give."""
        self.generic_visit(node)
        if isinstance(node.ctx, gast.Load) and not isinstance(node.slice, gast.Constant):
            if isinstance(node.value, gast.List):
                node.value = self._kept(node.value)
            elif _is_constant(node.value):
                node.value = place(self.context.operator("tuple_", *node.value.elts), node.value)
        return node

    def visit_ListComp(self, node: gast.ListComp) -> Any:
        """Rewrites the items of a list that a comprehension makes."""
        self.generic_visit(node)
        node.elt = self._kept(node.elt)
        return node

    def visit_DictComp(self, node: gast.DictComp) -> Any:
        """Rewrites what a dictionary holds that a comprehension makes."""
        self.generic_visit(node)
        node.value = self._kept(node.value)
        return node

    def visit_Call(self, node: gast.Call) -> Any:
        """Rewrites what a list is given by a method, whose call an operator has been handed, or an object when it is made."""
        self.generic_visit(node)
        if node.args and _is_class(node.args[0]):
            node.args[1:] = [self._kept(argument) for argument in node.args[1:]]
            for keyword in node.keywords:
                keyword.value = self._kept(keyword.value)
        match node.args:
            case [gast.Attribute(attr=name), *given] if name in _GIVEN:
                node.args[1:] = [self._kept(argument) for argument in given]
            case _:
                node.args = [self._kept(given) if _is_repeated(given) else given for given in node.args]
        return node

    def _kept(self, value: gast.expr) -> gast.expr:
        match value:
            case gast.List():
                elements = [self._kept(element) for element in value.elts]
                return place(self.context.operator("list_", *elements), value)
            case gast.Tuple():
                value.elts = [self._kept(element) for element in value.elts]
            case gast.Dict():
                value.values = [self._kept(item) for item in value.values]
                if None not in value.keys:
                    pairs = [
                        place(gast.Tuple([key, item], gast.Load()), item)
                        for key, item in zip(value.keys, value.values, strict=True)
                    ]
                    return place(self.context.operator("dict_", *pairs), value)
            case gast.Set() if len(value.elts) < 3 or not all(map(_is_folded, value.elts)):
                # Python makes one of constants by another way, after which its items are in another order.
                return place(self.context.operator("set_", *value.elts), value)
            case gast.BinOp(op=gast.Add() | gast.Mult()):
                value.left, value.right = self._kept(value.left), self._kept(value.right)
            case gast.IfExp():
                value.body, value.orelse = self._kept(value.body), self._kept(value.orelse)
        return value


def _is_constant(value: gast.expr) -> bool:
    """Whether a display is one of a tuple of constants, or of such tuples."""
    return isinstance(value, gast.Tuple) and all(
        isinstance(item, gast.Constant | gast.UnaryOp) or _is_constant(item) for item in value.elts
    )


def _is_repeated(value: gast.expr) -> bool:
    """Whether a list is taken several times."""
    match value:
        case (
            gast.BinOp(op=gast.Mult(), left=gast.List(), right=times)
            | gast.BinOp(op=gast.Mult(), left=times, right=gast.List())
        ):
            return not isinstance(times, gast.Constant)
    return False


def _is_class(function: gast.expr) -> bool:
    """Whether what is called has the name of a class of the user's, or is `dict`."""
    name = function.attr if isinstance(function, gast.Attribute) else getattr(function, "id", "")
    return name == "dict" or name.lstrip("_")[:1].isupper()


def _is_folded(value: gast.expr) -> bool:
    """Whether Python may know what an expression gives before it runs."""
    return not any(
        isinstance(node, gast.Name | gast.Call | gast.Attribute | gast.Starred) for node in gast.walk(value)
    )
