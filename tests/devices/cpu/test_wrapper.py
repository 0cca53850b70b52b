"""Kernels take arrays as they lie, and nothing else for arrays."""

import numpy as np
import pytest
from numba import types

from .kernels import lowered

VECTOR, MATRIX = types.Array(types.float64, 1, "A"), types.Array(types.float64, 2, "A")


def test_arrays_are_read_as_they_lie():
    text = "def kernel(x, y):\n    return x[1, 2], x.shape[0], x.strides[1], y[1], y.shape[0]"
    returned = types.Tuple([types.float64, types.int64, types.int64, types.float64, types.int64])
    kernel = lowered(text, {}, (MATRIX, VECTOR), returned)
    x, y = np.arange(12.0).reshape(3, 4), np.arange(9.0)[::-2]
    for matrix in (x, x.T, np.asfortranarray(x), x[::-1]):
        assert kernel(matrix, y) == (matrix[1, 2], len(matrix), matrix.strides[1], 6.0, 5)


def test_what_is_no_array_of_so_many_axes_is_refused():
    kernel = lowered("def kernel(x):\n    return 0", {}, (VECTOR,), types.int64)
    assert kernel(np.ones(3)) == 0
    for wrong in (None, [1.0], 3, np.float64(1.0), np.ones((2, 2)), np.array(1.0)):
        with pytest.raises(TypeError, match="an argument of a kernel"):
            kernel(wrong)


def test_numbers_are_taken_as_numba_takes_them():
    returned = types.Tuple([types.int64, types.float64])
    kernel = lowered("def kernel(n, x):\n    return n, x", {}, (types.int64, types.float64), returned)
    assert kernel(3, np.float64(2.5)) == (3, 2.5)
    with pytest.raises(TypeError):
        kernel(3, None)


@pytest.mark.parametrize("kind", [types.complex64, types.complex128])
def test_complex_numbers_are_taken(kind):
    kernel = lowered(
        "def kernel(z):\n    return z, z.imag", {}, (kind,), types.Tuple([kind, kind.underlying_float])
    )
    assert kernel(1.5 - 2j) == (1.5 - 2j, -2.0)
