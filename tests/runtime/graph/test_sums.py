"""Sums, differences and products of integers are dims over what they are made of."""

import transpile
from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.sums import dim_of
from transpile.runtime.graph.types import FLOAT64, INT, ScalarType


def test_arithmetic_is_seen_through():
    def function(a, b):
        return (a + 2) * (b - a) - -a

    graph = transpile.convert(function, strict=True).graph(3, 4)
    a, b = map(Dim.of_value, graph.block.arguments)
    assert graph.block.results is not None
    assert dim_of(graph.block.results[0]) == (a + 2) * (b - a) + a


def test_what_is_no_sum_is_itself():
    first, second = Value(INT, "first"), Value(INT, "second")
    remainder = Op("remainder", (first, second), (INT,)).result
    assert dim_of(first) == Dim.of_value(first)
    assert dim_of(remainder) == Dim.of_value(remainder)


def test_a_sum_of_floats_is_itself():
    kind = ScalarType(FLOAT64, True)
    first = Value(kind, "first")
    total = Op("add", (first, first), (kind,)).result
    assert dim_of(total) == Dim.of_value(total)


def test_a_constant_is_a_number():
    assert dim_of(Op("constant", (), (INT,), {"value": 7}).result) == 7
