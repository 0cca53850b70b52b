"""Statements of a kernel: what the schedule is made of and the emitters print."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.positions import Location

from .buffer import Buffer
from .expression import Element, Expression
from .program import Site, Upcall

Body = list["Statement"]


@dataclass(frozen=True)
class Spread:
    """A loop, by its index, whose turns may run in any order, and by several threads: each is about so much work, in additions."""

    index: Value
    work: DimLike


@dataclass(eq=False)
class Let:
    """Give a scalar variable its value."""

    value: Value
    expression: Expression
    location: Location = ()


@dataclass(eq=False)
class Allocate:
    """Make a buffer."""

    buffer: Buffer


@dataclass(eq=False)
class Reshape:
    """Make a buffer that is another one's memory in other dims: where `merged` is given, with so many axes from one on made one."""

    buffer: Buffer
    base: Buffer
    merged: tuple[int, int] | None = None


@dataclass(eq=False)
class Nest:
    """Loops, from the outermost in, that store an expression into an element for every index."""

    indices: list[tuple[Value, DimLike]]
    target: Element
    expression: Expression
    location: Location = ()
    spread: Spread | None = None


@dataclass(eq=False)
class Collect:
    """Run the parts, lets and stores, for every element for which `test` holds, in order.

    `place` is a variable that counts these elements, which the parts may use, and how many there are.
    """

    indices: list[tuple[Value, DimLike]]
    test: Expression
    place: tuple[Value, DimLike]
    parts: list[Part]
    location: Location = ()


@dataclass(eq=False)
class Reduction:
    """Combine, by a ufunc, an expression over some loops, for every index of the others.

    `loops` are all loops, from slowest to fastest in the operand's memory where NumPy would reduce it; `reduced` are the variables of those that
    go. `target` is an element of a buffer, or a scalar value. `buffered` says that NumPy converts the elements on the way, in pieces. `run` is how
    many of the fastest loops make one run of NumPy's inner loop: several, where a single step through memory crosses them. `free` says that elements may be
    combined in any order, whatever that does to the bits.
    """

    ufunc: str
    loops: list[tuple[Value, DimLike]]
    reduced: set[Value]
    target: Element | Value
    expression: Expression
    buffered: bool
    run: int
    location: Location = ()
    free: bool = False
    spread: Spread | None = None


@dataclass(eq=False)
class Fused:
    """Loops, from the outermost in, that run all parts for every index: lets, stores (nests without loops) and steps of reductions to scalars.

    The reductions (without loops of their own) start before the loops, and give their results after.
    """

    indices: list[tuple[Value, DimLike]]
    parts: list[Part]
    location: Location = ()
    spread: Spread | None = None


@dataclass(eq=False)
class SumBegin:
    """Begin to add up so many floats in the order of NumPy's pairwise summation, a row at a time; `state` stands for how far that is.

    Where several sums are added up at once, one for each of at most `turns` turns of a loop, `turn` is the variable that tells which it is.
    """

    state: Value
    count: DimLike
    type: ScalarType
    turn: Value | None = None
    turns: int = 1


@dataclass(eq=False)
class SumRow:
    """Add an expression over a loop to what is added up."""

    state: Value
    index: tuple[Value, DimLike]
    expression: Expression


@dataclass(eq=False)
class SumEnd:
    """Give a variable what was added up."""

    state: Value
    target: Value


@dataclass(eq=False)
class ArgReduction:
    """Find the place of the first extreme of an expression along one loop, for every index of the others."""

    function: str
    kept: list[tuple[Value, DimLike]]
    index: tuple[Value, DimLike]
    target: Element | Value
    expression: Expression
    location: Location = ()


@dataclass(eq=False)
class Operand:
    """An array that a library routine takes: a buffer, and for each axis the index of the first element and the step as an affine map."""

    buffer: Buffer
    view: Any


@dataclass(eq=False)
class LibraryCall:
    """Call a routine of a library on whole arrays; `target` is a buffer that holds the result, a part of one, or a scalar value.

    Where `dims` has a `count`, it is called for so many arrays: then the first axis of every operand, and of the target, runs over these. A routine that may
    fail says so by `failed`, a scalar: it has not given anything where it does, or raised one of the `flags`. One that gives several arrays puts those behind the first into `more`.
    """

    name: str
    operands: list[Operand]
    target: Buffer | Operand | Value
    dims: dict[str, Any]
    location: Location = ()
    failed: Value | None = None
    flags: int = 0
    more: list[Buffer] = field(default_factory=list)


@dataclass(eq=False)
class Assign:
    """Give variables, scalars and buffers, new values, all at once."""

    pairs: list[tuple[Value | Buffer, Expression | Buffer]]


@dataclass(eq=False)
class If:
    """Run one of two bodies."""

    test: Expression
    then: Body
    otherwise: Body
    location: Location = ()


@dataclass(eq=False)
class While:
    """Run `head`, and as long as `test` holds the body. `until`, if any, is a variable that ends the loop after the body."""

    head: Body
    test: Expression
    end: Assign
    body: Body
    until: Value | None
    location: Location = ()


@dataclass(eq=False)
class For:
    """Run the body for each number of a range. Where it is known that its turns have nothing to do with each other's memory, it `is_apart`; one that goes on with what
    the turn before it has left in the cache is `in_order`.
    """

    index: Value
    start: Expression
    stop: Expression
    step: Expression
    body: Body
    until: Value | None
    location: Location = ()
    spread: Spread | None = None
    is_apart: bool = False
    in_order: bool = False


@dataclass(eq=False)
class LeaveIf:
    """Leave the kernel at a site where a test holds (always, where it is None)."""

    test: Expression | None
    site: Site


@dataclass(eq=False)
class CheckedLet:
    """Give a variable the value of an integer op that may overflow; leave at the site where it does."""

    value: Value
    expression: Expression
    site: Site


# What a nest does at each index.
Part = Let | Nest | Reduction

Statement = (
    Let
    | Allocate
    | Reshape
    | Nest
    | Collect
    | Reduction
    | Fused
    | SumBegin
    | SumRow
    | SumEnd
    | ArgReduction
    | LibraryCall
    | Assign
    | If
    | While
    | For
    | LeaveIf
    | CheckedLet
    | Upcall
)
