"""What a truth value says of the integers that it was found by."""

from __future__ import annotations

from .dim import DimLike
from .ir import Op, Value
from .sums import dim_of
from .types import BOOL, INT, element

# How deep truths that are made of others are looked into.
_DEPTH = 6
_COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")


def facts(value: Value, truth: bool, depth: int = _DEPTH) -> list[DimLike]:
    """Return dims that are not negative where a truth value is `truth`."""
    op = value.op
    if op is None or not depth:
        return []
    if is_comparison(op):
        return _of_comparison(op, truth)
    if op.name == "logical_not":
        return facts(op.operands[0], not truth, depth - 1)
    if op.name == "cast" and element(op.operands[0].type) == BOOL:
        return facts(op.operands[0], truth, depth - 1)
    if op.name == ("bitwise_and" if truth else "bitwise_or"):
        return [fact for operand in op.operands for fact in facts(operand, truth, depth - 1)]
    ways = _ways(op, value)
    for taken, (_, known) in enumerate(ways):
        if known is (not truth):
            # It went the other way.
            other = ways[1 - taken][0]
            return facts(op.operands[0], taken == 1, depth - 1) + facts(other, truth, depth - 1)
    return []


def is_comparison(op: Op) -> bool:
    """Whether an op compares Python integers."""
    return op.name in _COMPARISONS and all(operand.type == INT for operand in op.operands)


def _ways(op: Op, value: Value) -> list[tuple[Value, bool | None]]:
    """Return what a choice is where its test holds, and where not, each with its truth if that is known."""
    if op.name == "select":
        ways = list(op.operands[1:])
    elif op.name == "cond" and all(region.results is not None for region in op.regions):
        ways = [region.results[value.index] for region in op.regions if region.results is not None]
    else:
        return []
    return [(way, _known(way, op.operands[0], place == 0)) for place, way in enumerate(ways)]


def _known(value: Value, test: Value, truth: bool) -> bool | None:
    """Return a truth value that is known where a test has another one."""
    if value is test:
        return truth
    known = value.op is not None and value.op.name == "constant"
    return bool(value.op.attributes["value"]) if known and value.op is not None else None


def _of_comparison(op: Op, truth: bool) -> list[DimLike]:
    first, second = map(dim_of, op.operands)
    if op.name in ("equal", "not_equal"):
        return [first - second, second - first] if truth == (op.name == "equal") else []
    if op.name in ("greater", "less_equal"):
        # As `second < first`, and its contrary.
        first, second = second, first
    return [second - first - 1] if truth == (op.name in ("less", "greater")) else [first - second]
