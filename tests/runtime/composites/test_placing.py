"""Elements taken and put converted are taken and put as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, Z, agree, in_layouts

SOME = np.array([3, 1, 0, 1])
HOLES = np.array([1.0, np.nan, np.inf, -np.inf])
HOLES_COMPLEX = np.array([complex(one, other) for one, other in zip(HOLES, HOLES[::-1])])

CASES: list[tuple[Any, ...]] = [
    ("np.take(a, b)", X, SOME),
    ("np.take(a, b, axis=1)", X32, SOME),
    ("np.take(a, 2)", X),
    ("np.take(a, b, mode='wrap')", X[0], SOME + 7),
    ("np.take(a, [[0, 1], [2, 3]], axis=1)", X),
    ("np.take(a, b)", X, np.array([99])),
    ("a.take(b)", I8, SOME),
    ("np.take_along_axis(a, b, axis=1)", X, np.argsort(X, axis=1)),
    ("np.take_along_axis(a, np.argsort(a, axis=0), axis=0)", X32),
    ("np.put_along_axis(a, b, 0.0, axis=1)", X, np.argmax(X, axis=1, keepdims=True)),
    ("np.take(a, [])", X),
    ("np.delete(a, [])", X[0]),
    ("np.insert(a, [], 1)", X[0]),
    ("np.choose(a, [b, c])", (X > 0).astype(int), X, -X),
    (
        "np.choose(a, [b, -b, b * 2])",
        np.asfortranarray(np.arange(12).reshape(3, 4) % 3),
        np.asfortranarray(X32),
    ),
    ("np.choose(a, [b, c])", X > 0, X[0], X[:, :1]),
    ("np.choose(a, [b])", np.zeros((2, 4), np.uint8), X[0]),
    ("np.choose(a, [b, b])", np.array([0, -1, 1]), I8[:3]),
    ("np.choose(a, [b, b])", np.arange(0), I8[:0]),
    ("np.choose(a, [b] * 9)", np.arange(4), I8[:4]),
    ("np.choose(a, [b, 1])", np.array([0, 1, 1]), I8[:3]),
    ("np.choose(a, [b, b])", np.array([0, 2, 1]), I8[:3]),
    ("a.choose([1, 2])", np.array([0, 1])),
    ("np.compress(a > 0, a)", X[0]),
    ("np.compress(b, a, axis=1)", X, np.array([True, False, True, True])),
    ("np.extract(a > 0, a)", X32),
    ("np.put(a, [1, 2], [3.0, 4.0])", X[0]),
    ("np.put(a, b, 7)", I8, SOME),
    ("a.put(b, [1, 2])", X, SOME),
    ("np.put(a, [99], 1)", X),
    ("np.putmask(a, b, 0)\nnp.place(a, ~b, [1, 2])\nreturn a", X, X > 0),
    ("np.putmask(a, a > 0, 0)", X),
    ("np.putmask(a, a > b, [1.0, 2.0])", X32, 0.5),
    ("np.place(a, a > 0, [1.0, 2.0])", X),
    ("np.putmask(a, a > 0, b)", I8, X),
    ("np.putmask(a, a > 0, np.array(2.5))", X32),
    ("np.place(a, a > 0, b)", I8, np.array([300])),
    ("np.place(a, a > 0, b)", X, X32),
    ("np.putmask(a, a > 0, b[0, 0])", I8, X32),
    ("np.delete(a, 2)", X),
    ("np.delete(a, b)", X[0], -1),
    ("np.delete(a, b)", X[0], 4),
    ("np.delete(a, 1, axis=0)", X32),
    ("np.delete(a, b, axis=1)", X, 2),
    ("np.delete(a, [1, 3])", X[0]),
    ("np.delete(a, b, axis=0)", X, np.array([0, 0, -1])),
    ("np.delete(a, a > 0)", X[0]),
    ("for i in range(2):\n    a = np.delete(a, i)\nreturn a", X[0]),
    ("np.insert(a, 2, 5.0)", X[0]),
    ("np.insert(a, b, c)", X[0], 1, 9.5),
    ("np.insert(a, [1, 3], [5.0, 6.0])", X32[0]),
    ("np.insert(a, 1, 5, axis=0)", X),
    ("np.insert(a, 0, b, axis=1)", X, X[:, 0]),
    ("np.insert(a, 9, 5.0)", X[0]),
    ("np.insert(a, 0, 2.7)", I8),
    ("np.insert(a, 1, [1, 2, 3])", X[0]),
    ("np.pad(a, 2)", X[0]),
    ("np.pad(a, 1)", X32),
    ("np.pad(a, ((1, 1), (2, 0)))", X),
    ("np.pad(a, (1, 2))", X),
    ("np.pad(a, b, mode='edge')", X, 2),
    ("np.pad(a, 1, mode='reflect')", X),
    ("np.pad(a, 1, mode='wrap')", X),
    ("np.pad(a, 1, 'symmetric')", I8.reshape(3, 4)),
    ("np.pad(a, 1, 'linear_ramp', end_values=2)", X),
    ("np.pad(a, 1, 'mean')", X),
    ("np.pad(a, 1, 'maximum', stat_length=2)", X),
    ("np.pad(a, 1, constant_values=b)", X, 2.5),
    ("np.pad(a, 1, constant_values=(1, 2))", X),
    ("np.pad(a, -1)", X),
    ("np.pad(a, ((0, 1),))", X),
    ("np.unravel_index(a, (3, 4))", 7),
    ("np.unravel_index(a.argmax(), a.shape)", X),
    ("i, j = np.unravel_index(np.argmin(a), a.shape)\nreturn a[i, j]", X),
    ("np.unravel_index(a, (3, 4))", 12),
    ("np.unravel_index(a, (3, 4))", np.array([1, 11, 5])),
    ("np.unravel_index(a, (3, 4))", np.array([1, 12, 5])),
    ("np.ravel_multi_index((a, b), (4, 4))", SOME, SOME[::-1].copy()),
    ("np.ravel_multi_index((a, b), (c, 4))", 2, 3, 5),
    ("np.ravel_multi_index((a, b), (3, 4))", SOME, SOME),
    ("np.nan_to_num(a, copy=False)", HOLES),
    ("b = np.array(a)\nreturn np.nan_to_num(b, copy=False), b", np.nan),
    ("np.nan_to_num(a, copy=False)", 2.5),
    ("np.nan_to_num(a, copy=False)", [1.0, np.inf]),
    ("np.nan_to_num(a, nan=b, posinf=9)", HOLES.astype(np.float32), 1.5),
    ("np.nan_to_num(a)", HOLES_COMPLEX),
    ("np.ediff1d(a)", X),
    ("np.ediff1d(a, to_begin=b, to_end=[1, 2])", X32, np.float32(0)),
    ("np.roll(np.real(a), 1)", Z),
    ("np.delete(a, slice(1, 3))", X[0]),
    ("np.delete(a, slice(None, None, 2), axis=0)", X),
    ("np.fill_diagonal(a, b)", X, X[1][:3].copy()),
    ("np.fill_diagonal(a, [1, 2])", X),
    ("np.fill_diagonal(a, b)", X, X),
    ("np.array_equiv(a, b)", X, X[0]),
    ("np.array_equiv(a, a)", X),
    ("np.array_equiv(a, b)", X, X[:, :3].copy()),
    ("np.array_equiv(a, 2.0)", np.full((2, 3), 2)),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_places_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_places_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
