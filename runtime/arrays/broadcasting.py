"""Shapes that have to agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT

from .recorder import recorder
from .signals import NeedsValue


def broadcast_error(shapes: Sequence[tuple[Any, ...]]) -> ValueError:
    """Return NumPy's error for operands whose shapes do not agree."""
    text = " ".join(str(tuple(shape)).replace(" ", "") for shape in shapes)
    return ValueError(f"operands could not be broadcast together with shapes {text} ")


def agree(
    shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Sequence[tuple[int, ...]]], Exception]
) -> tuple[DimLike, ...]:
    """Return the dims that shapes broadcast to, and make sure that they do.

    What cannot be assumed of the arguments is checked at run time, where `error` makes the exception of the shapes.
    """
    record = recorder()
    rank = max(map(len, shapes), default=0)
    result: list[DimLike] = [1] * rank
    for shape in shapes:
        for axis, dim in enumerate(shape, rank - len(shape)):
            known = result[axis]
            if dim == 1 or record.same(dim, known):
                continue
            if known == 1:
                result[axis] = dim
                continue
            if isinstance(dim, int) and isinstance(known, int):
                disagree(shapes, error)
            _need_ones(dim, known)
            if record.refuted(known, dim) or not record.assume_equal(known, dim):
                check_equal(known, dim, shapes, error)
    return tuple(map(record.normal, result))


def _need_ones(first: DimLike, second: DimLike) -> None:
    """Have dims known one of which is 1 for the arguments at hand, and the other one not: an axis of length 1 broadcasts."""
    record = recorder()
    for dim, other in ((first, second), (second, first)):
        is_one = record.sample_of(dim) == 1 and record.sample_of(other) not in (None, 1)
        if is_one and record.of_arguments(dim):
            raise NeedsValue(record.dim_value(dim))


def check_equal(
    first: DimLike, second: DimLike, shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Any], Exception]
) -> None:
    """Check at run time that two dims are equal, of which neither may be 1 and broadcast; `error` makes the exception of the shapes."""
    record = recorder()
    a, b = record.dim_value(first), record.dim_value(second)
    unequal = record.emit("not_equal", a, b)
    if ("checked", unequal) in record.frame.memo:
        return
    record.frame.memo["checked", unequal] = unequal
    # A size that run time gives may be 1, and would broadcast.
    one = record.constant(1, INT)
    stretched = record.emit("bitwise_or", record.emit("equal", a, one), record.emit("equal", b, one))
    record.deoptimise_if(
        record.emit("bitwise_and", unequal, stretched), "a size that run time gives is 1 and broadcasts"
    )
    _raise_of_shapes(unequal, shapes, error)


def require_one(
    dim: DimLike, shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Any], Exception]
) -> None:
    """Make sure that a dim is 1; `error` makes the exception of the shapes."""
    record = recorder()
    if isinstance(dim, int) and dim != 1:
        disagree(shapes, error)
    if record.refuted(dim, 1) or not record.assume_equal(dim, 1):
        unequal = record.emit("not_equal", record.dim_value(dim), record.constant(1, INT))
        _raise_of_shapes(unequal, shapes, error)


def disagree(shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Any], Exception]) -> NoReturn:
    """Raise what `error` makes of shapes; where they show at run time, and a handler may look at the error, give up staging."""
    found = error(shapes)
    if recorder().attempts and not all(isinstance(dim, int) for shape in shapes for dim in shape):
        recorder().unstageable(
            "S240-handled", f"{type(found).__name__} is raised, and handled, while tracing"
        )
    raise found


def _raise_of_shapes(
    test: Value, shapes: Sequence[tuple[DimLike, ...]], error: Callable[[Any], Exception]
) -> None:
    record = recorder()
    ranks = [len(shape) for shape in shapes]

    def exception(*numbers: int) -> Exception:
        left = iter(numbers)
        return error([tuple(next(left) for _ in range(rank)) for rank in ranks])

    record.raise_if(test, exception, *(record.dim_value(dim) for shape in shapes for dim in shape))
