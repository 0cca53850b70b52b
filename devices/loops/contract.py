"""Does without memory that is filled, stored over inside, and read once, each element where it is stored: in a loop over rows.

Before, as stages:
    every row:              for j in range(m): t[row, j] = 0.0
    every row but rims:     for j in range(m - 2): t[row, j + 1] = x[row - 1, j + 1] + x[row + 1, j + 1]
    every row:              for j in range(m): y[row, j] = y[row, j] * t[row, j]
After:
    every row at rims:      for j in range(m): y[row, j] = y[row, j] * 0.0
    every row but rims:     y[row, 0] = y[row, 0] * 0.0
    every row but rims:     y[row, m - 1] = y[row, m - 1] * 0.0
    every row but rims:
        for j in range(m - 2):
            u = x[row - 1, j + 1] + x[row + 1, j + 1]
            y[row, j + 1] = y[row, j + 1] * u
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from .accesses import Access, accesses
from .buffer import Buffer, Variable
from .expression import Constant, Element, Expression, rebuilt
from .fuse import Fuser, is_candidate
from .nests import Loop, changed, moved_nest, parts_of, with_loops
from .renew import Region, region_of
from .ring import Stage, used
from .stages import Stages, rows_of
from .statement import Fused, Nest, Part, Reduction

# Note [Contraction]
# What reads the memory is done in two: at the rims, with the number that these are filled with, and inside, fused with what stores there. Of what else it does at each element, as much goes along
# as has to; the rest is a stage of its own behind it, such as may lie more rows behind: `now = now * c` waits until no row before it is wanted.
#
# Elements are computed as before, each once. So nothing is told otherwise of errors, and what is stored has the same bits.

# How many columns at rims are stored by themselves at most.
_COLUMNS = 8


class Contracter:
    """Has the stages of loops over rows do without memory."""

    def __init__(self, maker: Stages) -> None:
        self.maker = maker
        self.sharing = maker.sharing

    def stages(self, stages: Sequence[Stage], alone: Iterable[Buffer]) -> tuple[list[Stage], set[Buffer]]:
        """Return stages that do without what they can of the memory that they use alone, and that memory."""
        found, gone = list(stages), set[Buffer]()
        for buffer in alone:
            without = self.without(found, buffer)
            if without is not None:
                found = without
                gone.add(buffer)
        return found, gone

    def without(self, stages: Sequence[Stage], buffer: Buffer) -> list[Stage] | None:
        """Return stages that do without a buffer, None where they cannot."""
        touching = [place for place, stage in enumerate(stages) if buffer in used(stage.found)]
        *before, inner, reader = touching if len(touching) > 2 else (-1, -1, -1)
        if reader != inner + 1 or not all(_is_plain(stages[place]) for place in touching):
            return None
        if stages[inner].only is not None or stages[reader].only is not None:
            return None
        fills = {self.filled(stages[place], buffer) for place in before}
        fill = fills.pop()
        if fill is None or fills:
            return None
        parted = self.parted(stages[inner], stages[reader], buffer, fill)
        if parted is None:
            return None
        rows = self.sharing.dim(rows_of(stages[reader]) - (stages[reader].longer or 0))
        kept = [stage for place, stage in enumerate(stages[:inner]) if place not in before]
        result: list[Stage] = []
        for stage in (*kept, *parted, *stages[reader + 1 :]):
            own = replace(stage)
            if not self.maker.fits(own, result, rows):
                return None
            result.append(own)
        return result

    def filled(self, stage: Stage, buffer: Buffer) -> Constant | Variable | None:
        """Return the number that a stage fills all or some of a buffer with, None where it does anything else."""
        nest = stage.nest
        if not isinstance(nest, Nest) or nest.target.buffer is not buffer:
            return None
        number = nest.expression
        if not isinstance(number, (Constant, Variable)) or number.type.dtype != buffer.dtype:
            return None
        return number

    def parted(
        self, inner: Stage, reader: Stage, buffer: Buffer, fill: Constant | Variable
    ) -> list[Stage] | None:
        """Return what stages do that store inside a buffer and read all of it, as stages without the buffer; None where there are none."""
        stores, reads = inner.nest, reader.nest
        assert isinstance(stores, (Nest, Fused)) and isinstance(reads, (Nest, Fused))
        region = self.stored(stores, buffer)
        found = accesses(reads)
        if (
            region is None
            or not self.reads_all(reads, buffer)
            or not (is_candidate(stores) and is_candidate(reads))
            or not self.sharing.keeps_order(found, found, reads.indices)
        ):
            return None
        for first, rest in (parts_of(reads), []), self.split(parts_of(reads), buffer):
            at_once = _nest_of(reads, first)
            inside = self.inside(stores, at_once, region, buffer)
            if inside is not None:
                rims = self.rims(at_once, region, buffer, fill)
                stages = [*rims, self.maker.over_rows(inside)]
                if rest:
                    stages.append(self.maker.over_rows(_nest_of(reads, rest)))
                return None if None in stages else [stage for stage in stages if stage is not None]
        return None

    def stored(self, nest: Nest | Fused, buffer: Buffer) -> Region | None:
        """Return what a nest stores of a buffer, all but narrow rims, in the order of its loops; None where it does anything else."""
        found = accesses(nest)
        stores = [access for access in found.writes if access.buffer.root is buffer]
        if len(stores) != 1 or any(access.buffer.root is buffer for access in found.reads):
            return None
        region = region_of(nest, stores[0].indices or (), self.sharing)
        if region is None or len(region) != len(nest.indices) or stores[0].buffer is not buffer:
            return None
        columns = 0
        for axis, ((start, count), (index, _)) in enumerate(zip(region, nest.indices, strict=True)):
            behind = self.sharing.dim(self.sharing.dim(buffer.dims[axis]) - (start + count))
            if not (isinstance(start, int) and isinstance(behind, int) and start >= 0 and behind >= 0):
                return None
            if stores[0].indices is None or index not in values_of(stores[0].indices[axis]):
                return None
            columns += start + behind if axis else 0
        return region if columns <= _COLUMNS else None

    def reads_all(self, nest: Nest | Fused, buffer: Buffer) -> bool:
        """Whether a nest reads a buffer, each element at its own index, and stores nothing there."""
        found = accesses(nest)
        own = Access(buffer, tuple(Dim.of_value(index) for index, _ in nest.indices))
        touched = [access for access in (*found.reads, *found.writes) if access.buffer.root is buffer]
        dims = tuple(self.sharing.dim(dim) for _, dim in nest.indices)
        return (
            all(access == own for access in touched)
            and own not in found.writes
            and dims == tuple(map(self.sharing.dim, buffer.dims))
        )

    def split(self, parts: Sequence[Part], buffer: Buffer) -> tuple[list[Part], list[Part]]:
        """Return the parts of a nest that read a buffer, with those that have to go along, and the others, which may be done behind them all."""
        found = [accesses(part) for part in parts]
        first = {place for place, own in enumerate(found) if buffer in own.uses}
        while True:
            more = {
                place
                for place, own in enumerate(found)
                if any(
                    found[other].defines & own.uses
                    or (other > place and self.sharing.conflict(own, found[other]))
                    for other in first
                )
            }
            if more <= first:
                break
            first |= more
        return (
            [part for place, part in enumerate(parts) if place in first],
            [part for place, part in enumerate(parts) if place not in first],
        )

    def inside(
        self, stores: Nest | Fused, reads: Nest | Fused, region: Region, buffer: Buffer
    ) -> Fused | None:
        """Return a nest that stores in a region and what another one does there, without the buffer that is stored to; None where that is not the same."""
        loops = [(Value(index.type, index.name), dim) for index, dim in stores.indices]
        places = [Dim.of_value(index) + start for (index, _), (start, _) in zip(loops, region, strict=True)]
        fuser = Fuser(self.sharing)
        moved = _moved(reads, loops, places)
        if not fuser.can_fuse(stores, moved):
            return None
        fused = fuser.fused(stores, moved)
        assert isinstance(fused, Fused)
        fused.parts = [
            part for part in fused.parts if not (isinstance(part, Nest) and part.target.buffer is buffer)
        ]
        return None if buffer in used(accesses(fused)) else fused

    def rims(
        self, reads: Nest | Fused, region: Region, buffer: Buffer, fill: Constant | Variable
    ) -> list[Stage | None]:
        """Return what a nest does around a region, where a buffer is filled with a number."""

        def leaf(part: Expression) -> Expression:
            return fill if isinstance(part, Element) and part.buffer is buffer else part

        filled = changed(reads, lambda part: rebuilt(part, leaf))
        ends = [(start, start + count) for start, count in region]
        whole = [(0, dim) for _, dim in reads.indices]
        result: list[Stage | None] = []
        if self.sharing.dim(region[0][1]) != self.sharing.dim(whole[0][1]):
            rows = self.maker.over_rows(filled)
            result.append(None if rows is None else replace(rows, outside=ends[0]))
        for axis in range(1, len(region)):
            start, end = ends[axis]
            behind = self.sharing.dim(whole[axis][1] - end)
            assert isinstance(start, int) and isinstance(behind, int)
            for place in (*range(start), *(end + beyond for beyond in range(behind))):
                loops: list[Loop] = []
                places: list[DimLike] = []
                # Rims of the axes before are stored already.
                for other, (begin, count) in enumerate([*region[:axis], *whole[axis:]]):
                    if other == axis:
                        places.append(place)
                    else:
                        loops.append((Value(INT, reads.indices[other][0].name), count))
                        places.append(Dim.of_value(loops[-1][0]) + begin)
                result.append(self.maker.over_rows(_moved(filled, loops, places)))
        return result


def _is_plain(stage: Stage) -> bool:
    """Whether a stage is a nest that is run in any case, and reduces nothing."""
    if not isinstance(stage.nest, (Nest, Fused)) or stage.test is not None or stage.summed is not None:
        return False
    return not any(isinstance(part, Reduction) for part in parts_of(stage.nest))


def _nest_of(nest: Nest | Fused, parts: list[Part]) -> Nest | Fused:
    """Return a nest that does some of what another one does."""
    (part, *others) = parts
    if isinstance(part, Nest) and not others:
        return replace(part, indices=nest.indices)
    return Fused(nest.indices, parts, nest.location)


def _moved(nest: Nest | Fused, loops: list[Loop], places: Sequence[DimLike]) -> Nest | Fused:
    """Return a nest with other loops, and what its indices are there."""
    named = {index: place for (index, _), place in zip(nest.indices, places, strict=True)}
    return with_loops(moved_nest(nest, lambda value: named.get(value, Dim.of_value(value))), loops)
