"""Returns in loops that follow once the loop is left."""

from collections.abc import Iterator

import gast

from .syntax import LOOPS, inner_blocks

_GUARDED = (gast.Try, gast.With)


class LaterReturns:
    """Finds loops whose returns all return one variable that stays what it is in there.

    Such a loop is left, and the variable returned after it: no other name leads to it meanwhile, so that a list goes on growing in the loop.
    """

    def __init__(self, function: gast.FunctionDef) -> None:
        self._function = function
        self._body = list(function.body)
        # Which statement of the function a loop is in; the returns that are left for later.
        self._places: dict[gast.AST, int] = {}
        self._left: set[gast.Return] = set()
        for place, statement in enumerate(self._body):
            self._places.update((node, place) for node in gast.walk(statement) if isinstance(node, LOOPS))

    def __contains__(self, node: gast.Return) -> bool:
        return node in self._left

    def take(self, loop: gast.For | gast.While) -> str | None:
        """Leaves the returns in a loop for later, and gives the variable that they return; None where they are to stay."""
        returns = [found for statement in loop.body for found in returns_in(statement)]
        names = {node.value.id if isinstance(node.value, gast.Name) else None for node in returns}
        name: str | None = names.pop()
        if names or name is None or loop not in self._places or not self._left.isdisjoint(returns):
            return None
        nodes = list(gast.walk(loop))
        if any(_binds(name, node) or isinstance(node, _GUARDED) for node in nodes) or not self._is_sure(
            name, loop
        ):
            return None
        self._left.update(returns)
        return name

    def _is_sure(self, name: str, loop: gast.stmt) -> bool:
        """Says whether a variable has a value where a loop begins."""
        arguments, ahead = self._function.args, self._body[: self._places[loop]]
        if any(_binds(name, node) and isinstance(node.ctx, gast.Del) for node in gast.walk(self._function)):
            return False
        if any(node.id == name for node in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)):
            return True
        stores = (statement for statement in ahead if isinstance(statement, gast.Assign))
        return any(_binds(name, target) for statement in stores for target in statement.targets)


def returns_in(node: gast.stmt) -> Iterator[gast.Return]:
    """Yields the returns in a statement."""
    if isinstance(node, gast.Return):
        yield node
    for block in inner_blocks(node):
        for statement in block:
            yield from returns_in(statement)


def _binds(name: str, node: gast.AST) -> bool:
    """Says whether a node gives a variable another value, or takes it away."""
    return isinstance(node, gast.Name) and node.id == name and not isinstance(node.ctx, gast.Load)
