"""Signs of NaN are compared, but where NaNs of both signs meet."""

import pytest

from .nans import has_both_signs

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
    assert has_both_signs(TEXT.format(factor, first), ["make"]) is both
