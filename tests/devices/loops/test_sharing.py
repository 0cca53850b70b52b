"""Which accesses are to the same element, which never meet, and what may change places."""

import numpy as np

from transpile.devices.loops.accesses import Access, accesses
from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.expression import Constant, Element
from transpile.devices.loops.plan_memory import plan_memory
from transpile.devices.loops.program import Program
from transpile.devices.loops.sharing import Sharing, is_injective
from transpile.devices.loops.statement import Nest
from transpile.runtime.graph.bounds import Bounds
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Block, Graph, Value
from transpile.runtime.graph.types import INT, ScalarType

FLOAT64 = ScalarType(np.dtype(np.float64))
N, ROW, COLUMN = (Dim.of_value(Value(INT, name)) for name in "nij")
LOOPS = [(next(ROW.values()), N), (next(COLUMN.values()), N)]


def sharing():
    graph = Graph("f", Block())
    return Sharing(Program("f", graph, [], [], [], []), plan_memory(graph), Bounds([], N.values()))


def buffer(name="x", base=None, dims=(N, N)):
    return Buffer(name, np.dtype(np.float64), dims, value=Value(FLOAT64, name), base=base)


def test_an_index_is_injective_where_each_loop_moves_an_axis_of_its_own():
    assert is_injective((ROW, COLUMN), LOOPS)
    assert is_injective((COLUMN * 2 + 1, ROW - 1), LOOPS)
    assert not is_injective((ROW, 0), LOOPS)
    assert not is_injective((ROW, ROW), LOOPS)
    assert not is_injective((ROW + COLUMN, 0), LOOPS)
    assert not is_injective((ROW + COLUMN, COLUMN), LOOPS)


def test_a_reshape_to_the_same_dims_is_the_same_memory():
    known, x = sharing(), buffer()
    again = buffer("y", base=buffer("flat", base=x, dims=(N * N,)))
    assert known.place(again) == known.place(x)
    assert known.is_same(Access(x, (ROW, COLUMN)), Access(again, (ROW, COLUMN)))
    assert not known.is_same(Access(x, (ROW, COLUMN)), Access(again, (COLUMN, ROW)))
    assert not known.is_same(Access(x, None), Access(x, None))


def test_rows_are_apart_where_their_numbers_are():
    known, x = sharing(), buffer()
    assert known.is_apart(Access(x, (0, COLUMN)), Access(x, (ROW + 1, COLUMN)), LOOPS)
    assert known.is_apart(Access(x, (ROW, COLUMN)), Access(x, (N, COLUMN)), LOOPS)
    assert not known.is_apart(Access(x, (0, COLUMN)), Access(x, (ROW, COLUMN)), LOOPS)
    assert not known.is_apart(Access(x, (ROW, COLUMN)), Access(x, (ROW + 1, COLUMN)), LOOPS)


def test_statements_change_places_where_neither_writes_what_the_other_needs():
    known, x, y = sharing(), buffer("x"), buffer("y")
    zero = Constant(0.0, FLOAT64)

    def store(target, source):
        value = zero if source is None else Element(source, (ROW, COLUMN), FLOAT64)
        return accesses(Nest(LOOPS, Element(target, (ROW, COLUMN), FLOAT64), value))

    known._known[x, y] = known._known[y, x] = False
    assert not known.conflict(store(x, None), store(y, None))
    assert known.conflict(store(x, None), store(y, x))
    assert known.conflict(store(y, x), store(x, None))
    assert known.conflict(store(x, None), store(x, None))
