"""Drops stores that nobody reads: into memory that is never read, or that is overwritten first.

Before:
    t = empty(n)
    for i in range(n): t[i] = 0.0
    for i in range(n):
        u = x[i] + 1.0
        t[i] = u
        y[i] = u * 2.0
After:
    for i in range(n):
        u = x[i] + 1.0
        y[i] = u * 2.0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value

from .accesses import Accesses, accesses, accesses_alone
from .buffer import Buffer
from .expression import Element, may_raise
from .program import Program
from .sharing import Place, Sharing, all_bodies
from .statement import Allocate, Assign, Body, Collect, Fused, Let, Nest, Part, Reduction, Reshape, Statement


def drop_dead_stores(program: Program, sharing: Sharing) -> None:
    """Drop, from a program, the stores that nobody reads, but for those of what may raise flags that the kernel heeds."""
    heeds = bool(program.heeds)
    for body in all_bodies(program.body):
        _Overwritten(sharing, heeds).body(body)
    while dead := _never_read(program, heeds):
        for body in all_bodies(program.body):
            body[:] = [kept for statement in body for kept in _without(statement, dead)]


def _never_read(program: Program, heeds: bool) -> set[Buffer]:
    """Return the buffers of the kernel's own that are only ever stored into; where it `heeds` flags, only with what raises none."""
    made: set[Buffer] = set()
    wanted: set[Buffer] = {result for result in program.results if isinstance(result, Buffer)}
    for body in all_bodies(program.body):
        for statement in body:
            match statement:
                case Allocate(buffer):
                    made |= {buffer} if buffer.source == "local" else set()
                case Reshape(buffer, base):
                    wanted |= {buffer, base}
                case Assign(pairs):
                    wanted.update(part for pair in pairs for part in pair if isinstance(part, Buffer))
            found = accesses_alone(statement)
            wanted.update(access.buffer for access in found.reads)
            if not isinstance(statement, (Nest, Fused, Collect)):
                wanted.update(access.buffer for access in found.writes)
    dead = made - wanted
    statements = [statement for body in all_bodies(program.body) for statement in body] if heeds else []
    while lost := {buffer for statement in statements for buffer in _loses(statement, dead)}:
        dead -= lost
    return dead


def _loses(statement: Statement, dead: set[Buffer]) -> set[Buffer]:
    """Return the buffers into which a statement stores, if without these stores it would not compute all that may raise flags."""
    if not isinstance(statement, (Nest, Fused, Collect)):
        return set()
    lost = {store.target.buffer for store in _stores(statement)} & dead
    parts = _parts(statement)
    kept = _left(parts, dead) if lost else parts
    return lost if any(may_raise(part.expression) and part not in kept for part in parts) else set()


def _without(statement: Statement, dead: set[Buffer]) -> Body:
    """Return what is left of a statement without the making of some buffers and the stores into them."""
    match statement:
        case Allocate(buffer) if buffer in dead:
            return []
        case Nest(_, target) if target.buffer in dead:
            return []
        case Fused() | Collect():
            kept = _left(statement.parts, dead)
            return [replace(statement, parts=kept)] if kept else []
    return [statement]


def _left(parts: Sequence[Part], dead: set[Buffer]) -> list[Part]:
    """Return parts without stores into some buffers, and the variables that no later part uses then."""
    used: set[object] = set()
    kept: list[Part] = []
    for part in reversed(parts):
        if isinstance(part, Nest) and part.target.buffer in dead:
            continue
        if not isinstance(part, Let) or part.value in used:
            kept.append(part)
            found = Accesses()
            found.statement(part)
            used |= found.uses
    return kept[::-1]


class _Overwritten:
    """Drops, from one body, the stores of nests that a later nest overwrites, unread, from end to end."""

    def __init__(self, sharing: Sharing, heeds: bool) -> None:
        self.sharing = sharing
        self.heeds = heeds
        # What will be overwritten, seen from the end of the body.
        self.places: set[Place] = set()

    def body(self, body: Body) -> None:
        """Walk a body from its end."""
        kept: Body = []
        for statement in reversed(body):
            if isinstance(statement, (Nest, Fused)):
                targets = [part.target.buffer for part in _stores(statement)]
                if targets and all(self.sharing.place(target) in self.places for target in targets):
                    if not (_reduces(statement) or (self.heeds and _may_raise(statement))):
                        continue
            self.pass_over(statement)
            kept.append(statement)
        body[:] = kept[::-1]

    def pass_over(self, statement: Statement) -> None:
        """Note what a statement overwrites, and what it reads of what is overwritten later."""
        found = accesses(statement)
        if isinstance(statement, (Nest, Fused)):
            self.places.update(
                self.sharing.place(store.target.buffer)
                for store in _stores(statement)
                if self.is_full(store.target, statement.indices)
            )
        reads = [access.buffer for access in found.reads]
        self.places = {
            place
            for place in self.places
            if not any(self.sharing.may_share(place[0], buffer) for buffer in reads)
            and place[0] not in found.defines
            and not (found.is_seen and place[0].source != "local")
        }

    def is_full(self, target: Element, loops: list[tuple[Value, DimLike]]) -> bool:
        """Whether a nest stores into every element of a buffer."""
        extents = dict(loops)
        for place, dim in zip(target.indices, target.buffer.dims, strict=True):
            alone = [index for index in extents if place == Dim.of_value(index)]
            if len(alone) != 1 or self.sharing.dim(extents.pop(alone[0])) != self.sharing.dim(dim):
                if not (place == 0 and dim == 1):
                    return False
        return not extents


def _parts(statement: Nest | Fused | Collect) -> Sequence[Part]:
    return [statement] if isinstance(statement, Nest) else statement.parts


def _stores(statement: Nest | Fused | Collect) -> list[Nest]:
    """Return the stores of a nest."""
    return [part for part in _parts(statement) if isinstance(part, Nest)]


def _reduces(statement: Nest | Fused) -> bool:
    """Whether fused nests give more than what they store."""
    return any(isinstance(part, Reduction) for part in _parts(statement))


def _may_raise(statement: Nest | Fused) -> bool:
    """Whether a nest computes what may raise floating-point flags."""
    return any(may_raise(part.expression) for part in _parts(statement))
