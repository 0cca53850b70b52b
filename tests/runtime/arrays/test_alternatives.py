"""Operators on a number whose type depends on the way that control took."""

import warnings

import numpy as np
import pytest

from transpile import convert

from .agreement import agree


def test_operators_give_what_each_alternative_gives() -> None:
    def program(n, y):
        x = 2 if n > 0 else 0.5 if n < 0 else np.float64(1.5)
        return x + y, y * x, x / y, y // x, x % y, x < y, x == y, y >= x, -x

    agree(program, *[(n, y) for n in (-1, 0, 1) for y in (3, -2.5, np.float64(4))])


def test_what_one_alternative_lacks_is_left_to_python() -> None:
    def program(n):
        x = 1 if n else None
        return x + 1

    agree(program, (1,), (0,), strict=False)


def test_beside_an_array() -> None:
    def program(n, x):
        y = 1 if n else 0.5
        return x * y, x > y, np.maximum(x, y)

    agree(
        program,
        *[(n, np.arange(3, dtype=dtype)) for n in (0, 1) for dtype in (float, int, np.float32)],
        strict=False,
    )


def halves(n, x):
    y = 1 if n > 0 else x[0]
    return 2.0 / y, y % 2.0


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_numpy_warns_of_what_holds_alone(device: str) -> None:
    converted = convert(halves, strict=True, device=device)
    for n, x in ((1, 0.0), (0, 0.0), (0, 2.0)):
        told = []
        for function in (halves, converted):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                result = function(n, np.array([x]))
            told.append((repr(result), [str(warning.message) for warning in caught]))
        assert told[0] == told[1]
