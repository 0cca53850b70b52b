"""Loops of steps as nests over rows: all steps are done for one row before the next.

Before:
    for k in range(9):
        w = weights[k]
        for i in range(n):
            for j in range(m): y[i, j] = y[i, j] + w * x[i + k, j]
After, for each row `i`:
    for k in range(9):
        w = weights[k]
        for j in range(m): y[i, j] = y[i, j] + w * x[i + k, j]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from transpile.runtime.graph.ir import Value
from transpile.runtime.positions import Location

from .accesses import Accesses, accesses
from .expression import Expression
from .nests import Loop, changed
from .sharing import all_bodies
from .statement import Body, For, Fused, If, Let, Nest, Statement

# Note [Steps]
# A loop of steps that can be run for one row and then for the next (Note [Tiles]) does for each row what a nest does, and so may go along with nests over the same rows: what it starts from, and
# what is made of it, is a row that lies in the cache then, or a few of them (Note [Rings]). By itself it goes over all rows as one line, where it can: pieces of that are as long as vectors want them.
#
# The numbers that steps find are found anew for each row, so they must be told by nothing that the nests store.


@dataclass(eq=False)
class Steps:
    """A `loop` of steps over the same rows: `body` is what is done for one, and `indices` are the loops over the rows, and over what the first nest has of each."""

    indices: list[Loop]
    body: Body
    loop: For

    @property
    def location(self) -> Location:
        """Where in the program the loop stands."""
        return self.loop.location


Rows = Nest | Fused | Steps


def statements_of(rows: Rows) -> Body:
    """Return a nest, or the statements that steps are made of, each of which is to be looked at alone."""
    return inside(rows.body) if isinstance(rows, Steps) else [rows]


def inside(body: Body) -> Body:
    """Return the statements of a body, and those inside them."""
    return [statement for inner in all_bodies(body) for statement in inner]


def accesses_of(rows: Rows) -> Accesses:
    """Return what a nest or steps do; the numbers that a step finds are its own."""
    if not isinstance(rows, Steps):
        return accesses(rows)
    found = accesses(*rows.body)
    found.local |= {number for number in found.defines if isinstance(number, Value)}
    found.uses -= found.local
    found.defines -= found.local
    return found


def changed_rows(rows: Rows, change: Callable[[Expression], Expression]) -> Rows:
    """Return a nest or steps with all that they compute, and the elements that they store to, replaced by what `change` gives for them."""
    if isinstance(rows, Steps):
        return replace(rows, body=[_changed(statement, change) for statement in rows.body])
    return changed(rows, change)


def _changed(statement: Statement, change: Callable[[Expression], Expression]) -> Statement:
    match statement:
        case Nest() | Fused():
            return changed(statement, change)
        case Let(_, expression):
            return replace(statement, expression=change(expression))
        case If(test, then, otherwise):
            ways = [[_changed(part, change) for part in way] for way in (then, otherwise)]
            return replace(statement, test=change(test), then=ways[0], otherwise=ways[1])
        case For(_, start, stop, step, body):
            inside = [_changed(part, change) for part in body]
            return replace(statement, start=change(start), stop=change(stop), step=change(step), body=inside)
    raise AssertionError(f"{type(statement).__name__} is no part of steps")
