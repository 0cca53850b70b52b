"""Ops that read and write at places that run time gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import INT64, ArrayType, Type, dims_of

from .copies import copied
from .elementwise import k_order
from .opdef import OpDef, define


def _nonzero_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    return (ArrayType(INT64, attributes["dims"]),) * len(dims_of(operands[0]))


# nonzero(mask): the places of the true elements in C order, one array for each axis; `dims` holds how many there are.
define(
    OpDef(
        "nonzero",
        _nonzero_types,
        lambda attributes, mask: places if len(places := np.nonzero(mask)) > 1 else places[0],
        family="gather",
    )
)


def _gather_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    base, *indices = operands
    assert isinstance(base, ArrayType)
    lead, count = dims_of(indices[0]), len(indices)
    rest = [axis - count + len(lead) for axis in base.axes if axis >= count]
    if not rest:
        # Nothing but single elements is taken: they lie as the indices do.
        order = k_order([index for index in indices if isinstance(index, ArrayType)], len(lead))
    else:
        order = (*range(len(lead)), *rest)
    return (ArrayType(base.dtype, (*lead, *base.dims[count:]), order),)


# gather(base, indices...): the elements of the first axes of base at the indices, integer arrays of the same dims, all of them in range;
# the dims of the indices stand first, and further axes of base follow, in the order that they have in memory.
define(OpDef("gather", _gather_types, lambda attributes, base, *indices: base[indices], family="gather"))


def _scatter(attributes: Mapping[str, Any], base: Any, value: Any, *indices: Any) -> Any:
    result = base.copy("K") if attributes.get("input") is None else copied(base)
    attributes["view"].of_numpy(result, int)[indices] = value
    return result


# scatter(base, value, indices...): base with the elements replaced that `gather` reads from the view of it; of several at one place the last holds.
# The attribute `input` is that of `update`.
define(OpDef("scatter", lambda operands, attributes: (operands[0],), _scatter, family="gather", writes=0))
