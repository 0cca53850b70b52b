"""Polynomials as vectors of their coefficients, the highest first."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.elementwise import operate
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder

from .arguments import is_zero
from .calls import known_integer, refuse
from .hosted import convolve
from .joining import concatenate
from .ranges import arange
from .sequences import as_array


def _coefficients(function: str, thing: Any) -> SymbolicArray:
    """Return the coefficients of what is no object of NumPy's for polynomials."""
    if not isinstance(thing, (SymbolicArray, list, tuple)):
        refuse(function, "of other than a vector of coefficients")
    array: SymbolicArray = as_array(thing)
    if array.ndim != 1:
        refuse(function, "of other than a vector of coefficients")
    return array


@implements(np.polyder)
def polyder(p: Any, m: Any = 1) -> Any:
    """Stand for `numpy.polyder`."""
    turns = known_integer(m)
    if turns < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    found = _coefficients("polyder", p)
    for _ in range(turns):
        degree = dim_scalar(recorder().normal(found.dims[0] - 1))
        found = operate("multiply", found[:-1], arange(degree, 0, -1))
    return found


@implements(np.polyint)
def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """Stand for `numpy.polyint`."""
    turns = known_integer(m)
    if turns < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    found = _coefficients("polyint", p)
    constants = as_array([0.0] * turns if k is None else k)
    if constants.ndim > 1 or not all(isinstance(dim, int) for dim in constants.dims):
        refuse("polyint", "with so many constants as run time says")
    count = constants.dims[0] if constants.ndim else 1
    if count == 1 and turns > 1:
        constants, count = Operand.call(np.multiply, constants, np.ones(turns)), turns
    if count < turns:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    for turn in range(turns):
        quotients = operate("divide", found, arange(dim_scalar(found.dims[0]), 0, -1))
        found = concatenate((quotients, [constants[turn] if constants.ndim else constants[()]]))
    return found


@implements(np.polymul)
def polymul(a1: Any, a2: Any) -> Any:
    """Stand for `numpy.polymul`."""
    return convolve(*(_without_zeros(_coefficients("polymul", thing)) for thing in (a1, a2)))


def _without_zeros(array: SymbolicArray) -> SymbolicArray:
    """Return coefficients from the first on that is not zero; of zeros alone the original keeps one."""
    found: SymbolicArray = Operand.call(np.trim_zeros, array, "f")
    recorder().deoptimise_if(is_zero(found.dims[0]), "all coefficients are zero")
    return found
