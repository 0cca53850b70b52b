"""Arrays written as indices are converted what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from .agreement import X32, X, Z, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.r_[a, b]", X[0], X32[0]),
    ("np.r_[a, 0, b]", X32[0], 2.5),
    ("np.r_[0:a]", 4),
    ("np.r_[0:4]",),
    ("np.r_[0:a, 5, 7:9]", 4),
    ("np.r_[0:1:5j]",),
    ("np.r_[a, a]", X),
    ("np.c_[a, b]", X[0], X32[0]),
    ("np.c_[a, b]", X, Z[:, 0]),
    ("np.c_[np.ones(len(a)), a]", X),
    ("np.c_[a]", X[0]),
    ("a if np.r_ or len(np.c_) else a + 1", X),
    ("a * bool(np.mgrid) + (not np.c_)", X),
    ("np.c_[a, a].sum()", np.linspace(0, 1, 100)),
    ("np.mgrid[0:3, 0:4]",),
    ("np.mgrid[0:a, 0:b]", 3, 4),
    ("np.mgrid[1:a:2, 0:3]", 6),
    ("np.ogrid[[slice(0, a), slice(1, b)]], np.mgrid[[slice(0, a)]]", 3, 4),
    ("np.mgrid[0:a, 0 : a**b]", 3, 2),
    ("np.mgrid[0:a, 1 : b * b - 3]", 3, 4),
    ("np.mgrid[0:a]", 4),
    ("np.mgrid[0:1:3j, 0:2:5j]",),
    ("np.ogrid[0:3, 0:4]",),
    ("y, x = np.ogrid[:a, :b]\nreturn x * x + y * y <= 4", 4, 5),
    ("y, x = np.mgrid[0:3, 0:4]\nreturn np.sqrt(x**2 + y**2) * a", 2.0),
    ("g = np.mgrid[0:4]\nfor i in range(a):\n    g += 1\nreturn g", 3),
    ("a[:, 0] = range(3)\nreturn a", X),
    ("a + range(4)", X),
    ("range(4) - a", X),
    ("a == range(4)", X),
    ("a[:] = range(b)\nreturn a", X, 4),
    ("a[:] = range(b)\nreturn a", X, 5),
    ("b = np.zeros(len(a) + 1)\nb[:] = range(len(a) + 1)\nreturn b", X),
    ("np.array(range(a)), np.sum(range(a)), np.asarray(range(a), dtype=float)", 4),
    ("np.array(range(a))", 0),
    ("np.add(a, range(4))", X),
    ("a[range(2)]", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_grids_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_grids_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
