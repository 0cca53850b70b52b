"""Scalar expressions: what a loop computes for one element."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.ops.quiet import QUIET

from .buffer import Buffer, Variable

Indices = tuple[DimLike, ...]


@dataclass(frozen=True, eq=False)
class Constant:
    """A number; equal to another only if it has the same bits."""

    value: Any
    type: ScalarType

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, ScalarType]:
        # NaN has a sign, of which its text says nothing.
        value: Any = self.value
        return repr(value) if value == value else str(np.asarray(value).tobytes()), self.type


@dataclass(frozen=True)
class Position:
    """An integer that is a dim: a size, an index, a place in a range."""

    dim: DimLike
    type: ScalarType


@dataclass(frozen=True)
class Element:
    """An element of a buffer."""

    buffer: Buffer
    indices: Indices
    type: ScalarType


@dataclass(frozen=True)
class Apply:
    """An op on scalars, by its name in the op table."""

    name: str
    operands: tuple[Expression, ...]
    type: ScalarType
    attributes: tuple[tuple[str, Any], ...] = field(default=())


@dataclass(frozen=True)
class Gather:
    """An element at places that run time gives: `places` are variables in its indices, each with the expression that it is."""

    places: tuple[tuple[Value, Expression], ...]
    element: Expression

    @property
    def type(self) -> ScalarType:
        """The element's type."""
        return self.element.type


Expression = Constant | Variable | Position | Element | Apply | Gather


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all its parts."""
    yield expression
    if isinstance(expression, Apply):
        for operand in expression.operands:
            yield from walk(operand)
    elif isinstance(expression, Gather):
        for _, place in expression.places:
            yield from walk(place)
        yield from walk(expression.element)


def elements(expression: Expression) -> list[Element]:
    """Return the elements that an expression reads."""
    return [part for part in walk(expression) if isinstance(part, Element)]


def may_raise(expression: Expression) -> bool:
    """Whether computing an expression may raise floating-point flags that NumPy would warn of."""
    return any(
        isinstance(part, Apply)
        and part.name not in QUIET
        and any(of.type.dtype.kind in "fc" for of in (part, *part.operands))
        for part in walk(expression)
    )


def rebuilt(expression: Expression, leaf: Callable[[Expression], Expression]) -> Expression:
    """Return an expression with every part that has no parts replaced by what `leaf` gives for it."""
    if isinstance(expression, Apply):
        operands = tuple(rebuilt(operand, leaf) for operand in expression.operands)
        return Apply(expression.name, operands, expression.type, expression.attributes)
    if isinstance(expression, Gather):
        places = tuple((value, rebuilt(place, leaf)) for value, place in expression.places)
        return Gather(places, rebuilt(expression.element, leaf))
    return leaf(expression)


def moved(expression: Expression, replace: Callable[[Value], DimLike]) -> Expression:
    """Return an expression at another index: the values in its indices are replaced."""

    def leaf(part: Expression) -> Expression:
        if isinstance(part, Element):
            indices = tuple(substitute(index, replace) for index in part.indices)
            return Element(part.buffer, indices, part.type)
        if isinstance(part, Position):
            return Position(substitute(part.dim, replace), part.type)
        return part

    return rebuilt(expression, leaf)


@dataclass(eq=False)
class IndexFunction:
    """An array that is computed where it is used: a function from an index to an expression."""

    dims: tuple[DimLike, ...]
    at: Callable[[Indices], Expression]
