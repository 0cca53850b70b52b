"""Unrolls reductions over few rows: their steps become part of a nest over the elements of a row, which can be fused with others.

Before:
    for j in range(n): y[j] = 0.0
    for i in range(2):
        for j in range(n): y[j] = y[j] + x[i, j]
After:
    for j in range(n):
        t = 0.0 + x[0, j]
        u = t + x[1, j]
        y[j] = u
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.ops.table import TABLE

from .buffer import Variable
from .expression import Apply, Constant, Element, Expression, moved
from .statement import Body, For, Fused, If, Let, Nest, Part, Reduction, While

# How many rows there may be.
_ROWS = 16
_EXTREMES = frozenset(("maximum", "minimum", "fmax", "fmin"))


def unroll_rows(body: Body) -> Body:
    """Return a body with its reductions over few rows as nests."""
    result: Body = []
    for statement in body:
        match statement:
            case If(_, then, otherwise):
                statement = replace(statement, then=unroll_rows(then), otherwise=unroll_rows(otherwise))
            case While():
                head, inside = unroll_rows(statement.head), unroll_rows(statement.body)
                statement = replace(statement, head=head, body=inside)
            case For():
                statement = replace(statement, body=unroll_rows(statement.body))
            case Reduction():
                statement = _by_elements(statement) or statement
        result.append(statement)
    return result


def _by_elements(reduction: Reduction) -> Fused | None:
    """Return a reduction over few rows as a nest; None where there may be many, or they are no rows."""
    target, type_ = reduction.target, reduction.expression.type
    if not reduction.loops or reduction.loops[-1][0] in reduction.reduced or isinstance(target, Value):
        return None
    rows = [(index, dim) for index, dim in reduction.loops if index in reduction.reduced]
    counts = [dim for _, dim in rows if isinstance(dim, int)]
    if len(counts) < len(rows) or not 0 < math.prod(counts) <= _ROWS or type_.dtype != target.buffer.dtype:
        return None
    variables = [index for index, _ in rows]
    steps = _steps(
        reduction,
        [
            _at(reduction.expression, dict(zip(variables, places, strict=True)))
            for places in itertools.product(*map(range, counts))
        ],
    )
    if steps is None:
        return None
    parts: list[Part] = []
    strong = ScalarType(type_.dtype)
    total, *rest = steps
    for step in rest:
        if not isinstance(total, (Constant, Element)):
            value = Value(strong, target.buffer.name)
            parts.append(Let(value, total, reduction.location))
            total = Variable(value)
        total = Apply(reduction.ufunc, (total, step), strong)
    parts.append(Nest([], target, total, reduction.location))
    kept = [loop for loop in reduction.loops if loop[0] not in reduction.reduced]
    return Fused(kept, parts, reduction.location)


def _at(expression: Expression, places: dict[Value, int]) -> Expression:
    """Return an expression at one turn of the loops over rows."""

    def replaced(value: Value) -> DimLike:
        return places[value] if value in places else Dim.of_value(value)

    return moved(expression, replaced)


def _steps(reduction: Reduction, elements: list[Expression]) -> list[Expression] | None:
    """Return what is combined, one after the other; None where it is not known what comes first."""
    ufunc, type_ = reduction.ufunc, reduction.expression.type
    if ufunc in _EXTREMES:
        return elements
    identity = TABLE[ufunc].numpy.identity
    if identity is None or ufunc.startswith("logical"):
        return None
    return [Constant(np.array(identity).astype(type_.dtype)[()], ScalarType(type_.dtype)), *elements]
