"""Numbers that functions are given beside integers have to fit, where NumPy looks."""

import numpy as np
import pytest

from ..arrays.agreement import agree

NUMBERS = [float("nan"), 2.0, 1e30, -1.5, 3, 300, -1, np.float64(2.0), np.int64(300), np.int8(-1), True]


def putmask(x, v):
    np.putmask(x, x > 1, v)
    np.putmask(x, x > 1, [v, 1])
    return x


def place(x, v):
    np.place(x, x > 1, v)
    np.place(x, x > 1, [v, 1])
    return x


def diagonal(x, v):
    np.fill_diagonal(x.reshape(2, 2), v)
    return x


def inserted(x, v):
    return np.insert(x, 1, v), np.insert(x, [1, 2], [v, 2])


def begun(x, v):
    return np.max(x, initial=v), np.prod(x, initial=v)


def begun_where(x, v):
    return np.min(x, initial=v, where=x > 1)


def times_a_list(x, v):
    y = [v, 1, 2, 3] * x
    z = [v, 1, 2, 3]
    z *= x
    return y, z


def copied_to(x, v):
    np.copyto(x, v, where=x > 1)
    np.copyto(x, v)
    return x


def squared(x, v):
    return x**2 + v, x**3, x**v


def counted(x, v):
    return np.arange(4, dtype=x.dtype) + v


@pytest.mark.parametrize("dtype", "lbBL?f")
@pytest.mark.parametrize(
    "program",
    [putmask, place, diagonal, inserted, begun, begun_where, times_a_list, copied_to, squared, counted],
)
def test_numbers_are_taken_as_numpy_takes_them(program, dtype: str) -> None:
    agree(program, *[(np.arange(4).astype(dtype), number) for number in NUMBERS], strict=False)
