"""Hypotenuses have the C library's bits, whichever way they are computed."""

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import hypotenuses


def bits(function, *arguments):
    return function(*arguments).tobytes()


def sides(x, y):
    return np.hypot(x, y)


converted = transpile.convert(sides, strict=True)

random = np.random.default_rng(11)
NORMAL = random.normal(size=20000)
NEAR = 1 + random.integers(-20, 20, NORMAL.size) * 2.0**-52
SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, -np.nan, 5e-324, 1e-310, 1e308, -1e308])


@pytest.mark.parametrize("spread", [0, 1, 40, 190, 600])
def test_sides_of_any_size(spread):
    one, other = (
        random.normal(size=20000) * 2.0 ** random.integers(-spread, spread + 1, 20000) for _ in range(2)
    )
    assert bits(converted, one, other) == bits(sides, one, other)


@pytest.mark.parametrize("factor", [1.0, 0.5, 1 / np.sqrt(3), 2.0**-53, 2.0**-54, 2.0**-55, 0.0, -0.0])
def test_sides_where_the_library_goes_another_way(factor):
    for one, other in ((NORMAL, NORMAL * NEAR * factor), (NORMAL * NEAR * factor, NORMAL)):
        assert bits(converted, one, other) == bits(sides, one, other)


@pytest.mark.parametrize("bound", [2.0**-200, 2.0**500, 2.0**-1022])
def test_sides_around_the_bounds_of_what_is_usual(bound):
    one, other = bound * NEAR, bound * NEAR[::-1] * 1.5
    assert bits(converted, one, other) == bits(sides, one, other)


def test_sides_that_are_no_numbers_or_not_finite():
    one, other = (side.ravel() for side in np.meshgrid(SPECIAL, SPECIAL))
    with np.errstate(all="ignore"):
        assert bits(converted, one, other) == bits(sides, one, other)
        for place in range(0, 20000, 4999):
            x = NORMAL.copy()
            x[place] = np.inf
            assert bits(converted, x, NEAR) == bits(sides, x, NEAR)


def test_a_side_that_the_result_replaces():
    def function(x, y):
        np.hypot(x, y, out=x)
        return x

    for x in (NORMAL, np.where(NORMAL > 3, np.nan, NORMAL)):
        assert bits(transpile.convert(function, strict=True), x.copy(), NEAR) == bits(
            function, x.copy(), NEAR
        )


def test_sides_that_are_computed_and_one_that_is_the_same_all_along():
    def function(x, y, z):
        return np.hypot(x[1:] - y[:-1], x[:-1] * 2.0) + np.hypot(x[1:], z)

    both = (
        bits(transpile.convert(function, strict=True), NORMAL, NEAR, 2.5),
        bits(function, NORMAL, NEAR, 2.5),
    )
    assert both[0] == both[1]


def test_nothing_is_raised_that_numpy_does_not_raise():
    with np.errstate(all="raise"):
        assert converted(np.zeros(600), np.zeros(600)).sum() == 0.0
        assert converted(np.full(600, 1e-150), np.full(600, 1e-60)).max() == 1e-60
        with pytest.raises(FloatingPointError):
            converted(np.full(600, 1.7e308), np.full(600, 1.7e308))


def test_without_a_library_that_is_known_it_is_asked_for_all(monkeypatch):
    monkeypatch.setattr(hypotenuses, "is_known", lambda: False)

    def function(x, y):
        return np.hypot(x, y) * 3.0

    text = transpile.convert(function, strict=True)
    assert bits(text, NORMAL, NEAR) == bits(function, NORMAL, NEAR)
    assert "usual_sides" not in text.kernels(NORMAL, NEAR)
