"""Finds loops of few turns, whose number is known: their turns are written out, one after the other."""

from __future__ import annotations

import ast

from . import variables
from .arithmetic import NotLowered

# LLVM unrolls no loops here, as it would take those apart that gain nothing. In a loop of three turns the counting, and what depends on the counter, may cost more than the rest.

# How many turns such a loop has, and how many parts of the text its copies are made of.
_TURNS = 8
_PARTS = 1600


def short_turns(loop: ast.For) -> range | None:
    """Return the turns of a loop over a range that is to be written out; None where it is not."""
    if not isinstance(loop.iter, ast.Call):
        return None
    try:
        turns = range(*map(variables.literal, loop.iter.args))
    except (NotLowered, ValueError):
        return None
    is_short = len(turns) <= _TURNS and len(turns) * sum(1 for _ in ast.walk(loop)) <= _PARTS
    return turns if is_short else None
