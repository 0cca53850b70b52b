"""Calls of NumPy that give several arrays, or as many numbers as NumPy finds, compiled whole: several of a family in each function."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import StagingError

from .agreement import I8, X32, X, Z, agree, function_of

SQUARE = X @ X.T + 10 * np.eye(3)
SOME = np.array([3, 1, 4, 1, 5, 9, 2, 6])
HOLES = np.where(X > 2, np.nan, X)

CASES: list[tuple[Any, ...]] = [
    (
        "q, r = np.linalg.qr(a)\nu, s, v = np.linalg.svd(b, full_matrices=False)\nw, z = np.linalg.eigh(a)\n"
        "return q, r, u * s, v, w, z @ z.T, np.linalg.slogdet(a), np.linalg.pinv(b), np.linalg.matrix_rank(b), "
        "np.linalg.cond(a), np.linalg.norm(a, 2), np.linalg.lstsq(b.T, b[0], rcond=None)",
        SQUARE,
        X,
    ),
    (
        "return np.unique(a), np.unique(a, return_counts=True), np.intersect1d(a, b), np.setdiff1d(a, b), np.union1d(a, b), "
        "np.isin(a, b), np.bincount(a), np.bincount(a, minlength=c), np.histogram(a, 3), np.repeat(b, b), np.lexsort((a, a))",
        SOME,
        SOME[:3],
        20,
    ),
    (
        "return np.percentile(a, [25, 75]), np.percentile(a, c, axis=0), np.median(a, axis=1), np.nanmedian(b), np.nanstd(b), "
        "np.nanargmax(b), np.cov(a), np.corrcoef(a), np.average(a, axis=0, weights=a[:, 0], returned=True), np.partition(a, 1)",
        X,
        HOLES,
        30,
    ),
    (
        "return np.fft.fft(a), np.fft.rfft(a, axis=0), np.fft.irfft(b, n=c), np.fft.fft2(a), np.einsum('ij,kj->ik', a, a), "
        "np.tensordot(a, a), np.kron(a, a), np.gradient(a), np.gradient(a, 0.5, axis=1), np.interp(a[0], a[1], a[2], left=0)",
        X32,
        Z,
        5,
    ),
    (
        "np.put(a, [1, 2], 5)\nnp.place(b, b > 0, [1, 2])\nreturn np.take(b, [0, 1], axis=1), np.delete(a, c), np.insert(a, 1, c), "
        "np.pad(b, 1), np.pad(b, 1, 'edge'), np.unravel_index(b.argmax(), b.shape), np.choose(a % 2, [a, 0]), np.compress(a > 0, a), "
        "np.c_[a, a], np.r_[a, 0:c], np.mgrid[0:2, 0:c], a + range(len(a)), np.nan_to_num(b, copy=False)",
        I8,
        X,
        3,
    ),
    (
        "t = 0.0\nfor i in range(4):\n    v, n = np.unique(a[i:], return_counts=True)\n    t += (v * n).sum()\n    a[i] = len(v)\nreturn t, v",
        SOME,
    ),
    (
        "for i in range(3):\n    u, s, v = np.linalg.svd(a + i)\n    a = (u[:, :1] * s[:1]) @ v[:1]\nreturn a, s",
        X,
    ),
    ("np.bincount(a)", np.array([-1, 2])),
    ("np.linalg.svd(a)", np.full((2, 2), np.nan)),
    ("np.delete(a, b)", X[0], 9),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:50])
def test_compiled_calls_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case, device="cpu")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:50])
def test_calls_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("body", ["np.unique(a)", "np.linalg.qr(a[None])", "np.intersect1d(a, a[:1])"])
def test_lengths_that_differ_from_call_to_call_are_found_anew(body: str) -> None:
    function = function_of(body, "a")
    converted = transpile.convert(function, strict=True, device="host")
    for number in (7, 3, 5, 1):
        a = np.arange(number * 2.0).reshape(number, 2) % 3
        expected, found = function(a), converted(a)
        for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (expected, found)), strict=True):
            np.testing.assert_array_equal(one, other)


def test_results_are_of_the_kind_that_numpy_gives() -> None:
    function = function_of("np.linalg.svd(a), np.linalg.eigh(a), np.linalg.qr(a), np.linalg.slogdet(a)", "a")
    for one, other in zip(function(SQUARE), transpile.convert(function, strict=True)(SQUARE), strict=True):
        assert type(one) is type(other)
        assert one._fields == other._fields


def test_calls_that_cannot_be_foretold_are_refused() -> None:
    with pytest.raises(StagingError) as error:
        transpile.convert(function_of("np.linalg.cond(a, a[0, 0])", "a"), strict=True)(X.copy())
    assert error.value.code == "S147-hosted"


@pytest.mark.parametrize(
    "body",
    [
        "np.unique(a)",
        "np.linalg.svd(a)",
        "np.percentile(a, 30)",
        "np.cov(a)",
        "np.fft.rfft(a)",
        "np.linalg.cond(a)",
    ],
)
def test_calls_whose_results_are_certain_compile_behind_what_is_seen(
    body: str, capsys: pytest.CaptureFixture[str]
) -> None:
    agree(f"print('before')\nreturn {body}", X)
    assert capsys.readouterr().out == "before\n" * 2
