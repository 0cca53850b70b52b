"""A range is an operand wherever NumPy makes an array of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..composites.agreement import agree

CASES: list[tuple[Any, ...]] = [
    ("a[:, 0] = range(len(a))\nreturn a", np.zeros((3, 2))),
    ("a[1:] = range(b)\nreturn a", np.zeros(4), 3),
    ("a[1:] = range(b)\nreturn a", np.zeros(4), 2),
    ("a[[2, 0]] = range(5, 5 + b)\nreturn a", np.zeros(4, np.int8), 2),
    ("return a * range(1, b), range(b - 1) - a, a < range(0, 2 * b - 2, 2)", np.arange(3.0), 4),
    ("return np.array(range(b, 0, -1)), np.array(range(b), np.float32)", None, 4),
    ("np.array(range(b))", None, 0),
    ("np.maximum(a, range(len(a)))", np.array([3, 0, 1])),
    ("a[range(b)]", np.arange(4.0), 3),
    ("a + range(b)", np.arange(4.0), 3),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_ranges_are_operands(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.slow
def test_ranges_are_operands_compiled() -> None:
    agree(
        "a[0] = range(b)\nreturn a + range(b), np.array(range(b, 0, -1)), a[range(2)]",
        np.zeros((3, 3)),
        3,
        device="cpu",
    )
