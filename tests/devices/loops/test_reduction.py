"""Extremes are the kernel's own, but for zeros of which there are both kinds."""

import dataclasses

import numpy as np
import pytest

import transpile
from transpile.devices.loops import reduction


def extremes(x):
    return x.max(axis=-1), x.min(axis=-1), x.max(), np.fmax.reduce(x, axis=0), np.minimum.reduce(-x, axis=1)


@pytest.fixture
def asked(nothing_kept, monkeypatch):
    """How often NumPy was asked for a reduction."""
    found = []

    def counted(scheduler, op, *targets, call=reduction.call_numpy, **how):
        call(scheduler, op, *targets, **how)
        upcall = scheduler.body[-1]

        def function(*given):
            found.append(op.attributes["ufunc"])
            return upcall.function(*given)

        scheduler.body[-1] = dataclasses.replace(upcall, function=function)

    monkeypatch.setattr(reduction, "call_numpy", counted)
    return found


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (5, 1), (4, 3), (7, 40), (40, 70)])
def test_extremes_that_are_zero_have_the_sign_that_numpy_gives(dtype, shape):
    random = np.random.default_rng(3)
    converted = transpile.convert(extremes, strict=True)
    for low in (-1, 0):
        for share in (0.0, 0.2, 1.0):
            x = random.integers(low, 2, shape).astype(dtype)
            x[(x == 0) & (random.random(shape) < share)] = -0.0
            for found, expected in zip(converted(x), extremes(x), strict=True):
                assert np.asarray(found).tobytes() == np.asarray(expected).tobytes()


def test_sums_of_windows_are_the_kernel_s_own(asked):
    def means(x, n):
        windows = np.lib.stride_tricks.sliding_window_view
        return windows(x, n, axis=0).mean(axis=-1), windows(x, (n, n)).sum(axis=3)

    converted, x = transpile.convert(means, strict=True), np.random.default_rng(4).normal(size=(20, 30))
    for n in (2, 9):
        for found, expected in zip(converted(x, n), means(x, n), strict=True):
            assert found.tobytes() == expected.tobytes()
    assert not asked


def test_numpy_is_asked_only_where_there_is_a_negative_zero(asked):
    def largest(x):
        return x.max(axis=1), x.max()

    converted = transpile.convert(largest, strict=True)
    x = np.zeros((30, 4))
    converted(x)
    assert not asked
    x[3, 2] = -0.0
    converted(x)
    assert asked == ["maximum", "maximum"]
