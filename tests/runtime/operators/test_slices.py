"""Slices made of run-time values do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ..composites.agreement import agree

X = np.arange(12.0)

CASES: list[tuple[Any, ...]] = [
    ("a[slice(b, c)]", X, 2, 7),
    ("a[slice(b)]", X, -3),
    ("a[slice(b, None, -2)]", X, 9),
    ("s = slice(b, c)\na[s] = a[s] * 2\nreturn a", X, 2, 7),
    ("a[b:c], a[c:b:-1], a[b:c:2]", X, 5, 0),
    ("a[b:c] = 3\nreturn a", X, 5, 0),
    ("slice(a, b, 2)", 1, 5),
    ("s = slice(a, b, 2)\nreturn s.start, s.stop, s.step", 1, 5),
    ("str(slice(a, b)) + f'{slice(a)}'", 1, 5),
    ("slice(a, b, 2).indices(c)", -7, 5, 10),
    ("slice(a, None, -1).indices(b)", -1, 10),
    ("slice(a).indices(b)", 3, -1),
    ("slice(None, a).indices(len(b))", 30, X),
    ("slice(1, a, 0).indices(b)", 3, 4),
    ("slice(a, b, c, 1)", 3, 4, 5),
    ("s = slice(0, 1)\nfor i in range(a):\n    s = slice(i, i + 2)\n    b[s] += i\nreturn s, b", 5, X),
    ("s = slice(a, 5) if b[0] > 0 else slice(2, a)\nreturn b[s], s", 3, X),
    ("isinstance(slice(a), slice)", 3),
    ("a[slice(b, b + 1), slice(c, None)]", X.reshape(3, 4), 1, 2),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_slices_agree_with_python(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("ends", [(5, 0), (0, 5), (-1, 3), (12, 3), (4, 4)])
def test_slices_that_are_empty_are_compiled(ends: tuple[int, int]) -> None:
    @convert(strict=True, device="host")
    def part(a: Any, start: int, stop: int, step: int) -> Any:
        return a[start:stop:step]

    for step in (1, 2, -1):
        part(X, *ends, step)
    assert part.cache_info().currsize == 3
    assert not any(entry.deoptimised for entry in part.calls.entries)
    assert part.calls.refuted == 0


def test_ends_that_are_none_in_a_turn_that_is_known_compile() -> None:
    def slopes(x, y, out):
        for k in range(2):
            first = 0 if k == 1 else 1
            for j in range(2):
                steps = x[j : -1 + j or None] * y[1:]
                out[first:, j, k] += x[first:] * y[: -1 + k or None] + steps.sum()
        return out

    def ends(x, n):
        total = 0.0
        for k in range(n):
            total += x[: -2 + k or None].sum()
        return total

    converted = convert(slopes, strict=True, device="host")
    for size in (4, 7):
        arguments = X[:size], X[:size] + 1, np.ones((size, 2, 2))
        expected = slopes(*(a.copy() for a in arguments))
        assert converted(*(a.copy() for a in arguments)).tobytes() == expected.tobytes()
    assert not any(entry.deoptimised for entry in converted.calls.entries)
    # Where run time gives the turns, the original serves what is None.
    converted = convert(ends)
    for n in (2, 3, 5):
        assert converted(X, n) == ends(X, n)


def test_ends_that_are_none_for_the_arguments_at_hand_compile() -> None:
    def unpadded(x, pad):
        left, right = pad, pad
        right = None if right == 0 else -right
        return x[left:right] * 2

    class Cut:
        def __init__(self, pad):
            self.pad = pad

        def __call__(self, x):
            return unpadded(x, self.pad).sum()

    def cut(x, pad):
        return Cut(pad)(x)

    for function in (unpadded, cut):
        converted = convert(function, strict=True, device="host")
        for pad in (0, 2, 0, 3):
            assert np.array_equal(converted(X, pad), function(X, pad))
        assert not any(entry.deoptimised for entry in converted.calls.entries)
        assert converted.cache_info().currsize == 2


def test_slices_longer_than_the_array_at_hand_are_cut_off() -> None:
    def ends(x):
        return x[:10].sum(), x[3:], x[-4:], x[:-3], x[2:7]

    def batches(x, y, size):
        return [(x[i : i + size] * y[i : i + size]).sum() for i in range(0, len(x), size)]

    def first(x):
        x[:4] = 1
        x[5:] += 2
        return x

    for program, calls in (
        (ends, [(np.arange(float(n)),) for n in (5, 20, 0, 3, 10, 1)]),
        (batches, [(np.arange(float(n)), np.arange(n), 4) for n in (9, 8, 3)]),
        (first, [(np.arange(float(n)),) for n in (3, 9, 0, 5)]),
    ):
        converted = convert(program, strict=True)
        for given in (*calls, *calls):
            mine = [np.copy(each) if isinstance(each, np.ndarray) else each for each in given]
            np.testing.assert_equal(converted(*mine), program(*given))
        assert not converted.calls.refuted
