"""Windows that fade out at both ends, as signals are multiplied by them: `hanning`, `hamming`, `blackman`, `bartlett`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.indexing import as_dim, is_integer
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar

from .call import call, python_function

# NumPy makes these with an array of floats, of which nothing but their difference tells how many they are. Of an integer that is known to be two at the least,
# there are as many as it says, and the floats are integers.


def _steps(count: Any) -> Any:
    """Return the floats of `np.arange(1 - count, count, 2.0)`."""
    return (2 * np.arange(count) + (1 - count)).astype(np.float64)


def _hanning(count: Any) -> Any:
    return 0.5 + 0.5 * np.cos(np.pi * _steps(count) / (np.float64(count) - 1))


def _hamming(count: Any) -> Any:
    return 0.54 + 0.46 * np.cos(np.pi * _steps(count) / (np.float64(count) - 1))


def _blackman(count: Any) -> Any:
    n, last = _steps(count), np.float64(count) - 1
    return 0.42 + 0.5 * np.cos(np.pi * n / last) + 0.08 * np.cos(2.0 * np.pi * n / last)


def _bartlett(count: Any) -> Any:
    n, last = _steps(count), np.float64(count) - 1
    return np.where(np.less_equal(n, 0), 1 + n / last, 1 - n / last)


def _taper(function: Any, program: Callable[[Any], Any]) -> None:
    def taper(M: Any) -> Any:
        is_python = type(M) is int or (isinstance(M, SymbolicScalar) and M.weak)
        if is_python and is_integer(M) and recorder().assume_nonnegative(as_dim(M) - 2):
            return call(program, M)
        return python_function(function, (M,), {})

    implements(function)(taper)


_taper(np.hanning, _hanning)
_taper(np.hamming, _hamming)
_taper(np.blackman, _blackman)
_taper(np.bartlett, _bartlett)
