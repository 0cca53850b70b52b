"""Assumptions are found by the values that they are about, and those that say less than another one are left out."""

from transpile.runtime.graph.assumed import Assumed
from transpile.runtime.graph.bounds import Bounds
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT


def test_of_those_that_differ_by_a_number_the_one_that_says_most_is_found() -> None:
    n, m = Value(INT, "n"), Value(INT, "m")
    one, other = Dim.of_value(n), Dim.of_value(m)
    assumptions: list[DimLike] = [one - 2, one - 5, one - 3, other - one, other - 7, 9 - one, 4 - one]
    assumed = Assumed(assumptions)
    assert assumed.linear(n, 1) == [one - 5]
    assert assumed.linear(n, -1) == [other - one, 4 - one]
    assert assumed.linear(m, 1) == [other - one, other - 7]
    assumptions.append(one - 8)
    assert assumed.linear(n, 1) == [one - 8]


def test_what_is_taken_back_is_not_assumed() -> None:
    one = Dim.of_value(Value(INT, "n"))
    assumptions: list[DimLike] = [one - 2]
    bounds = Bounds(assumptions)
    assumptions.append(one - 5)
    assert bounds.nonnegative(one - 4)
    del assumptions[1:]
    bounds.assumed.forget()
    assert bounds.nonnegative(one - 2)
    assert not bounds.nonnegative(one - 4)
