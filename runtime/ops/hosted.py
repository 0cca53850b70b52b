"""The op that is a call of NumPy, for functions that have no other."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import ArrayType, ScalarType, Type

from .opdef import OpDef, define


def _types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    if attributes["scalar"]:
        return (ScalarType(attributes["dtype"]),)
    return (ArrayType(attributes["dtype"], attributes["dims"]),)


def _evaluate(attributes: Mapping[str, Any], *operands: Any) -> Any:
    return _function(attributes["function"])(*operands, **dict(attributes["known"]))


@functools.cache
def _function(name: str) -> Any:
    return operator.attrgetter(name)(np)


# numpy(arrays...): the `function` of NumPy's, by its name below `numpy`, with `known` keyword arguments; the result has `dims` and `dtype`, or is a
# NumPy scalar where `scalar` says so.
define(OpDef("numpy", _types, _evaluate, family="host", fails=True))
