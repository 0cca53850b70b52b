"""Makes one loop of two that cross memory without a gap, as NumPy does: rows of few elements then cost no more than long ones.

Before:
    for i in range(n):
        for j in range(3): y[i, j] = x[i, j] * 2.0
After:
    x_1 = merged(x, 0, 2)
    y_1 = merged(y, 0, 2)
    for i in range(3 * n): y_1[i] = x_1[i] * 2.0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike, product, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from .accesses import accesses
from .buffer import Buffer
from .expression import Element, Expression, Gather, Position, rebuilt, walk
from .fuse import ends_early, is_exact
from .nests import Loop, changed, loops_of, parts_of, with_loops
from .sharing import all_bodies, one_form
from .statement import Body, Fused, Let, Nest, Part, Reduction, Reshape, Statement

# A buffer, the first of its axes that are made one, and how many they are.
Merge = tuple[Buffer, int, int]


class Collapser:
    """Collapses the loops of nests."""

    def __init__(self, equal: Mapping[Value, DimLike], name: Callable[[str], str]) -> None:
        self.equal = equal
        self.name = name

    def program(self, body: Body) -> None:
        """Collapse the loops of all nests in a body, in place."""
        for inner in all_bodies(body):
            made: dict[Merge, Buffer] = {}
            result: Body = []
            for statement in inner:
                result += self.statement(statement, made)
                # A variable may stand for other memory from here on.
                for variable in accesses(statement).defines:
                    made = {merge: buffer for merge, buffer in made.items() if merge[0] is not variable}
            inner[:] = result

    def statement(self, statement: Statement, made: dict[Merge, Buffer]) -> Body:
        """Return a statement with its innermost loops made one, after what that takes."""
        if not isinstance(statement, (Nest, Fused, Reduction)):
            return [statement]
        loops = _loops(statement)
        count = next((n for n in range(len(loops), 1, -1) if self.can_merge(statement, loops[-n:])), 1)
        if count == 1:
            return [statement]
        before: Body = []
        inner = loops[-count:]
        index = Value(INT, inner[0][0].name)
        extent = product(tuple(dim for _, dim in inner))

        def merged(element: Element) -> Element:
            axis = self.axis(element, inner)
            if axis is None:
                return element
            key = element.buffer, axis, count
            if key not in made:
                made[key] = self.merge(*key)
                before.append(Reshape(made[key], element.buffer, (axis, count)))
            offset = element.indices[axis] - Dim.of_value(inner[0][0])
            place = Dim.of_value(index) + offset * product(tuple(dim for _, dim in inner[1:]))
            indices = (*element.indices[:axis], place, *element.indices[axis + count :])
            return Element(made[key], indices, element.type)

        def leaf(expression: Expression) -> Expression:
            return merged(expression) if isinstance(expression, Element) else expression

        nest = changed(statement, lambda part: rebuilt(part, leaf))
        nest = with_loops(nest, [*loops_of(statement)[:-count], (index, extent)])
        if isinstance(nest, Reduction) and {loop for loop, _ in inner} <= nest.reduced:
            nest = replace(nest, reduced=nest.reduced | {index}, run=nest.run - (count - 1))
        return [*before, nest]

    def can_merge(self, statement: Nest | Fused | Reduction, loops: Sequence[Loop]) -> bool:
        """Whether every element lies at the same place for all turns of some loops, or one step further with each."""
        variables = {index for index, _ in loops}
        if isinstance(statement, Reduction) and variables & statement.reduced not in (set(), variables):
            return False
        elements, others = _used(statement)
        return not others & variables and all(
            self.axis(element, loops) is not None
            or not any(value in variables for place in element.indices for value in values_of(place))
            for element in elements
        )

    def axis(self, element: Element, loops: Sequence[Loop]) -> int | None:
        """Return the first of the axes that some loops cross without a gap, None where they do not."""
        buffer, variables = element.buffer, [index for index, _ in loops]
        moving = [
            axis
            for axis, place in enumerate(element.indices)
            if any(value in variables for value in values_of(place))
        ]
        if buffer.layout != "C" or len(moving) != len(loops) or moving[-1] - moving[0] != len(loops) - 1:
            return None
        for number, (axis, (index, extent)) in enumerate(zip(moving, loops, strict=True)):
            offset = element.indices[axis] - Dim.of_value(index)
            if number and (
                offset != 0 or one_form(buffer.dims[axis], self.equal) != one_form(extent, self.equal)
            ):
                return None
            if any(value in variables for value in values_of(offset)):
                return None
        return moving[0]

    def merge(self, buffer: Buffer, axis: int, count: int) -> Buffer:
        """Return the buffer that is another one with some axes made one."""
        dims = (
            *buffer.dims[:axis],
            product(buffer.dims[axis : axis + count]),
            *buffer.dims[axis + count :],
        )
        return Buffer(
            self.name(buffer.name), buffer.dtype, dims, source="alias", value=buffer.value, base=buffer
        )


def _loops(statement: Nest | Fused | Reduction) -> list[Loop]:
    """Return the loops of a nest of which the last may be made one: of a reduction, those that are kept, or, in any order, reduced."""
    if not isinstance(statement, Reduction):
        return statement.indices
    loops, reduced = statement.loops, statement.reduced
    if loops and loops[-1][0] in reduced and not (is_exact(statement) or ends_early(statement)):
        # What one run of NumPy's is of several loops is one of one loop.
        return [] if isinstance(statement.expression, Element) else loops[len(loops) - statement.run :]
    return loops


def _used(statement: Nest | Fused | Reduction) -> tuple[list[Element], set[Value]]:
    """Return the elements that a nest reads and writes, and the variables that it uses otherwise."""
    parts: Sequence[Part] = [statement] if isinstance(statement, Reduction) else parts_of(statement)
    elements: list[Element] = []
    others: set[Value] = set()
    for part in parts:
        for piece in walk(part.expression):
            if isinstance(piece, Element):
                elements.append(piece)
            elif isinstance(piece, Position):
                others.update(values_of(piece.dim))
            elif isinstance(piece, Gather):
                others.update(value for place in piece.places for value in _indices(place[1]))
                others.update(_indices(piece.element))
        if not isinstance(part, Let) and isinstance(part.target, Element):
            elements.append(part.target)
    return elements, others


def _indices(expression: Expression) -> set[Value]:
    """Return the variables in the indices of an expression."""
    return {
        value
        for piece in walk(expression)
        if isinstance(piece, Element)
        for place in piece.indices
        for value in values_of(place)
    }
