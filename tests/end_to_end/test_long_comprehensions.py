"""Comprehensions of a known length, of which thousands of operations would come one by one, are loops."""

import time

import numpy as np
import pytest

from transpile import convert

X = np.random.default_rng(3).random(3000)


def joined(x):
    return np.concatenate([x[i : i + 3] * i for i in range(2000)])


def table(x):
    return np.array([[x[i], x[i + 1]] for i in range(2000)])


def sums(x):
    return [x[i : i + 3].sum() for i in range(2000)]


def rolled(x):
    return np.array([np.roll(x[:50], k) for k in range(300)])


def added(x):
    return sum([x[i] * x[i + 1] for i in range(2000)])


def made(x):
    return np.concatenate([np.full(3, x[0]) for _ in range(2000)]), np.stack([x[:2] + k for k in range(1500)])


def of_items(x):
    known = [(k * 7) % 11 for k in range(1500)]
    return np.array([x[k] + k for k in known]), known[:20]


def written(x):
    seen = np.zeros(1500)

    def note(i):
        seen[i] += x[i]
        return seen[i] * 2

    return [note(i) for i in range(1500)], seen


def of_several_kinds(x):
    found = [x[:k].sum() if k % 2 else str(k) for k in range(1200)]
    return found[:4], len(found)


def later_out_of_range(x):
    return [x[2 * i] for i in range(2000)]


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "function",
    [joined, table, sums, rolled, added, made, of_items, written, of_several_kinds, later_out_of_range],
)
def test_long_comprehensions_give_what_python_gives(function):
    converted = convert(function)
    for x in (X, X[::-1].copy(), X[:2500], X[:1200]):
        results = []
        for call in (function, converted, converted):
            try:
                results.append(call(x))
            except IndexError as error:
                results.append(str(error))
        expected, *found = results
        for one in found:
            assert type(one) is type(expected)
            for a, b in zip(*((r if isinstance(r, tuple) else (r,)) for r in (expected, one)), strict=True):
                assert type(a) is type(b)
                assert np.asarray(a).dtype == np.asarray(b).dtype
                assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


@pytest.mark.parametrize("function", [joined, table, sums, rolled, added, made])
def test_long_comprehensions_are_compiled_soon(function):
    start = time.process_time()
    convert(function, strict=True)(X)
    assert time.process_time() - start < 6
