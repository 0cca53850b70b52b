"""Ops that reduce axes."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, ArrayType, DType, ScalarType, Type

from .floating_errors import flags_of
from .opdef import TABLE, OpDef, define


def reduced(operand: Type, axes: tuple[int, ...], dtype: DType) -> Type:
    """Return the type of an array with `axes` reduced away; a scalar where none are left."""
    assert isinstance(operand, ArrayType)
    kept = [axis for axis in range(len(operand.dims)) if axis not in axes]
    if not kept:
        return ScalarType(dtype)
    order = [kept.index(axis) for axis in operand.axes if axis in kept]
    return ArrayType(dtype, tuple(operand.dims[axis] for axis in kept), tuple(order))


def _reduce_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (reduced(operands[0], attributes["axes"], attributes["dtype"]),)


def _reduce(attributes: Mapping[str, Any], array: Any) -> Any:
    ufunc = TABLE[attributes["ufunc"]].numpy
    return ufunc.reduce(array, axis=attributes["axes"], dtype=attributes["dtype"])


# reduce(array): the axes combined by a ufunc, in NumPy's order. The attribute `dtype` is that of the result, to which NumPy converts the
# elements on the way (logical ufuncs give bool of any dtype).
define(OpDef("reduce", _reduce_types, _reduce, family="reduction"))


def _asked_errors(attributes: Mapping[str, Any], found: Any, *operands: Any) -> Any:
    evaluate = TABLE[attributes["of"]].evaluate
    assert evaluate is not None
    return INT64.type(flags_of(functools.partial(evaluate, attributes), *operands) if found else 0)


# asked_errors(found, operands...): the errors in the op of the attribute `of`, with these attributes, of which NumPy is asked where some were `found`.
define(
    OpDef(
        "asked_errors",
        lambda operands, attributes: (ScalarType(INT64),),
        _asked_errors,
        family="reduction",
    )
)


def _argreduce_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    # NumPy makes a new array in C order.
    result = reduced(operands[0], (attributes["axis"],), INT64)
    return (ArrayType(INT64, result.dims) if isinstance(result, ArrayType) else result,)


# argreduce(array): the place of the first largest or smallest element along an axis; NaN counts as both.
define(
    OpDef(
        "argreduce",
        _argreduce_types,
        lambda attributes, array: getattr(np, attributes["function"])(array, attributes["axis"]),
        family="reduction",
    )
)
