"""Signs of NaN are compared, but where NaNs of both signs meet."""

import numpy as np
import pytest

from .nans import has_both_signs, without_signs

TEXT = """
def f(x, y):
    a = x + 1
    a[1:] *= {}
    return [f"{{y:>{{3}}}}", a[1:, None], (lambda v=1: v)()]

def make():
    return np.array([{}, 1.0]), 2
"""


@pytest.mark.parametrize(
    "factor, first, both",
    [
        ("1", "np.nan", False),
        ("y", "0.5", False),
        ("-np.nan", "np.nan", True),
        ("np.inf - np.inf", "np.inf - np.inf", False),
    ],
)
def test_a_program_in_which_both_signs_meet_is_found(factor: str, first: str, both: bool) -> None:
    assert has_both_signs(TEXT.format(factor, first), "make") is both


def test_signs_of_nan_alone_are_dropped() -> None:
    arrays = [np.array([-np.nan, -0.0, -1.0]), np.array([complex(-np.nan, -2.0)])]
    without_signs(({"a": arrays[0]}, arrays[1]))
    assert np.signbit(arrays[0]).tolist() == [False, True, True]
    assert np.signbit(arrays[1].real).tolist() == [False]
    assert np.signbit(arrays[1].imag).tolist() == [True]
