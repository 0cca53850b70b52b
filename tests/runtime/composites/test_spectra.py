"""Fourier transforms do converted what they do as they are."""

from __future__ import annotations

from typing import Any

import pytest

from .agreement import I8, X32, X, Z, agree, in_layouts

CASES: list[tuple[Any, ...]] = [
    ("np.fft.fft(a)", X),
    ("np.fft.fft(a)", X32),
    ("np.fft.fft(a)", I8),
    ("np.fft.fft(a, axis=0)", X),
    ("np.fft.fft(a, n=b)", X, 7),
    ("np.fft.fft(a, n=3, norm='ortho')", Z),
    ("np.fft.fft(a, n=0)", X),
    ("np.fft.fft(a, out=np.empty(a.shape, complex)), np.fft.ifft(b, axis=0, out=b), b", X, Z.copy()),
    ("np.fft.fft(a, 0.5)", X),
    ("np.fft.ifft(a)", Z),
    ("np.fft.ifft(a, axis=0)", Z.T),
    ("np.fft.rfft(a)", X),
    ("np.fft.rfft(a)", X[:, :3].copy()),
    ("np.fft.rfft(a, axis=0)", X32),
    ("np.fft.rfft(a, n=b)", X, 6),
    ("np.fft.irfft(a)", Z),
    ("np.fft.irfft(a, n=5)", Z),
    ("np.fft.irfft(np.fft.rfft(a), n=len(a))", X[0]),
    ("np.fft.hfft(a)", Z),
    ("np.fft.ihfft(a)", X),
    ("np.fft.fft2(a)", X),
    ("np.fft.ifft2(np.fft.fft2(a)).real * 1", X),
    ("np.fft.rfft2(a)", X),
    ("np.fft.irfft2(a)", Z),
    ("np.fft.fftn(a)", X),
    ("np.fft.rfftn(a, axes=(1, 0))", X),
    ("np.fft.fftshift(np.fft.fft2(a))", X),
    ("np.abs(np.fft.rfft(a - a.mean())) ** 2", X[0]),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_transforms_agree_with_numpy(case: tuple[Any, ...]) -> None:
    agree(*case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_converted_transforms_agree_in_every_layout(case: tuple[Any, ...]) -> None:
    in_layouts(*case)
