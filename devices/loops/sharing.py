"""Which buffers may be the same memory, and which elements of them are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from transpile.runtime.graph.bounds import Bounds
from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from .accesses import Access, Accesses
from .buffer import Buffer
from .expression import Indices
from .memory import Memory
from .program import Program
from .statement import Assign, Body, For, If, While

Loops = Sequence[tuple[Value, DimLike]]
# A buffer's memory as an array of some dims; one buffer's, or that of several which are the same reshaped.
Place = tuple[Buffer, tuple[DimLike, ...]]


def all_bodies(body: Body) -> Iterator[Body]:
    """Yield a body, and those inside its statements."""
    yield body
    for statement in body:
        match statement:
            case If(_, then, otherwise):
                yield from all_bodies(then)
                yield from all_bodies(otherwise)
            case While():
                yield from all_bodies(statement.head)
                yield from all_bodies(statement.body)
            case For():
                yield from all_bodies(statement.body)


def one_form(dim: DimLike, equal: Mapping[Value, DimLike]) -> DimLike:
    """Return a dim in one form for all that are equal, given what values are equal to."""
    while isinstance(dim, Dim) and any(value in equal for value in dim.values()):
        dim = substitute(dim, lambda value: equal.get(value, Dim.of_value(value)))
    return dim


class Sharing:
    """What is known of the memory of a program's buffers."""

    def __init__(self, program: Program, memory: Memory, bounds: Bounds) -> None:
        self.memory = memory
        self.bounds = bounds
        # Whether the kernel reads the processor's floating-point flags when it ends.
        self.heeds = bool(program.heeds)
        self.equal: dict[Value, DimLike] = dict(program.graph.equalities)
        # The buffers that are other memory at other times.
        self.assigned: set[Buffer] = set()
        for body in all_bodies(program.body):
            for statement in body:
                if isinstance(statement, Assign):
                    self.assigned.update(name for name, _ in statement.pairs if isinstance(name, Buffer))
        self._known: dict[tuple[Buffer, Buffer], bool] = {}
        self._forms: dict[DimLike, DimLike] = {}

    def dim(self, dim: DimLike) -> DimLike:
        """Return a dim in one form for all that are equal by what is assumed of the arguments."""
        if isinstance(dim, int):
            return dim
        form = self._forms.get(dim)
        if form is None:
            form = self._forms[dim] = one_form(dim, self.equal)
        return form

    def place(self, buffer: Buffer) -> Place:
        """Return the memory of a buffer, with the dims that it is seen in."""
        dims = tuple(map(self.dim, buffer.dims))
        while buffer.base is not None and buffer.base not in self.assigned:
            buffer = buffer.base
        return buffer, dims

    def may_share(self, first: Buffer, second: Buffer) -> bool:
        """Whether two buffers may share memory."""
        if self.place(first)[0] is self.place(second)[0]:
            return True
        if "scratch" in (first.root.source, second.root.source):
            return False
        known = self._known.get((first, second))
        if known is None:
            one, other = first.value, second.value
            known = one is None or other is None or self.memory.shares(one, other)
            self._known[first, second] = self._known[second, first] = known
        return known

    def conflict(self, first: Accesses, second: Accesses) -> bool:
        """Whether two statements cannot change places."""
        return bool(
            first.defines & (second.uses | second.defines)
            or first.uses & second.defines
            or any(self.may_share(a.buffer, b.buffer) for a, b in clashes(first, second))
        )

    def is_same(self, first: Access, second: Access) -> bool:
        """Whether two accesses are to the same element, for each index of some loops."""
        return (
            first.indices is not None
            and second.indices is not None
            and self.place(first.buffer) == self.place(second.buffer)
            and tuple(map(self.dim, first.indices)) == tuple(map(self.dim, second.indices))
        )

    def is_beside(self, first: Access, second: Access) -> bool:
        """Whether two accesses are to elements a known number of places apart, on the axis that varies fastest, for each index of some loops."""
        if not (first.indices and second.indices) or self.place(first.buffer) != self.place(second.buffer):
            return False
        *rows, last = map(self.dim, first.indices)
        *others, other = map(self.dim, second.indices)
        return rows == others and isinstance(last, int) and isinstance(other, int)

    def keeps_order(self, first: Accesses, second: Accesses, loops: Loops) -> bool:
        """Whether what two statements do for each index of the same loops can be done index by index."""
        return all(
            not self.may_share(a.buffer, b.buffer)
            or (self.is_same(a, b) and is_injective(a.indices or (), loops))
            or self.is_apart(a, b, loops)
            for a, b in clashes(first, second)
        )

    def is_apart(self, first: Access, second: Access, loops: Loops) -> bool:
        """Whether two accesses are proved never to meet, at whatever indices of the loops."""
        if first.indices is None or second.indices is None:
            return False
        if self.place(first.buffer) != self.place(second.buffer):
            return False
        bounds = self.bounds.anew()
        bounds.ranges = dict(self.bounds.ranges)
        others = {index: Value(INT, index.name) for index, _ in loops}
        for index, dim in loops:
            for variable in (index, others[index]):
                bounds.enter_loop(variable, 0, dim, 1)
        for one, other in zip(first.indices, second.indices, strict=True):
            moved = substitute(other, lambda value: Dim.of_value(others.get(value, value)))
            if bounds.nonnegative(one - moved - 1) or bounds.nonnegative(moved - one - 1):
                return True
        return False


def clashes(first: Accesses, second: Accesses) -> Iterator[tuple[Access, Access]]:
    """Yield the pairs of accesses of which one writes."""
    for a in first.writes:
        for b in (*second.reads, *second.writes):
            yield a, b
    for a in first.reads:
        for b in second.writes:
            yield a, b


def is_injective(indices: Indices, loops: Loops) -> bool:
    """Whether an index is another one for each index of the loops: each moves it along an axis of its own."""
    variables = {index for index, _ in loops}
    found: set[Value] = set()
    for place in indices:
        moving = set(place.values()) & variables if isinstance(place, Dim) else set()
        if len(moving) == 1:
            (variable,) = moving
            assert isinstance(place, Dim)
            factor = place.coefficient(variable)
            if isinstance(factor, int) and factor:
                found.add(variable)
    return found == variables
