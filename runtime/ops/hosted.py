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
    named = attributes.get("named", ())
    count = len(operands) - len(named)
    keywords = zip(named, operands[count:], strict=True)
    return _function(attributes["function"])(*operands[:count], **dict(keywords), **dict(attributes["known"]))


@functools.cache
def _function(name: str) -> Any:
    return operator.attrgetter(name)(np)


# numpy(arrays...): the `function` of NumPy's, by its name below `numpy`, with `known` keyword arguments; the last operands are handed over under the
# names in `named`, if there are some. The result has `dims` and `dtype`, or is a NumPy scalar where `scalar` says so.
define(OpDef("numpy", _types, _evaluate, family="host", fails=True))
