"""The op that is a call of NumPy, for functions that have no other."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT, ArrayType, ScalarType, Type

from .creation import laid_out
from .opdef import OpDef, define


def _types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    if attributes["scalar"]:
        return (ScalarType(attributes["dtype"]),)
    return (ArrayType(attributes["dtype"], attributes["dims"]),)


def caller(attributes: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the call of NumPy that an op stands for, as a function of its operands."""
    function = functools.partial(_function(attributes["function"]), **dict(attributes["known"]))
    named, together = attributes.get("named", ()), attributes.get("together", 0)
    behind, leading = attributes.get("behind", 0), attributes.get("leading")
    if not (named or together or behind or leading):
        return function

    def call(*operands: Any) -> Any:
        count = len(operands) - len(named)
        positional: Any = operands[:count]
        if together:
            positional = (positional[:together], *positional[together:])
        if behind:
            positional = (*positional[:-behind], positional[-behind:])
        if leading:
            positional = (leading, *positional)
        return function(*positional, **dict(zip(named, operands[count:], strict=True)))

    return call


def _evaluate(attributes: Mapping[str, Any], *operands: Any) -> Any:
    return caller(attributes)(*operands)


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
        types.append(ArrayType(np.dtype(dtype), dims[:rank], order))
        dims = dims[rank:]
    return (*types, INT)


def filler(attributes: Mapping[str, Any]) -> Callable[[Sequence[Any], Sequence[Any]], int]:
    """Return what calls NumPy with operands, and puts what it gives into arrays; it returns the last result of the op."""
    call = caller(attributes)
    rows = list(
        zip(attributes["counted"], attributes["orders"], map(np.dtype, attributes["dtypes"]), strict=True)
    )

    def fill(operands: Sequence[Any], targets: Sequence[Any]) -> int:
        found = call(*operands)
        parts = [np.asarray(part) for part in (found if isinstance(found, (tuple, list)) else (found,))]
        count = 0 if len(parts) == len(targets) else -1
        counts = []
        for (is_counted, order, dtype), part, target in zip(rows, parts, targets, strict=False):
            whole = part.shape == target.shape
            if is_counted and part.ndim == target.ndim and len(part) <= len(target):
                counts.append(len(part))
                whole = part.shape[1:] == target.shape[1:]
            packed = part if order is None or part.ndim != len(order) else part.transpose(order)
            if not whole or part.dtype != dtype or not packed.flags.c_contiguous:
                count = -1
        if counts and counts != counts[:1] * len(counts):
            count = -1
        if count < 0:
            assert not attributes["certain"], attributes
            return -1
        for (is_counted, _, _), part, target in zip(rows, parts, targets, strict=True):
            (target[: len(part)] if is_counted else target)[...] = part
        return counts[0] if counts else 0

    return fill


def fitting(attributes: Mapping[str, Any], found: Any, shape: tuple[int, ...]) -> tuple[Any, int]:
    """Return the one array that NumPy gives, and the last result of the op."""
    fits = (
        type(found) is np.ndarray
        and found.shape == shape
        and found.dtype == np.dtype(attributes["dtypes"][0])
        and found.flags.c_contiguous
    )
    assert fits or not attributes["certain"], attributes
    return found, 0 if fits else -1


def _evaluate_several(attributes: Mapping[str, Any], *operands: Any) -> tuple[Any, ...]:
    types = _several_types((), attributes)[:-1]
    targets = [laid_out(type_.dims, type_.dtype, type_.order) for type_ in types]  # type: ignore[union-attr]
    return (*targets, filler(attributes)(operands, targets))


# numpy_several(operands...): as `numpy`, whose function gives several arrays, or one whose length it finds. They have the `ranks`, `dtypes` (by character) and
# `orders`, and one after the other the `dims`; those that are `counted` fill the first elements along their first axis, and the last result is how
# many. It is -1 where what the function gave is not like this. The first `together` operands are handed over as one sequence, behind what is `leading`, or the last `behind`.
define(OpDef("numpy_several", _several_types, _evaluate_several, family="host", fails=True))
