"""Arrays that kernels make have the memory, strides and owners they say."""

import gc
import sys
from typing import Any

import numpy as np
import pytest
from numba import complex64, float32, float64, int8, njit, uint16

from transpile import convert
from transpile.devices.cpu.memory import address, empty, empty_f, flat, merged, move, scratch, wrap


@njit
def make(n, m):
    return (
        empty(n, float64),
        empty((n,), float32),
        empty((n, m, 2), complex64),
        empty_f((n, m, 2), complex64),
        empty((), int8),
    )


def test_new_arrays_have_the_strides_of_their_order():
    line, single, c_order, f_order, point = make(4, 3)
    assert (line.shape, line.strides, line.dtype) == ((4,), (8,), np.float64)
    assert (single.shape, single.strides, single.dtype) == ((4,), (4,), np.float32)
    assert (c_order.shape, c_order.strides) == ((4, 3, 2), (48, 16, 8))
    assert (f_order.shape, f_order.strides) == ((4, 3, 2), (8, 32, 96))
    assert point.shape == ()
    assert c_order.flags.c_contiguous
    assert f_order.flags.f_contiguous
    assert line.ctypes.data % 64 == 0


def test_arrays_of_no_elements_can_be_made():
    line, _, c_order, f_order, _ = make(0, 3)
    assert line.shape == (0,)
    assert c_order.shape == f_order.shape == (0, 3, 2)


@njit
def square(n):
    return empty((n, n), float64)


@pytest.mark.parametrize("length", [2**19, 2**31, 2**32, -1])
def test_impossible_sizes_raise_memory_error(length):
    if length == -1:
        with pytest.raises(MemoryError):
            make(length, 1)
    else:
        with pytest.raises(MemoryError):
            square(length)


def test_large_arrays_are_writable_to_the_last_byte():
    x = square(1500)
    x[:] = 3.0
    assert x.sum() == 3.0 * 1500 * 1500


@pytest.mark.skipif(sys.platform != "linux", reason="huge pages are asked for on Linux")
def test_large_arrays_ask_for_huge_pages():
    x = square(3000)
    start = x.ctypes.data + 2**21
    advised = False
    inside = False
    with open("/proc/self/smaps") as lines:
        for line in lines:
            if "-" in line.split()[0]:
                low, high = (int(part, 16) for part in line.split()[0].split("-"))
                inside = low <= start < high
            elif inside and line.startswith("VmFlags"):
                advised = " hg" in line
    assert advised


@njit
def flattened(x):
    return flat(x)


def test_flat_shares_memory_in_its_order():
    for x in (
        np.arange(24.0).reshape(2, 3, 4),
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
        np.zeros((3, 0)),
    ):
        view = flattened(x)
        assert view.ctypes.data == x.ctypes.data
        assert view.shape == (x.size,)
        assert np.array_equal(view, x.ravel(order="K"))
    view = flattened(np.arange(6.0).reshape(2, 3))
    gc.collect()
    assert view.tolist() == [0, 1, 2, 3, 4, 5]


def test_flat_of_a_read_only_array_is_read_only():
    x = np.arange(6.0).reshape(2, 3)
    x.flags.writeable = False
    assert not flattened(x).flags.writeable


def test_wrap_is_a_view_of_foreign_memory():
    @njit
    def fill(where, n):
        x = wrap(where, (n, 2), uint16)
        for k in range(n):
            x[k, 1] = k
        return x.strides

    memory = np.zeros((5, 2), np.uint16)
    assert fill(memory.ctypes.data, 5) == (4, 2)
    assert memory[:, 1].tolist() == [0, 1, 2, 3, 4]


def test_scratch_arrays_are_disjoint_and_aligned():
    @njit
    def kernel(rounds):
        total = 0.0
        for k in range(rounds):
            a, b = scratch(512, float64), scratch((4, 3), float64)
            a[:] = k
            b[:] = 2.0
            total += a.sum() + b.sum()
        return total, address(a) % 64, address(b) % 64, b.strides

    assert kernel(1000) == (sum(512.0 * k + 24 for k in range(1000)), 0, 0, (24, 8))


def test_arrays_are_freed():
    @njit
    def churn(n):
        total = 0.0
        for _ in range(n):
            x = empty(1 << 20, float64)
            x[0] = 1.0
            total += x[0]
        return total

    assert churn(3000) == 3000.0


@pytest.mark.parametrize(("axis", "count", "shape"), [(0, 2, (12, 5)), (1, 2, (3, 20)), (0, 3, (60,))])
def test_merged_axes_share_memory(axis, count, shape):
    source = f"def f(x):\n    y = merged(x, {axis}, {count})\n    y[-1] = 7.0\n    return y"
    namespace: dict[str, Any] = {"merged": merged}
    exec(source, namespace)
    x = np.arange(60.0).reshape(3, 4, 5)
    y = njit(namespace["f"])(x)
    assert y.shape == shape and y.flags.c_contiguous
    assert x.ravel()[-1] == 7.0
    np.testing.assert_array_equal(y, x.reshape(shape))


@njit
def moved(target, source, count):
    move(target, source, count)


def test_elements_are_moved_in_the_order_of_memory():
    target, source = np.zeros((4, 3)), np.arange(6.0).reshape(2, 3)
    moved(target, source, 5)
    assert target.tolist() == [[0, 1, 2], [3, 4, 0], [0, 0, 0], [0, 0, 0]]
    moved(target, source, 0)
    assert target.sum() == 10


def grown(x, n):
    rows, pairs, found = [], [], [(0.5, True)]
    for i in range(n):
        rows.append(x[i % len(x)] * i)
        pairs.append((i, x[0, 0], i % 2 == 0))
        if i % 3:
            found.append((float(i), False))
    return rows, pairs, found


def test_what_lists_hold_moves_where_they_grow():
    function = convert(grown, strict=True)
    x = np.arange(6.0).reshape(2, 3)
    for n in (0, 1, 4, 5, 100):
        expected, found = grown(x, n), function(x, n)
        assert [row.tolist() for row in found[0]] == [row.tolist() for row in expected[0]]
        assert found[1:] == expected[1:]
    text = function.kernels(x, 4)
    assert text.count("move(") == 6  # one for each column
