"""`reduceat`, and what of other methods is left to NumPy's routines, is NumPy's to the bit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from transpile import convert

from .agreement import X, agree, in_layouts
from .test_folding import FOLDS, OF_INTEGERS

PLACES = np.array([0, 2, 1])


@pytest.mark.parametrize("name", FOLDS)
def test_reductions_of_parts(name: str) -> None:
    for array in (X, OF_INTEGERS, OF_INTEGERS > 1):
        agree(f"return np.{name}.reduceat(a, b, axis=1)", array, PLACES)


CASES: list[tuple[Any, ...]] = [
    ("np.add.reduceat(a, b)", X, PLACES),
    ("np.add.reduceat(a, b, axis=-1)", X, PLACES),
    ("np.add.reduceat(a, [])", X),
    ("np.add.reduceat(a[0], [0, 9])", X),
    ("np.add.reduceat(a, b, axis=2)", X, PLACES),
    ("np.add.reduceat(a, b, dtype=np.float32)", X, PLACES),
    ("np.add.reduceat(a, b, out=c)", X, PLACES, np.zeros((3, 4))),
    ("np.add.reduceat(a > 0, b)", X, PLACES),
    ("np.add.reduceat(a.astype(np.int8), b)", X, PLACES),
    ("np.arctan2.accumulate(a)", X),
    ("np.power.accumulate(a, axis=1)", abs(X)),
    ("np.logical_xor.accumulate(a, axis=1)", X),
    ("np.cumprod(a * 1j)", X),
    ("np.multiply.accumulate(a, dtype=complex)", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_calls_agree_with_numpy(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
    agree(*case)


def test_numbers_cast_to_real_ones_are_warned_of_once() -> None:
    def f(a: Any) -> Any:
        return np.maximum.reduceat(a, [0, 1], dtype=np.float32)

    for _ in range(2):
        converted = convert(f, strict=True, device="host")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            converted(X[0] + 1j)
        assert [warning.category for warning in caught] == [np.exceptions.ComplexWarning]
        assert caught[0].filename == __file__


def test_compiled_calls_agree_with_numpy() -> None:
    agree(
        "return np.add.reduceat(a, b), np.add.reduceat(a, b, axis=1), np.arctan2.accumulate(a)",
        X,
        PLACES,
        device="cpu",
    )
