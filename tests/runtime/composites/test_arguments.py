"""Arguments of functions: truths and other things where NumPy wants an integer, which some functions take and others refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..arrays.agreement import agree
from .agreement import X, function_of

WANT_INTEGERS = (
    "np.sum(a, axis=x)", "a.max(x)", "np.any(a, x)", "np.mean(a, axis=x)", "a.std(x)", "np.argmax(a, axis=x)", "np.cumsum(a, x)",
    "np.sort(a, axis=x)", "np.argsort(a, axis=x)", "np.concatenate([a, a], axis=x)", "np.repeat(a, 2, axis=x)", "np.take(a, [0], axis=x)",
    "a.transpose(x, 0)", "np.flip(a, x)", "np.expand_dims(a, x)", "np.sum(a, axis=(x,))", "np.add.reduce(a, x)", "np.median(a, x)",
    "np.linalg.norm(a, axis=x)", "np.nansum(a, axis=x)", "np.ptp(a, axis=x)", "np.sum(np.float64(3), axis=x)", "a[0].item(x)",
    "np.lib.stride_tricks.sliding_window_view(a[0], x)", "np.bincount(np.array([0, 1]), minlength=x)",
)  # fmt: skip
KEEP_AXES = (
    "np.sum(a, keepdims=x)", "a.max(keepdims=x)", "np.mean(a, 0, keepdims=x)", "np.std(a, keepdims=x)", "np.argmin(a, keepdims=x)",
    "np.average(a, keepdims=x)", "np.median(a, keepdims=x)", "np.linalg.norm(a, keepdims=x)", "np.linalg.norm(a, axis=0, keepdims=x)",
    "np.add.reduce(a, keepdims=x)", "np.count_nonzero(a, keepdims=x)", "np.hypot.reduce(a, keepdims=x)",
)  # fmt: skip


@pytest.mark.parametrize("x", [True, False, np.True_, 1], ids=repr)
@pytest.mark.parametrize("body", WANT_INTEGERS)
def test_truths_for_integers(body: str, x: Any) -> None:
    agree(function_of(body, "a, x"), (X, x), strict=False)


@pytest.mark.parametrize("x", [True, np.True_, np.False_, 1, 2.0, None, "a"], ids=repr)
@pytest.mark.parametrize("body", KEEP_AXES)
def test_what_keeps_axes(body: str, x: Any) -> None:
    agree(function_of(body, "a, x"), (X, x), strict=False)


@pytest.mark.parametrize("x", [1j, np.complex128(1), np.array([1]), np.array(1.5), 2, True], ids=repr)
@pytest.mark.parametrize(
    "body",
    [
        "np.sum(a, initial=x)",
        "np.max(a, 0, initial=x)",
        "np.min(a, initial=x, where=a > 1)",
        "np.prod(a, initial=x, where=a > 1)",
    ],
)
def test_what_reductions_begin_with(body: str, x: Any) -> None:
    agree(function_of(body, "a, x"), (X, x), strict=False)


@pytest.mark.parametrize("x", ["yes", "", None, 0, 1, 0.5, np._CopyMode.NEVER, np._CopyMode.ALWAYS], ids=repr)
@pytest.mark.parametrize(
    "body",
    [
        "np.array(a, copy=x)", "np.array([1.0, 2.0], copy=x)", "np.array(3.0, copy=x)", "np.asarray(a, copy=x)", "np.asarray([a], copy=x)",
        "np.asarray(3, copy=x)", "a.reshape(12, copy=x)", "a.T.reshape(12, copy=x)", "np.reshape(a, 12, copy=x)", "a.astype(float, copy=x)",
        "np.astype(a, np.float32, copy=x)", "np.nan_to_num(a, copy=x)", "np.nan_to_num([1.0], copy=x)",
    ],
)  # fmt: skip
def test_what_asks_for_copies(body: str, x: Any) -> None:
    agree(function_of(body, "a, x"), (X, x), strict=False)


@pytest.mark.parametrize("x", ["F", "f", "A", None, "Z", "Fortran", "", 1], ids=repr)
@pytest.mark.parametrize(
    "body",
    [
        "np.array([[1, 2], [3, 4]], order=x)", "np.array([a, a], order=x)", "np.array(3.0, order=x)", "np.asarray([[1, 2], [3, 4]], order=x)",
        "np.array([[1, 2], [3, 4]], order=x, ndmin=3)", "np.array(a.T, order=x)", "np.array([list(row) for row in a], order=x)",
    ],
)  # fmt: skip
def test_what_asks_for_orders(body: str, x: Any) -> None:
    agree(function_of(body, "a, x"), (X, x), strict=False)


@pytest.mark.parametrize("x", [0, 1, 2, 64], ids=repr)
def test_how_many_axes_arrays_of_lists_may_have(x: int) -> None:
    agree(function_of("np.array([[1, 2], [3, 4]], ndmax=x)", "x"), (x,), strict=False)


@pytest.mark.parametrize(
    "body",
    [
        "np.frexp(a, out=a)", "np.modf(a, out=None)", "np.modf(a, out=(a, None))", "np.divmod(a, 2, out=a)", "np.divmod(a, 2, out=[a, a])",
        "np.divmod(a, 2, out=(a, a, a))", "np.round(a, 1, (a,))", "np.round(a, 0, out=(a,))", "np.add(a, a, out=(a,))", "np.add(a, a, out=[a])",
        "np.add(a, a, out=(None,))", "np.add(a, a, subok=1)", "np.modf(a, subok=None)", "a.conj(a)", "a.conjugate(a.copy())", "a.conj(out=a)",
        "a.conj(np.zeros(2))", "np.conj(a, a)",
    ],
)  # fmt: skip
def test_what_results_are_stored_in(body: str) -> None:
    for array in (X, X + 1j):
        agree(function_of(f"y = {body}\nreturn y, y is a, a", "a"), (array,), strict=False)


@pytest.mark.parametrize(
    "x", [1, 0.0, [1, 0, 1, 0], (True, 0, 2, 0), [[1.5], [0], [2]], np.int64(1), np.array([1, 0, 1, 0]), np.array(1), np.array([True] * 4), None],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize(
    "body",
    [
        "np.sum(a, where=x)", "np.max(a, 0, initial=0, where=x)", "np.any(a, where=x)", "np.mean(a, where=x)", "np.var(a, 0, where=x)",
        "np.hypot.reduce(a, where=x)", "np.add(a, a, out=np.zeros((3, 4)), where=x)", "np.copyto(b, a, where=x)\nreturn b", "np.nansum(a, where=x)",
    ],
)  # fmt: skip
def test_where_numbers_and_lists_are_truths_and_arrays_are_none(body: str, x: Any) -> None:
    agree(
        function_of(f"b = np.zeros((3, 4))\n{'return ' * ('return' not in body)}{body}", "a, x"),
        (X, x),
        strict=False,
    )


@pytest.mark.parametrize("x", ["cpu", "gpu", None], ids=repr)
@pytest.mark.parametrize(
    "body",
    ["zeros_like(a, device=x)", "ones_like(a, device=x)", "full_like(a, 1, device=x)", "astype(a, int, device=x)", "zeros(3, device=x)"],
)  # fmt: skip
def test_devices_that_there_are(body: str, x: Any) -> None:
    agree(function_of(f"np.{body}", "a, x"), (X, x), strict=False)
