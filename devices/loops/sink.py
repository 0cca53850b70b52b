"""Has buffers made where they are used first, so that they may lie in the memory of those that are done with by then.

Before:
    t = empty(n); u = empty(n); v = empty(n)
    for i in range(n): t[i] = x[i] + 1
    for i in range(n): u[i] = t[i] * 2
    for i in range(n): v[i] = u[i] * 3
After:
    t = empty(n)
    for i in range(n): t[i] = x[i] + 1
    u = empty(n)
    for i in range(n): u[i] = t[i] * 2
    v = empty(n)
    for i in range(n): v[i] = u[i] * 3
"""

from __future__ import annotations

from transpile.runtime.graph.dim import values_of
from transpile.runtime.graph.ir import Value

from .accesses import accesses
from .buffer import Buffer
from .expression import elements
from .statement import Allocate, Body, For, If, Statement, While


def sink_allocations(body: Body) -> Body:
    """Return a body whose buffers are made where they are used first: in a branch, where no other place uses them."""
    mentioned = [_buffers(statement) for statement in body]
    last = {buffer: place for place, buffers in enumerate(mentioned) for buffer in buffers}
    result: Body = []
    waiting: list[Allocate] = []
    for place, statement in enumerate(body):
        branches = (statement.then, statement.otherwise) if isinstance(statement, If) else ()
        taken: list[Body] = [[] for _ in branches]
        if isinstance(statement, Allocate) and statement.buffer.source == "local":
            waiting.append(statement)
            continue
        defined = accesses(statement).defines
        still: list[Allocate] = []
        for made in waiting:
            buffer = made.buffer
            if defined & _sizes(buffer):
                result.append(made)
            elif buffer not in mentioned[place]:
                still.append(made)
            elif isinstance(statement, If) and last[buffer] == place and not _tests(statement, buffer):
                for branch, makes in zip(branches, taken, strict=True):
                    if any(buffer in _buffers(part) for part in branch):
                        makes.append(made)
            else:
                result.append(made)
        waiting = still
        for branch, makes in zip(branches, taken, strict=True):
            branch[:0] = makes
        result.append(_inside(statement))
    return [*result, *waiting]


def _inside(statement: Statement) -> Statement:
    """Return a statement with the buffers in its bodies made where they are used first."""
    match statement:
        case If():
            statement.then = sink_allocations(statement.then)
            statement.otherwise = sink_allocations(statement.otherwise)
        case While():
            statement.head = sink_allocations(statement.head)
            statement.body = sink_allocations(statement.body)
        case For():
            statement.body = sink_allocations(statement.body)
    return statement


def _tests(statement: If, buffer: Buffer) -> bool:
    """Whether a branch asks for elements of a buffer before it is taken."""
    return any(element.buffer.root is buffer for element in elements(statement.test))


def _buffers(statement: Statement) -> set[Buffer]:
    """Return the buffers whose memory a statement mentions."""
    found = accesses(statement)
    return {part.root for part in found.uses | found.defines if isinstance(part, Buffer)}


def _sizes(buffer: Buffer) -> set[Value]:
    """Return the values in the dims of a buffer."""
    return {value for dim in buffer.dims for value in values_of(dim)}
