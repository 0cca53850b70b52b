"""Sums of windows are the kernel's own, up to the size of NumPy's buffer."""

import dataclasses

import numpy as np
import pytest

import transpile
from transpile.devices.loops import windows


@pytest.fixture
def asked(nothing_kept, monkeypatch):
    """How often NumPy was asked for a sum."""
    found = []

    def counted(scheduler, op, *targets, call=windows.call_numpy):
        call(scheduler, op, *targets)
        upcall = scheduler.body[-1]

        def function(*given):
            found.append(op.attributes["ufunc"])
            return upcall.function(*given)

        scheduler.body[-1] = dataclasses.replace(upcall, function=function)

    monkeypatch.setattr(windows, "call_numpy", counted)
    return found


def square(x, n):
    return x[1 : 1 + n, 2 : 2 + n].sum()


def across(x, n):
    return np.mean(x.T[2 : 2 + n, 1:n])


def strided(x, n):
    return x[::2, n::-3].mean()


def overlapping(x, n):
    return np.lib.stride_tricks.sliding_window_view(x, (2, 2))[1 : 1 + n, :n].sum()


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "c16", "i4"])
@pytest.mark.parametrize("function", [square, across, strided, overlapping])
def test_sums_have_the_bits_of_numpys(function, dtype):
    converted = transpile.convert(function, strict=True)
    x = (np.random.default_rng(3).normal(size=(130, 140)) * 9).astype(dtype)
    for n in (2, 3, 4, 9, 11, 12, 40, 90, 91, 120):
        for given in (x, x[: n + 2], x[:2], x.T, np.asfortranarray(x), x[:, ::-1]):
            found, expected = converted(given, n), function(given, n)
            assert type(found) is type(expected)
            assert found.tobytes() == expected.tobytes()


def test_numpy_is_asked_only_for_windows_larger_than_its_buffer(asked):
    converted, x = transpile.convert(square, strict=True), np.random.default_rng(4).normal(size=(130, 140))
    for n in (0, 1, 3, 90):
        assert converted(x, n) == square(x, n)
    assert not asked
    assert converted(x, 91) == square(x, 91)
    assert asked == ["add"]


def test_what_a_window_overflows_is_told(recwarn):
    converted = transpile.convert(square, strict=True)
    x = np.full((20, 20), 1e308)
    assert converted(x, 3) == np.inf
    assert [str(warning.message) for warning in recwarn] == ["overflow encountered in reduce"]
