"""Products over named axes do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile

from ...end_to_end.comparison import call, compare
from .agreement import I8, X32, X, Z, agree, function_of, in_layouts

SQUARE = X @ X.T
CUBE = np.arange(24.0).reshape(2, 3, 4) / 7
FOUR = np.arange(24.0).reshape(2, 3, 2, 2) - 7.3

CASES: list[tuple[Any, ...]] = [
    ("np.einsum('ij,jk->ik', a, b)", X, X.T),
    ("np.einsum('ij,jk', a, b)", X32, X32.T.copy()),
    ("np.einsum('ij->i', a)", X),
    ("np.einsum('ij->', a)", X32),
    ("np.einsum('i,i', a, b)", X[0], X[1]),
    ("np.einsum('i,i', a, b, optimize=True)", X[0], X[1]),
    ("np.einsum('ij,ij->', a, b, optimize='greedy')", X, X),
    ("np.einsum('ij->', a, optimize=True)", X),
    ("np.einsum('i,i->', a, b)", Z[0], X[1]),
    ("np.einsum('ii', a)", SQUARE),
    ("np.einsum('i,j->ij', a, b)", X[0], X[:, 0]),
    ("np.einsum('ij,ij->i', a, a)", X),
    ("np.einsum('bij,j->bi', a, b)", CUBE, X[0]),
    ("np.einsum('ij,jk,kl->il', a, b, a, optimize=True)", X, X.T.copy()),
    ("np.einsum('i,j->i', a, b)", I8, I8),
    ("np.einsum('...i,...i->...', a, b)", CUBE, CUBE[0]),
    ("np.einsum('...i,j', a, b)", X, X[0]),
    ("np.einsum(a, [0, 1], b, [1, 2], [2, 0])", X, X.T),
    ("np.einsum(a, [..., 3], b, [3])", CUBE, X[0]),
    ("np.einsum('bthd,bshd->bhts', a, b)", FOUR, FOUR + 1),
    ("np.einsum('bhts,bshd->bthd', a, b)", FOUR, FOUR.swapaxes(1, 2).copy()),
    ("np.einsum('ij,jk->ki', a, b), np.einsum('i,j->ji', a[0], b[0])", X, X.T),
    ("np.einsum('ij,jk,kl->li', a, b, a, optimize=True)", X, X.T.copy()),
    (
        "np.einsum('nhwij,fij->nfhw', np.lib.stride_tricks.sliding_window_view(a, (2, 2), (1, 2)), b)",
        CUBE,
        CUBE[:, :2, :2],
    ),
    ("np.einsum('ij->ji', a)[0]", X),
    ("np.einsum('...->...', a)[0]", X),
    ("d = np.einsum('ii->i', a)\nd[:] = 7\nreturn a", SQUARE),
    ("d = np.einsum('iij->ji', a[:2, :2])\nd += 1\nreturn a, d.copy()", CUBE),
    ("np.einsum('ii->i', a)", X[:1]),
    ("np.einsum('ii->i', a)", X[:, :1]),
    ("np.einsum('ii,i', a, b)", X[:1], X[0]),
    ("np.tensordot(a, a.T, axes=1)", X),
    ("np.tensordot(a, a)", X),
    ("np.tensordot(a, b, axes=([0], [0]))", X, X32),
    ("np.tensordot(a, b, axes=([1, 2], [0, 1]))", CUBE, X),
    ("np.tensordot(a, a, axes=([0, 2], [0, 2])), np.tensordot(a, a, axes=3), np.tensordot(a, a, 0)", CUBE),
    ("np.tensordot(a[:, ::-1, 1:], b[1:], axes=([2], [0]))", CUBE, X.T),
    ("np.tensordot(a, a, axes=([1], [1]))", CUBE[:, :0]),
    ("np.tensordot(a, a, axes=([1, 1], [1, 1]))", CUBE),
    ("np.tensordot(a, a, axes=([1, -2], [1, 2]))", CUBE),
    (
        "np.tensordot(a.transpose(2, 0, 1), a, axes=([1, 2], [0, 1])), np.tensordot(a, b, 1)",
        CUBE,
        np.arange(4),
    ),
    ("np.tensordot(np.lib.stride_tricks.sliding_window_view(a, (2, 2)), b, 2)", X, np.eye(2) + 0.1),
    ("np.kron(a, b)", SQUARE, X),
    ("np.kron(a, b)", X[0], I8),
    ("np.kron(np.eye(2), a)", X),
    ("np.kron(a, b)", X[0], np.asfortranarray(X)),
    ("np.vecdot(a, b)", X, X[0]),
    ("np.vecdot(a, b)", Z, Z[0]),
    ("np.dot(a, b)", CUBE, X.T),
    ("np.dot(a, b)", X, 2.0),
    ("np.dot(a, b)", 3, X32),
    ("np.inner(a, b)", CUBE, X),
    ("np.vdot(a, b)", Z[0], Z[1]),
    ("np.vdot(a, b)", X, Z),
    ("np.convolve(a, b)", X[0], X[0][:2].copy()),
    ("np.convolve(b, a)", X[0], X[0][:2].copy()),
    ("np.convolve(a, b, 'same')", X32[0], X[0][:3].copy()),
    ("np.convolve(a, np.ones(b) / b, mode='valid')", np.arange(9.0), 3),
    ("np.correlate(b, a, 'full')", X[0], X[0][:2].copy()),
    ("np.interp(a, b, c, left=0, right=d)", X[0] * 9, np.arange(4.0), X[0], 5.0),
    ("np.interp(a, b, c, period=3)", X[0], np.arange(3.0), X[0][:3]),
    ("np.interp(a, b, c)", 0.3, np.arange(4.0), X[0]),
    ("np.interp(a, b, c * 1j, left=2 + 3j, right=d)", X[0] * 9, np.arange(4.0), X[0], 5.0),
    ("np.interp(a, b, c * 1j, left=d)", -1, np.arange(4.0), X[0], 1j),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_contractions_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_contractions_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)


@pytest.mark.parametrize(
    "body", ["np.einsum('bthd,bshd->bhts', a, a)", "np.einsum('ij,jk->ki', a[0, 0], a[0, 1].T)"]
)
def test_sums_of_products_in_another_order_than_c_s_are_foreseen(body: str) -> None:
    converted = transpile.convert(function_of(body, "a"), strict=True)
    converted(FOUR)
    assert [entry.deoptimised for entry in converted.calls.entries] == [0]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("period", [None, 3.0], ids=["without a period", "with a period"])
@pytest.mark.parametrize("at", [1j, np.complex64(1), np.complex128(1 + 1j), np.array([1j, 2])], ids=repr)
def test_complex_numbers_interpolate_as_numpy_has_it(at: Any, period: Any) -> None:
    def interpolated(at, period):
        return np.interp(at, np.array([1.0, 2.0]), np.array([3.0, 4.0]), period=period)

    compare(
        call(interpolated, (at, period)), call(transpile.convert(interpolated, device="host"), (at, period))
    )
