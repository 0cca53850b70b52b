"""Finds the bounds that numbers keep which loops carry."""

from __future__ import annotations

from collections.abc import Set
from typing import TYPE_CHECKING

from .dim import Dim, DimLike, values_of
from .ir import Op, Value
from .sums import dim_of
from .types import INT

if TYPE_CHECKING:
    from .bounds import Bounds

LEAST, MOST = -(2**63), 2**63 - 1

# Note [Growth]
# A number that no turn makes smaller is never less than it was at first. One that a turn makes smaller only where it is at least 0, by one, is never less than -1: what
# the loop's test says of it in a turn, and one more, is tried as a bound that the number has at first, and has again at the end of each turn.


def note_growth(bounds: Bounds, op: Op) -> None:
    """Note what is known of the numbers that a loop carries."""
    if op.regions[-1].results is None:
        return
    lead = 1 if op.name == "for_loop" else 0
    own = {value for region in op.regions for value in region.arguments}
    own.update(value for region in op.regions for inner in region.walk() for value in inner.results)
    arguments = op.regions[0].arguments[lead:]
    for first, argument, after in zip(
        op.operands[3 * lead :], arguments, op.regions[-1].results, strict=True
    ):
        if argument.type == INT:
            _note(bounds, dim_of(first), argument, after, own)


def of_result(value: Value) -> Value:
    """Return the number that a loop carries for what it gives in the end; other numbers as they are."""
    op = value.op
    if op is None or op.name not in ("for_loop", "while_loop"):
        return value
    lead = 1 if op.name == "for_loop" else 0
    argument = op.regions[0].arguments[lead + value.index]
    ends = op.regions[0].results
    # What a test gives may be another number.
    return argument if lead or (ends is not None and ends[1 + value.index] is argument) else value


def _note(bounds: Bounds, first: DimLike, argument: Value, after: Value, own: Set[Value]) -> None:
    """Note the bounds of a number that begins as `first` and is `after` at the end of a turn."""
    if _changes(bounds, argument, after, 1):
        bounds.ranges[argument] = (first, _kept(bounds, first, argument, after, own, 1))
    elif _changes(bounds, argument, after, -1):
        bounds.ranges[argument] = (_kept(bounds, first, argument, after, own, -1), first)
    else:
        # What it is at the end of a turn does not depend on what it was, or it is what it was.
        low = min(bounds.end_of(first, upper=False), _end(bounds, argument, after, upper=False))
        high = max(bounds.end_of(first, upper=True), _end(bounds, argument, after, upper=True))
        if low > LEAST or high < MOST:
            bounds.ranges[argument] = (low, high)


def _end(bounds: Bounds, argument: Value, after: Value, upper: bool) -> int:
    """Return a number that another is at most, or at least, on all ways on which it is not the one that it was."""
    if after is argument:
        return LEAST if upper else MOST
    if after.op is not None and after.op.name == "cond":
        ways = [region.results for region in after.op.regions if region.results is not None]
        ends = [_end(bounds, argument, way[after.index], upper) for way in ways]
        return max(ends) if upper else min(ends)
    return bounds.extreme(after, upper)


def _changes(bounds: Bounds, argument: Value, after: Value, sign: int) -> bool:
    """Whether a number at the end of a turn is at least, or with the sign -1 at most, what it was at its beginning."""
    return _exceeds(bounds, after, Dim.of_value(argument), sign)


def _exceeds(bounds: Bounds, value: Value, bound: DimLike, sign: int) -> bool:
    """Whether a number is at least, or with the sign -1 at most, a bound, on all ways on which it is made."""
    if value.op is not None and value.op.name == "cond":
        ways = [region.results for region in value.op.regions if region.results is not None]
        return all(_exceeds(bounds, way[value.index], bound, sign) for way in ways)
    return bounds.nonnegative((dim_of(value) - bound) * sign)


def _kept(
    bounds: Bounds, first: DimLike, argument: Value, after: Value, own: Set[Value], sign: int
) -> DimLike | None:
    """Return a bound on the side to which a number moves, which it has at first and keeps."""
    for fact in bounds.facts:
        if not isinstance(fact, Dim) or fact.coefficient(argument) != -sign:
            continue
        edge = Dim.of_value(argument) + fact * sign
        if own & set(values_of(edge)):
            continue
        for bound in (edge, edge + sign):
            if bounds.nonnegative((bound - first) * sign) and _exceeds(bounds, after, bound, -sign):
                return bound
    return None
