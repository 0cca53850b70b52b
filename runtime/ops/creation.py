"""Ops that make values from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, ArrayType, Type, element

from .opdef import OpDef, define


def _filled(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (ArrayType(element(operands[0]), attributes["dims"], attributes.get("order")),)


def _order(attributes: Mapping[str, Any]) -> str:
    return "C" if attributes.get("order") is None else "F"


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
        lambda attributes: np.zeros(
            tuple(map(int, attributes["dims"])), attributes["dtype"], _order(attributes)
        ),
        family="creation",
    )
)
# fill(scalar): an array of one value.
define(
    OpDef(
        "fill",
        _filled,
        lambda attributes, value: np.full(
            tuple(map(int, attributes["dims"])), value, np.asarray(value).dtype, _order(attributes)
        ),
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
