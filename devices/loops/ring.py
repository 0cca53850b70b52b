"""Makes memory of a few rows of what is stored and read in one loop over rows only: each row lies where one lay that is done with.

Before:
    t = empty((n, m))
    for row in range(n + 1):
        if row < n: for j in range(m): t[row, j] = x[row, j] + 1.0
        if row >= 1: for j in range(m): y[row - 1, j] = t[row - 1, j] * t[row, j]
After:
    t = empty((2, m))
    for row in range(n + 1):
        if row < n: for j in range(m): t[row & 1, j] = x[row, j] + 1.0
        if row >= 1: for j in range(m): y[row - 1, j] = t[row - 1 & 1, j] * t[row & 1, j]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from .accesses import Access, Accesses, accesses_alone
from .buffer import Buffer, Variable
from .expression import Apply, Constant, Element, Expression, Position, rebuilt
from .program import Program
from .renew import renewed
from .sharing import Sharing, all_bodies
from .statement import Allocate, Body, Let, Nest, Reduction, Reshape, Statement
from .steps import Rows, changed_rows, statements_of

# Note [Rings]
# Of memory that the stages of one loop over rows alone use, as many rows are wanted as lie between the one that is stored first and the last one that is stored or read. With a power of two of
# them, a row's place is its number without the higher bits.
#
# What is there from before must not be wanted: where the loop over rows itself runs in a loop, either the memory is made anew each time, or the first stage that uses it stores all of it.


@dataclass
class Stage:
    """A nest or steps, the index of the rows, what it does, and by how many rows it lies behind.

    It is run where `test` holds, which no stage changes, and, where `only` is given, for that row alone, where `outside` is, for the rows before the first and from the second of these on. `longer` is how many rows more than the loop it has, None where a single row's place is
    not known so, `follows` says whether it has to do with a stage before it, `places` are the rows of rings that it uses, and `dense` says whether it computes for longer than it waits for memory. `summed` is
    the sum of floats in NumPy's order that it is, if any, and `views` are what that had of the arrays that it goes over.
    """

    nest: Rows
    index: Value
    found: Accesses
    delay: int
    test: Variable | None = None
    longer: int | None = 0
    follows: bool = False
    places: list[Let] = field(default_factory=list)
    only: DimLike | None = None
    outside: tuple[DimLike, DimLike] | None = None
    dense: bool = False
    summed: Reduction | None = None
    views: list[Reshape] = field(default_factory=list)


class Rings:
    """Shortens what the loops of a program store for themselves alone."""

    def __init__(self, program: Program, sharing: Sharing, name: Callable[[str], str]) -> None:
        self.sharing = sharing
        self.name = name
        self.made: dict[Buffer, Allocate] = {}
        # What loops may have anew for each turn, although it is made before them.
        self.renewed = {known.buffer: known for known in renewed(program, sharing)}
        # What makes memory that nothing uses any more.
        self.needless: set[Allocate] = set()
        # How many statements use a buffer.
        self.uses: Counter[Buffer] = Counter()
        given = {result.root for result in program.results if isinstance(result, Buffer)}
        for body in all_bodies(program.body):
            for statement in body:
                if not isinstance(statement, Allocate):
                    self.uses.update(used(accesses_alone(statement)))
                elif statement.buffer.source == "local" and statement.buffer not in given:
                    self.made[statement.buffer] = statement

    def alone(self, stages: Sequence[Stage], around: Body) -> list[Buffer]:
        """Return the memory that the stages of a loop in a body use for themselves alone, and of which they want a few rows at a time."""
        touched = Counter(
            buffer
            for stage in stages
            for statement in statements_of(stage.nest)
            for buffer in used(accesses_alone(statement))
        )
        result: list[Buffer] = []
        for buffer, count in touched.items():
            known = self.renewed.get(buffer)
            if known is not None and known.begun not in (None, *known.around):
                known = None
            begun = known is not None and known.begun is not None and known.fill is None
            count += sum(view.base is buffer for stage in stages for view in stage.views)
            if buffer in self.made and self.uses[buffer] == count + begun:
                first = next(stage for stage in stages if buffer in used(stage.found))
                anew = self.made[buffer] in around or (known is not None and known.fill is None)
                if (anew or self.fills(first, buffer)) and self.length(buffer, stages) is not None:
                    result.append(buffer)
        return result

    def shorten(self, stages: Sequence[Stage], alone: Iterable[Buffer]) -> dict[Buffer, Buffer]:
        """Have the stages of a loop store in rings what they use alone; return these by what they are instead of."""
        rings: dict[Buffer, Buffer] = {}
        for buffer in alone:
            length = self.length(buffer, stages)
            if length is None:
                continue
            ring = replace(buffer, name=self.name(buffer.name), dims=(length, *buffer.dims[1:]))
            rings[buffer] = ring
            for stage in stages:
                _lay(stage, buffer, ring)
        return rings

    def with_fills(self, body: Body) -> tuple[Body, set[Nest]]:
        """Return a body with what has to be stored first in each turn, where memory is to be had anew for it, and these nests."""
        before: dict[Statement, list[Nest]] = {}
        for known in self.renewed.values():
            if known.fill is not None:
                before.setdefault(known.first, []).append(known.fill)
        result = [part for statement in body for part in (*before.get(statement, ()), statement)]
        return result, {fill for statement in body for fill in before.get(statement, ())}

    def make(self, rings: Mapping[Buffer, Buffer], gone: Iterable[Buffer]) -> None:
        """Make rings instead of what they are for, and nothing of what is gone."""
        for buffer in (*rings, *gone):
            if buffer in rings:
                self.made[buffer].buffer = rings[buffer]
            else:
                self.needless.add(self.made[buffer])
            if buffer in self.renewed and self.renewed[buffer].begun is not None:
                known = self.renewed[buffer]
                known.around[:] = [statement for statement in known.around if statement is not known.begun]

    def length(self, buffer: Buffer, stages: Sequence[Stage]) -> int | None:
        """Return how many rows of a buffer are wanted at a time, as a power of two; None where that is not known."""
        if len(buffer.dims) < 2 or buffer.order is not None or buffer.base is not None:
            return None
        stored: tuple[Stage, DimLike] | None = None
        lags: list[int] = []
        for stage in stages:
            for access in (*stage.found.writes, *stage.found.reads):
                if access.buffer is not buffer:
                    continue
                start, step = line_of(stage, access.indices[0] if access.indices else 0)
                if start is None or step != 1:
                    return None
                stored = stored or (stage, start)
                ahead = self.sharing.dim(start - stored[1])
                if not isinstance(ahead, int):
                    return None
                lags.append(stage.delay - stored[0].delay - ahead)
                if lags[-1] < 0:
                    return None
        if stored is None or not any(access.buffer is buffer for access in stored[0].found.writes):
            return None
        return int(1 << max(lags).bit_length())

    def fills(self, stage: Stage, buffer: Buffer) -> bool:
        """Whether a stage stores all of a buffer."""
        loops = stage.nest.indices
        return (
            stage.test is None
            and tuple(self.sharing.dim(dim) for _, dim in loops) == tuple(map(self.sharing.dim, buffer.dims))
            and Access(buffer, tuple(Dim.of_value(index) for index, _ in loops)) in stage.found.writes
            and not any(access.buffer is buffer for access in stage.found.reads)
        )


def _lay(stage: Stage, buffer: Buffer, ring: Buffer) -> None:
    """Have a stage find the rows of a buffer in a ring."""
    places: dict[DimLike, Value] = {}

    def leaf(part: Expression) -> Expression:
        if not isinstance(part, Element) or part.buffer is not buffer:
            return part
        row = part.indices[0]
        if row not in places:
            places[row] = Value(INT, "place")
            bits = Position(row, INT), Constant(ring.dims[0] - 1, INT)
            stage.places.append(Let(places[row], Apply("bitwise_and", bits, INT)))
        return Element(ring, (Dim.of_value(places[row]), *part.indices[1:]), part.type)

    stage.nest = changed_rows(stage.nest, lambda part: rebuilt(part, leaf))


def line_of(stage: Stage, place: DimLike) -> tuple[DimLike | None, int]:
    """Return where on an axis a nest's first row lies, and how far its next one; None and 0 where other things move it."""
    if not isinstance(place, Dim):
        return None, 0
    step = place.coefficient(stage.index)
    if not isinstance(step, int) or not step:
        return None, 0
    start = place - Dim.of_value(stage.index) * step
    return (None, 0) if stage.found.local & set(values_of(start)) else (start, step)


def used(found: Accesses) -> set[Buffer]:
    """Return the buffers whose memory is used, or handed on."""
    return {part.root for part in found.uses | found.defines if isinstance(part, Buffer)}
