"""What of a loop's body is known once it is known which turn it is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from transpile.runtime.arrays.at_hand import Computed
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.composites.layout import RUNS_THROUGH
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value

# Note [Turns at hand]
# A body that is staged has to hold in every turn. Where a slice ends at `-1 + k or None`, say, what is taken is a number, and a turn where it is None is left to the original. If the
# turns are known and one of them is such, every call would be left. So the loop is written out: then each turn knows which of the two it is.
#
# An array that is reshaped is copied, say, but in the last turn NumPy gives a view of it, as an axis has length 1 then. Such a turn is left, too, for what writes through the view would be lost.
# Where it comes for the arguments at hand, the loop is traced anew with copies that may be views, which are neither written nor returned.


# How many turns are looked at, from the first on and up to the last.
_LOOKED_AT = 32


def depends_only_on(value: Value, variable: Value) -> bool:
    """Whether a value is computed of `variable`, of constants and of the function's arguments alone."""
    stack, seen, found = [value], set(), False
    while stack:
        item = stack.pop()
        if item in seen:
            continue
        seen.add(item)
        if item is variable:
            found = True
        elif item.op is not None and item.op.name == "cond":
            # What a branch gives is known where its test is, and what it may give.
            ways = [region.results for region in item.op.regions]
            stack.extend([*item.op.operands, *(given[item.index] for given in ways if given is not None)])
        elif item.op is not None and not item.op.regions:
            if item.op.name == "load":
                return False
            stack.extend(item.op.operands)
        elif item.block is not recorder().graph.block:
            return False
    return found


def is_left(variable: Value, turns: range) -> bool:
    """Whether the body of a loop over `turns` leaves the call to the original in some of them, by what is known of `variable` alone."""
    tests = [test for _, test in _exits(variable) if depends_only_on(test, variable)]
    return _hold(tests, variable, turns, False)


def runs_through(variable: Value, bounds: tuple[DimLike, DimLike, DimLike]) -> bool:
    """Whether the body of a loop leaves the call at hand to the original in a turn where an array that is reshaped has one stride throughout."""
    known = [recorder().sample_of(bound) for bound in bounds]
    tests = [test for reason, test in _exits(variable) if reason == RUNS_THROUGH]
    if not tests or any(bound is None for bound in known) or not known[2]:
        return False
    turns = range(*known)  # type: ignore[arg-type]
    ends = {*turns[:_LOOKED_AT], *turns[-_LOOKED_AT:]}
    return _hold(tests, variable, ends, True)


def _hold(tests: Sequence[Value], variable: Value, turns: Iterable[int], at_hand: bool) -> bool:
    """Whether one of some tests holds in one of some turns."""
    ways = [Computed({variable: turn}, at_hand) for turn in turns] if tests else []
    return any(way.number(test) for way in ways for test in tests)


def _exits(variable: Value) -> list[tuple[str, Value]]:
    """Return why a loop's body leaves the call to the original, and where what holds."""
    ops = variable.block.ops if variable.block is not None else []
    return [(op.attributes["reason"], op.operands[0]) for op in ops if op.name == "deoptimise_if"]
