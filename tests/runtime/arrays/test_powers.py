"""Powers: what NumPy refuses, and what it computes in shorter ways."""

from typing import Any

import numpy as np
import pytest

from transpile import StagingError, convert

from .agreement import agree


@pytest.mark.parametrize("exponent", [-2, -1, 0, 1, 2, 3, 0.5, 2.0, -1.0])
@pytest.mark.parametrize("dtype", "bilfdD")
def test_powers_are_numpys(dtype: str, exponent: float) -> None:
    agree(lambda x, e: x**e, (np.array([1, 2, 3, 0], dtype), exponent), strict=False)


def test_python_numbers_change_their_type_as_in_python() -> None:
    agree(lambda x, e: x**e, (2, 3), (2, -3), (2.5, 2), (-2.0, 0.5), (1j, 2), (0, 0), (0.0, -1), strict=False)


def test_exponents_that_repeat_inside_are_refused() -> None:
    with pytest.raises(StagingError, match="S124-power"):
        convert(lambda x, k: x ** k[:, None], strict=True)(np.ones((3, 4)), np.array([0.5, 2.0, 3.0]))


@pytest.mark.parametrize("dtype", ["f8", "f4", "c16", "i8"])
@pytest.mark.parametrize("exponent", [0.73, 0.5, 2, 3, np.float64(0.73), np.array(0.73), np.array(2)])
def test_an_array_without_axes_is_raised_as_arrays_are(dtype: str, exponent: Any) -> None:
    def powers(x, p):
        return x**p, x[()] ** p, np.asarray(p) ** x, x // 3, 3 % x

    def power_alone(x, p):
        return x**p, x[()] ** p

    # NumPy's scalars and its arrays compute powers by two functions, which differ in the last bit for some.
    function = power_alone if dtype == "c16" else powers
    converted = convert(function, device="host", strict=True)
    for number in np.random.default_rng(0).uniform(1, 50, 40):
        x = np.array(number, dtype)
        expected, found = function(x, exponent), converted(x, exponent)
        assert [(type(a), a.tobytes()) for a in found] == [(type(a), a.tobytes()) for a in expected]
