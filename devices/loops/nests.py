"""Loop nests: their loops, their parts, and the same nests at other indices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value

from .expression import Element, Expression, moved
from .statement import Collect, Fused, Let, Nest, Part, Reduction, Statement

Loop = tuple[Value, DimLike]

AnyNest = TypeVar("AnyNest", bound="Nest | Fused | Reduction")
AnyPart = TypeVar("AnyPart", bound=Part)


def loops_of(statement: Statement) -> list[Loop]:
    """Return the loops of a nest."""
    if isinstance(statement, Reduction):
        return statement.loops
    if isinstance(statement, Collect):
        return [statement.place]
    assert isinstance(statement, (Nest, Fused))
    return statement.indices


def with_loops(nest: AnyNest, loops: list[Loop]) -> AnyNest:
    """Return a nest with other loops."""
    return replace(nest, loops=loops) if isinstance(nest, Reduction) else replace(nest, indices=loops)


def parts_of(statement: Statement) -> list[Part]:
    """Return what a nest does at each index."""
    match statement:
        case Fused() | Collect():
            return list(statement.parts)
        case Nest():
            return [replace(statement, indices=[], spread=None)]
        case Reduction():
            return [replace(statement, loops=[], reduced=set(), run=0, spread=None)]
    raise AssertionError(f"{type(statement).__name__} is no nest")


def changed_part(part: AnyPart, change: Callable[[Expression], Expression]) -> AnyPart:
    """Return a part with what it computes, and the element that it stores to, replaced by what `change` gives for them."""
    part = replace(part, expression=change(part.expression))
    if not isinstance(part, Let) and isinstance(part.target, Element):
        target = change(part.target)
        assert isinstance(target, Element)
        part = replace(part, target=target)
    return part


def changed(nest: AnyNest, change: Callable[[Expression], Expression]) -> AnyNest:
    """Return a nest with what each part computes, and the element that it stores to, replaced by what `change` gives for them."""
    if isinstance(nest, Fused):
        return replace(nest, parts=[changed_part(part, change) for part in nest.parts])
    return changed_part(nest, change)


def moved_nest(nest: AnyNest, named: Callable[[Value], DimLike]) -> AnyNest:
    """Return a nest with something else in the place of values in its indices and dims; its loops keep their variables."""
    loops = [(index, substitute(dim, named)) for index, dim in loops_of(nest)]
    return with_loops(changed(nest, lambda part: moved(part, named)), loops)


def with_outermost(nest: AnyNest, index: Value, place: DimLike | None = None) -> AnyNest:
    """Return a nest with another variable for its outermost loop, and that or a `place` instead of the old one."""
    own, extent = loops_of(nest)[0]
    there = Dim.of_value(index) if place is None else place
    nest = moved_nest(nest, lambda value: there if value is own else Dim.of_value(value))
    return with_loops(nest, [(index, extent), *loops_of(nest)[1:]])
