"""Generators of random numbers that a function makes, and seeds."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import OBJECT_METHODS, SymbolicObject

from .hosts import Result
from .random_numbers import Target, drawn, refuse

_BITS: tuple[type, ...] = (
    np.random.PCG64,
    np.random.PCG64DXSM,
    np.random.MT19937,
    np.random.Philox,
    np.random.SFC64,
)


def _seeds(target: Target, owned: bool, result: Result = None) -> Callable[..., Any]:
    """Return what stands for what seeds a generator, or makes one: without a seed, it cannot be done again."""

    def call(*args: Any, **kwargs: Any) -> Any:
        seeds = (*args[owned:], *kwargs.values())
        if not all(map(_is_own, seeds)):
            refuse(str(getattr(target, "__name__", target)), "of a generator that was there before the call")
        return drawn(target, args, kwargs, result, None, any(seed is not None for seed in seeds))

    return call


def _is_own(seed: Any) -> bool:
    """Whether a seed is none, or a generator that the call has made: from what others have, they may draw meanwhile."""
    if not isinstance(seed, SymbolicObject):
        return True
    return seed.value.op is not None and seed.value.op.name == "host_call"


def _default_rng(seed: Any = None) -> Any:
    """Stand for `numpy.random.default_rng`."""
    if isinstance(seed, SymbolicObject) and seed.kind is np.random.Generator:
        return seed
    return _seeds(np.random.default_rng, False, np.random.Generator)(seed)


for _class in _BITS:
    OBJECT_METHODS[_class] = {}
for _class in (*_BITS, np.random.Generator, np.random.RandomState, random.Random):
    FUNCTIONS[_class] = _seeds(_class, False, _class)
FUNCTIONS[np.random.default_rng] = _default_rng
FUNCTIONS[np.random.seed] = _seeds(np.random.seed, False)
FUNCTIONS[random.seed] = _seeds(random.seed, False)
for _class in (np.random.RandomState, random.Random):
    OBJECT_METHODS[_class]["seed"] = _seeds("seed", True)
