"""What a device has to know of a random number to draw it by itself; see Note [Draws]."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.numbers import DTYPES, cast, lift
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import FLOAT64, INT64, ScalarType

Draw = tuple[str, Sequence[Value]]

# The parameters of distributions, those that may be left out with their defaults.
_TEXT = {
    "random": "", "random_sample": "", "sample": "", "ranf": "", "rand": "", "standard_normal": "", "randn": "", "standard_exponential": "",
    "standard_cauchy": "", "normal": "loc=0.0 scale=1.0", "uniform": "low=0.0 high=1.0", "exponential": "scale=1.0", "laplace": "loc=0.0 scale=1.0",
    "logistic": "loc=0.0 scale=1.0", "gumbel": "loc=0.0 scale=1.0", "lognormal": "mean=0.0 sigma=1.0", "rayleigh": "scale=1.0", "gamma": "shape scale=1.0",
    "standard_gamma": "shape", "beta": "a b", "chisquare": "df", "f": "dfnum dfden", "pareto": "a", "power": "a", "weibull": "a", "standard_t": "df",
    "triangular": "left mode right", "vonmises": "mu kappa", "wald": "mean scale", "poisson": "lam=1.0", "binomial": "n p", "geometric": "p", "logseries": "p",
    "zipf": "a", "negative_binomial": "n p", "hypergeometric": "ngood nbad nsample", "noncentral_chisquare": "df nonc", "noncentral_f": "dfnum dfden nonc",
    "integers": "low high", "randint": "low high", "randrange": "low high", "permutation": "",
}  # fmt: skip
_REALS = frozenset(dtype for dtype in DTYPES if dtype.kind in "biuf")
# Parameters, and distributions, of integers.
_COUNTS = frozenset(("n",))
_BOUNDS = frozenset(("integers", "integers_closed", "randint", "randrange"))


def _parsed(text: str) -> dict[str, float | None]:
    pairs = (part.partition("=") for part in text.split())
    return {name: float(default) if default else None for name, _, default in pairs}


PARAMETERS = {name: _parsed(text) for name, text in _TEXT.items()}
_FAMILIES = (np.random.Generator, np.random.RandomState, random.Random)
# The old generators' numbers that come in pairs.
_PAIRED = frozenset(("normal", "standard_normal", "randn"))


def draw_of(name: str, generator: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Draw | None:
    """Return what is known of a draw of a distribution by parameters, None where Python has to be asked.

    The generator is an object, or None for the one behind `numpy.random`, or the module `random`.
    """
    parameters = PARAMETERS.get(name.removesuffix("_closed").removesuffix("32"))
    if parameters is None or not kwargs.keys() <= parameters.keys() or len(args) > len(parameters):
        return None
    given = {**parameters, **dict(zip(parameters, args, strict=False)), **kwargs}
    if any(not is_plain(thing) for thing in given.values()):
        return None
    counts = _COUNTS if name not in _BOUNDS else given.keys()
    values = []
    for parameter, thing in given.items():
        value = lift(thing)
        assert isinstance(value.type, ScalarType)
        if parameter in counts and value.type.dtype.kind not in "bi":
            return None
        values.append(cast(value, INT64 if parameter in counts else FLOAT64))
    default = random.Random if generator is random else np.random.RandomState
    kind = generator.kind if isinstance(generator, SymbolicObject) else default
    family = next(base.__name__ for base in _FAMILIES if issubclass(kind, base))
    gauss = family == "RandomState" and name in _PAIRED
    handle = (generator.value,) if isinstance(generator, SymbolicObject) else ()
    marks = {"python": True} if generator is random else {}
    return f"{family}.{name}", (recorder().emit("bit_generator", *handle, gauss=gauss, **marks), *values)


def is_plain(thing: Any) -> bool:
    """Whether a thing is a real number that the graph holds."""
    if type(thing) is int:
        return -(2**63) <= thing < 2**63
    if isinstance(thing, SymbolicScalar):
        return thing.type.dtype.kind in "biuf"
    return type(thing) in (bool, float) or (isinstance(thing, np.generic) and thing.dtype in _REALS)
