"""NumPy's loops of powers and bounds look at the steps of their operands: an array that holds one number all along is none to them."""

import numpy as np
import pytest

from transpile import convert

X = np.random.default_rng(5).random(20001) * 10


def full(x, k):
    return x ** np.full(x.shape, k)


def computed(x, k):
    return np.power(x, k * np.ones_like(x))


def filled(x, k):
    exponents = np.empty_like(x)
    exponents.fill(k)
    x **= exponents
    return x


def tiled(x, k):
    return x.reshape(-1, 3) ** np.tile(np.full((len(x) // 3, 1), k), 3)


def row(x, k):
    return x.reshape(-1, 3) ** np.full((1, 3), k)


def turned(x, k):
    return x.reshape(3, -1).T ** np.full((len(x) // 3, 3), k)


def outer(x, k):
    return np.power.outer(x[:100], np.full(100, k))


def chosen(x, k):
    return x ** np.where(True, k, np.zeros(len(x)))


def single(x, k):
    return x.astype("f4") ** np.full(len(x), k, "f4")


def broadcast(x, k):
    return x ** np.broadcast_to(k, x.shape), x[::2] ** np.broadcast_to(k, x.shape)[::2]


def both(x, k):
    return x ** np.full(x.shape, k) - x**k, (x**k) * np.float64(k) - x ** np.full(x.shape, k)


def summed(x, k):
    powers = x ** np.full(x.shape, k)
    return powers.sum(), np.sum(x.astype("f4") ** np.full(len(x), k, "f4"), dtype=np.float64), powers.argmax()


def wanted(x, k):
    return x[x ** np.full(x.shape, k) - x**k > 0]


def in_a_loop(x, k):
    total = np.zeros_like(x)
    for turn in range(3):
        total += (x + turn) ** np.full(x.shape, k)
    return total


def bounded(x, k):
    zeros = x - x
    low, high = np.full(x.shape, -0.0 * k), np.ones(x.shape)
    return (
        np.clip(zeros, low, 1.0),
        np.clip(zeros, -0.0 * k, high),
        np.clip(zeros, low, high),
        np.clip(zeros, -0.0 * k, 1.0),
        np.clip(-zeros, -1.0, np.full(x.shape, 0.0 * k)),
    )


def bounded_rows(x, k):
    zeros = (x - x).reshape(-1, 3)
    return (
        np.clip(zeros, -0.0 * k, np.ones(3)),
        np.clip(zeros, np.broadcast_to(-0.0 * k, zeros.shape), 1.0),
        zeros[:1].clip(np.full((1, 1), -0.0 * k), 1.0),
    )


def bounded_single(x, k):
    return np.clip((x - x).astype("f4"), np.full(len(x), -0.0 * k, "f4"), np.float32(1))


FUNCTIONS = [
    full, computed, filled, tiled, row, turned, outer, chosen, single, broadcast, both, summed, wanted, in_a_loop,
    bounded, bounded_rows, bounded_single,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
def test_arrays_of_one_number_have_the_bits_of_arrays(function):
    converted = convert(function, strict=True)
    for x in (X, X[:3], X[:999]):
        for k in (2.0, 0.5, 3.0):
            expected, found = function(x.copy(), k), converted(x.copy(), k)
            pairs = zip(expected, found, strict=True) if isinstance(expected, tuple) else [(expected, found)]
            assert all(np.asarray(a).tobytes() == np.asarray(b).tobytes() for a, b in pairs), (len(x), k)
