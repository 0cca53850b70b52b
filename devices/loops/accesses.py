"""What statements read, write, use and define."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from transpile.runtime.graph.dim import DimLike, values_of
from transpile.runtime.graph.ir import Value

from .buffer import Buffer, Variable
from .expression import Element, Expression, Gather, Indices, Position, walk
from .program import Site, Upcall
from .statement import (
    Allocate,
    ArgReduction,
    Assign,
    Body,
    CheckedLet,
    Collect,
    For,
    Fused,
    If,
    LeaveIf,
    Let,
    LibraryCall,
    Nest,
    Operand,
    Reduction,
    Reshape,
    Statement,
    SumBegin,
    SumEnd,
    SumRow,
    While,
)


@dataclass(frozen=True)
class Access:
    """Elements of a buffer: at an index that depends on loops, or (None) anywhere."""

    buffer: Buffer
    indices: Indices | None


@dataclass
class Accesses:
    """What a statement does, with all that is in it.

    `uses` and `defines` are variables, of scalars and of buffers; `local` are those of loop nests alone. `leaves` says that the kernel may be left there, `is_seen` that somebody
    outside sees then, or else, what was done before.
    """

    reads: list[Access] = field(default_factory=list)
    writes: list[Access] = field(default_factory=list)
    uses: set[Value | Buffer] = field(default_factory=set)
    defines: set[Value | Buffer] = field(default_factory=set)
    leaves: bool = False
    is_seen: bool = False
    local: set[Value] = field(default_factory=set)

    def expression(self, expression: Expression | None) -> None:
        """Note what is read and used to compute an expression."""
        for part in walk(expression) if expression is not None else ():
            if isinstance(part, Element):
                self.read(part.buffer, part.indices)
            elif isinstance(part, Position):
                self.uses.update(values_of(part.dim))
            elif isinstance(part, Variable):
                self.uses.add(part.value)
            elif isinstance(part, Gather):
                self.local.update(value for value, _ in part.places)

    def dims(self, dims: Iterable[DimLike]) -> None:
        """Note the values in dims."""
        for dim in dims:
            self.uses.update(values_of(dim))

    def read(self, buffer: Buffer, indices: Indices | None = None) -> None:
        """Note the reading of elements."""
        self.reads.append(Access(buffer, indices))
        self.uses.add(buffer)
        self.dims(indices or ())

    def write(self, buffer: Buffer, indices: Indices | None = None) -> None:
        """Note the writing of elements."""
        self.writes.append(Access(buffer, indices))
        self.uses.add(buffer)
        self.dims(indices or ())

    def target(self, target: Element | Value | Buffer) -> None:
        """Note where a result goes."""
        if isinstance(target, Value):
            self.defines.add(target)
        elif isinstance(target, Buffer):
            self.write(target)
        else:
            self.write(target.buffer, target.indices)

    def loops(self, loops: Iterable[tuple[Value, DimLike]]) -> None:
        """Note loops."""
        for index, dim in loops:
            self.local.add(index)
            self.dims([dim])

    def site(self, site: Site, writes: bool = False) -> None:
        """Note a place where the kernel may be left, with what is handed over there."""
        self.leaves = True
        self.is_seen |= site.exception is not None
        for operand in site.operands:
            if isinstance(operand, Buffer):
                self.read(operand)
                if writes:
                    self.write(operand)
            else:
                self.expression(operand)

    def body(self, body: Body) -> None:
        """Note what statements do."""
        for statement in body:
            self.statement(statement)

    def inside(self, parts: Iterable[Let | Nest | Reduction]) -> None:
        """Note what the parts of a nest do, whose variables are its own."""
        for part in parts:
            self.statement(part)
            if isinstance(part, Let):
                self.local.add(part.value)

    def statement(self, statement: Statement) -> None:
        """Note what a statement does."""
        match statement:
            case Let(value, expression):
                self.expression(expression)
                self.defines.add(value)
            case Allocate(buffer):
                self.dims(buffer.dims)
                self.defines.add(buffer)
            case Reshape(buffer, base):
                self.dims(buffer.dims)
                self.uses.add(base)
                self.defines.add(buffer)
            case Nest(indices, target, expression):
                self.loops(indices)
                self.expression(expression)
                self.target(target)
            case Fused(indices, parts):
                self.loops(indices)
                self.inside(parts)
            case Collect(indices, test, place, parts):
                self.loops([*indices, place])
                self.expression(test)
                self.inside(parts)
            case Reduction():
                self.loops(statement.loops)
                self.expression(statement.expression)
                self.target(statement.target)
            case SumBegin(state, count, turn=turn):
                self.dims([count])
                self.defines.add(state)
                if turn is not None:
                    self.uses.add(turn)
            case SumRow(state, index, expression):
                self.loops([index])
                self.expression(expression)
                self.uses.add(state)
                self.defines.add(state)
            case SumEnd(state, target):
                self.uses.add(state)
                self.defines.add(target)
            case ArgReduction():
                self.loops([*statement.kept, statement.index])
                self.expression(statement.expression)
                self.target(statement.target)
            case LibraryCall():
                for operand in statement.operands:
                    self.read(operand.buffer)
                    self.dims(operand.view.all_dims())
                self.dims(statement.dims.values())
                if statement.failed is not None:
                    self.defines.add(statement.failed)
                for buffer in statement.more:
                    self.target(buffer)
                if isinstance(statement.target, Operand):
                    self.write(statement.target.buffer)
                    self.dims(statement.target.view.all_dims())
                else:
                    self.target(statement.target)
            case Assign(pairs):
                for name, source in pairs:
                    self.defines.add(name)
                    if isinstance(source, Buffer):
                        self.uses.add(source)
                    else:
                        self.expression(source)
            case If(test, then, otherwise):
                self.expression(test)
                self.body(then)
                self.body(otherwise)
            case While():
                self.body([*statement.head, statement.end, *statement.body])
                self.expression(statement.test)
            case For():
                for bound in (statement.start, statement.stop, statement.step):
                    self.expression(bound)
                self.defines.add(statement.index)
                self.body(statement.body)
            case LeaveIf(test, site):
                self.expression(test)
                self.site(site)
            case CheckedLet(value, expression, site):
                self.expression(expression)
                self.defines.add(value)
                self.site(site)
            case Upcall(site=site, result=result, gives=gives):
                self.site(site, writes=True)
                self.is_seen = True
                if result is not None:
                    self.defines.add(result)
                if gives is not None:
                    self.dims(gives.dims)
                    self.defines.add(gives)


def accesses(*statements: Statement) -> Accesses:
    """Return what statements do."""
    found = Accesses()
    found.body(list(statements))
    found.uses -= found.local
    found.defines -= found.local
    return found


def accesses_alone(statement: Statement) -> Accesses:
    """Return what a statement does without those inside it."""
    match statement:
        case If():
            statement = replace(statement, then=[], otherwise=[])
        case While():
            statement = replace(statement, head=[], body=[])
        case For():
            statement = replace(statement, body=[])
    return accesses(statement)


def goes_on(body: Body, defined: Set[Value | Buffer]) -> bool:
    """Whether a turn of a loop goes on with something that the turn before it has found, of what is defined in its body."""
    known: set[Value | Buffer] = set()
    for statement in body:
        own = accesses(statement)
        if (own.uses - own.defines - known) & defined:
            return True
        known |= own.defines
    return False
