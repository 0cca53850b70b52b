"""NumPy's ranges do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile

from ...ops.agreement import difference
from .agreement import F32, X, agree, function_of, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.linspace(a,b,c)", 0.0, 1.0, 5),
    ("np.linspace(a,b,c)", 0.0, 1.0, 1),
    ("np.linspace(a,b,c)", 0.0, 1.0, 0),
    ("np.linspace(a,b,c)", 0.0, 1.0, -1),
    ("np.linspace(a,b,c,endpoint=False)", 0.1, 1.7, 7),
    ("np.linspace(a,b,c,retstep=True)", 0.1, 1.7, 7),
    ("np.linspace(a,b,c,retstep=True)", 0.1, 1.7, 1),
    ("np.linspace(a,b,c)", F32(0.1), 2, 9),
    ("np.linspace(a,b,c)", F32(0.1), F32(3), 9),
    ("np.linspace(a,b,c)", 0.1, F32(3), 9),
    ("np.linspace(a,b,c,dtype=int)", 0.1, 9.7, 7),
    ("np.linspace(a,b)", 0, 3),
    ("np.linspace(a,b,4)", 1j, 3),
    ("np.linspace(a,b,5)", 0.0, 5e-324),
    ("np.linspace(a,b,5,dtype=np.float32)", 3, -2),
    ("np.linspace(a,b,len(c))", 3, -2, X),
    ("np.linspace(0,1,5)", 3),
    ("np.linspace(a,b,c)", 3.0, 3.0, 4),
    ("np.linspace(a,b,c)", np.inf, 3.0, 1),
    ("np.arange(a)", 7),
    ("np.arange(a,b)", 3, 7),
    ("np.arange(a,b)", 7, 3),
    ("np.arange(a, b, c), np.arange(a, b, -c), np.arange(a, -b, c), np.arange(a, -b, -c)", 0, 1, np.inf),
    (
        "np.arange(a, b, c), np.arange(a, b, -c), np.arange(a, -b, c), np.arange(a, -b, -c)",
        0,
        2.5e-16,
        1.7e308,
    ),
    ("np.arange(a,b,2)", 1, 8),
    ("np.arange(a,b,-2)", 8, 1),
    ("np.arange(a,b,0.3)", 1, 3),
    ("np.arange(a,dtype=np.float32)", 5),
    ("np.arange(a)", 3.5),
    ("np.arange(a,b,c)", 1.0, 2.0, 0.1),
    ("np.arange(a,b,c,dtype=np.float32)", -0.24295035369069207, 2.9759581770557433, 0.2695607725414548),
    ("np.arange(a,b,c)", -0.0, 2.0, 0.5),
    ("np.arange(a,b,c)", -1.0756684917319161, 1.6506664974126892, 0.8442004993844413),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_ranges_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_ranges_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize(
    ("body", "numbers"),
    [
        ("np.arange(a, b, c)", (np.uint8(3), np.uint8(13), np.uint8(2))),
        ("np.arange(np.int16(3), np.int16(13), np.int16(2)), a", (1,)),
        ("np.arange(np.float32(1), np.float32(3), np.float32(0.5)), a", (1,)),
        ("np.arange(a, b, c)", (np.float32(1), np.float32(3), np.float32(0.3))),
        ("np.arange(a, b, c)", (np.uint64(3), np.uint64(20), np.uint64(4))),
        ("np.arange(a, b)", (np.uint8(13), np.uint8(3))),
        ("np.arange(a, b)", (np.int8(-100), np.int8(100))),
        ("np.arange(a, b, c)", (np.uint8(250), np.int16(300), np.uint8(10))),
        ("np.arange(a, b, c)", (-72057594037927945, -72057594037927938, 1.5)),
        ("np.arange(a, b, 0.5)", (1, 4)),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered", "ignore::transpile.runtime.errors.FallbackWarning")
def test_ranges_of_numpys_own_numbers_have_their_dtype_and_length(
    body: str, numbers: tuple[Any, ...]
) -> None:
    function = function_of(body, ", ".join("abc"[: len(numbers)]))
    converted = transpile.convert(function, device="host")
    assert not difference(function(*numbers), converted(*numbers))
    assert not difference(function(*numbers), converted(*numbers))
