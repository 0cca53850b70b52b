"""Eigenvalues are real where they all are, and complex otherwise, from call to call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...end_to_end.comparison import call, compare

REAL = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
TURNING = np.array([[0.0, -1.0], [1.0, 0.0]])


def values(x: Any) -> Any:
    return np.linalg.eigvals(x)


def both(x: Any) -> Any:
    found = np.linalg.eig(x)
    return found, np.abs(found.eigenvalues).max(), found[1].shape


def used(x: Any) -> Any:
    found, vectors = np.linalg.eig(x)
    order = np.argsort(found)[::-1]
    again = vectors @ np.diag(found) @ np.linalg.inv(vectors)
    found.sort()
    return found, vectors[:, order], np.abs(again - x).max() < 1e-3, found.real.max(), np.sort(found.real)


def roots(x: Any) -> Any:
    return np.roots(x)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [values, both, used])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.complex64, np.complex128])
def test_numbers_decide_of_which_kind_eigenvalues_are(function: Any, dtype: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for matrix in (REAL, TURNING, np.stack([TURNING, REAL[:2, :2]]))[: 2 if function is used else 3]:
        arguments = (matrix.astype(dtype),)
        compare(call(function, arguments), call(converted, arguments))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16, np.complex64])
def test_roots_are_those_of_numpy(dtype: Any, device: str) -> None:
    converted = convert(roots, strict=True, device=device)
    for coefficients in ([1, -3, 2], [1, 0, 1], [0, 2, -4, 0, 0], [0, 0], [5], [0, 3, 0], [2, 1]):
        arguments = (np.array(coefficients, dtype),)
        compare(call(roots, arguments), call(converted, arguments))


@pytest.mark.parametrize("function", [values, both])
def test_numpy_speaks_of_matrices_that_have_none(function: Any) -> None:
    for matrix in (REAL[:2], np.array([[1.0, np.nan], [0.0, 1.0]]), REAL[0]):
        converted = convert(function, strict=True)
        compare(call(function, (matrix,)), call(converted, (matrix,)))
