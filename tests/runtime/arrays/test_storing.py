"""Numbers that are stored into integers raise what NumPy raises, and wrap where NumPy wraps."""

import numpy as np
import pytest

from transpile import convert

from .agreement import agree

NUMBERS = [
    300.7, 3e9, -3.0, 1e19, -1e18, float("nan"), float("inf"), 2.5, 300, -3,
    np.float64(300.7), np.float64(-3.0), np.float64(1e19), np.float32(300.7), np.float32("nan"),
    np.int64(300), np.int16(-3), np.uint64(2**63), np.int64(2**40), np.uint8(200), np.bool_(True),
]  # fmt: skip


def element(x, v):
    x[1] = v
    return x


def view(x, v):
    x[:2] = v
    return x


def fill(x, v):
    x.fill(v)
    return x


def mask(x, v):
    x[x < 1] = v
    return x


def places(x, v):
    x[[0, 1]] = v
    return x


def full(x, v):
    return np.full(3, v, x.dtype), np.full_like(x, v)


def display(x, v):
    return np.array([v, 1], x.dtype)


def alone(x, v):
    return np.array(v, x.dtype)


def loop(x, v):
    for k in range(len(x)):
        x[k] = v
        v = v + v
    return x


def items_in_a_view(x, v):
    x[:2] = [2, v]
    return x


def items_at_places(x, v):
    x[[0, 1]] = (2, v)
    return x


def items_where_true(x, v):
    x[x < 1] = [1, v, 2]
    return x


def items_over_all(x, v):
    x.reshape(1, 3)[:] = [[v]]
    return x


def items_put(x, v):
    np.put(x, [0, 1], [2, v])
    return x


def items_of_a_list_that_grew(x, v):
    items = []
    for _ in range(len(x)):
        items.append(v)
    x[:] = items
    return x, np.array(items, x.dtype)


@pytest.mark.parametrize("dtype", "bBhiIlL?f")
@pytest.mark.parametrize(
    "store",
    [
        *(element, view, fill, mask, places, full, display, alone, loop, items_in_a_view, items_at_places),
        *(items_where_true, items_over_all, items_put, items_of_a_list_that_grew),
    ],
)
def test_numbers_are_stored_as_numpy_stores_them(store, dtype: str) -> None:
    agree(store, *[(np.zeros(3, dtype), number) for number in NUMBERS], strict=False)


@pytest.mark.parametrize("number", NUMBERS)
def test_known_numbers_are_stored_as_numpy_stores_them(number: object) -> None:
    def program(x):
        x[0] = number
        return x, x.dtype.type(number)

    agree(program, *[(np.zeros(3, dtype),) for dtype in "bBiIlL"], strict=False)


def written_though_it_is_read_only(x):
    view = np.broadcast_to(x, (2, len(x)))
    try:
        view[:, 1:] = view
    except ValueError as error:
        first = str(error)
    try:
        view["no index"] = 1
    except ValueError as error:
        return first, str(error)


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_that_an_array_is_read_only_is_said_first(device: str) -> None:
    x = np.arange(4.0)
    expected = written_though_it_is_read_only(x)
    assert convert(written_though_it_is_read_only, strict=True, device=device)(x) == expected
