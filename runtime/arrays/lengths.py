"""What is known of the lengths of axes before run time gives them."""

from __future__ import annotations

from transpile.runtime.graph.dim import Dim, DimLike

from .recorder import recorder


def never_one(dim: DimLike) -> bool:
    """Whether a dim is not 1: known, as that of an argument is one of the guards, or from now on assumed."""
    return sign_of(dim - 1) != 0 or recorder().assume_nonnegative(dim - 2)


def sign_of(dim: DimLike) -> int:
    """Return the sign of a dim for all sizes of arguments, which are not 1 where they are symbols, and not 0; 0 where it has none."""
    if isinstance(dim, Dim):
        sizes = recorder().bounds.sizes
        if not all(value in sizes for value in dim.values()):
            return 0
        dim = dim.substitute(lambda value: Dim.of_value(value) + 2)
    factors = [factor for _, factor in dim.terms] if isinstance(dim, Dim) else [dim]
    constant = factors[-1] if not isinstance(dim, Dim) or not dim.terms[-1][0] else 0
    if not constant or any(factor * constant < 0 for factor in factors):
        return 0
    return 1 if constant > 0 else -1
