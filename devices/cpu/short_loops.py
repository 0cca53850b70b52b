"""Marks loops of few turns, whose number is known, for LLVM to write out."""

from __future__ import annotations

import ast
from typing import Any

from . import variables
from .arithmetic import NotLowered
from .toolkit import ir

# LLVM is told to unroll no loops, as it would take those apart that gain nothing. In a loop of three turns the counting, and what depends on the counter, may cost more than the rest.

# How many turns such a loop has, and how many parts of the text its copies are made of.
_TURNS = 8
_PARTS = 1600


def is_short(loop: ast.For) -> bool:
    """Whether a loop over a range is to be written out."""
    assert isinstance(loop.iter, ast.Call)
    try:
        turns = len(range(*map(variables.literal, loop.iter.args)))
    except (NotLowered, ValueError):
        return False
    return turns <= _TURNS and turns * sum(1 for _ in ast.walk(loop)) <= _PARTS


def write_out(branch: Any) -> None:
    """Mark the loop that a branch closes."""
    module = branch.parent.parent.parent
    how = module.add_metadata([ir.MetaDataString(module, "llvm.loop.unroll.full")])
    # What names a loop begins with itself.
    name = ir.MDValue(module, [], str(len(module.metadata)))
    name.operands = (name, how)
    branch.set_metadata("llvm.loop", name)
