"""Keeps the lines that a write over an array reads of it elsewhere, instead of all that is to be written.

Before:
    for i in range(n):
        for j in range(m): t[i, j] = min(a[i, j], a[i, k] + a[k, j])
    for i in range(n):
        for j in range(m): a[i, j] = t[i, j]
After:
    for i in range(n): line[i] = a[i, k]
    for j in range(m): line_1[j] = a[k, j]
    for i in range(n):
        for j in range(m): a[i, j] = min(a[i, j], line[i] + line_1[j])
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value

from .buffer import Buffer, Variable
from .expression import Element, Expression, Gather, moved, walk
from .nests import Loop
from .scheduler import Scheduler
from .statement import Allocate, Let, Nest

# How many lines are kept at most; and how many elements a row has for which a line has one, where that pays.
_MOST = 4
LONG = 8

# What is read elsewhere, each with the loops that move it.
Lines = dict[Element, list[Loop]]


def lines_of(expression: Expression, overlapping: Sequence[Element], loops: Sequence[Loop]) -> Lines | None:
    """Return the loops that move each of the elements which are overwritten too early; None where all loops move one of them, or run time does, or rows are short.

    `loops` are those of the write that have several turns, from the outermost in.
    """
    gathered = {value for part in walk(expression) if isinstance(part, Gather) for value, _ in part.places}
    found: Lines = {}
    for element in overlapping:
        moving = {value for place in element.indices for value in values_of(place)}
        found[element] = [loop for loop in loops if loop[0] in moving]
        if moving & gathered or len(found[element]) == len(loops):
            return None
    row = unknown_row(found, loops)
    is_short = isinstance(row, int)
    return None if is_short or len(found) > _MOST else found


def unknown_row(lines: Lines, loops: Sequence[Loop]) -> DimLike | None:
    """Return how long rows are where a line has one element for each, unless they are known to be long."""
    if all(not own or own[-1] == loops[-1] for own in lines.values()):
        return None
    length = loops[-1][1]
    return None if isinstance(length, int) and length >= LONG else length


def keep_line(scheduler: Scheduler, value: Value, element: Element, loops: Sequence[Loop]) -> Expression:
    """Have an element be read beforehand, for all turns of the loops that move it; return what stands for it then.

    `value` is the array that it is read for.
    """
    name = scheduler.name("line")
    if not loops:
        scalar = Value(element.type, name)
        scheduler.body.append(Let(scalar, element))
        return Variable(scalar)
    dims = tuple(dim for _, dim in loops)
    buffer = Buffer(name, element.buffer.dtype, dims, value=value)
    own = scheduler.indices(dims)
    places: dict[Value, DimLike] = {
        loop[0]: Dim.of_value(index) for loop, (index, _) in zip(loops, own, strict=True)
    }
    source = moved(element, lambda index: places.get(index, Dim.of_value(index)))
    target = Element(buffer, tuple(places.values()), element.type)
    scheduler.body += [Allocate(buffer), Nest(own, target, source)]
    return Element(buffer, tuple(Dim.of_value(index) for index, _ in loops), element.type)
