"""Finds captured variables that have to stay one variable of all functions that see them."""

from ast import NodeVisitor
from dataclasses import dataclass

import gast

from .context import Context
from .effects import Effects
from .scopes import Scopes
from .syntax import COMPREHENSIONS, SCOPES, outside_expressions


@dataclass(slots=True)
class _Frame:
    """A generated function, or the user's own, on the way back from its end to its start.

    ``binds`` are the names that it takes or binds, or a function generated inside it. ``elsewhere`` are the names that some
    other function binds later: one inside this one, or one around it, or this one on the next turn of a loop.
    """

    binds: int
    elsewhere: int
    outer: "_Frame | None"


class LateBinding:
    """Finds the variables of which a function made inside sees later values, as Python has it.

    A function made inside reads a variable from the innermost generated function that binds it. If some later
    binding of the variable is in another one, or in another run of it, the variable is shared: no generated function
    has one of its own. So is what functions inside bind.

    Before:
        def f(xs):
            for x in xs:
                callbacks.append(lambda: x)

    After:
        def f(xs):
            x = ops.Undefined("x")
            def loop_body(item):
                nonlocal x
                x = item
                callbacks.append(lambda: x)
            ops.for_loop(xs, loop_body, (), names=())
    """

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._shared = 0

    def find(self, function: gast.FunctionDef) -> int:
        """Gives the captured variables that are bound again in another generated function."""
        self._block(function, "body", _Frame(~0, 0, None))
        return self._shared

    def _block(self, owner: gast.AST, name: str, frame: _Frame, later: int = 0) -> None:
        for statement in reversed(getattr(owner, name)):
            step = self._effects.steps[statement]
            place = frame
            if statement in self._effects.staying and statement in self._effects.of:
                # Their blocks are no functions of their own.
                for block in _blocks_in_place(statement):
                    self._block(*block, frame, later)
                    later |= self._effects.blocks[block].binds
            elif statement in self._effects.of:
                inside = self._effects.of[statement].binds
                again = inside if isinstance(statement, gast.For | gast.While) else 0
                for field in ("body", "orelse"):
                    if (statement, field) in self._effects.blocks:
                        inner = _Frame(inside, frame.elsewhere | later | again, frame)
                        self._block(statement, field, inner)
                        if isinstance(statement, gast.While):
                            # The test is a function of its own that sees the values of one turn.
                            place = inner
                frame.elsewhere |= inside
            self._capture(step.captures, place)
            later |= step.binds

    def _capture(self, captures: list[tuple[gast.AST, int]], frame: _Frame) -> None:
        for _, names in captures:
            place: _Frame | None = frame
            while place is not None and names:
                self._shared |= names & place.binds & place.elsewhere
                names &= ~place.binds
                place = place.outer


def _blocks_in_place(node: gast.stmt) -> list[tuple[gast.AST, str]]:
    """Gives the blocks of a statement that stays, from the last to the first."""
    if isinstance(node, gast.With | gast.For | gast.While):
        return [(node, "body")]
    if isinstance(node, gast.If):
        return [(node, "orelse"), (node, "body")]
    handlers = ((handler, "body") for handler in node.handlers)
    return [(node, "finalbody"), (node, "orelse"), *handlers, (node, "body")]


class LateBindingInComprehension(NodeVisitor):
    """Checks that no function made in a comprehension captures one of its targets.

    Before:
        def f(xs):
            return [lambda: x for x in xs]

    After:
        C031-late-binding-in-comprehension
    """

    def __init__(self, scopes: Scopes, context: Context) -> None:
        self._scopes = scopes
        self._context = context
        self._targets: frozenset[str] = frozenset()

    def check(self, function: gast.FunctionDef | gast.Lambda) -> None:
        """Raises ``ConversionError`` where a function made in a comprehension captures one of its targets."""
        for node in function.body if isinstance(function.body, list) else [function.body]:
            self.visit(node)

    def visit(self, node: gast.AST) -> None:
        """Looks at a node and inside it."""
        if not isinstance(node, SCOPES):
            self.generic_visit(node)
            return
        if isinstance(node, COMPREHENSIONS):
            self.visit(node.generators[0].iter)
        else:
            for expression in outside_expressions(node):
                self.visit(expression)
        free = self._scopes[node].free
        makes_function = not isinstance(node, gast.ListComp | gast.SetComp | gast.DictComp)
        if makes_function and self._scopes.passed.get(node) not in self._context.consumers:
            for name in sorted(self._targets & free):
                raise self._context.refuse("C031-late-binding-in-comprehension", node, name=name)
        outer = self._targets
        self._targets &= free
        if isinstance(node, COMPREHENSIONS):
            self._targets |= frozenset(self._scopes[node].bound)
        if isinstance(node, COMPREHENSIONS):
            self.generic_visit(node)
        elif node not in self._context.opaque and not isinstance(node, gast.ClassDef):
            self.check(node)
        self._targets = outer
