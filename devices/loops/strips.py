"""Runs loops of steps that go over memory a piece at a time together with the nests before and behind them, whose temporaries are then no larger than a piece.

Before:
    t = empty(n)
    for i in range(n): t[i] = x[i] + 1.0
    for first in range(0, n, 1024):
        count = min(1024, n - first)
        for k in range(60):
            for i in range(count): y[first + i] = y[first + i] / t[first + i]
    for i in range(n): z[i] = y[i] * t[i]
After:
    t = scratch(1024)
    for first in range(0, n, 1024):
        count = min(1024, n - first)
        for i in range(count): t[i] = x[first + i] + 1.0
        for k in range(60):
            for i in range(count): y[first + i] = y[first + i] / t[i]
        for i in range(count): z[first + i] = y[first + i] * t[i]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from .accesses import Access, Accesses, accesses, accesses_alone
from .buffer import Buffer
from .expression import Element, Expression, Position, rebuilt
from .nests import changed, parts_of, with_outermost
from .program import Program
from .ring import used
from .sharing import Sharing, all_bodies, clashes
from .statement import Allocate, Body, For, Fused, If, LeaveIf, Let, Nest, Reduction, Statement
from .tile import PIECE, are_lines

# Note [Strips]
# A loop over pieces of memory (Note [Tiles]) leaves its results in the cache, and so does a nest that runs over the same piece right before it. So nests that share memory with such a loop, each index
# of which has nothing to do with what is stored at another one, are run a piece at a time in the same loop. What they store for each other alone need not be kept then: it lies on the
# stack, in a piece that the next one is stored over. Each thread has its own (Note [Pieces]).
#
# Statements between that give numbers, or leave the kernel for the original to run the call anew, come first, where nothing that they read is stored by the nests.

# How many bytes pieces on the stack take at most, all together.
_STACK = 1 << 17


Laid = dict[Buffer, Buffer]


@dataclass
class _Member:
    """A statement of a strip, and what it does at the index of an element; `first` and `count` are where a piece starts and how long it is, of a loop over pieces."""

    statement: Nest | Fused | For
    found: Accesses
    first: Value | None = None
    count: Value | None = None


@dataclass
class _Strip:
    """Statements to be run together for each index, those between that come before them, and all as they were."""

    index: Value
    extent: DimLike
    plain: Body
    members: list[_Member] = field(default_factory=list)
    before: Body = field(default_factory=list)


class Strips:
    """Runs together, a piece at a time, what may be in a program."""

    def __init__(self, program: Program, sharing: Sharing, name: Callable[[str], str]) -> None:
        self.program = program
        self.sharing = sharing
        self.name = name
        # What the kernel makes for itself, and how many statements use it.
        self.made: dict[Buffer, Allocate] = {}
        self.uses: Counter[Buffer] = Counter()
        self.scratch: list[Allocate] = []
        given = {result.root for result in program.results if isinstance(result, Buffer)}
        for body in all_bodies(program.body):
            for statement in body:
                if not isinstance(statement, Allocate):
                    self.uses.update(used(accesses_alone(statement)))
                elif statement.buffer.source == "local" and statement.buffer not in given:
                    self.made[statement.buffer] = statement

    def run(self) -> None:
        """Run together what may be, in place."""
        for inner in list(all_bodies(self.program.body)):
            inner[:] = self.body(inner)
        self.program.body[:0] = self.scratch

    def body(self, body: Body) -> Body:
        """Return a body with its strips."""
        result: Body = []
        strip: _Strip | None = None
        done: set[Buffer] = set()
        for statement in body:
            if strip is not None and self.takes(strip, statement):
                strip.plain.append(statement)
                continue
            result += self.closed(strip, body, done)
            strip = self.begun(statement)
            if strip is None:
                result.append(statement)
        result += self.closed(strip, body, done)
        return [part for part in result if not isinstance(part, Allocate) or part.buffer not in done]

    def begun(self, statement: Statement) -> _Strip | None:
        """Return a strip that begins with a statement, None where none does."""
        extent = _extent(statement)
        if extent is None or isinstance(self.sharing.dim(extent), int):
            return None
        strip = _Strip(Value(INT, "index"), extent, [statement])
        return strip if self.joins(strip, _member(statement, strip.index)) else None

    def takes(self, strip: _Strip, statement: Statement) -> bool:
        """Whether a statement goes with a strip: it becomes one of its members, or comes before them."""
        extent = _extent(statement)
        if extent is not None:
            is_as_long = self.sharing.dim(extent) == self.sharing.dim(strip.extent)
            return is_as_long and self.joins(strip, _member(statement, strip.index))
        if not isinstance(statement, (Let, Allocate, LeaveIf)):
            return False
        found = accesses(statement)
        if found.is_seen or any(self.sharing.conflict(member.found, found) for member in strip.members):
            return False
        strip.before.append(statement)
        return True

    def joins(self, strip: _Strip, member: _Member) -> bool:
        """Whether a statement has nothing to do with what others of a strip store at another index, nor they with what it stores: then it becomes a member."""
        if not all(self.is_apart(member, other, strip.index) for other in (*strip.members, member)):
            return False
        strip.members.append(member)
        return True

    def is_apart(self, one: _Member, other: _Member, index: Value) -> bool:
        """Whether two statements have nothing to do with what the other one stores at another index."""
        own = one.found, other.found
        moving = {value for found in own for value in (*found.local, *found.defines)} - {index}
        return all(
            are_lines(self.sharing, *pair, index, moving) for pair in self.meetings(one.found, other.found)
        )

    def meetings(self, one: Accesses, other: Accesses) -> Iterator[tuple[Access, Access]]:
        """Yield the accesses to memory that two statements may share, of which one stores."""
        return (
            pair for pair in clashes(one, other) if self.sharing.may_share(pair[0].buffer, pair[1].buffer)
        )

    def closed(self, strip: _Strip | None, around: Body, done: set[Buffer]) -> Body:
        """Return what stands for a strip in a body: one loop over pieces, if there was one to go with others. Buffers that are not made any more are noted as done."""
        members = self.together(strip) if strip is not None else []
        if strip is None or len(members) < 2:
            return strip.plain if strip is not None else []
        laid = self.short(members, strip.index, around)
        if self.grows(members, laid):
            return strip.plain
        loop, first, count = next((m.statement, m.first, m.count) for m in members if m.first is not None)
        assert isinstance(loop, For) and first is not None and count is not None
        done.update(laid)
        self.scratch += map(Allocate, laid.values())
        inside: Body = [loop.body[0]]
        for member in members:
            inside += _over_piece(member, first, count, laid)
        apart = [member.statement for member in strip.members if member not in members]
        return [*strip.before, *apart, replace(loop, body=inside)]

    def together(self, strip: _Strip) -> list[_Member]:
        """Return the loop over pieces of a strip, and what shares memory with it, or with others that do."""
        found = [member for member in strip.members if member.first is not None][:1]
        for known in found:
            found += [
                member
                for member in strip.members
                if member not in found and any(self.meetings(known.found, member.found))
            ]
        return [member for member in strip.members if member in found]

    def grows(self, members: Sequence[_Member], laid: Laid) -> bool:
        """Whether there may be more memory in use at once than if members ran one after the other: where one is done with memory before another one first stores to some."""
        seen = [
            {part for part in used(member.found) if part not in laid and part.source != "input"}
            for member in members
        ]
        return any(
            (seen[place] & self.made.keys()) - set().union(*seen[later:])
            and {access.buffer.root for access in member.found.writes if access.buffer not in laid}
            - set().union(*seen[:later])
            for place in range(len(members))
            for later, member in enumerate(members[place + 1 :], place + 1)
        )

    def short(self, members: Sequence[_Member], index: Value, around: Body) -> Laid:
        """Return a piece on the stack for each buffer that the statements of a strip store for each other alone."""
        laid: Laid = {}
        inside = [part for body in all_bodies([member.statement for member in members]) for part in body]
        counts = Counter(buffer for part in inside for buffer in used(accesses_alone(part)))
        here = (Dim.of_value(index),)
        found = [access for member in members for access in (*member.found.reads, *member.found.writes)]
        for buffer, count in counts.items():
            if self.made.get(buffer) not in around or self.uses[buffer] != count or not _is_row(buffer):
                continue
            if any(access.buffer is buffer and access.indices != here for access in found):
                continue
            on_stack = (*(made.buffer for made in self.scratch), *laid, buffer)
            if sum(PIECE * one.dtype.itemsize for one in on_stack) <= _STACK:
                laid[buffer] = replace(buffer, name=self.name(buffer.name), dims=(PIECE,), source="scratch")
        return laid


def _extent(statement: Statement) -> DimLike | None:
    """Return how many elements a statement goes over that may be run a piece at a time, None for others."""
    match statement:
        case Nest(indices) | Fused(indices) if len(indices) == 1:
            return None if any(isinstance(part, Reduction) for part in parts_of(statement)) else indices[0][1]
        case For(stop=Position(dim), is_apart=True) if _piece(statement) is not None:
            return None if accesses(statement).leaves else dim
    return None


def _piece(loop: For) -> Value | None:
    """Return the length of a piece, in a loop over pieces: it is the first that is found there, and what all nests go over."""
    start = loop.body[0]
    if not isinstance(start, Let) or getattr(loop.step, "value", None) != PIECE:
        return None
    nests = [part for body in all_bodies(loop.body) for part in body if isinstance(part, (Nest, Fused))]
    whole = [(Dim.of_value(start.value),)] * len(nests)
    return start.value if [tuple(dim for _, dim in nest.indices) for nest in nests] == whole else None


def _member(statement: Statement, index: Value) -> _Member:
    """Return a member of a strip, given the index of its elements."""
    if isinstance(statement, (Nest, Fused)):
        return _Member(statement, accesses(with_outermost(statement, index)))
    assert isinstance(statement, For)
    first, count = statement.index, _piece(statement)
    found = Accesses()
    for body in all_bodies([statement]):
        for part in body:
            if isinstance(part, (Nest, Fused)):
                own = part.indices[0][0]
                part = with_outermost(part, own, Dim.of_value(index) - Dim.of_value(first))
                found.statement(part)
            else:
                inside = accesses_alone(part)
                found.reads += inside.reads
                found.writes += inside.writes
                found.uses |= inside.uses
                found.defines |= inside.defines
    return _Member(statement, found, first, count)


def _is_row(buffer: Buffer) -> bool:
    """Whether a buffer is memory of its own that lies in a row."""
    return len(buffer.dims) == 1 and buffer.base is None and buffer.layout == "C" and buffer.aligned


def _over_piece(member: _Member, first: Value, count: Value, laid: Laid) -> Body:
    """Return what a member does to a piece, which starts where `first` says, with buffers of a piece for some."""
    statement = member.statement
    if isinstance(statement, For):
        assert member.first is not None and member.count is not None
        body = [_laid(part, laid, Dim.of_value(member.first)) for part in statement.body[1:]]
        if member.first is first:
            return body
        places = (member.first, first), (member.count, count)
        return [*(Let(old, Position(Dim.of_value(new), INT)) for old, new in places), *body]
    index = statement.indices[0][0]
    moved = with_outermost(statement, index, Dim.of_value(first) + Dim.of_value(index))
    return [_laid(replace(moved, indices=[(index, Dim.of_value(count))]), laid, Dim.of_value(first))]


def _laid(statement: Statement, laid: Laid, first: Dim) -> Statement:
    """Return a statement with buffers of a piece for some, whose elements are counted from the first of the piece."""

    def leaf(part: Expression) -> Expression:
        if not isinstance(part, Element) or part.buffer not in laid:
            return part
        return replace(part, buffer=laid[part.buffer], indices=(part.indices[0] - first,))

    match statement:
        case Nest() | Fused():
            return changed(statement, lambda part: rebuilt(part, leaf))
        case For():
            return replace(statement, body=[_laid(part, laid, first) for part in statement.body])
        case If():
            ways = (
                [_laid(part, laid, first) for part in way] for way in (statement.then, statement.otherwise)
            )
            then, otherwise = ways
            return replace(statement, then=then, otherwise=otherwise)
    return statement
