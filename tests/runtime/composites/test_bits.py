"""Packed truths, swapped bytes, and fields that are whole numbers, are NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

from .agreement import I8, X, agree, function_of, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.packbits(a > 0)", X),
    ("np.packbits(a > 0, axis=1)", X),
    ("np.packbits(a, axis=0, bitorder='little')", I8),
    ("np.packbits(a[:0])", I8),
    ("np.unpackbits(a)", np.arange(7, dtype=np.uint8)),
    ("np.unpackbits(a, axis=0, bitorder='little')", np.arange(6, dtype=np.uint8).reshape(2, 3)),
    ("np.unpackbits(a)", I8),
    ("a.byteswap()", X),
    ("a.byteswap()", np.array(3)),
    ("a.byteswap(inplace=True)", X),
    ("a.byteswap(True), a", np.arange(5, dtype=np.int16)),
    ("a.getfield(np.int64) + 1", X),
    ("a.setfield(3, np.float64), a", X),
    ("a.setflags(write=True), a", X),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_bits_are_numpys(case: tuple[Any, ...]) -> None:
    agree(*case)
    if case[1].ndim:
        in_layouts(*case)


def test_compiled_bits_are_numpys() -> None:
    body = "return np.packbits(a > 0, axis=1), a.byteswap(), np.unpackbits(b)"
    agree(body, X, np.arange(7, dtype=np.uint8), device="cpu")


def test_flags_that_change_are_left_to_numpy() -> None:
    function = function_of("a.setflags(write=False, align=True)\nreturn a", "a")
    with pytest.raises(StagingError, match="setflags"):
        transpile.convert(function, strict=True, device="host")(X.copy())
    assert not transpile.convert(function, device="host")(X.copy()).flags.writeable
