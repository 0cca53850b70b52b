"""Reads views from the subscripts that they are written as; see Note [Subscripts]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .dim import Dim, DimLike, terms_of
from .tokens import Tokens

# Makes a view of the dims of its base, its own dims, and the map from its indices to those of the base.
MakeView = Callable[[tuple[DimLike, ...], tuple[DimLike, ...], tuple[Any, ...]], Any]


def read_subscript(line: Tokens, base_dims: tuple[DimLike, ...], make_view: MakeView) -> Any:
    """Take the subscript that a view is written as; see Note [Subscripts]."""
    line.expect("[")
    axes: list[tuple[DimLike, tuple[tuple[int, int], ...]]] = []
    dims: list[DimLike] = []
    if "$" in line.words[line.place :]:
        return _general(line, base_dims, make_view)

    def item() -> None:
        if line.accept("None"):
            dims.append(_stretch(line))
            return
        if len(axes) == len(base_dims):
            line.fail("there are more indices than axes")
        base = base_dims[len(axes)]
        start = None if line.peek() == ":" else _position(line, base)
        if line.accept(":"):
            offset, length, step = _slice(line, start, base)
            axes.append((offset, ((len(dims), step),)))
            dims.append(length)
        else:
            assert start is not None
            axes.append((start, ()))

    line.listed(item, "]")
    if len(axes) < len(base_dims):
        line.fail("there are fewer indices than axes")
    if line.accept(".", "transpose", "("):
        order = line.listed(line.integer, ")")
        axes = [(offset, tuple((order.index(a), s) for a, s in terms)) for offset, terms in axes]
        dims = [dims[axis] for axis in order]
    return make_view(base_dims, tuple(dims), tuple(axes))


def _stretch(line: Tokens) -> DimLike:
    """Take the length of a new axis."""
    if not line.accept("*"):
        return 1
    if not line.accept("("):
        return line.integer()
    dim = line.dim()
    line.expect(")")
    return dim


def _general(line: Tokens, base_dims: tuple[DimLike, ...], make_view: MakeView) -> Any:
    sums = line.listed(line.sum, "for")
    dims: list[DimLike] = []
    while not line.accept("]"):
        line.expect("$", str(len(dims)), "<")
        dims.append(line.dim())
        line.accept(",")
    return make_view(base_dims, tuple(dims), tuple((o, tuple(sorted(m.items()))) for o, m in sums))


def _position(line: Tokens, base: DimLike) -> DimLike:
    """Take an index or the start or stop of a slice: a negative number counts from the end."""
    if line.accept("("):
        number = line.integer()
        line.expect(")")
        return number
    negative = line.peek() == "-"
    dim = line.dim()
    return base + dim if negative and isinstance(dim, int) else dim


def _slice(line: Tokens, start: DimLike | None, base: DimLike) -> tuple[DimLike, DimLike, int]:
    """Take the rest of a slice: return where it starts, its length and its step."""
    counted = line.accept("+")
    stop = base if line.peek() in (":", ",", "]") else line.dim() if counted else _position(line, base)
    step = line.integer() if line.accept(":") else 1
    if step == -1 and start is None and not counted:
        return base - 1, base, step
    offset = 0 if start is None else start
    return offset, stop if counted else _divided(stop - offset, step, line), step


def _divided(dim: DimLike, step: int, line: Tokens) -> DimLike:
    """Return the length of a slice, whose stop is where its steps lead."""
    terms: dict[Any, int] = {}
    for values, factor in terms_of(dim):
        if factor % step:
            line.fail("the stop of a slice is not where its steps lead")
        terms[values] = factor // step
    return Dim.normal(terms)
