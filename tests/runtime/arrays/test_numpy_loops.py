"""Operands are cast to the loop that NumPy chooses."""

import numpy as np
import pytest

from .agreement import agree

UINT64 = np.array([0, 2**63, 2**64 - 1], np.uint64)


@pytest.mark.parametrize("number", [-1, 0, 3, 255, 2**40, -(2**63)])
@pytest.mark.parametrize(
    "array",
    [UINT64, np.array([-1, 3, 127], np.int8), np.array([0, 255, 3], np.uint8), np.array([True, False])],
)
def test_integers_are_compared_exactly_whatever_the_range(array: np.ndarray, number: int) -> None:
    def compare(x, n):
        return x < n, n <= x, x == n, x != n

    agree(compare, (array, number))


@pytest.mark.parametrize("one", "?bhilBHILfdFD")
def test_mixed_dtypes_meet_in_the_loop_of_both(one: str) -> None:
    def program(x, y):
        return x + y, x * y, np.maximum(x, y), x == y

    agree(program, *[(np.ones(3, one), np.arange(3).astype(other)) for other in "?blLfdD"])


def test_a_loop_that_there_is_not_raises_numpys_error() -> None:
    agree(lambda x: x & 1, (np.ones(3),), strict=False)
    agree(lambda x: np.bitwise_or(x, x), (np.ones(3),), strict=False)
