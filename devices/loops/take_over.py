"""Has what a turn of a loop makes lie in memory that it is the last to read: then fewer arrays go through the caches.

Before:
    for step in range(steps):
        new = empty((n, m))
        for i in range(n):
            for j in range(m): new[i, j] = now[i, j] * 2.0 - old[i, j]
        old, now = now, new
After:
    for step in range(steps):
        for i in range(n):
            for j in range(m): old[i, j] = now[i, j] * 2.0 - old[i, j]
        old, now = now, old
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .accesses import Access, accesses, accesses_alone
from .buffer import Buffer
from .expression import Element, Expression, rebuilt
from .nests import changed, loops_of, parts_of
from .program import Program
from .ring import used
from .sharing import Sharing, all_bodies, is_injective
from .statement import Allocate, Assign, Body, For, Fused, If, Let, Nest, Reduction, Statement, While

# Note [Taking over]
# A loop that keeps an old and a new state carries arrays, whose memory takes turns: `old` has next what `now` has, and `now` what was made. Where what is made is first stored by a nest
# that is the last to read `old`, and reads of it, for each index, what it stores there, it may lie there.
#
# Nobody else may have that memory: what `old` begins with is the kernel's own, and mentioned nowhere else; so is that of all from which it has its memory later.


def take_over(program: Program, sharing: Sharing) -> None:
    """Have what the loops of a program make lie in memory that is done with, in place."""
    taker = _Taker(program, sharing)
    for body in list(all_bodies(program.body)):
        for place, statement in enumerate(body):
            if isinstance(statement, (For, While)) and statement.body:
                taker.loop(statement, body[:place], body[place + 1 :])


class _Taker:
    """Finds memory that may be taken over."""

    def __init__(self, program: Program, sharing: Sharing) -> None:
        self.sharing = sharing
        # How many statements give a variable that stands for memory, or have memory stand for something else.
        self.named: Counter[Buffer] = Counter()
        for body in all_bodies(program.body):
            for statement in body:
                if isinstance(statement, Assign):
                    for pair in statement.pairs:
                        self.named.update(part.root for part in pair if isinstance(part, Buffer))
                elif not isinstance(statement, (Allocate, Nest, Fused, Reduction, Let, If, For, While)):
                    self.named.update(dict.fromkeys(used(accesses_alone(statement)), 3))
        self.results = {result.root for result in program.results if isinstance(result, Buffer)}

    def loop(self, loop: For | While, before: Body, after: Body) -> None:
        """Have what a loop makes lie in memory that is done with, in place."""
        last = loop.body[-1]
        if not isinstance(last, Assign) or not any(isinstance(one, Buffer) for one, _ in last.pairs):
            return
        if isinstance(loop, While) and any(isinstance(one, Buffer) for one, _ in loop.end.pairs):
            return
        carried = {one: other for one, other in last.pairs if isinstance(one, Buffer)}
        made = {statement.buffer for statement in loop.body if isinstance(statement, Allocate)}
        body = [*(loop.head if isinstance(loop, While) else ()), *loop.body[:-1]]
        other = {
            part.root
            for inner in all_bodies(body)
            for statement in inner
            if isinstance(statement, Assign)
            for pair in statement.pairs
            for part in pair
            if isinstance(part, Buffer)
        }
        own = [old for old in self.own(carried, made, before, [*after, loop]) if old not in other]
        dying = [old for old in own if old not in carried.values()]
        places = {
            new: [old for old in dying if self.is_alike(new, old) and self.is_done(body, new, old)]
            for new in carried.values()
            if isinstance(new, Buffer) and new in made and new.source == "local" and self.named[new] == 1
        }
        taken = _matched(places)
        if not taken or not all(_can_change(statement, taken) for statement in loop.body):
            return
        loop.body[:] = [
            _renamed(statement, taken)
            for statement in loop.body
            if not isinstance(statement, Allocate) or statement.buffer not in taken
        ]

    def own(
        self, carried: Mapping[Buffer, Buffer | Expression], made: set[Buffer], before: Body, others: Body
    ) -> list[Buffer]:
        """Return the carried variables whose memory is the loop's alone at the beginning of each turn."""
        fresh = {statement.buffer for statement in before if isinstance(statement, Allocate)}
        elsewhere = {buffer for statement in others for buffer in used(accesses(statement))} | self.results
        begins: dict[Buffer, Buffer] = {}
        for statement in before:
            if isinstance(statement, Assign):
                begins |= {
                    one: other
                    for one, other in statement.pairs
                    if isinstance(one, Buffer) and isinstance(other, Buffer)
                }
        sources = Counter(carried.values())
        own = {
            one
            for one, other in carried.items()
            if sources[other] == 1
            and (first := begins.get(one)) in fresh
            and first is not None
            and first.source == "local"
            and self.named[first] == 1
            and first not in elsewhere
            and self.is_alike(first, one)
        }
        while lost := {one for one in own if carried[one] not in own | made}:
            own -= lost
        apart = [one for one in carried if isinstance(one, Buffer)]
        return [
            one
            for one in carried
            if one in own
            and not any(self.sharing.may_share(one, other) for other in apart if other is not one)
        ]

    def is_alike(self, one: Buffer, other: Buffer) -> bool:
        """Whether two buffers lie in memory in the same way."""
        return (
            one.dtype == other.dtype
            and tuple(map(self.sharing.dim, one.dims)) == tuple(map(self.sharing.dim, other.dims))
            and one.order is other.order is None
            and one.base is other.base is None
            and one.layout == other.layout == "C"
            and one.aligned
            and other.aligned
        )

    def is_done(self, body: Sequence[Statement], new: Buffer, old: Buffer) -> bool:
        """Whether nothing reads an old array once a new one is stored."""
        stored = False
        for statement in body:
            if isinstance(statement, Allocate):
                continue
            touched = used(accesses(statement))
            if stored and old in touched:
                return False
            if not stored and new in touched:
                stored = True
                if old in touched and not self.is_pointwise(statement, new, old):
                    return False
        return stored

    def is_pointwise(self, statement: Statement, new: Buffer, old: Buffer) -> bool:
        """Whether a nest reads, for each index, of an old array only the element where it stores a new one, and does so before."""
        if not isinstance(statement, (Nest, Fused)):
            return False
        places: list[Access] = []
        stored = False
        for part in parts_of(statement):
            found = accesses(part)
            reads = [access for access in found.reads if access.buffer is old]
            if (stored and reads) or any(access.buffer is old for access in found.writes):
                return False
            if any(access.buffer.root is old for access in found.reads if access not in reads):
                return False
            places += [Access(new, access.indices) for access in reads]
            places += [access for access in (*found.reads, *found.writes) if access.buffer is new]
            stored = stored or any(access.buffer is new for access in found.writes)
        first = places[0]
        return is_injective(first.indices or (), loops_of(statement)) and all(
            self.sharing.is_same(first, access) for access in places
        )


def _matched(places: Mapping[Buffer, Sequence[Buffer]]) -> dict[Buffer, Buffer]:
    """Return a place of its own for each buffer that there is one for."""
    taken: dict[Buffer, Buffer] = {}

    def find(new: Buffer, seen: set[Buffer]) -> bool:
        for old in places[new]:
            if old not in seen:
                seen.add(old)
                if old not in taken or find(taken[old], seen):
                    taken[old] = new
                    return True
        return False

    for new in places:
        find(new, set())
    return {new: old for old, new in taken.items()}


def _can_change(statement: Statement, taken: Mapping[Buffer, Buffer]) -> bool:
    """Whether buffers may be given other names in a statement."""
    if isinstance(statement, If):
        return all(_can_change(inner, taken) for inner in (*statement.then, *statement.otherwise))
    known = isinstance(statement, (Nest, Fused, Reduction, Let, Assign, Allocate))
    return known or used(accesses(statement)).isdisjoint(taken)


def _renamed(statement: Statement, taken: Mapping[Buffer, Buffer]) -> Statement:
    """Return a statement with other buffers in the place of some."""

    def leaf(part: Expression) -> Expression:
        return (
            replace(part, buffer=taken.get(part.buffer, part.buffer)) if isinstance(part, Element) else part
        )

    def change(expression: Expression) -> Expression:
        return rebuilt(expression, leaf)

    match statement:
        case Nest() | Fused() | Reduction():
            return changed(statement, change)
        case Let(value, expression, location):
            return Let(value, change(expression), location)
        case Assign(pairs):
            return Assign(
                [
                    (one, taken.get(other, other) if isinstance(other, Buffer) else change(other))
                    for one, other in pairs
                ]
            )
        case If(test, then, otherwise, location):
            one, other = ([_renamed(inner, taken) for inner in way] for way in (then, otherwise))
            return If(change(test), one, other, location)
    return statement
