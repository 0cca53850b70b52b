"""Random numbers of Python's own `random`, in the order of the program."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import FLOAT, FLOAT64, INT, ScalarType

from .draws import Draw, draw_of
from .random_numbers import Target, drawn, refuse

_FLOATS = (
    "random", "uniform", "gauss", "normalvariate", "expovariate", "betavariate", "gammavariate", "lognormvariate", "paretovariate", "triangular",
    "vonmisesvariate", "weibullvariate",
)  # fmt: skip
_INTEGERS = ("randint", "randrange")
# What is computed of parameters and a float by one operator after the other, so that a number of NumPy's makes one of NumPy's.
_ARITHMETIC = ("uniform", "gauss", "normalvariate", "expovariate")


def _known(name: str, generator: Any, args: tuple[Any, ...]) -> Draw | None:
    """Return what is known of a draw of those numbers that devices draw by themselves."""
    if name == "randrange" and len(args) == 1:
        return draw_of(name, generator, (0, *args), {})
    counts = {"random": 0, "uniform": 2, "randint": 2, "randrange": 2}
    return draw_of(name, generator, args, {}) if counts.get(name) == len(args) else None


def _result(name: str, given: list[Any]) -> ScalarType:
    """Return the type of a number: Python's, unless a parameter is a number of NumPy's."""
    if name in _INTEGERS:
        return INT
    kinds = [lift(thing).type for thing in given if isinstance(thing, (SymbolicScalar, np.generic))]
    numpys = [kind.dtype for kind in kinds if isinstance(kind, ScalarType) and not kind.weak]
    if not numpys:
        return FLOAT
    if name not in _ARITHMETIC or any(np.result_type(dtype, 1.0) != np.float64 for dtype in numpys):
        refuse(name, "with numbers of NumPy's")
    return ScalarType(FLOAT64)


def _function(name: str, target: Target, owned: bool) -> Callable[..., Any]:
    def draw(*args: Any, **kwargs: Any) -> Any:
        given = args[owned:]
        known = None if kwargs else _known(name, args[0] if owned else random, given)
        return drawn(target, args, kwargs, _result(name, [*given, *kwargs.values()]), None, draw=known)

    return draw


OBJECT_METHODS[random.Random] = {name: _function(name, name, True) for name in (*_FLOATS, *_INTEGERS)}
for _name in (*_FLOATS, *_INTEGERS):
    FUNCTIONS[getattr(random, _name)] = _function(_name, getattr(random, _name), False)
