"""The same nests at other indices: what they compute, where they store and how far their loops go, all at once."""

import numpy as np

from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.expression import Element, Position
from transpile.devices.loops.nests import changed, loops_of, moved_nest, parts_of, with_outermost
from transpile.devices.loops.statement import Fused, Let, Nest, Reduction
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ScalarType

_FLOAT = ScalarType(np.dtype(np.float64))


def made():
    """A triangle of a matrix, stored and summed."""
    i, j, t, s = (Value(kind, name) for kind, name in ((INT, "i"), (INT, "j"), (_FLOAT, "t"), (_FLOAT, "s")))
    rows, columns = Dim.of_value(i), Dim.of_value(j)
    x, y = (Buffer(name, np.dtype(np.float64), (9, 9)) for name in "xy")
    parts = [
        Let(t, Element(x, (rows, columns), _FLOAT)),
        Nest([], Element(y, (columns, rows + 1), _FLOAT), Variable(t)),
        Reduction("maximum", [], set(), s, Position(rows, INT), False, 0),
    ]
    return i, j, Fused([(i, 8), (j, rows)], parts)


def test_a_nest_is_moved_with_its_stores_and_its_loops():
    i, j, nest = made()
    moved = moved_nest(nest, lambda value: Dim.of_value(value) + (3 if value is i else 0))
    there, columns = Dim.of_value(i) + 3, Dim.of_value(j)
    let, store, top = moved.parts
    assert moved.indices == [(i, 8), (j, there)]
    assert let.expression.indices == (there, columns) and let.value is nest.parts[0].value
    assert store.target.indices == (columns, there + 1) and store.expression == nest.parts[1].expression
    assert top.expression.dim == there and top.target is nest.parts[2].target
    assert nest.parts[0].expression.indices[0] == Dim.of_value(i), "the nest itself is as it was"


def test_the_outermost_loop_gets_another_variable():
    _, j, nest = made()
    row = Value(INT, "row")
    moved = with_outermost(nest, row)
    assert loops_of(moved) == [(row, 8), (j, Dim.of_value(row))]
    assert moved.parts[1].target.indices == (Dim.of_value(j), Dim.of_value(row) + 1)


def test_what_a_reduction_stores_to_is_changed_if_it_is_an_element():
    _, j, nest = made()
    target = nest.parts[1].target
    whole = Reduction("add", loops_of(nest), {j}, target, nest.parts[0].expression, False, 1)
    other = Buffer("z", np.dtype(np.float64), (9, 9))
    found = changed(whole, lambda part: Element(other, part.indices, part.type))
    assert found.target.buffer is other and found.expression.buffer is other and found.reduced == {j}
    (step,) = parts_of(whole)
    assert not step.loops and not step.reduced and step.target is target
