"""What NumPy's functions give is handed out as it is, where nobody else has it."""

import numpy as np
import pytest

from transpile import convert

X = np.arange(12.0).reshape(3, 4)


def signal(x):
    return np.fft.irfftn(x)


def product(x):
    return np.tensordot(x, x, 2)


def several(x):
    y = np.fft.irfftn(x)
    return y, y


def looked_into(x):
    y = np.fft.irfftn(x)
    return y, y.sum()


def written(x):
    y = np.fft.irfftn(x)
    y[0] = 7.0
    return y


def on_a_way(x):
    if x[0, 0] > 0:
        return np.fft.irfftn(x)
    return np.tensordot(x, x.T, 1)


def without_change(x):
    return np.linalg.matrix_power(x, 1)


def columns(x):
    return np.take(x, [1, 0], axis=1)


@pytest.mark.parametrize(
    "function", [signal, product, several, looked_into, written, on_a_way, without_change, columns]
)
@pytest.mark.parametrize("layout", [X, X.T, X[:, ::2], X[:0], X[:3, :3].copy()])
def test_results_are_numpys(function, layout):
    try:
        expected = function(layout)
    except (ValueError, IndexError, np.linalg.LinAlgError):
        pytest.skip("an error in NumPy")
    converted = convert(function, strict=True)
    for _ in range(3):
        found = converted(layout)
        for one, other in zip(_parts(found), _parts(expected), strict=True):
            assert type(one) is type(other)
            assert np.array_equal(one, other)
            if isinstance(one, np.ndarray):
                assert one.dtype == other.dtype and one.strides == other.strides
                assert one.flags.writeable and np.shares_memory(one, layout) == np.shares_memory(
                    other, layout
                )


def _parts(thing):
    return thing if isinstance(thing, tuple) else (thing,)


def test_two_names_of_one_result_stay_one_array():
    one, other = convert(several, strict=True)(X)
    assert one is other


def test_result_is_not_copied_and_not_given_twice():
    converted = convert(signal, strict=True)
    # The kernel gets the operands alone.
    assert "def kernel(frame, x):" in converted.kernels(X)
    assert "def kernel(frame, x):" not in convert(looked_into, strict=True).kernels(X)
    first, second = converted(X), converted(X)
    assert not np.shares_memory(first, second) and first.flags.owndata
