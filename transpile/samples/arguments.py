"""What sample calls are made of: arrays and numbers, by the letters that the calls call them by."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from typing import Any

import numpy as np

_A = np.arange(12.0).reshape(3, 4) - 3.3


def _files() -> dict[str, str]:
    """Return the paths of files of NumPy's, by the names that calls have for them, in a folder that is gone when Python ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    paths = {name: os.path.join(folder, f"held.{name}") for name in ("npy", "npz", "txt", "raw", "new")}
    np.save(paths["npy"], _A)
    np.savez(paths["npz"], held=_A)
    np.savetxt(paths["txt"], _A)
    _A.tofile(paths["raw"])
    return paths


ARGUMENTS: dict[str, Any] = {
    # Arrays of one to three axes, a square one, and one with some that are no numbers.
    "a": _A,
    "b": (np.arange(12.0).reshape(3, 4)[::-1] * 1.7 + 0.5).copy(),
    "c": np.arange(24.0).reshape(2, 3, 4),
    "m": np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]),
    "h": np.where(np.arange(12).reshape(3, 4) > 8, np.nan, np.arange(12.0).reshape(3, 4)),
    "v": np.array([3.0, 1, 4, 1, 5, 9, 2, 6]),
    "w": np.linspace(0.1, 2, 8),
    "p": np.array([1.0, -3, 2]),
    "hv": np.array([1.0, np.nan, 3, np.inf, 5, -np.inf, 7, 8]),
    # Complex ones, of single precision, of integers, and of truths.
    "z": np.arange(12.0).reshape(3, 4) + 1j * np.arange(12.0).reshape(3, 4)[::-1],
    "zv": np.arange(8) + 1j * np.arange(8)[::-1],
    "f": np.arange(8, dtype=np.float32),
    "I": np.arange(12).reshape(3, 4),
    "i": np.array([3, 1, 4, 1, 5, 9, 2, 6]),
    "j": np.array([0, 2, 1]),
    "g": np.arange(3),
    "u": np.arange(8, dtype=np.uint8),
    "M": np.arange(12.0).reshape(3, 4) > 4,
    "t": np.array([True, False, True, True, False, False, True, False]),
    # Records, and others whose fields are of one dtype.
    "r": np.array([(1.5, 2, 3.5), (2.5, 3, 4.5), (4.5, 1, 2.0)], [("x", "f8"), ("k", "i4"), ("y", "f4")]),
    "q": np.array([(1.5, 2.0), (2.5, 3.0), (4.5, 1.0)], [("x", "f8"), ("y", "f8")]),
    # Numbers.
    "n": 3,
    "s": 2.5,
    # Files.
    **_files(),
}
