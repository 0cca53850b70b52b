"""Casts give NumPy's results, out of range too."""

import platform

import numba
import numpy as np
import pytest
from numba import njit

from transpile.devices.cpu.casts import cast

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
