"""Finds what is computed in any case: because of what is done with it, and not by the compiler beforehand."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import BOOL, ArrayType, TokenType, element
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .dce import live_ops

# What uses its operand in part, or only where it is wanted.
_PARTIAL = frozenset(("load", "gather", "argreduce"))
# What costs nothing to compute again, and so is not stored although it is used several times.
_FREE = frozenset(("view", "fill", "iota"))
# What is smaller has left the range of no dtype.
_HARMLESS = 6e4
# How large what an op gives is at most, of operands that are at most so large.
_SIZES: dict[str, Callable[[list[float]], float]] = {
    **dict.fromkeys(("add", "subtract"), sum),
    **dict.fromkeys(
        ("negative", "absolute", "cast", "fill", "view", "copy", "select", "minimum", "maximum"), max
    ),
    "multiply": math.prod,
}


class Computed:
    """What is computed of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._live = live_ops(graph)
        self._users: dict[Value, list[Op]] = {}
        # What blocks end with: the op that holds each, None where there is none, and the place.
        self._ends: dict[Value, list[tuple[Op | None, int]]] = {}
        self._around: dict[Block, Op] = {}
        self._asking: dict[Value, set[Block]] = {}
        self._observed: dict[Value, bool] = {}
        self._largest: dict[Value, float | None] = {}
        self._note_users(graph.block, None)
        # One after the other: chains may be longer than Python's stack.
        ops = list(graph.block.walk())
        for value in (value for op in ops for value in op.results):
            self.largest(value)
        for value in (value for op in reversed(ops) for value in op.results):
            self.is_observed(value)

    def _note_users(self, block: Block, around: Op | None) -> None:
        for op in block.ops:
            for operand in op.operands:
                self._users.setdefault(operand, []).append(op)
            for region in op.regions:
                self._around[region] = op
                self._note_users(region, op)
        for place, value in enumerate(block.results or ()):
            self._ends.setdefault(value, []).append((around, place))

    def is_computed(self, op: Op) -> bool:
        """Whether all that an op gives is computed, because of what is done with it."""
        return op in self._live and any(map(self.is_observed, op.results))

    def is_folded(self, op: Op) -> bool:
        """Whether a compiler may know what an op gives, of which errors are to be feared."""
        return all(self.largest(operand) is not None for operand in op.operands) and not any(
            (self.largest(result) or 0.0) < _HARMLESS for result in op.results
        )

    def largest(self, value: Value) -> float | None:
        """Return what the few numbers that a compiler may know a value to be are not larger than; None where it knows none."""
        if value not in self._largest:
            self._largest[value] = self._largest_of(value)
        return self._largest[value]

    def _largest_of(self, value: Value) -> float | None:
        op = value.op
        if not isinstance(value.type, TokenType) and element(value.type) == BOOL:
            # Of what is computed of a truth, a compiler makes a choice between two numbers that it knows.
            return 1.0
        if op is None or TABLE[op.name].family not in ("elementwise", "creation", "view"):
            return None
        if op.name == "constant":
            size = abs(complex(op.attributes["value"]))
            return size if size < _HARMLESS else np.inf
        operands = [size for size in map(self.largest, op.operands) if size is not None]
        if len(operands) < len(op.operands):
            return None
        size = _SIZES[op.name](operands) if op.name in _SIZES else np.inf
        return size if size < _HARMLESS else np.inf

    def is_observed(self, value: Value) -> bool:
        """Whether all of a value is computed, because of what is done with it."""
        if value not in self._observed:
            self._observed[value] = False
            self._observed[value] = (
                self._is_stored(value)
                or any(self._observes(user, value) for user in self._users.get(value, ()))
                or any(self._takes(around, place, value) for around, place in self._ends.get(value, ()))
                or self._on_all_ways(value)
            )
        return self._observed[value]

    def _takes(self, around: Op | None, place: int, value: Value) -> bool:
        """Whether a value that a block ends with is computed for what holds the block."""
        if around is None or around.name == "while_loop" or isinstance(value.type, ArrayType):
            return True
        if self.is_observed(around.results[place]):
            return True
        return around.name == "for_loop" and (
            place == around.attributes["until"] or self.is_observed(around.regions[0].arguments[1 + place])
        )

    def _is_stored(self, value: Value) -> bool:
        """Whether all elements of an array are stored, since they are used in several places, by loops too long for a compiler to see through."""
        users = self._users.get(value, ())
        return (
            value.op is not None
            and value.op.name not in _FREE
            and isinstance(value.type, ArrayType)
            and not all(isinstance(dim, int) for dim in value.type.dims)
            and len(users) + len(self._ends.get(value, ())) > 1
            and any(user.name == "view" and user in self._live for user in users)
        )

    def _observes(self, user: Op, value: Value) -> bool:
        if user.block is value.block:
            return self._asks_for(user)
        # An array is stored for it.
        return isinstance(value.type, ArrayType) and user in self._live and user.name not in _PARTIAL

    def _on_all_ways(self, value: Value) -> bool:
        """Whether each way of a branch asks for a value, or for what is computed of it before."""
        ways = self._ways(value)
        branches = {self._around[way] for way in ways}
        return any(branch.name == "cond" and ways.issuperset(branch.regions) for branch in branches)

    def _ways(self, value: Value) -> set[Block]:
        """Return the blocks of ops beside a value that ask for it, or for what is computed of it."""
        if value not in self._asking:
            self._asking[value] = found = set[Block]()
            for user in self._users.get(value, ()):
                way = user.block
                assert way is not None, "an op is in a block"
                if way is value.block:
                    beside = TABLE[user.name].family == "elementwise"
                    found.update(*(self._ways(result) for result in user.results if beside))
                elif way in self._around and self._around[way].block is value.block and self._asks_for(user):
                    found.add(way)
        return self._asking[value]

    def _asks_for(self, user: Op) -> bool:
        """Whether all of its operands are computed for an op, where it is reached."""
        if user not in self._live or user.name in _PARTIAL:
            return False
        if user.name == "view":
            return shows_all(user.attributes["view"]) and self.is_observed(user.result)
        if user.name == "reduce":
            return not user.attributes["ufunc"].startswith("logical")
        if user.name == "reshape" or TABLE[user.name].family == "elementwise":
            return any(map(self.is_observed, user.results))
        return True


def shows_all(view: View) -> bool:
    """Whether every element of an array is in a view of it."""
    moving: list[int] = []
    for dim, (_, terms) in zip(view.base_dims, view.axes, strict=True):
        if len(terms) == 1 and abs(terms[0][1]) == 1 and view.dims[terms[0][0]] == dim:
            moving.append(terms[0][0])
        elif dim != 1:
            return False
    return len(set(moving)) == len(moving)
