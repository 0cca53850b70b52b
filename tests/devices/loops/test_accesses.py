"""What statements read, write, use and define."""

import numpy as np

from transpile.devices.loops.accesses import Access, accesses
from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.expression import Apply, Constant, Element, Gather, Position
from transpile.devices.loops.program import Site, Upcall
from transpile.devices.loops.statement import (
    Allocate,
    Assign,
    CheckedLet,
    For,
    Fused,
    If,
    Let,
    Nest,
    Reduction,
)
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL, ScalarType

FLOAT64 = ScalarType(np.dtype(np.float64))
SIZE, PLACE, COUNT = (Value(INT, name) for name in ("n", "i", "k"))
N, AT = Dim.of_value(SIZE), Dim.of_value(PLACE)
X, Y = (Buffer(name, np.dtype(np.float64), (N,)) for name in "xy")


def element(buffer, index=AT):
    return Element(buffer, (index,), FLOAT64)


def test_a_nest_reads_and_writes_at_indices_of_its_own():
    found = accesses(Nest([(PLACE, N)], element(X), element(Y, AT + 1)))
    assert found.reads == [Access(Y, (AT + 1,))]
    assert found.writes == [Access(X, (AT,))]
    assert found.uses == {SIZE, X, Y} and not found.defines


def test_the_variables_of_fused_parts_are_not_seen_outside():
    inside = Value(FLOAT64, "t")
    total = Value(FLOAT64, "s")
    parts = [
        Let(inside, element(Y)),
        Nest([], element(X), Variable(inside)),
        Reduction("add", [], set(), total, Variable(inside), False, 0),
    ]
    found = accesses(Fused([(PLACE, N)], parts))
    assert found.uses == {SIZE, X, Y}
    assert found.defines == {total}


def test_places_that_are_read_are_the_nest_s_own():
    at = Value(INT, "at")
    picked = Gather(((at, element(Y)),), element(X, Dim.of_value(at)))
    found = accesses(Nest([(PLACE, N)], element(Y), picked))
    assert {access.buffer for access in found.reads} == {X, Y}
    assert found.uses == {SIZE, X, Y}


def test_what_stands_in_branches_and_loops_counts():
    test = Apply("less", (Variable(COUNT), Position(N, INT)), PYBOOL)
    zero = Constant(0, INT)
    branch = If(test, [Allocate(Y)], [Assign([(COUNT, zero)])])
    found = accesses(For(PLACE, zero, Position(N, INT), Constant(1, INT), [branch], None))
    assert found.defines == {PLACE, COUNT, Y}
    assert found.uses == {SIZE, COUNT}


def test_checks_leave_and_calls_of_python_are_seen():
    silent, loud = Site(1, None, [], ()), Site(2, ValueError, [X], ())
    checked = accesses(CheckedLet(COUNT, Constant(1, INT), silent))
    assert checked.leaves and not checked.is_seen
    call = accesses(Upcall(loud, print))
    assert call.is_seen and call.reads == call.writes == [Access(X, None)]
