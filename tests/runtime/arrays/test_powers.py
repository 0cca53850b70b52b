"""Powers: what NumPy refuses, and what it computes in shorter ways."""

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
