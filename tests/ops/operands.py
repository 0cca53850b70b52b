"""What the ops are tried on: extreme numbers of every dtype, in every layout."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

DTYPES = tuple(np.dtype(c) for c in "?bBhHiIlLefdFD")
# One of each kind of loop; what concerns layouts alone is tried on these.
FAMILIES = tuple(np.dtype(c) for c in "dbF")


def numbers(dtype: np.dtype[Any]) -> Array:
    """Return the numbers at which ops are most likely to differ, and some ordinary ones."""
    if dtype.kind == "b":
        return np.array([True, False])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        width = info.bits
        found = [0, 1, 2, 3, 7, 10, width - 1, width, info.max, info.max - 1, info.max // 2, info.max // 3]
        if dtype.kind == "i":
            found += [-1, -2, -3, -7, -10, info.min, info.min + 1, info.min // 2]
        return np.array(found, dtype)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        found = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 2.0, 0.1, -7.3, 11.25]
        large = [info.max, -info.max, info.tiny, info.smallest_subnormal, np.inf, -np.inf, np.nan]
        return np.array([*map(dtype.type, found), *large], dtype)
    parts = numbers(np.dtype(dtype.char.lower()))[[0, 1, 2, 5, 6, 8, 11, 13, 15, 16, 17]]
    real, imag = np.meshgrid(parts, parts)
    result = np.empty(real.size, dtype)
    result.real, result.imag = real.ravel(), imag.ravel()
    return result


def tuples(dtypes: tuple[np.dtype[Any], ...]) -> list[Array]:
    """Return one flat array for each dtype, so that all combinations of their numbers stand beside each other."""
    sets = [numbers(dtype) for dtype in dtypes]
    if len(sets) > 1:
        # All pairs of complex numbers would be too many: every third, in turn.
        sets = [s[::3] if s.size > 100 else s for s in sets]
    if len(sets) > 2:
        sets = [s[:9] for s in sets]
    grids = np.meshgrid(*sets, indexing="ij")
    return [grid.ravel().copy() for grid in grids]


def _filled(values: Array, shape: tuple[int, ...]) -> Array:
    return np.resize(values, shape) if 0 not in shape else np.empty(shape, values.dtype)


def _gaps(values: Array, shape: tuple[int, ...]) -> Array:
    memory = np.zeros(tuple(2 * size for size in shape), values.dtype)
    result = memory[(slice(None, None, 2),) * len(shape)]
    result[...] = _filled(values, shape)
    return result


def _backwards(values: Array, shape: tuple[int, ...]) -> Array:
    return np.flip(np.flip(_filled(values, shape)).copy())


# Makes an array of these numbers, from a flat array of them.
Maker = Callable[[Array], Any]
LAYOUTS: dict[str, Maker] = {
    "C": lambda v: _filled(v, (5, 7)),
    "C of three axes": lambda v: _filled(v, (3, 4, 5)),
    "Fortran": lambda v: np.asfortranarray(_filled(v, (5, 7))),
    "turned": lambda v: _filled(v, (3, 4, 5)).transpose(1, 2, 0),
    "empty": lambda v: _filled(v, (0, 3)),
    "empty at the end": lambda v: _filled(v, (3, 0)),
    "0-d": lambda v: v[v.size // 3].reshape(()).copy(),
    "one element": lambda v: _filled(v, (1,)),
    "one by one": lambda v: _filled(v[2:], (1, 1)),
    "every second": lambda v: _gaps(v, (40,)),
    "gaps": lambda v: _gaps(v, (5, 7)),
    "backwards": lambda v: _backwards(v, (40,)),
    "backwards by rows": lambda v: _filled(v, (5, 7))[::-1],
    "backwards both": lambda v: _backwards(v, (5, 7)),
    "backwards with gaps": lambda v: _filled(v, (10, 7))[::-2, ::-3],
    "stretched": lambda v: np.broadcast_to(_filled(v, (7,)), (5, 7)),
    "stretched columns": lambda v: np.broadcast_to(_filled(v, (5, 1)), (5, 7)),
    "inner rows": lambda v: _filled(v, (9, 9))[2:7, 1:8],
    "many": lambda v: _filled(v, (1300,)),
    "many with gaps": lambda v: _gaps(v, (1300,)),
}
# Two arrays that lie differently.
PAIRS: dict[str, tuple[Maker, Maker]] = {
    "column and row": (lambda v: _filled(v, (5, 1)), lambda v: _filled(v, (1, 7))),
    "column and flat": (lambda v: _filled(v, (5, 1)), lambda v: _filled(v, (7,))),
    "C and a column": (LAYOUTS["C"], lambda v: _filled(v[3:], (5, 1))),
    "three axes and two": (lambda v: _filled(v, (3, 1, 5)), lambda v: _filled(v, (4, 1))),
    "C and Fortran": (LAYOUTS["C"], LAYOUTS["Fortran"]),
    "Fortran and C": (LAYOUTS["Fortran"], LAYOUTS["C"]),
    "Fortran and a row": (LAYOUTS["Fortran"], lambda v: _filled(v, (7,))),
    "a row and Fortran": (lambda v: _filled(v, (7,)), LAYOUTS["Fortran"]),
    "Fortran and a column": (LAYOUTS["Fortran"], lambda v: _filled(v, (5, 1))),
    "turned and stretched": (LAYOUTS["turned"], lambda v: _filled(v, (4, 1, 1))),
    "turned two ways": (LAYOUTS["turned"], lambda v: _filled(v, (5, 4, 3)).transpose(1, 0, 2)),
    "gaps and stretched": (LAYOUTS["gaps"], LAYOUTS["stretched"]),
    "backwards and forwards": (LAYOUTS["backwards"], lambda v: _filled(v, (40,))),
    "array and 0-d": (LAYOUTS["C"], LAYOUTS["0-d"]),
    "0-d and Fortran": (LAYOUTS["0-d"], LAYOUTS["Fortran"]),
    "array and scalar": (LAYOUTS["C"], lambda v: v[5 % v.size]),
    "scalar and array": (lambda v: v[3 % v.size], LAYOUTS["gaps"]),
    "scalar and scalar": (lambda v: v[3 % v.size], lambda v: v[5 % v.size]),
    "scalar and 0-d": (lambda v: v[3 % v.size], LAYOUTS["0-d"]),
    "array and Python": (LAYOUTS["C"], lambda v: v[2 % v.size].item()),
    "Python and array": (lambda v: v[2 % v.size].item(), LAYOUTS["many"]),
    "empty and row": (LAYOUTS["empty"], lambda v: _filled(v, (3,))),
    "empty and one": (LAYOUTS["empty"], LAYOUTS["one by one"]),
    "one and empty column": (LAYOUTS["one by one"], LAYOUTS["empty at the end"]),
    "one element and array": (LAYOUTS["one element"], LAYOUTS["C"]),
    "one by one and flat": (LAYOUTS["one by one"], lambda v: _filled(v, (7,))),
}


def pairs() -> dict[str, tuple[Maker, Maker]]:
    """Return all layouts for two arrays: both in each, and those that lie differently."""
    return {name: (make, make) for name, make in LAYOUTS.items()} | PAIRS


def dtype_pairs() -> list[tuple[np.dtype[Any], np.dtype[Any]]]:
    """Return all pairs of different dtypes."""
    return list(itertools.permutations(DTYPES, 2))
