"""Ops that read and write through views, and that rearrange arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import ArrayType, ScalarType, Type, element
from transpile.runtime.views.view import View

from .copies import copied
from .creation import laid_out
from .opdef import OpDef, define


def _view_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    (base,) = operands
    view: View = attributes["view"]
    assert isinstance(base, ArrayType)
    return (ArrayType(base.dtype, view.dims, view.order(base.axes)),)


def _same(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (operands[0],)


def _update(attributes: Mapping[str, Any], base: Any, value: Any) -> Any:
    result = base.copy("K") if attributes.get("input") is None else copied(base)
    attributes["view"].of_numpy(result, int)[...] = value
    return result


# view(base): the elements that the view shows.
define(
    OpDef(
        "view",
        _view_types,
        lambda attributes, base: attributes["view"].of_numpy(base, int),
        family="view",
        view_of=0,
    )
)
# load(base): the one element that a view without axes shows, as a NumPy scalar.
define(
    OpDef(
        "load",
        lambda operands, attributes: (ScalarType(element(operands[0])),),
        lambda attributes, base: attributes["view"].of_numpy(base, int)[()],
        family="view",
    )
)
# update(base, value): base with the elements that the view shows replaced by value, which is broadcast to the view and has its dtype. The
# attribute `input` is the place of the argument whose memory it is, or None: a write to an argument is seen by the caller.
define(OpDef("update", _same, _update, family="view", writes=0))


def _reshape_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (ArrayType(element(operands[0]), attributes["dims"]),)


# reshape(array): the same elements, in C order, in other dims of the same size.
define(
    OpDef(
        "reshape",
        _reshape_types,
        lambda attributes, array: array.reshape(tuple(map(int, attributes["dims"]))),
        family="view",
        view_of=0,
    )
)


def _copy(attributes: Mapping[str, Any], array: Any) -> Any:
    result = laid_out(array.shape, array.dtype, attributes["order"])
    result[...] = array
    return result


# reserve(array): the array with more room along the first axis, if `dims` has more: the elements that it has, and others that are not set.
# The old array is not used any more.
define(
    OpDef(
        "reserve",
        lambda operands, attributes: (ArrayType(element(operands[0]), attributes["dims"]),),
        lambda attributes, array: np.resize(array, tuple(map(int, attributes["dims"]))),
        family="shape",
    )
)
# copy(array): the elements in memory of their own, whose axes lie in the attribute `order`; C order where it is None.
define(
    OpDef(
        "copy",
        lambda operands, attributes: (
            ArrayType(element(operands[0]), operands[0].dims, attributes["order"]),  # type: ignore[union-attr]
        ),
        _copy,
        family="shape",
    )
)


def _concatenate_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    axis = attributes["axis"]
    first = operands[0]
    assert isinstance(first, ArrayType)
    total: Any = 0
    for operand in operands:
        total = total + operand.dims[axis]  # type: ignore[union-attr]
    return (
        ArrayType(first.dtype, (*first.dims[:axis], total, *first.dims[axis + 1 :]), attributes["order"]),
    )


def _concatenated(attributes: Mapping[str, Any], arrays: Sequence[Any]) -> Any:
    order = attributes["order"]
    if order is None:
        return np.concatenate(arrays, attributes["axis"])
    turned = [array.transpose(order) for array in arrays]
    joined = np.concatenate(
        [np.ascontiguousarray(array) for array in turned], order.index(attributes["axis"])
    )
    return joined.transpose(np.argsort(order))


# concatenate(arrays...): arrays of one dtype and rank, joined along an axis; their other dims agree.
define(
    OpDef(
        "concatenate",
        _concatenate_types,
        lambda attributes, *arrays: _concatenated(attributes, arrays),
        family="shape",
        numpy=np.concatenate,
    )
)
