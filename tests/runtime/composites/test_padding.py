"""Padded arrays are converted what they are as they are."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, convert

from ...end_to_end.comparison import call, compare
from .agreement import X, agree, in_layouts

LINE = np.array([3.0, 1.0, 4.0, 1.5])
MODES = (
    "edge",
    "reflect",
    "symmetric",
    "wrap",
    "maximum",
    "minimum",
    "mean",
    "median",
    "linear_ramp",
    "constant",
)

CASES: list[tuple[Any, ...]] = [
    *((f"np.pad(a, (b, 3), {mode!r})", LINE, 2) for mode in MODES),
    *((f"np.pad(a, ((1, 0), (2, 1)), {mode!r})", X) for mode in MODES),
    *((f"np.pad(a, 2, {mode!r})", np.arange(6, dtype=np.int8).reshape(2, 3)) for mode in MODES),
    # As far as several lengths of the array, and of one element.
    *((f"np.pad(a, (11, 9), {mode!r})", LINE) for mode in ("reflect", "symmetric", "wrap")),
    *((f"np.pad(a, 3, {mode!r})", LINE[:1]) for mode in MODES),
    ("np.pad(a, 1, 'mean', stat_length=b)", LINE, 2),
    ("np.pad(a, 1, 'maximum', stat_length=((1, 9),))", LINE),
    ("np.pad(a, {0: 1, -1: (2, 3)})", X),
    ("np.pad(a, ((1, 2), (0, 1)), constant_values=((1, 2), (b, 4)))", X, 2.5),
    ("np.pad(a, 2, 'reflect', reflect_type='odd')", LINE),
    ("np.pad(a, 2, 'edge')", LINE[:0]),
    ("np.pad(a, b)", LINE, -1),
    ("np.pad(a, b, 'wrap')", LINE, 7),
]


@pytest.mark.parametrize("width", [np.uint8(2), 1.0, True, {0: np.int64(1)}])
def test_numpy_speaks_of_widths_that_it_does_not_take(width: Any) -> None:
    def padded(x: Any) -> Any:
        return np.pad(x, width)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        compare(call(padded, (LINE,)), call(convert(padded), (LINE,)))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_padded_arrays_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES[10:20], ids=lambda case: case[0])
def test_padded_arrays_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
