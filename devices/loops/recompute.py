"""Has loops over rows compute again what arrays with fewer axes tell, instead of reading it from memory.

Before:
    factor = empty((n, m))
    for i in range(n):
        for j in range(m): factor[i, j] = x[i] * y[j]
    for step in range(steps):
        for row in range(n):
            for j in range(m): b[j] = a[row, j] + 1.0
            for j in range(m): a[row, j] = b[j] * factor[row, j]
After:
    factor = empty((n, m))
    for i in range(n):
        for j in range(m): factor[i, j] = x[i] * y[j]
    for step in range(steps):
        for row in range(n):
            for j in range(m): b[j] = a[row, j] + 1.0
            for j in range(m): a[row, j] = b[j] * (x[row] * y[j])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from transpile.runtime.graph.dim import Dim, values_of

from .accesses import Access, Accesses, accesses, accesses_alone
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Gather, elements, moved, rebuilt, walk
from .nests import changed, loops_of, parts_of
from .program import Program
from .sharing import Sharing, all_bodies
from .statement import Allocate, Assign, Body, For, Fused, If, Nest, Reshape, Statement, While

# Note [Recomputing]
# An outer product that a loop over time reads in each turn goes through the caches each time, and drives out others; the two lines that it is made of stay in the nearest one. One operation of the
# processor on two numbers gives the same bits, and raises the same flags, again. It is still computed before the loop, of which there may be no turn.
#
# This is done where nests follow each other row by row, which they do where rows are long (Note [Following]): short ones are gone over as one line, for which all is to lie in memory. A nest that
# reads several elements for each index would compute as many: that reads them.

# What takes the processor no longer than reading an element, and of how many bytes.
_CHEAP = frozenset(("add", "subtract", "multiply"))
_SIZES = (4, 8)


def recompute(program: Program, sharing: Sharing) -> None:
    """Have the loops of a program compute again what is told by arrays with fewer axes, in place."""
    bodies = list(all_bodies(program.body))
    # How many statements store into memory, or have it stand for something else.
    changes: Counter[Buffer] = Counter()
    for body in bodies:
        for statement in body:
            changes.update(_changed(statement))
    for body in bodies:
        made = {statement.buffer for statement in body if isinstance(statement, Allocate)}
        for place, statement in enumerate(body):
            if isinstance(statement, Nest) and statement.target.buffer in made and _is_told(statement):
                if changes[statement.target.buffer] == 1:
                    _replace(statement, body[place + 1 :], sharing)


def _changed(statement: Statement) -> set[Buffer]:
    """Return the memory that a statement, without those inside it, stores into, or has stand for something else."""
    found = accesses_alone(statement)
    changed = {access.buffer.root for access in found.writes}
    if isinstance(statement, (Assign, Reshape)):
        changed |= {part.root for part in found.uses | found.defines if isinstance(part, Buffer)}
    return changed


def _is_told(nest: Nest) -> bool:
    """Whether a nest stores, for each index, what one operation makes of elements of arrays with fewer axes."""
    indices = [index for index, _ in nest.indices]
    target = nest.target.buffer
    parts = list(walk(nest.expression))
    applied = [part for part in parts if isinstance(part, Apply)]
    return (
        len(indices) > 1
        and target.source == "local"
        and target.base is None
        and target.order is None
        and nest.target.indices == tuple(map(Dim.of_value, indices))
        and all(isinstance(part, (Apply, Constant, Element, Variable)) for part in parts)
        and all(len(part.indices) < len(indices) for part in elements(nest.expression))
        and len(applied) < 2
        and all(
            part.name in _CHEAP and of.type.dtype.kind in "biuf" and of.type.dtype.itemsize in _SIZES
            for part in applied
            for of in (part, *part.operands)
        )
    )


def _replace(nest: Nest, after: Body, sharing: Sharing) -> None:
    """Have the loops behind a nest compute what it stores, up to where that changes."""
    own = accesses(nest)
    needed = Accesses(reads=[*own.reads, Access(nest.target.buffer, None)], uses=own.uses)
    for statement in after:
        if sharing.conflict(needed, accesses(statement)):
            return
        for loop in _loops(statement):
            for body in list(all_bodies(loop.body)):
                for rows in body:
                    if isinstance(rows, For) and rows.in_order:
                        for inner in all_bodies(rows.body):
                            inner[:] = [_recomputed(part, nest) for part in inner]


def _loops(statement: Statement) -> Iterator[For | While]:
    """Yield a loop, or those in a branch."""
    if isinstance(statement, (For, While)):
        yield statement
    elif isinstance(statement, If):
        for inner in (*statement.then, *statement.otherwise):
            yield from _loops(inner)


def _recomputed(statement: Statement, nest: Nest) -> Statement:
    """Return a statement that computes what another one stores, where it reads one element of that for each index."""
    if not isinstance(statement, (Nest, Fused)):
        return statement
    target = nest.target.buffer
    parts = [part for inner in parts_of(statement) for part in walk(inner.expression)]
    read = {part for part in parts if isinstance(part, Element) and part.buffer is target}
    if len(read) != 1 or any(isinstance(part, Gather) for part in parts):
        return statement
    (found,) = read
    moving = {value for place in found.indices for value in values_of(place)}
    if not moving.issuperset(index for index, _ in loops_of(statement)):
        return statement
    places = dict(zip((index for index, _ in nest.indices), found.indices, strict=True))
    again = moved(nest.expression, lambda value: places.get(value, Dim.of_value(value)))
    return changed(statement, lambda part: rebuilt(part, lambda leaf: again if leaf == found else leaf))
