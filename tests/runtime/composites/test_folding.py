"""`reduce` of every ufunc, in a loop or by NumPy's routine, is NumPy's to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile.samples.ufuncs import UFUNCS

from .agreement import X, agree, in_layouts

FOLDS = [u.__name__ for u in UFUNCS if u.nin == 2 and u.nout == 1 and u.signature is None]
OF_INTEGERS = np.array([[7, -2, 3], [1, 5, 2]])


@pytest.mark.parametrize("name", FOLDS)
def test_reductions_along_one_axis(name: str) -> None:
    for array in (X, X.astype(np.float32), OF_INTEGERS, OF_INTEGERS > 1, X + 1j):
        agree(f"return np.{name}.reduce(a[0])", array)
    in_layouts(f"return np.{name}.reduce(a), np.{name}.reduce(a, axis=1, keepdims=True)", OF_INTEGERS)


CASES: list[tuple[Any, ...]] = [
    ("np.subtract.reduce(a, axis=(0, 1))", X),
    ("np.subtract.reduce(a[:0])", X),
    ("np.hypot.reduce(a[:0])", X),
    ("np.hypot.reduce(a, axis=(0, 1))", X),
    ("np.hypot.reduce(a, axis=None)", X),
    ("np.gcd.reduce(a, axis=(0, 1))", OF_INTEGERS),
    ("np.logaddexp.reduce(a[::-1])", X),
    ("np.logaddexp.reduce(a, initial=2.5)", X),
    ("np.divide.reduce(a, dtype=np.float32)", X),
    ("np.divide.reduce(a)", OF_INTEGERS),
    ("np.subtract.reduce(a, out=b)", X, np.zeros(4)),
    ("np.hypot.reduce(a, where=b)", X, X > 0),
    ("np.subtract.reduce(a, where=b)", X, X > 0),
    ("np.add.reduce(a, where=b, initial=c)", X, X > 0, 2.5),
    ("np.sum(a, initial=b)", X, 0.1),
    ("np.sum(a, axis=0, initial=b, keepdims=True)", X, 0.1),
    ("np.logical_xor.reduce(a, axis=1)", X),
    ("np.left_shift.reduce(a, axis=0)", OF_INTEGERS),
    ("np.power.reduce(a, axis=0)", abs(OF_INTEGERS)),
    ("np.subtract.reduce(a, axis=3)", X),
    ("np.subtract.reduce(a, initial=None)", X),
    ("np.add.reduce(a, initial=None)", X),
    ("np.multiply.reduce(a, initial=None, where=a > 0)", X),
    ("np.logical_or.reduce(a, initial=None, where=a > 0)", X),
    ("np.multiply.reduce(a, initial=None, dtype=np.float32, where=a > 0)", OF_INTEGERS),
    ("np.subtract.reduce(a, dtype=int)", X),
    ("np.logical_and.reduce(a, dtype=np.int8)", X),
    ("np.logical_and.reduce(a, dtype=bool)", X),
    ("np.bitwise_or.reduce(a)", X),
    ("np.bitwise_or.reduce(a, dtype=bool)", OF_INTEGERS),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_options_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)
    in_layouts(*case)


@pytest.mark.parametrize("name", ["subtract", "hypot", "arctan2", "gcd"])
def test_compiled_reductions_agree_with_numpy(name: str) -> None:
    array = OF_INTEGERS if name == "gcd" else X
    agree(
        f"return np.{name}.reduce(a), np.{name}.reduce(a[0]), np.{name}.reduce(a, axis=1)",
        array,
        device="cpu",
    )
