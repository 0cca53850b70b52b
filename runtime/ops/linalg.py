"""Ops that call NumPy's generalised ufuncs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import ArrayType, ScalarType, Type

from .elementwise import broadcast_dims
from .opdef import OpDef, define


def _matmul_types(operands: Sequence[Type], attributes: Mapping[str, Any]) -> tuple[Type, ...]:
    a, b = operands
    assert isinstance(a, ArrayType) and isinstance(b, ArrayType)
    rows, columns = a.dims[-2:-1], b.dims[-1:] if len(b.dims) > 1 else ()
    batch = broadcast_dims([a.dims[:-2], b.dims[:-2]])
    dims = (*batch, *rows, *columns)
    return (ArrayType(a.dtype, dims) if dims else ScalarType(a.dtype),)


# matmul(a, b): operands of one dtype; an operand of one dim is a row on the left and a column on the right.
define(
    OpDef("matmul", _matmul_types, lambda attributes, a, b: np.matmul(a, b), family="linalg", numpy=np.matmul)
)
# dot(a, b): as matmul, by the routine that NumPy's dot takes for operands of at most two dims.
define(OpDef("dot", _matmul_types, lambda attributes, a, b: np.dot(a, b), family="linalg", numpy=np.dot))
