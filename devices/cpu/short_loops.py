"""Finds loops of few turns, whose number is known: their turns are written out, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from . import variables
from .arithmetic import NotLowered

# LLVM unrolls no loops here, as it would take those apart that gain nothing. In a loop of three turns the counting, and what depends on the counter, may cost more than the rest.

# How many turns such a loop has, and how many parts of the text its copies are made of; and those of the loops in it, which are written out in each.
_TURNS = 8
_PARTS = 1600
_NESTED = 3200
# How many parts are written out in one kernel: code that is much larger takes long to compile, and is compiled without LLVM's passes.
ALL = 6400


def short_turns(loop: ast.For) -> range | None:
    """Return the turns of a loop over a range that is to be written out; None where it is not."""
    if not isinstance(loop.iter, ast.Call):
        return None
    try:
        turns = range(*map(variables.literal, loop.iter.args))
    except (NotLowered, ValueError):
        return None
    is_short = len(turns) <= _TURNS and len(turns) * sum(1 for _ in ast.walk(loop)) <= _PARTS
    return turns if is_short and len(turns) * _parts(loop.body) <= _NESTED else None


def written_parts(loop: ast.For, turns: range) -> int:
    """Return how many parts a loop has, with the loops in it, once these turns are written out."""
    return len(turns) * _parts(loop.body)


def _parts(body: Iterable[ast.AST]) -> int:
    """Return how many parts a text has, once its short loops are written out."""
    count = 0
    for node in body:
        turns = short_turns(node) if isinstance(node, ast.For) else None
        inside = node.body if isinstance(node, ast.For) and turns is not None else ast.iter_child_nodes(node)
        count += 1 + _parts(inside) * (1 if turns is None else len(turns))
    return count
