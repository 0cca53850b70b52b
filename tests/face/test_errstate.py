"""Where NumPy is told to raise floating-point errors, it raises them."""

import numpy as np
import pytest

import transpile


def inverse(x):
    return 1.0 / x


def test_errors_are_raised_where_numpy_is_told_to_raise_them():
    converted = transpile.convert(inverse, strict=True)
    zeros = np.zeros(3)
    assert np.isinf(converted(zeros)).all()
    with np.errstate(divide="raise"):
        with pytest.raises(FloatingPointError, match="divide by zero encountered in divide"):
            converted(zeros)
        with np.errstate(divide="ignore"):
            assert np.isinf(converted(zeros)).all()
    assert np.isinf(converted(zeros)).all()
