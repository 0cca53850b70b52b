"""What of a loop's body is known once it is known which turn it is in."""

from __future__ import annotations

from typing import Any

from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.ir import Value
from transpile.runtime.ops.table import TABLE

# A body that is staged has to hold in every turn. Where a slice ends at `-1 + k or None`, say, what is taken is a number, and a turn where it is None is left to the original. If the
# turns are known and one of them is such, every call would be left. So the loop is written out: then each turn knows which of the two it is.


def depends_only_on(value: Value, variable: Value) -> bool:
    """Whether a value is computed of `variable`, of constants and of the function's arguments alone."""
    stack, found = [value], False
    while stack:
        item = stack.pop()
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
    block = variable.block
    tests = [op.operands[0] for op in block.ops if op.name == "deoptimise_if"] if block is not None else []
    tests = [test for test in tests if depends_only_on(test, variable)]
    return any(_in_turn(test, variable, turn) for test in tests for turn in turns)


def _in_turn(value: Value, variable: Value, turn: int) -> Any:
    """Return what a value is in one turn, None where more decides on it."""
    if value is variable:
        return turn
    op = value.op
    if op is not None and op.name == "cond":
        test = _in_turn(op.operands[0], variable, turn)
        given = None if test is None else op.regions[0 if test else 1].results
        return None if given is None else _in_turn(given[value.index], variable, turn)
    if op is None or op.regions:
        return None
    if op.name == "constant":
        return op.attributes["value"]
    evaluate = TABLE[op.name].evaluate
    if evaluate is None or TABLE[op.name].effect or any(op.attribute_dims()):
        return None
    numbers = [_in_turn(operand, variable, turn) for operand in op.operands]
    if any(number is None for number in numbers):
        return None
    try:
        return evaluate(op.attributes, *numbers)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None
