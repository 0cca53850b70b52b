"""The op that is a call of NumPy, for functions that have no other."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT, ArrayType, ScalarType, Type

from .creation import laid_out
from .opdef import OpDef, define


def _types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    if attributes["scalar"]:
        return (ScalarType(attributes["dtype"]),)
    return (ArrayType(attributes["dtype"], attributes["dims"]),)


def _evaluate(attributes: Mapping[str, Any], *operands: Any) -> Any:
    named = attributes.get("named", ())
    count = len(operands) - len(named)
    keywords = zip(named, operands[count:], strict=True)
    positional: Any = operands[:count]
    together = attributes.get("together", 0)
    if together:
        positional = (positional[:together], *positional[together:])
    behind = attributes.get("behind", 0)
    if behind:
        positional = (*positional[:-behind], positional[-behind:])
    if "leading" in attributes:
        positional = (attributes["leading"], *positional)
    return _function(attributes["function"])(*positional, **dict(keywords), **dict(attributes["known"]))


@functools.cache
def _function(name: str) -> Any:
    return operator.attrgetter(name)(np)


# numpy(arrays...): the `function` of NumPy's, by its name below `numpy`, with `known` keyword arguments; the last operands are handed over under the
# names in `named`, if there are some. The result has `dims` and `dtype`, or is a NumPy scalar where `scalar` says so.
define(OpDef("numpy", _types, _evaluate, family="host", fails=True))


def _several_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    dims, types = attributes["dims"], []
    for rank, dtype, order in zip(
        attributes["ranks"], attributes["dtypes"], attributes["orders"], strict=True
    ):
        types.append(ArrayType(dtype, dims[:rank], order))
        dims = dims[rank:]
    return (*types, INT)


def _evaluate_several(attributes: Mapping[str, Any], *operands: Any) -> tuple[Any, ...]:
    found = _evaluate(attributes, *operands)
    parts = [np.asarray(part) for part in (found if isinstance(found, (tuple, list)) else (found,))]
    empty: list[Any] = [
        np.empty(tuple(map(operator.index, type_.dims)), type_.dtype) for type_ in _array_types(operands, attributes)
    ]
    counted, orders = attributes["counted"], attributes["orders"]
    counts = {len(part) for part, is_counted in zip(parts, counted, strict=False) if is_counted and part.ndim}
    agree = len(counts) < 2 and len(parts) == len(empty)
    for part, room, is_counted, order in zip(parts, empty, counted, orders, strict=False):
        whole = part.shape == room.shape
        if is_counted:
            whole = part.ndim == room.ndim and part.shape[1:] == room.shape[1:] and len(part) <= len(room)
        packed = part if order is None or part.ndim != len(order) else part.transpose(order)
        agree = agree and whole and part.dtype == room.dtype and packed.flags.c_contiguous
    if not agree:
        assert not attributes["certain"], attributes
        return (*_laid_out(empty, orders), -1)
    for place, is_counted in enumerate(counted):
        if is_counted:
            empty[place][: len(parts[place])] = parts[place]
            parts[place] = empty[place]
    return (*parts, counts.pop() if counts else 0)


def _array_types(operands: Sequence[Any], attributes: Mapping[str, Any]) -> list[ArrayType]:
    return [type_ for type_ in _several_types(operands, attributes) if isinstance(type_, ArrayType)]


def _laid_out(arrays: Sequence[Any], orders: Sequence[Any]) -> list[Any]:
    return [laid_out(array.shape, array.dtype, order) for array, order in zip(arrays, orders, strict=True)]


# numpy_several(operands...): as `numpy`, whose function gives several arrays, or one whose length it finds. They have the `ranks`, `dtypes` and
# `orders`, and one after the other the `dims`; those that are `counted` fill the first elements along their first axis, and the last result is how
# many. It is -1 where what the function gave is not like this. The first `together` operands are handed over as one sequence, behind what is `leading`, or the last `behind`.
define(OpDef("numpy_several", _several_types, _evaluate_several, family="host", fails=True))
