"""What `array.flat` shows, converted and as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

from ..arrays.agreement import agree as agreeing
from .agreement import I8, X32, X, agree, function_of

CASES: list[tuple[Any, ...]] = [
    ("a.flat[3], a.flat[-1], a.flat[b]", X, 7),
    ("a.flat[20]", X),
    ("a.flat[b]", X, 12),
    ("a.flat[b] = 3\nreturn a", X, -13),
    ("a.T.flat[b] = 3\nreturn a.T.flat[b - 1], a", X, 7),
    ("a[:, ::2].flat[b]", X, -7),
    ("a.flat[[0, b]]", X, 12),
    ("for i in range(a.size + 1):\n    a.flat[i] = i\nreturn a", X),
    ("for i in range(a.size):\n    a.flat[i] += a.T.flat[i]\nreturn a", X),
    ("a.flat[1:4], a.flat[::-5], a.flat[[0, 5]], a.flat[a.ravel() > 0]", X32),
    ("a.T.flat[3], a.T.flat[2:9], a[:, ::2].flat[1:]", X),
    ("a.flat[3] = 5\na.flat[-1] = a.flat[0]\nreturn a", X),
    ("a.flat[::len(a) + 1] = 0\nreturn a", X[:3, :3]),
    ("a.flat[:] = 7\nreturn a", X),
    ("a.flat[[0, 5]] = [1, 2]\nreturn a", I8),
    ("a.flat[1:4] = b[1:4]\nreturn a", X, I8),
    ("v = a.flat[0:3]\nv[0] = 9\nreturn a, v", X),
    ("t = 0.0\nfor x in a.flat:\n    t = t * 0.5 + x\nreturn t", X),
    ("[x * 2 for x in a.flat], max(a.flat), sum(a.flat), len(a.flat)", X),
    ("for i, x in enumerate(a.flat):\n    a.flat[i] = x + i\nreturn a", X),
    ("for x in a.flat:\n    a[2] = x\nreturn a", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:60])
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_flat_arrays_agree_with_numpy(case: tuple[Any, ...], device: str) -> None:
    agree(case[0], *(a.copy() if isinstance(a, np.ndarray) else a for a in case[1:]), device=device)


@pytest.mark.parametrize(
    "body",
    [
        "a.T.flat[:] = 1",
        "for x in a.T.flat:\n    a[0] = x\nreturn a",
        "a.flat[:] = [1, 2]",
        "np.sum(a.flat)",
        "return next(a.flat)",
        "f = a.flat\nfor x in f:\n    a[0] = x\nreturn list(f)",
        "f = a.flat\ns = 0\nfor i in range(3):\n    for x in f:\n        s += x\nreturn s",
        "f = a.flat\nfor x in f:\n    a[0] = x\nreturn f",
        "f = a.flat\nreturn sum(f), sum(f)",
    ],
)
def test_what_is_not_known_to_be_a_view_is_refused(body: str) -> None:
    with pytest.raises(StagingError):
        transpile.convert(function_of(body, "a"), strict=True)(X.copy())


@pytest.mark.parametrize(
    "key",
    ["True", "False", "np.True_", "np.array(True)", "None", "(True,)", "a[0, 0] > 0", "'x'", "[True] * 12"],
)
def test_an_index_that_means_something_else_to_numpy_there_is_refused(key: str) -> None:
    for body in (f"a.flat[{key}]", f"a.flat[{key}] = 7\nreturn a"):
        with pytest.raises(StagingError, match=r"S189-flat|S130-value"):
            transpile.convert(function_of(body, "a"), strict=True)(X.copy())


def test_flat_arrays_have_what_those_of_numpy_have() -> None:
    def asked(a):
        return hasattr(a.flat, "__next__"), type(a.flat) is np.flatiter

    assert transpile.convert(asked, strict=True, device="host")(X.copy()) == (True, True)


@pytest.mark.parametrize(
    "body",
    [
        "a.flat[()] = 7\nreturn a",
        "a.flat[(...,)] = 7\nreturn a",
        "a.flat[...] = 7\nreturn a",
        "a.flat[np.array([True, False, True])]",
        "a.flat[np.array([True, False, True])] = 7\nreturn a",
        "a.flat[a[0] > 0]",
        "a.flat[a > 0]",
        "a.flat[a.ravel() > 0]",
        "a.flat[a.ravel() > 0] = 7\nreturn a",
        "list(reversed(a.flat))",
    ],
)
def test_an_index_that_numpy_refuses_there_raises_what_it_does(body: str) -> None:
    agreeing(function_of(body, "a"), (X,), strict=False)
