"""Scheduled graphs: what runs one that is compiled asks of it, without its statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from transpile.runtime.graph.ir import Value
from transpile.runtime.positions import Location

from .buffer import Buffer

if TYPE_CHECKING:
    from .expression import Expression
    from .statement import Body


@dataclass(eq=False)
class Site:
    """A place where the kernel is left before its end.

    Where `exception` is None the original runs the call; else the exception is made of the operands' run-time values. With `shared`, arrays
    are handed over as they are, for the time of the call, not copied.
    """

    number: int
    exception: Any
    operands: list[Expression | Buffer]
    location: Location
    reason: str = ""
    shared: bool = False
    # Whether it is left because of floating-point errors.
    flagged: bool = False
    # Whether something was done before that the original could not do anew.
    final: bool = False


@dataclass(eq=False)
class Upcall:
    """Call Python with the operands' run-time values, for a number if `result` is given; leave the kernel where that fails.

    Where `lends` says so, the function gives a generator of random numbers, and the result is the address of its C interface. A `draw` is of
    random numbers that the device may draw by itself, see Note [Draws]. Where the program is noted, `noted` is called, if there is one. One that `tells` warns or logs, or is final: what there
    is to be warned of before comes first. What the function gives is the array `gives`: a result, which the kernel never sees, or memory that is the kernel's from then on ("taken").
    """

    site: Site
    function: Any
    result: Value | None = None
    draw: tuple[str, int] | None = None
    lends: bool = False
    noted: Any = None
    gives: Buffer | None = None
    tells: bool = False


@dataclass
class Program:
    """A scheduled graph: the buffers and scalars it takes, what it does, what it gives, where it may be left.

    `saved` are the inputs that are written before a place where the original may have to take over: it must find them as they were. Where the program is
    `noted`, it may have to take over after other effects, too.
    """

    name: str
    graph: Any
    inputs: list[Value | Buffer]
    outputs: list[Buffer]
    body: Body
    results: list[Value | Buffer]
    sites: list[Site] = field(default_factory=list)
    copies: list[Location] = field(default_factory=list)
    written: set[int] = field(default_factory=set)
    saved: list[int] = field(default_factory=list)
    # Those that are written and never read: they are saved only where a warning may be an error.
    unread: set[int] = field(default_factory=set)
    noted: bool = False
    # The floating-point errors for which the original has to run a call in which they occur; and whether it is too late for that when the kernel ends.
    heeds: int = 0
    final: bool = False
    # What warns of all of them by itself, if anything does: inputs are saved for them only where a warning may be an error.
    reporter: Any = None
    # Whether it tells of errors when it has ended, of which each is certain: inputs are saved for them only where a warning may be an error.
    tells: bool = False
