"""Views of real and imaginary parts, and of bits, do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile

from .agreement import X32, X, Z, agree, function_of, in_layouts

ZERO_D = np.array(1 + 2j, np.complex64)

CASES: list[tuple[Any, ...]] = [
    ("a.real, a.imag, a.real.real, np.real(a), np.imag(a), a.T.real, a[1:, ::2].imag", Z),
    ("a.real, a.imag.T, np.real_if_close(a), b.real, np.real(b)", Z.astype(np.complex64), X),
    ("a.real.sum(axis=0), a.imag.mean(), a.real + a.imag, a.real[1, 2], a.imag[0]", Z),
    ("a.real, a.imag, a.real + 1", ZERO_D),
    ("a.real[1] = 5\nreturn a", Z),
    ("a.imag[...] = a.real\nreturn a", Z),
    ("a.real = 7\na.imag[0] = a.real[1]\nreturn a", Z),
    ("a.imag = a.real[::-1]\nreturn a", Z),
    ("a.real += 1\na.imag *= a.real\nreturn a", Z),
    ("a.imag = 1\nreturn a", X),
    ("a.imag = 3\nreturn a", ZERO_D),
    ("a.real[[0, 2], [1, 3]] = 9.0\na.imag[a.real > 3] = -1\nreturn a", Z),
    ("y = a.copy()\ny.imag *= 2\nreturn y, y.real", Z),
    ("np.sqrt(np.abs(a.real), out=a.imag)\nreturn a", Z),
    ("a.real.fill(2)\na.T.imag[1] = b[:3, 0]\nreturn a", Z, X),
    ("for i in range(a.shape[0]):\n        a.real[i] = i\n        a.imag[i, 0] += a.real[i, 1]\nreturn a", Z),
    ("y = a.real\nif b > 0:\n        y = a.imag\nreturn y * 2", Z, 1.0),
    ("np.concatenate([a.real, a.imag]), np.stack([a.real, a.imag]), np.angle(a), a.conj().imag", Z),
    ("a.view(np.int64), a.view(np.uint64)[0] ^ np.uint64(1), a[0, 0].view(np.int64)", X),
    ("a.view('i4'), a.view(np.uint32).T", X32),
    ("y = a.view(np.int64)\ny[0, 1] = 0\ny[1] += 1\nreturn a, y", X),
    ("a.view(np.int64)[:, 1:] &= 0x7fffffffffffffff\nreturn a", X),
    ("a.real.view(np.int64)[1] = 3\nreturn a, a.real.view(np.int64)", Z),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0][:80])
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_parts_agree_with_numpy(case: tuple[Any, ...], device: str) -> None:
    body, *arguments = case
    agree(body, *arguments, device=device)


@pytest.mark.parametrize("body", [CASES[0][0], "a.real[1:] = 5\na.imag.T[0] = 1\nreturn a, a.real"])
def test_parts_of_arrays_in_any_layout_are_views(body: str) -> None:
    in_layouts(body, Z)


def test_writing_a_part_copies_nothing_else() -> None:
    converted = transpile.convert(function_of("a.real[1] = 0", "a"), strict=True)
    converted(Z.copy())
    assert not any(entry.copies for entry in converted.calls.entries)


def test_views_as_larger_types_are_left_to_numpy() -> None:
    with pytest.raises(transpile.StagingError, match="S188"):
        transpile.convert(function_of("a.view(np.complex128)", "a"), strict=True)(X)
