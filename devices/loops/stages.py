"""Which nests can follow each other in one loop over rows, each how far behind.

Before:
    for i in range(n):
        for j in range(m - 1): t[i, j + 1] = x[i, j]
    for i in range(n): t[i, 0] = x[i, m - 1]
    for j in range(m): x[0, j] = 0.0
After, as stages of a loop over `row`:
    every row:            for j in range(m - 1): t[row, j + 1] = x[row, j]
    every row:            t[row, 0] = x[row, m - 1]
    only where row is 0:  for j in range(m): x[row, j] = 0.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, product, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ScalarType

from .accesses import Access, Accesses, accesses
from .buffer import Buffer, Variable
from .expression import Element, Expression, Position, rebuilt, walk
from .nests import Loop, changed, parts_of, with_outermost
from .ring import Stage, line_of, used
from .sharing import Sharing, clashes
from .spread import is_dense
from .statement import Body, For, Fused, If, Let, Nest, Reduction, Reshape, Statement
from .steps import Rows, Steps, accesses_of, inside
from .tile import LONG, Tiler

# Note [Stages]
# What stores one row alone, as at the rim of an array, is run for that row: there its indices that are that row, or lie a known number of rows from it, are the row's plus that number.
# So it is a stage as any other.

# By how many rows a nest may lie behind the first, and how many statements are looked at.
_FARTHEST = 16
REACH = 32
# Nests that compute so much more than others that are dense are left to threads.
_DENSEST = 4
# How long rows are at least: in bytes, as they are gone over by vectors; twice as long where many nests begin anew for each.
_LONG, _LINE, _MANY = 16, 128, 4
# The reductions that rows may be gathered in.
GATHERED = frozenset(("bitwise_or", "add", "maximum", "minimum"))


class Stages:
    """Makes stages of statements."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing
        self.tiler = Tiler(sharing)
        # Sums and loops of steps that are left as they are.
        self.left: set[Statement] = set()

    def rows(self, body: Body, place: int) -> DimLike | None:
        """Return how many rows the first nest over whole rows has, from a place in a body on; None where there is none near."""
        if not isinstance(body[place], (Nest, Fused, For)):
            return None
        for statement in body[place : place + REACH]:
            stage = None
            if isinstance(statement, For):
                stage = self.of_steps(statement)
            elif isinstance(statement, (Nest, Fused)) and len(statement.indices) > 1:
                stage = self.over_rows(statement)
            if stage is not None:
                return rows_of(stage)
        return None

    def stage(
        self, statement: Statement, stages: Sequence[Stage], rows: DimLike, views: Sequence[Reshape] = ()
    ) -> Stage | None:
        """Return a statement as the stage after others in a loop over so many rows, None where it cannot be, or does not pay.

        What it has of `views` of arrays it may have of these.
        """
        test = None
        if isinstance(statement, If) and isinstance(statement.test, Variable) and stages:
            if len(statement.then) != 1 or statement.otherwise:
                return None
            test, (statement,) = statement.test, statement.then
        if isinstance(statement, Reduction) and test is None:
            stage = None if statement in self.left else self.of_all(statement, views)
            return stage if stage is not None and self.fits(stage, stages, rows) and stage.follows else None
        if isinstance(statement, For) and test is None:
            stage = self.of_steps(statement)
            return stage if stage is not None and self.fits(stage, stages, rows) else None
        if not isinstance(statement, (Nest, Fused)) or not statement.indices:
            return None
        ways = [self.over_rows, self.of_one_row]
        # A single loop goes along a row, if it does not go from one to the next.
        for way in ways if len(statement.indices) > 1 else reversed(ways):
            stage = way(statement)
            if stage is None:
                continue
            if test is not None:
                if any(isinstance(part, Reduction) for part in parts_of(statement)):
                    return None
                stage.test = test
                stage.found.uses.add(test.value)
            if self.fits(stage, stages, rows):
                return stage
        return None

    def fits(self, stage: Stage, stages: Sequence[Stage], rows: DimLike) -> bool:
        """Whether a stage can go behind others; note how far, and how many rows more than the loop it has."""
        end = rows_of(stage) if stage.only is None else stage.only + 1
        longer = self.sharing.dim(self.sharing.dim(end) - self.sharing.dim(rows))
        if isinstance(longer, int):
            stage.longer = longer
        elif stage.only is None:
            return False
        else:
            stage.longer = None
        delays: list[int] = []
        for other in stages:
            between = self.between(other, stage)
            if between is None or other.found.defines & stage.found.uses:
                return False
            delays += [other.delay + later for later in between]
        stage.delay = max((0, *delays))
        stage.follows = bool(delays)
        return stage.delay <= _FARTHEST

    def over_rows(self, statement: Nest | Fused) -> Stage | None:
        """Return a nest, each turn of whose outermost loop is a row, as a stage; None where it cannot be one."""
        parts = parts_of(statement)
        gathered = {part.target for part in parts if isinstance(part, Reduction)}
        if not all(is_gathered(part) for part in parts if isinstance(part, Reduction)):
            return None
        if is_dense(parts, _DENSEST):
            return None
        length = length_of(statement)
        if len(statement.indices) > 1 and isinstance(length, int) and length < _LONG:
            return None
        if len(statement.indices) == 1 and gathered:
            return None
        index = Value(INT, statement.indices[0][0].name)
        nest = with_outermost(statement, index)
        found = accesses(nest)
        if (
            any(index in values_of(dim) for _, dim in nest.indices)
            or found.leaves
            or found.defines - gathered
        ):
            return None
        return Stage(nest, index, found, 0, dense=is_dense(parts))

    def of_steps(self, loop: For) -> Stage | None:
        """Return a loop of steps over the same rows as a stage; None where it is none."""
        over = self.tiler.over_rows(loop) if loop not in self.left else None
        if over is None:
            return None
        assert isinstance(over.stop, Position)
        parts = [part for part in inside(over.body) if isinstance(part, (Nest, Fused))]
        length = product(tuple(dim for _, dim in parts[0].indices))
        if (isinstance(length, int) and length < LONG) or any(
            is_dense(parts_of(part), _DENSEST) for part in parts
        ):
            return None
        steps = Steps([(over.index, over.stop.dim), *parts[0].indices], over.body, loop)
        found = accesses_of(steps)
        return None if found.leaves or found.defines else Stage(steps, over.index, found, 0, dense=True)

    def of_all(self, reduction: Reduction, views: Sequence[Reshape]) -> Stage | None:
        """Return what reduces all elements in all rows as a stage; None where it cannot be one."""
        statement, used = self.in_rows(reduction, views)
        part = replace(statement, loops=[], reduced=set(), spread=None)
        nest = Fused(statement.loops, [part], statement.location)
        if len(statement.loops) < 2 or {index for index, _ in statement.loops} != statement.reduced:
            return None
        if is_gathered(statement):
            stage = self.over_rows(nest)
        elif is_running(statement) and not is_dense([part], _DENSEST):
            index = Value(INT, statement.loops[0][0].name)
            nest = with_outermost(nest, index)
            length = length_of(nest)
            if isinstance(length, int) and length < _LONG:
                return None
            stage = Stage(nest, index, accesses(nest), 0, summed=reduction)
        else:
            return None
        if stage is not None:
            stage.views = used
        return stage

    def in_rows(self, reduction: Reduction, views: Sequence[Reshape]) -> tuple[Reduction, list[Reshape]]:
        """Return a reduction that goes over views of whole arrays, with all axes made one, over the arrays themselves, and the views."""
        known = {view.buffer: view for view in views if view.merged == (0, len(view.base.dims))}
        elements = {part for part in walk(reduction.expression) if isinstance(part, Element)}
        used = [known[part.buffer] for part in elements if part.buffer in known]
        if len(reduction.loops) != 1 or not used:
            return reduction, []
        index = reduction.loops[0][0]
        dims = used[0].base.dims
        places = [(Value(INT, letter), dim) for letter, dim in zip("ijklmnpq", dims)]
        indices = tuple(Dim.of_value(place) for place, _ in places)

        def leaf(part: Expression) -> Expression:
            if isinstance(part, Element) and part.buffer in known and part.indices == (Dim.of_value(index),):
                return Element(known[part.buffer].base, indices, part.type)
            return part

        expression = rebuilt(reduction.expression, leaf)
        found = Accesses()
        found.expression(expression)
        forms = {tuple(map(self.sharing.dim, view.base.dims)) for view in used}
        if len(forms) > 1 or len(places) < len(dims) or index in found.uses:
            return reduction, []
        in_rows = replace(
            reduction,
            loops=places,
            reduced={place for place, _ in places},
            expression=expression,
            run=len(places),
        )
        return in_rows, list(dict.fromkeys(used))

    def of_one_row(self, statement: Nest | Fused) -> Stage | None:
        """Return a nest that stores one row of arrays alone as a stage; None where it does not."""
        stores = [part for part in parts_of(statement) if not isinstance(part, Let)]
        moving = accesses(statement).local
        places: set[DimLike] = set()
        for part in stores:
            if not isinstance(part, Nest) or len(part.target.indices) < 2:
                return None
            places.add(self.sharing.dim(part.target.indices[0]))
        only = places.pop()
        return None if places or moving & set(values_of(only)) else self.at_row(statement, only)

    def at_row(self, statement: Nest | Fused, only: DimLike) -> Stage | None:
        """Return a nest as a stage that is run for one row alone; None where it cannot be one."""
        index = Value(INT, "row")

        def leaf(part: Expression) -> Expression:
            if not isinstance(part, Element) or not part.indices:
                return part
            beyond = self.sharing.dim(self.sharing.dim(part.indices[0]) - only)
            if not isinstance(beyond, int):
                return part
            return Element(part.buffer, (Dim.of_value(index) + beyond, *part.indices[1:]), part.type)

        nest = changed(statement, lambda part: rebuilt(part, leaf))
        nest = with_rows(nest, index, only + 1)
        found = accesses(nest)
        return None if found.leaves or found.defines else Stage(nest, index, found, 0, only=only)

    def between(self, first: Stage, second: Stage) -> list[int] | None:
        """Return, for what one of two nests stores and the other touches, how many rows later the first comes to it; None where that is not known."""
        loops = [*first.nest.indices, *second.nest.indices]
        steps = isinstance(first.nest, Steps) or isinstance(second.nest, Steps)
        found: list[int] = []
        for one, other in clashes(first.found, second.found):
            if self.sharing.may_share(one.buffer, other.buffer):
                rows = self.rows_between(first, one, second, other)
                if rows is not None:
                    found.append(rows)
                elif steps or not self.sharing.is_apart(one, other, loops):
                    return None
        return found

    def rows_between(self, first: Stage, one: Access, second: Stage, other: Access) -> int | None:
        """Return how many rows later the first nest comes to an element than the second, None where that is not known."""
        if one.indices is None or other.indices is None:
            return None
        if self.sharing.place(one.buffer) != self.sharing.place(other.buffer):
            return None
        for place, same in zip(one.indices, other.indices, strict=True):
            start, step = line_of(first, place)
            begin, stride = line_of(second, same)
            if step and step == stride and start is not None and begin is not None:
                between = self.sharing.dim(begin) - self.sharing.dim(start)
                if isinstance(between, int) and between % step == 0:
                    return between // step
        return None


def rows_of(stage: Stage) -> DimLike:
    """Return how many rows a stage has."""
    return stage.nest.indices[0][1]


def is_whole(stage: Stage) -> bool:
    """Whether a stage has more than an element of each row."""
    return stage.only is None and len(stage.nest.indices) > 1


def shares_rows(stages: Sequence[Stage]) -> bool:
    """Whether one of some stages finds, or stores over, what another one stores, in whole rows."""
    stored: set[Buffer] = set()
    for stage in filter(is_whole, stages):
        if stored & used(stage.found):
            return True
        stored |= {access.buffer.root for access in stage.found.writes}
    return False


def length_of(nest: Rows) -> DimLike:
    """Return how many elements a row has."""
    return product(tuple(dim for _, dim in nest.indices[1:]))


def long_rows(stages: Sequence[Stage]) -> int:
    """Return how many elements a row has at least for stages to be run row by row."""
    stored: list[int] = [access.buffer.dtype.itemsize for stage in stages for access in stage.found.writes]
    length = max(_LONG, _LINE // min(stored)) * (2 if len(stages) > _MANY else 1)
    return max(LONG, length) if any(isinstance(stage.nest, Steps) for stage in stages) else length


def with_rows(nest: Nest | Fused, index: Value, rows: DimLike) -> Nest | Fused:
    """Return a nest with one more loop around its own."""
    return replace(nest, indices=[(index, rows), *nest.indices])


def is_gathered(reduction: Reduction) -> bool:
    """Whether a reduction to one integer may be gathered row by row, as that of the bits of floating-point errors."""
    target = reduction.target
    return (
        reduction.ufunc in GATHERED
        and isinstance(target, Value)
        and isinstance(target.type, ScalarType)
        and target.type.dtype.kind in "iu"
        and target.type.dtype == reduction.expression.type.dtype
    )


def is_running(reduction: Reduction) -> bool:
    """Whether a reduction adds up floats that NumPy goes over in one run, in the order of the loops."""
    target, loops = reduction.target, reduction.loops
    dtype = reduction.expression.type.dtype
    return (
        reduction.ufunc == "add"
        and isinstance(target, Value)
        and target.type == reduction.expression.type
        and dtype.kind == "f"
        and dtype.itemsize in (4, 8)
        and not (reduction.buffered or reduction.free)
        and reduction.run == len(loops)
        and not values_of_loops(loops)
    )


def values_of_loops(loops: Sequence[Loop]) -> set[Value]:
    """Return the variables of loops that the lengths of others depend on."""
    return {index for index, _ in loops} & {value for _, dim in loops for value in values_of(dim)}
