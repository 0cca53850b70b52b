"""Windows that slide do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import I8, X32, X, Z, agree, in_layouts

V = np.array([3.0, 1, 4, 1, 5, 9, 2, 6])
LONG = np.random.default_rng(5).normal(size=61) * 10.0 ** np.arange(-30, 31)
WIDE = LONG[:60].reshape(5, 12)
VIEW = "np.lib.stride_tricks.sliding_window_view"

CASES: list[tuple[Any, ...]] = [
    (f"{VIEW}(a, 3)", V),
    (f"{VIEW}(a, b)", V, 8),
    (f"{VIEW}(a, b)", V, 9),
    (f"{VIEW}(a, b)", V, -1),
    (f"{VIEW}(a, 0)", V),
    (f"{VIEW}(a, (2, 2))", X),
    (f"{VIEW}(a, 2)", X),
    (f"{VIEW}(a, (2, 3), axis=1)", X),
    (f"{VIEW}(a, 2, axis=-1), {VIEW}(a, (2, 2), axis=(1, 1)), {VIEW}(a, (2, 3), axis=(1, 0))", X),
    (f"{VIEW}(a, 2, axis=2)", X),
    (f"{VIEW}(a, 2)", V[:0]),
    (f"{VIEW}(a, 1)", 2.5),
    (f"{VIEW}(a, 3).mean(axis=-1), {VIEW}(a, 3).max(axis=1), {VIEW}(a, 3).sum()", V),
    (f"{VIEW}(a, (2, 2)).max(axis=(2, 3)), {VIEW}(a, (2, 2)).mean(axis=(2, 3))", X32),
    (f"{VIEW}(a, b).sum(axis=1), {VIEW}(a, b)[:, ::-1].mean(axis=1), {VIEW}(a, b).T.sum(axis=0)", LONG, 11),
    (f"{VIEW}(a, b).sum(axis=0), {VIEW}(a, b)[::2].sum(axis=1), {VIEW}(a, b).sum()", LONG, 11),
    (f"s = {VIEW}(a, (b, 3))\nreturn s.sum(axis=(0, 3)), s.sum(axis=(1, 2)), s.mean(axis=(2, 3))", WIDE, 1),
    (f"s = {VIEW}(a, (b, 3))\nreturn s.sum(axis=(0, 3)), s.sum(axis=2), s[::3].sum(axis=0)", WIDE, 4),
    (f"{VIEW}(a, 2) * b, np.median({VIEW}(a, 3), axis=1)", I8, 2.5),
    (f"{VIEW}(a, 3) @ b, {VIEW}(a, 3)[::-1, ::2], {VIEW}(a, 3).T", V, V[:3]),
    (f"s = {VIEW}(a, 2, axis=0)\na[1] = 0\nreturn s.copy(), s, a", Z),
    (f"a[2:] = {VIEW}(a, 3).sum(axis=1)\nreturn a", V),
    (f"{VIEW}(a, 3)[0] = 1", V),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:80])
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_sliding_windows_agree_with_numpy(case: tuple[Any, ...], device: str) -> None:
    agree(*case, device=device)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:80])
def test_sliding_windows_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
