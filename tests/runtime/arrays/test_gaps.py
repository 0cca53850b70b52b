"""What leaves a branch or loop lies in memory as it does in NumPy, or is left to plain Python."""

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError


def shows_part(n: int) -> Any:
    b = np.zeros(3)
    for _ in range(n):
        b = np.arange(6.0)[::2]
    return b


def sums_backward(n: int) -> Any:
    b = np.zeros((2, 3))
    if n > 3:
        b = np.ones((4, 3))[::-2]
    return b.sum()


def turns(n: int) -> Any:
    b = np.zeros((3, 2)).T
    for _ in range(n):
        b = np.ones((3, 2)).T
    return b


def cuts(n: int) -> Any:
    b = np.zeros(n)
    if n > 3:
        b = b[1:]
    return b.copy()


@pytest.mark.parametrize("function, code", [(shows_part, "S212-view"), (sums_backward, "S185-order")])
def test_what_may_have_gaps_is_left_to_plain_python(function: Any, code: str) -> None:
    with pytest.raises(StagingError, match=code):
        transpile.convert(function, device="cpu", strict=True)(2)


@pytest.mark.parametrize("function", [turns, cuts])
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_has_no_gaps_compiles(function: Any, device: str) -> None:
    found, expected = transpile.convert(function, device=device, strict=True)(5), function(5)
    assert found.tolist() == expected.tolist()
    assert found.strides == expected.strides
