"""Arithmetic of dims gives canonical polynomials, whichever way they are computed."""

from __future__ import annotations

import itertools

import pytest

from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

N, M = Dim.of_value(Value(INT, "n")), Dim.of_value(Value(INT, "m"))
(_N, _M) = (next(dim.values()) for dim in (N, M))
SAMPLES: list[DimLike] = [-3, 0, 1, 2, N, N + 1, N - 3, 2 * M, N - M, N * M + 2, N * N - 1, -M + 3]
AT = {_N: 7, _M: -5}


def number(dim: DimLike) -> int:
    found = substitute(dim, AT.__getitem__)
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize("one, other", [*itertools.product(SAMPLES, SAMPLES)])
def test_sums_differences_and_products_are_canonical(one: DimLike, other: DimLike) -> None:
    for found, expected in (
        (one + other, number(one) + number(other)),
        (one - other, number(one) - number(other)),
        (one * other, number(one) * number(other)),
    ):
        assert number(found) == expected
        if isinstance(found, Dim):
            assert Dim.normal(dict(found.terms)) == found
            assert any(monomial for monomial, _ in found.terms)
            assert all(factor for _, factor in found.terms)


def test_what_is_left_of_a_difference_is_a_number() -> None:
    assert (N + 2) - N == 2
    assert (N + 2) - (N + 2) == 0
    assert N * 0 == 0
    assert (N + 1) - 1 is not N
    assert (N + 1) - 1 == N
    assert str((N + M * N) - 3 + 1) == "n*m + n - 2"
