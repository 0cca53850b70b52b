"""Ops that make values from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, ArrayType, Type, element

from .opdef import OpDef, define


def _filled(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (ArrayType(element(operands[0]), attributes["dims"], attributes.get("order")),)


def laid_out(dims: Sequence[Any], dtype: Any, order: Sequence[int] | None) -> Any:
    """Return a new array of zeros whose axes lie in memory in `order`, from slowest to fastest."""
    if order is None:
        return np.zeros([int(dim) for dim in dims], dtype)
    return np.zeros([int(dims[axis]) for axis in order], dtype).transpose(np.argsort(order))


def _fill(attributes: Mapping[str, Any], value: Any) -> Any:
    result = laid_out(attributes["dims"], np.asarray(value).dtype, attributes.get("order"))
    result[...] = value
    return result


# constant: a number.
define(
    OpDef(
        "constant",
        lambda operands, attributes: (attributes["type"],),
        lambda attributes: attributes["value"],
        family="creation",
    )
)
# table: an array that is the same on every call.
define(
    OpDef(
        "table",
        lambda operands, attributes: (ArrayType(attributes["array"].dtype, attributes["array"].shape),),
        lambda attributes: attributes["array"].copy(),
        family="creation",
    )
)
# empty: an array of any contents.
define(
    OpDef(
        "empty",
        lambda operands, attributes: (
            ArrayType(attributes["dtype"], attributes["dims"], attributes.get("order")),
        ),
        lambda attributes: laid_out(attributes["dims"], attributes["dtype"], attributes.get("order")),
        family="creation",
    )
)
# fill(scalar): an array of one value.
define(
    OpDef(
        "fill",
        _filled,
        _fill,
        family="creation",
    )
)
# iota: the positions 0, 1, 2, ... along one dim, as int64.
define(
    OpDef(
        "iota",
        lambda operands, attributes: (ArrayType(INT64, attributes["dims"]),),
        lambda attributes: np.arange(*map(int, attributes["dims"]), dtype=np.int64),
        family="creation",
    )
)
