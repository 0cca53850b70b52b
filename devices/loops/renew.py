"""Finds memory that a loop stores into, and reads, without wanting anything from the turns before but what lies at rims.

Before:
    bend = empty((n, m))
    for i in range(n):
        for j in range(m): bend[i, j] = 0.0
    for step in range(steps):
        for i in range(n - 2):
            for j in range(m - 2): bend[i + 1, j + 1] = now[i, j + 1] + now[i + 2, j + 1]
        for i in range(n):
            for j in range(m): now[i, j] = now[i, j] + bend[i, j]
Then it is the same where each turn begins with:
        for i in range(n):
            for j in range(m): bend[i, j] = 0.0
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value

from .accesses import Accesses, accesses
from .buffer import Buffer
from .expression import Indices
from .nests import loops_of
from .program import Program
from .sharing import Sharing, all_bodies
from .statement import Allocate, Body, For, Fused, Nest, Statement, While

# A part of an array: on each axis the first place, and how many there are.
Region = tuple[tuple[DimLike, DimLike], ...]


@dataclass(eq=False)
class Renewed:
    """Memory that may be made anew for each turn of a loop: what stores all that a turn changes of it, first, and what was stored elsewhere before the loop, if that is read."""

    buffer: Buffer
    first: Statement
    fill: Nest | None
    # What was stored there before the loop, and in which body.
    begun: Nest | None
    around: Body


def renewed(program: Program, sharing: Sharing) -> list[Renewed]:
    """Return the memory of a program that its loops may have anew for each turn."""
    mentions: dict[Buffer, list[tuple[Body, Statement]]] = {}
    bodies = list(all_bodies(program.body))
    for body in bodies:
        for statement in body:
            found = accesses(statement)
            for part in found.uses | found.defines:
                if isinstance(part, Buffer):
                    mentions.setdefault(part.root, []).append((body, statement))
    given = {result.root for result in program.results if isinstance(result, Buffer)}
    result: list[Renewed] = []
    for body in bodies:
        made = {s.buffer: s for s in body if isinstance(s, Allocate) and s.buffer.source == "local"}
        for buffer in made:
            if buffer not in given and buffer.base is None and buffer.order is None and len(buffer.dims) > 1:
                known = _of_buffer(buffer, body, mentions[buffer], sharing)
                if known is not None:
                    result.append(known)
    return result


def _of_buffer(
    buffer: Buffer, body: Body, mentions: list[tuple[Body, Statement]], sharing: Sharing
) -> Renewed | None:
    """Return what is known of memory that is made in a body, None where a turn may want what an earlier one stored."""
    outside = [statement for around, statement in mentions if around is body]
    begun: Nest | None = None
    if len(outside) == 3 and isinstance(outside[1], Nest):
        begun = outside[1]
        if begun.target.buffer is not buffer or region_of(begun, begun.target.indices, sharing) != tuple(
            (0, sharing.dim(dim)) for dim in buffer.dims
        ):
            return None
    elif len(outside) != 2:
        return None
    loop = outside[-1]
    if not isinstance(loop, (For, While)):
        return None
    inside = [statement for around, statement in mentions if around is not body]
    if any(around is not loop.body for around, _ in mentions if around is not body) or not inside:
        return None
    changing = accesses(loop).defines
    if begun is not None and not _is_constant(begun, changing):
        return None
    wanted: list[Region] = []
    stored: Region | None = None
    for statement in inside:
        if not isinstance(statement, (Nest, Fused)):
            return None
        found = accesses(statement)
        for access in (*found.writes, *found.reads):
            if access.buffer.root is not buffer:
                continue
            region = (
                None if access.buffer is not buffer else region_of(statement, access.indices or (), sharing)
            )
            if region is None or changing & {
                value for part in region for dim in part for value in values_of(dim)
            }:
                return None
            if access in found.writes:
                stored = stored or region
                if region != stored:
                    return None
            else:
                wanted.append(region)
    first = inside[0]
    if stored is None or any(access.buffer is buffer for access in accesses(first).reads):
        return None
    fill = None
    if not all(_is_inside(region, stored, sharing) for region in wanted):
        if begun is None:
            return None
        indices = [(Value(index.type, index.name), dim) for index, dim in begun.indices]
        places = tuple(Dim.of_value(index) for index, _ in indices)
        fill = replace(begun, indices=indices, target=replace(begun.target, indices=places), spread=None)
    return Renewed(buffer, first, fill, begun, body)


def _is_constant(nest: Nest, changing: Set[Value | Buffer]) -> bool:
    """Whether a nest stores one number everywhere, which is none of those that change."""
    found = Accesses()
    found.expression(nest.expression)
    return not found.reads and found.uses.isdisjoint({*changing, *(index for index, _ in nest.indices)})


def region_of(nest: Nest | Fused, indices: Indices, sharing: Sharing) -> Region | None:
    """Return the part of an array that a nest goes over, one element after the other; None where that is not known."""
    extents = dict(loops_of(nest))
    region: list[tuple[DimLike, DimLike]] = []
    for place in indices:
        moving = [index for index in extents if isinstance(place, Dim) and index in place.values()]
        if not moving:
            region.append((place, 1))
            continue
        start = place - Dim.of_value(moving[0])
        if len(moving) > 1 or (isinstance(start, Dim) and moving[0] in start.values()):
            return None
        region.append((start, extents.pop(moving[0])))
    if extents or not region:
        return None
    return tuple((sharing.dim(start), sharing.dim(count)) for start, count in region)


def _is_inside(part: Region, whole: Region, sharing: Sharing) -> bool:
    """Whether a part of an array is known to lie in another one."""
    for (start, count), (begin, length) in zip(part, whole, strict=True):
        before = sharing.dim(start - begin)
        behind = sharing.dim((begin + length) - (start + count))
        if not (isinstance(before, int) and isinstance(behind, int) and before >= 0 and behind >= 0):
            return False
    return True
