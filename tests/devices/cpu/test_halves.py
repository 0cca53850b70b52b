"""Numbers of float16 in kernels: every one of them, and what lies between two."""

import numpy as np
import pytest

from transpile import convert
from transpile.devices.cpu import executable
from transpile.devices.cpu.processor import converts_halves
from transpile.runtime.errors import DeviceError

ALL = np.arange(2**16, dtype=np.uint16).view(np.float16)
pytestmark = pytest.mark.skipif(not converts_halves(), reason="the processor knows no float16")


def same(found, expected):
    return found.dtype == expected.dtype and np.array_equal(
        found, expected, equal_nan=found.dtype.kind in "fc"
    )


def to_all(x):
    return x.astype("f4"), x.astype("f8"), x.astype("c8"), x.astype("?"), x * np.float16(1), x.view(np.uint16)


def test_every_half_is_read_and_written():
    with np.errstate(all="ignore"):
        for found, expected in zip(convert(to_all, strict=True)(ALL), to_all(ALL), strict=True):
            assert same(found, expected)


def to_half(x):
    return x.astype(np.float16)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_what_lies_between_two_halves_is_rounded_once(dtype):
    numbers = np.unique(ALL[np.isfinite(ALL)].astype(dtype))
    ties = (numbers[:-1] + numbers[1:]) / 2
    # One past the largest would be 2**16; the smallest is not rounded to zero until half of it.
    ties = np.concatenate([ties, [65520.0, -65520.0, 2.0**-25, -(2.0**-25), np.inf, -np.inf, np.nan]]).astype(
        dtype
    )
    near = np.concatenate([ties, np.nextafter(ties, np.dtype(dtype).type(np.inf)), np.nextafter(ties, -ties)])
    with np.errstate(all="ignore"):
        assert same(convert(to_half, strict=True)(near), to_half(near))


def sums(x):
    return (
        x.sum(),
        x.sum(axis=0),
        x.sum(axis=1),
        x.prod(axis=1),
        (x * x).sum(),
        x.mean(axis=1),
        x.astype("f4").sum(dtype="f2"),
    )


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (9, 8), (2, 700), (700, 2), (3, 9000)])
def test_sums_are_rounded_where_numpy_rounds_them(shape):
    x = np.random.default_rng(2).normal(size=shape).astype(np.float16)
    converted = SUMS
    with np.errstate(all="ignore"):
        for given in (x, x.T, x[::-1]):
            for found, expected in zip(converted(given), sums(given), strict=True):
                assert type(found) is type(expected) and same(found, expected)


SUMS = convert(sums, strict=True)


def carried(x, s):
    for k in range(x.size):
        s = s * np.float16(0.5) + x[k]
    return s


def test_scalars_are_carried_as_halves():
    x = np.random.default_rng(2).normal(size=50).astype(np.float16)
    found, expected = convert(carried, strict=True)(x, np.float16(0.1)), carried(x, np.float16(0.1))
    assert type(found) is type(expected) is np.float16 and found == expected


def test_refused_where_the_processor_has_no_halves(monkeypatch):
    monkeypatch.setattr(executable, "converts_halves", lambda: False)
    with pytest.raises(DeviceError, match="D110-float16"):
        convert(to_half, strict=True)(np.ones(3))
