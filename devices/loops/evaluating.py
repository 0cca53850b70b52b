"""Functions that compute what an op on arrays evaluates to: a later process that runs a kept kernel makes them again, without what schedules."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.dim import DimLike, python_text, substitute
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import ArrayType
from transpile.runtime.ops.hosted import caller, filler, fitting
from transpile.runtime.ops.table import TABLE
from transpile.runtime.recipes import recipe
from transpile.runtime.views.view import View


@recipe
def evaluating(
    op: Op,
    views: Sequence[View | None],
    numbers: Sequence[Value],
    gives: bool,
    dims: Sequence[DimLike] | None = None,
) -> Callable[..., Any]:
    """Return the function of what is viewed, the results' arrays if there are some and it does not give one, and the values in the views' dims; it gives an array that must have some `dims`."""
    count, stores = (
        len(views),
        0 if gives else sum(isinstance(result.type, ArrayType) for result in op.results),
    )
    viewing = [(place, _viewing(view, numbers)) for place, view in enumerate(views) if view is not None]
    several = len(op.results) > 1
    evaluate = filler(op.attributes) if several and dims is None else _call_of(op)
    shape_of = _shape(dims or (), numbers)

    def run(*given: Any) -> Any:
        operands, known = list(given[:count]), given[count + stores :]
        for place, view in viewing:
            operands[place] = view(operands[place], known)
        if dims is not None:
            shape, found = shape_of(known), evaluate(*operands)
            if several:
                return fitting(op.attributes, found, shape)
            return found if np.shape(found) == shape else np.broadcast_to(found, shape)
        if several:
            return evaluate(operands, given[count : count + stores])
        result = evaluate(*operands)
        if not stores:
            return result
        given[count][...] = result
        return None

    return run


def _call_of(op: Op) -> Callable[..., Any]:
    """Return what an op evaluates to as a function of its operands."""
    if op.name in ("numpy", "numpy_several"):
        return caller(op.attributes)
    evaluate = TABLE[op.name].evaluate
    assert evaluate is not None
    return functools.partial(evaluate, op.attributes)


def _shape(dims: Sequence[DimLike], numbers: Sequence[Value]) -> Callable[[Sequence[int]], Any]:
    """Return the function of the run-time values of numbers that gives dims."""
    texts = [python_text(dim, lambda value: f"known[{numbers.index(value)}]") for dim in dims]
    shape: Callable[[Sequence[int]], Any] = eval(f"lambda known: ({''.join(f'{text}, ' for text in texts)})")
    return shape


def _viewing(view: View, numbers: Sequence[Value]) -> Callable[[Any, Sequence[int]], Any]:
    """Return the function of an array, and the run-time values of numbers, that gives a view."""

    def of_any(base: Any, known: Sequence[int]) -> Any:
        values = dict(zip(numbers, known, strict=True))
        return view.of_numpy(base, lambda dim: int(substitute(dim, values.__getitem__)))  # type: ignore[arg-type]

    text = view.python_text("base", lambda value: f"known[{numbers.index(value)}]")
    if text is None:
        return of_any
    names = {"of_any": of_any}
    function: Callable[[Any, Sequence[int]], Any] = eval(
        f"lambda base, known: {text} if base.size else of_any(base, known)", names
    )
    return function
