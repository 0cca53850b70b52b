"""Stores at the rims of an array alone what is stored over between them before anybody reads it.

Before:
    for i in range(n):
        for j in range(m): new[i, j] = u[i, j]
    for i in range(n - 2):
        for j in range(m - 2): new[i + 1, j + 1] = u[i, j + 1] + u[i + 2, j + 1]
After:
    for j in range(m): new[0, j] = u[0, j]
    for j in range(m): new[n - 1, j] = u[n - 1, j]
    for i in range(n - 2): new[i + 1, 0] = u[i + 1, 0]
    for i in range(n - 2): new[i + 1, m - 1] = u[i + 1, m - 1]
    for i in range(n - 2):
        for j in range(m - 2): new[i + 1, j + 1] = u[i, j + 1] + u[i + 2, j + 1]
"""

from __future__ import annotations

from collections.abc import Sequence

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value

from .accesses import accesses
from .expression import may_raise
from .nests import Loop, moved_nest, with_loops
from .renew import Region, region_of
from .ring import used
from .sharing import Sharing, all_bodies
from .statement import Body, Fused, Nest, Statement

# How wide rims are at most: so many rows and columns are stored one by one.
_WIDEST = 1


def store_rims(body: Body, sharing: Sharing) -> None:
    """Have the nests of a body store rims alone where they can, in place."""
    for inner in all_bodies(body):
        result: Body = []
        for place, statement in enumerate(inner):
            rims = _rims(statement, inner[place + 1 :], sharing)
            result += [statement] if rims is None else rims
        inner[:] = result


def _rims(statement: Statement, after: Sequence[Statement], sharing: Sharing) -> Body | None:
    """Return a nest as those that store the rims, None where more than these is wanted."""
    if not isinstance(statement, Nest) or not statement.indices or may_raise(statement.expression):
        return None
    buffer = statement.target.buffer
    if buffer.source != "local" or buffer.base is not None or buffer.order is not None:
        return None
    if any(access.buffer.root is buffer for access in accesses(statement).reads):
        return None
    whole = tuple((0, sharing.dim(dim)) for dim in buffer.dims)
    if region_of(statement, statement.target.indices, sharing) != whole:
        return None
    over = next((other for other in after if buffer in used(accesses(other))), None)
    if not isinstance(over, (Nest, Fused)):
        return None
    found = accesses(over)
    writes = [access for access in found.writes if access.buffer.root is buffer]
    if any(access.buffer.root is buffer for access in found.reads):
        return None
    regions = {region_of(over, access.indices or (), sharing) for access in writes}
    region = regions.pop()
    if regions or region is None or any(access.buffer is not buffer for access in writes):
        return None
    return _around(statement, region, sharing)


def _around(nest: Nest, region: Region, sharing: Sharing) -> Body | None:
    """Return a nest around a region, None where it is not known to be all but narrow rims."""
    extents = dict(nest.indices)
    indices = [_index_of(place) for place in nest.target.indices if isinstance(place, Dim)]
    if len(indices) < len(region):
        # An axis of length 1 is gone through by no index.
        return None
    result: Body = []
    for axis, (start, count) in enumerate(region):
        end = sharing.dim(start + count)
        behind = sharing.dim(extents[indices[axis]] - end)
        if not (isinstance(start, int) and isinstance(behind, int)):
            return None
        if not (0 <= start <= _WIDEST and 0 <= behind <= _WIDEST):
            return None
        for place in (*range(start), *(end + number for number in range(behind))):
            # Rims of the axes before are stored already.
            parts = [
                *zip(indices[:axis], region[:axis], strict=True),
                *((index, (0, extents[index])) for index in indices[axis + 1 :]),
            ]
            result.append(_at(nest, {indices[axis]: place}, parts))
    return result


def _index_of(place: Dim) -> Value:
    (index,) = place.values()
    return index


def _at(
    nest: Nest, places: dict[Value, DimLike], parts: Sequence[tuple[Value, tuple[DimLike, DimLike]]]
) -> Nest:
    """Return a nest where some indices are at places, and others go over parts."""
    loops: list[Loop] = []
    for index, (start, count) in parts:
        loops.append((Value(index.type, index.name), count))
        places[index] = Dim.of_value(loops[-1][0]) + start
    moved = moved_nest(nest, lambda value: places.get(value, Dim.of_value(value)))
    return with_loops(moved, loops)
