"""Random numbers that come in vectors, or go into an array that is there: NumPy draws them, in the order of the program."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.composites.arguments import as_dims
from transpile.runtime.composites.sequences import as_array
from transpile.runtime.graph.types import FLOAT64, INT64, ScalarType

from .draws import is_plain
from .random_numbers import Target, drawn, refuse, sizes

# Distributions of vectors: the parameter that is as long as they are, by place and name, and the dtype of their elements.
_VECTORS = {
    "multivariate_normal": (0, "mean", FLOAT64),
    "dirichlet": (0, "alpha", FLOAT64),
    "multinomial": (1, "pvals", INT64),
}


def _vector(name: str, target: Target, owned: bool) -> Any:
    """Return what stands for a distribution of vectors."""
    place, parameter, dtype = _VECTORS[name]
    behind = 2 if name != "dirichlet" else 1

    def draw(*args: Any, size: Any = None, **kwargs: Any) -> Any:
        owner, args = args[:owned], args[owned:]
        if len(args) > behind:
            size, args = args[behind], args[:behind] + args[behind + 1 :]
        given = args[place] if len(args) > place else kwargs.get(parameter)
        if len(args) > behind or not isinstance(given, (SymbolicArray, list, tuple)):
            refuse(name, "with these arguments")
        vector = as_array(given)
        if vector.ndim != 1 or not all(map(is_plain, args[:place])):
            refuse(name, "of other than a vector")
        dims = () if size is None else as_dims(size)
        options = kwargs if size is None else {**kwargs, "size": sizes(dims)}
        return drawn(target, (*owner, *args), options, ScalarType(dtype), (*dims, vector.dims[0]))

    return draw


def _permuted(generator: Any, things: Any, *, axis: Any = None, out: Any = None) -> Any:
    """Stand for `Generator.permuted`."""
    if not isinstance(things, SymbolicArray) or out is not None:
        refuse("permuted", "of other than an array, or into one")
    if things.type.order is not None or not things.contiguous:
        refuse("permuted", "of an array that is not in C order")
    return drawn("permuted", (generator, things), {"axis": axis}, ScalarType(things.dtype), things.dims)


for _name in _VECTORS:
    for _class in (np.random.Generator, np.random.RandomState):
        OBJECT_METHODS[_class][_name] = _vector(_name, _name, True)
    FUNCTIONS[getattr(np.random, _name)] = _vector(_name, getattr(np.random, _name), False)
OBJECT_METHODS[np.random.Generator]["permuted"] = _permuted
