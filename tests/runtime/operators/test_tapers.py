"""Windows that fade out at both ends: as long as the integer says that they are asked for, with NumPy's bits."""

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def tapered(x, n):
    return x[:n] * np.hanning(n), np.hamming(n), np.blackman(n), np.bartlett(n), np.hanning(len(x))


def of_other_numbers(x, n):
    return (
        np.hanning(n + 0.5),
        np.hamming(np.int32(n)),
        np.blackman(n > 3),
        np.bartlett(True),
        np.hanning(x[0]),
    )


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("n", [2, 3, 8, 100, 1001, 1, 0])
def test_they_have_numpys_bits(n: int, device: str) -> None:
    given = np.random.default_rng(0).random(2000), n
    for function in (tapered, of_other_numbers):
        converted = convert(function, strict=n > 1, device=device)
        compare(observe(function, given), observe(converted, given))


def windows(x, n, hop):
    w = np.hanning(n)
    frames = [x[i : i + n] * w for i in range(0, len(x) - n + 1, hop)]
    return np.array([np.abs(np.fft.rfft(f)) for f in frames])


def halves(x, n, hop):
    frames = []
    for i in range(0, len(x) - n + 1, hop):
        frames.append(x[i : i + n])
    return np.array([f[: (len(f) + 1) // 2 + 1] for f in frames])


def parts(x, n, hop):
    rows = x[: len(x) // n * n].reshape(-1, n)
    return np.array([row[: max(len(row) // 3, min(hop, 2))] for row in rows])


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [windows, halves, parts])
def test_lists_of_what_is_made_of_them_have_one_size(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    x = np.random.default_rng(0).random(500)
    for n, hop in ((64, 16), (65, 7), (300, 100)):
        compare(observe(function, (x, n, hop)), observe(converted, (x, n, hop)))


def cut_by(x, n, hop):
    found = []
    for row in x.reshape(-1, n):
        if row[0] > 2:
            found.append(row[: len(row) // hop])
    return found


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_may_fail_is_not_computed_where_nothing_asks_for_it(device: str) -> None:
    converted = convert(cut_by, device=device)
    for x, hop in ((np.ones(100), 0), (np.full(100, 3.0), 3), (np.full(100, 3.0), 0)):
        compare(observe(cut_by, (x, 10, hop)), observe(converted, (x, 10, hop)))
