"""Eigenvalues of matrices that are not symmetric, and roots of polynomials, which are such: real or complex, as the numbers decide.

From NumPy 2.5 on eigenvalues are complex; roots are as before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from transpile.runtime.arrays.functions import implements
from transpile.runtime.composites.calls import refuse
from transpile.runtime.composites.factors import complex_eigen, matrices, square
from transpile.runtime.composites.sequences import as_array

from .call import call

_SAMPLE = np.linalg.eig(np.eye(1))
_EIG, _ALWAYS_COMPLEX = type(_SAMPLE), _SAMPLE.eigenvalues.dtype.kind == "c"


def _real_parts(numbers: Any, real: Any) -> Any:
    """Return the real parts of new complex numbers: in double precision as they lie in memory, with gaps between them."""
    if real is np.float32:
        return numbers.real.astype(real)
    pairs = np.empty((*numbers.shape, 2))
    pairs[..., 0] = numbers.real
    return pairs[..., 0]


def _real_or_complex(values: Any, real: Any, wide: Any) -> Any:
    """Return eigenvalues in real numbers where they all are."""
    parts, whole = _real_parts(values, real), values.astype(wide, copy=False)
    return parts if np.all(values.imag == 0) else whole


def _real_or_complex_vectors(values: Any, vectors: Any, real: Any, wide: Any) -> Any:
    """Return eigenvalues and vectors in real numbers where the values all are."""
    parts = _real_parts(values, real), _real_parts(vectors, real)
    whole = values.astype(wide, copy=False), vectors.astype(wide, copy=False)
    return parts if np.all(values.imag == 0) else whole


@implements(np.linalg.eigvals)
def eigvals(a: Any) -> Any:
    """Stand for `numpy.linalg.eigvals`."""
    array = matrices("eigvals", a)
    square(array)
    (values,) = complex_eigen("eigvals", array)
    real, wide = _dtypes(array.dtype)
    if real is None or _ALWAYS_COMPLEX:
        return call(np.astype, values, wide, copy=False)
    return call(_real_or_complex, values, real, wide)


@implements(np.linalg.eig)
def eig(a: Any) -> Any:
    """Stand for `numpy.linalg.eig`."""
    array = matrices("eig", a)
    square(array)
    found = complex_eigen("eig", array)
    real, wide = _dtypes(array.dtype)
    if real is None or _ALWAYS_COMPLEX:
        return _EIG(*(call(np.astype, part, wide, copy=False) for part in found))
    return _EIG(*call(_real_or_complex_vectors, *found, real, wide))


def _complex_eigenvalues(matrix: Any) -> Any:
    """Return eigenvalues in complex numbers; not traced into."""
    return complex_eigen("eigvals", matrix)[0]


implements(_complex_eigenvalues)(_complex_eigenvalues)


def _roots(coefficients: Any, eigenvalues: Any, real: Any, wide: Any) -> Any:
    """Return the roots of a polynomial: the eigenvalues of its companion matrix, and zero as often as there are zeros at the end."""
    places = np.nonzero(coefficients)[0]
    if len(places) == 0:
        return np.array([])
    zeros = len(coefficients) - places[-1] - 1
    inner = coefficients[int(places[0]) : int(places[-1]) + 1]
    if len(inner) < 2:
        return np.zeros(zeros)
    companion = np.diag(np.ones(len(inner) - 2, inner.dtype), -1)
    companion[0, :] = -inner[1:] / inner[0]
    values = eigenvalues(companion)
    if real is not None and np.all(values.imag == 0):
        return np.concatenate((values.real.astype(real), np.zeros(zeros, real)))
    return np.concatenate((values.astype(wide), np.zeros(zeros, wide)))


@implements(np.roots)
def roots(p: Any) -> Any:
    """Stand for `numpy.roots`."""
    array = as_array(p)
    if array.ndim != 1 or array.dtype == np.float16:
        refuse("roots", "of other than a vector, or of float16")
    if array.dtype.kind not in "fc":
        array = call(np.astype, array, np.float64)
    return call(_roots, array, _complex_eigenvalues, *_dtypes(array.dtype))


def _roots_of_series(c: Any) -> Any:
    """Leave the roots of series to NumPy: they come out of a branch, where the gaps between them would be lost."""
    refuse("polynomial", "whose roots are eigenvalues")


for _module in (polynomial, chebyshev, legendre, laguerre, hermite, hermite_e):
    for _name in _module.__all__:
        if _name.endswith("roots") and not _name.endswith("fromroots"):
            implements(getattr(_module, _name))(_roots_of_series)


def _dtypes(dtype: Any) -> tuple[Any, Any]:
    """Return the dtypes of real and complex results; None for those that are none of the former."""
    if dtype.kind == "c":
        return None, dtype
    return (np.float32, np.complex64) if dtype == np.float32 else (np.float64, np.complex128)
