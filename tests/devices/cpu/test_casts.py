"""Casts give NumPy's results, out of range too."""

import platform

import numba
import numpy as np
import pytest
from numba import njit

from transpile.devices.cpu.casts import cast, double_to_half, half_to_double, half_to_single, single_to_half

FLOATS = [0, -0.0, 1.9, -1.9, 127.5, 128, 255, 256, -129, 32768, 65535.7, 65536, 70000, -70000, 2.0**31 - 1]
FLOATS += [
    2.0**31,
    2.0**31 + 5,
    -(2.0**31),
    -(2.0**31) - 0.5,
    -(2.0**31) - 1,
    2.0**32 - 1,
    2.0**32,
    2.0**32 + 7,
]
FLOATS += [-(2.0**32), 2.0**53, 2.0**62, 2.0**63, 2.0**63 + 6144, 2.0**64, 2.0**64 + 4096, 1e30, -1e30]
FLOATS += [np.inf, -np.inf, np.nan, -(2.0**63), -(2.0**63) - 2048, -1, -5.5, -300, 1e15, -1e15]
INTS = [0, 1, -1, 127, 128, -128, -129, 255, 256, 2**31, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63), 2**62 + 1]
KINDS = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"]


def numbers(kind):
    with np.errstate(all="ignore"):
        values = np.array(FLOATS if kind[0] in "fc" else INTS).astype(kind)
    if kind[0] == "c":
        values = values.copy()
        values.imag = np.roll(values.real, 1)
    return values


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="other machines saturate")
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("target", KINDS)
def test_casts_of_scalars_are_numpys(target, same_bits):
    numba_type = numba.from_dtype(np.dtype(target))

    @njit
    def cast_all(source, out):
        for k in range(len(source)):
            out[k] = cast(source[k], numba_type)

    for kind in ("i1", "u8", "i8", "f4", "f8", "c16", "?"):
        source = numbers(kind)
        out = np.empty(len(source), target)
        with np.errstate(all="ignore"):
            expected = np.array([v.astype(target) for v in source])
        cast_all(source, out)
        same_bits(out, expected)


@njit
def widen(h, single, double):
    for k in range(len(h)):
        single[k] = half_to_single(h[k])
        double[k] = half_to_double(h[k])


@njit
def narrow_single(x, out):
    for k in range(len(x)):
        out[k] = single_to_half(x[k])


@njit
def narrow_double(x, out):
    for k in range(len(x)):
        out[k] = double_to_half(x[k])


HALVES = np.arange(65536).astype(np.uint16)


def test_every_half_widens_as_in_numpy(same_bits):
    single, double = np.empty(65536, np.float32), np.empty(65536)
    widen(HALVES, single, double)
    same_bits(single, HALVES.view(np.float16).astype(np.float32))
    same_bits(double, HALVES.view(np.float16).astype(np.float64))


@pytest.mark.parametrize(("kind", "narrow"), [("f4", narrow_single), ("f8", narrow_double)])
def test_floats_narrow_to_halves_as_in_numpy(kind, narrow, rng, same_bits):
    with np.errstate(all="ignore"):
        exact = HALVES.view(np.float16).astype(kind)
        ties = np.concatenate([exact, (exact[:-1] + exact[1:]) / 2])
        up, down = (np.nextafter(ties, np.array(end, kind)) for end in (np.inf, -np.inf))
        spread = (rng.standard_normal(200_000) * 10.0 ** rng.uniform(-9, 5, 200_000)).astype(kind)
        anything = rng.integers(0, 2**64, 200_000, dtype=np.uint64).view(kind)
        x = np.concatenate([ties, up, down, spread, anything])
        expected = x.astype(np.float16).view(np.uint16)
    out = np.empty(len(x), np.uint16)
    narrow(x, out)
    same_bits(out, expected)
