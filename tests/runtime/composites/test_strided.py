"""Views by strides, and other rows of arrays, do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile

from .agreement import X32, X, Z, agree, function_of, in_layouts

V = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
VIEW = "np.lib.stride_tricks.as_strided"

CASES: list[tuple[Any, ...]] = [
    (f"{VIEW}(a, (6, 3), (8, 8)), {VIEW}(a, (3,), (16,)), {VIEW}(a, (2, 8), (0, 8), writeable=False)", V),
    (f"{VIEW}(a, (len(a) - b + 1, b), a.strides * 2).sum(axis=1)", V, 3),
    (f"{VIEW}(a, (len(a) - b + 1, b), (a.strides[0], a.strides[0])) @ a[:b]", V, 3),
    (f"{VIEW}(a, (2, 3, 2, 2), a.strides * 2).max(axis=(2, 3))", X),
    (f"{VIEW}(a, (2, 3, 2, 2), a.strides + a.strides)", X32),
    (f"{VIEW}(a), {VIEW}(a, a.shape[::-1], a.strides[::-1])", X),
    (f"w = {VIEW}(a, (3, 2), (16, 8))\nw[1] = 7\nreturn a, w", V),
    (f"w = {VIEW}(a, (4,), (16,), writeable=False)\nw[1] = 7\nreturn a, w", V),
    (f"{VIEW}(a, (2, 2), (8,))", V),
    (f"{VIEW}(a, (0, 3), (8, 8)).shape", V),
    (f"s = a.strides[0]\nreturn {VIEW}(a, (1 + (len(a) - b) // c, b), (c * s, s)).sum(axis=1)", V, 3, 2),
    (
        f"s, t = a.strides\nreturn {VIEW}(a, (2, 2, 2, b), (s * b, t * c, s, t)) @ np.ones(b)",
        Z.real.copy(),
        1,
        2,
    ),
    (f"n, s = len(a) - b, a.strides[0]\nreturn {VIEW}(a, (n // c, b), (c * s, s))[:, 0]", V, 3, 2),
    ("a.flat = 3\nreturn a", X),
    ("a.device, a.to_device('cpu'), a[0, 0].device", X),
    ("a.to_device('gpu')", X),
    ("np.take(a, [2, 0], out=b), b", V, np.zeros(2)),
    ("a.take([[1], [2]], axis=0, out=b)\nreturn b", X, np.zeros((2, 1, 4))),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:80])
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_views_by_strides_agree_with_numpy(case: tuple[Any, ...], device: str) -> None:
    body, *arguments = case
    agree(body, *arguments, device=device)


def test_views_by_strides_in_any_layout_agree_or_are_refused() -> None:
    in_layouts(f"{VIEW}(a, (2, 3, 2, 2), a.strides * 2).max(axis=(2, 3))", Z.real.copy())


@pytest.mark.parametrize("body", [f"{VIEW}(a, (2,), (-8,))", f"{VIEW}(a, (2,), (4,))"])
def test_views_that_may_leave_their_array_are_refused(body: str) -> None:
    with pytest.raises(transpile.StagingError, match="S296"):
        transpile.convert(function_of(body, "a"), strict=True)(V)


def test_a_view_that_leaves_its_array_is_left_to_numpy() -> None:
    longer = np.arange(9.0)
    converted = transpile.convert(function_of(f"{VIEW}(a, (9,), (8,))", "a"), strict=True)
    assert np.array_equal(converted(longer), longer)
    converted(longer[:8])
    assert [entry.hits for entry in converted.calls.entries] == [1]


def test_windows_that_overlap_are_not_written() -> None:
    with pytest.raises(transpile.StagingError, match="S112"):
        transpile.convert(function_of(f"{VIEW}(a, (6, 3), (8, 8))[...] = 1", "a"), strict=True)(V)
