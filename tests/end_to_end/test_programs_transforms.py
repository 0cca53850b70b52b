"""Programs that transform vectors in loops, by the loops behind NumPy's functions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import transpile

from .programs import Program, Programs, check, name_of, noise

programs = Programs()


def vector(size, dtype=float, seed=0):
    return noise(size, seed=seed, dtype=dtype) + (1j * noise(size, seed=1) if dtype is complex else 0)


VECTORS = tuple(
    lambda size=size, dtype=dtype: (vector(size, dtype),)
    for size in (1, 2, 3, 8, 15, 64, 101)
    for dtype in (float, complex)
)
REAL = tuple(lambda size=size: (vector(size),) for size in (2, 3, 8, 15, 64, 101))


@programs(*VECTORS)
def there_and_back(x):
    for turn in range(3):
        found = np.fft.fft(x)
        found[0] += turn
        x = np.fft.ifft(found)
    return x


@programs(*REAL)
def real_there_and_back(x):
    for turn in range(3):
        found = np.fft.rfft(x)
        found[0] += turn
        x = np.fft.irfft(found, len(x))
    return x, np.fft.irfft(np.fft.rfft(x))


@programs(*REAL)
def scaled(x):
    total = 0.0
    for _ in range(2):
        total += np.fft.fft(x, norm="forward")[0].real + np.fft.rfft(x, norm="forward")[0].real
        total += np.fft.ifft(x, norm="forward")[0].real + np.fft.irfft(x + 0j, norm="forward")[0]
        total += np.fft.fft(x, norm="ortho")[0].real
    return total


@programs(
    *(
        lambda size=size, n=n: (vector(size), vector(size, complex), n)
        for size in (1, 5, 8)
        for n in (1, 2, 5, 8, 13)
    )
)
def padded_and_cut(x, z, n):
    found = []
    for _ in range(2):
        found.append(
            np.fft.fft(x, n).sum() + np.fft.ifft(z, n)[-1] + np.fft.rfft(x, n)[-1] + np.fft.irfft(z, n)[0]
        )
    return found, np.fft.fft(z, n), np.fft.rfft(x, n), np.fft.irfft(z, n)


@programs(lambda: (vector(30), vector(30, complex)), lambda: (vector(31), vector(31, complex)))
def parts_and_turned(x, z):
    for _ in range(2):
        found = np.fft.fft(z[::-1]), np.fft.ifft(z[1::3]), np.fft.rfft(x[::-2]), np.fft.irfft(z[::4])
    return found


@programs(lambda: (np.arange(12.0).reshape(3, 4), np.arange(12).reshape(4, 3)))
def rows_and_columns(x, numbers):
    total = np.zeros(4, complex)
    for row in x:
        total += np.fft.fft(row)
    for place in range(3):
        total += np.fft.fft(numbers[:, place])
    return total, np.fft.fft(x), np.fft.rfft(x, axis=0)


@programs(
    *(
        lambda dtype=dtype: (np.arange(9).astype(dtype),)
        for dtype in (np.float32, np.complex64, np.int8, bool)
    )
)
def other_dtypes(x):
    for _ in range(2):
        found = np.fft.fft(x)
    return found, np.fft.ifft(x)


@programs(lambda: (vector(8), 3), lambda: (vector(8), 0), lambda: (vector(8), -1))
def as_many_as_there_are_not(x, n):
    for _ in range(2):
        found = np.fft.fft(x, n)
    return found


@programs(*REAL)
def convolved(x):
    total = np.zeros(len(x))
    for shift in range(3):
        total += np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(np.roll(x, shift)), len(x))
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("program", list(programs), ids=name_of)
def test_programs_do_what_they_did(program: Program, device: str) -> None:
    check(program, device)


def transformed(x, z):
    total = 0.0
    for _ in range(3):
        total += np.fft.fft(z)[0].real + np.fft.ifft(z)[0].real + np.fft.rfft(x)[0].real
    return total


@pytest.mark.parametrize("bad", [np.inf, np.nan, 1e308])
@pytest.mark.parametrize("settings", [{}, {"all": "ignore"}, {"all": "raise"}])
def test_transforms_warn_as_numpy_does(bad, settings) -> None:
    x = vector(8)
    x[2:5] = bad
    found = []
    for function in (transformed, transpile.convert(transformed)):
        with warnings.catch_warnings(record=True) as told, np.errstate(**settings):
            warnings.simplefilter("always")
            try:
                result = repr(function(x, x + 0j))
            except FloatingPointError as error:
                result = str(error)
        texts = [str(warning.message) for warning in told if warning.category is RuntimeWarning]
        found.append((result, texts))
    assert found[0] == found[1]


def test_vectors_are_transformed_without_numpys_functions() -> None:
    x = vector(16)
    text = transpile.convert(transformed, strict=True).kernels(x, x + 0j)
    for name in ("fft_Dd_D", "ifft_Dd_D", "rfft_n_even_dd_D", "rfft_n_odd_dd_D"):
        assert f"fft_{name}" in text


def of_known_lengths(x, z, k):
    found = [
        np.fft.fft(z, n=5),
        np.fft.ifft(z, 20),
        np.fft.rfft(x, n=5),
        np.fft.rfft(x, 20),
        np.fft.irfft(z, 7),
    ]
    return found, np.fft.fft(x, n=5), np.fft.rfft(x, k // 2 + 1), np.fft.fft(z, int(k * 1.5))


def test_vectors_are_transformed_to_lengths_that_are_known() -> None:
    x = vector(11)
    converted = transpile.convert(of_known_lengths, strict=True)
    for k in (5, 8):
        expected, found = of_known_lengths(x, x + 0j, k), converted(x, x + 0j, k)
        for one, other in zip([*expected[0], *expected[1:]], [*found[0], *found[1:]], strict=True):
            assert one.tobytes() == other.tobytes()
