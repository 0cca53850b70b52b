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


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, np.complex128])
@pytest.mark.parametrize("shape", [(1,), (5,), (4, 3), (7, 40), (40, 70), (2, 3, 600)])
def test_the_largest_magnitude_has_numpys_bits(asked, dtype, shape):
    def largest(x):
        return np.abs(x).max(), np.max(np.fabs(x.real[::-1])), np.abs(x.T - 1).max(), np.abs(x).min()

    random = np.random.default_rng(5)
    converted = transpile.convert(largest, strict=True)
    x = random.normal(size=shape).astype(dtype)
    for special in (None, -0.0, np.inf, -np.inf, np.nan, -np.nan):
        if special is not None:
            x.flat[random.integers(x.size)] = special
        with np.errstate(invalid="ignore"):
            for found, expected in zip(converted(x), largest(x), strict=True):
                assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum"):
        converted(x[:0])


def test_the_largest_magnitude_is_found_where_it_is_computed(scheduled):
    def change(x, y):
        new = 0.5 * (x + y)
        found = np.abs(new - x).max()
        x[:] = new
        return found

    x, y = np.sin(np.arange(2100.0)).reshape(2, 30, 35)
    found = scheduled(change, x, y)
    assert len(found.nests) == 1 and found.made == 0


def test_magnitudes_of_what_numpys_loops_compute_are_found_in_blocks(scheduled):
    def largest(x):
        return np.abs(np.sin(x)).max(), np.exp(x).astype(np.int64).max(), np.abs(np.log(x[:, 1:])).max()

    for shape in ((3, 7), (5, 700), (40, 30)):
        scheduled(largest, np.random.default_rng(6).uniform(0.5, 9.0, shape))
