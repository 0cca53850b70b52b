"""Marks as final what shows something that may be otherwise the next time: of a clock, or of a generator that is seeded by chance.

Before:
    graph timed:
        x: float64 = scalar('x')
        clock: token[clock] = token()
        stdout: token[stdout] = token()
        now: float, t0: token[clock] = host_call(clock, function=<time>, noted=<time>, differs=True)
        t1: token[stdout] = host_call(stdout, x, function=<show>, noted=<show_noted>, shows=True)
        t2: token[stdout] = host_call(t1, now, function=<show>, noted=<show_noted>, shows=True)
        return x
After:
    graph timed:
        x: float64 = scalar('x')
        clock: token[clock] = token()
        stdout: token[stdout] = token()
        now: float, t0: token[clock] = host_call(clock, function=<time>, noted=<time>, differs=True)
        t1: token[stdout] = host_call(stdout, x, function=<show>, noted=<show_noted>, shows=True)
        t2: token[stdout] = host_call(t1, now, function=<show>, shows=True)
        return x

Where the original runs a call anew, see Note [Running anew], it may read another time: that is as good a result, but it must agree with what was shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.ops.table import TABLE


def mark_final(graph: Graph) -> Graph:
    """Mark what is final, in place, and return the graph."""
    effects = [op for op in graph.block.walk() if op.name == "host_call"]
    if any("differs" in op.attributes for op in effects):
        differing = _Differing(graph)
        for op in effects:
            if op.attributes.get("shows") and (differing.everything or op in differing.ops):
                op.attributes.pop("noted", None)
    return graph


class _Differing:
    """The ops that may not be run again as they were: with other values, more often or less often. `everything` tells that all may be such."""

    def __init__(self, graph: Graph) -> None:
        self.ops: set[Op] = set()
        self.everything = False
        self._values: set[Value] = set()
        before = -1
        # What a loop carries may come from later in its body.
        while before != len(self._values):
            before = len(self._values)
            self._block(graph.block, False)

    def _differ(self, values: Iterable[Value]) -> bool:
        return not self._values.isdisjoint(values)

    def _block(self, block: Block, chance: bool) -> None:
        """Follow a block that runs by `chance` or always."""
        for op in block.ops:
            if op.regions:
                self._control(op, chance)
                continue
            differs = chance or self._differ(op.used_values())
            if differs:
                self.ops.add(op)
                # It may raise the next time.
                self.everything |= TABLE[op.name].fails and op.name not in ("deoptimise_if", "host_call")
            if differs or "differs" in op.attributes:
                self._values.update(op.results)

    def _control(self, op: Op, chance: bool) -> None:
        """Follow a branch or loop."""
        results = [region.results for region in op.regions]
        if op.name == "cond":
            chance |= self._differ(op.operands)
            self.everything |= chance and None in results
            ends = [ends for ends in results if ends is not None]
        else:
            carried = op.regions[0].arguments[1:] if op.name == "for_loop" else op.regions[0].arguments
            ends = [op.operands[-len(carried) :] if carried else ()]
            ends += [found[-len(carried) :] if carried else () for found in results if found is not None]
            decisive = [*op.operands[:3]] if op.name == "for_loop" else [*(results[0] or ())[:1]]
            if op.attributes["until"] is not None:
                decisive.append(carried[op.attributes["until"]])
            chance |= self._differ(decisive)
            self._mark(carried, ends, chance)
        for region in op.regions:
            self._block(region, chance)
        self._mark(op.results, ends, chance)

    def _mark(self, targets: Iterable[Value], ends: Iterable[Iterable[Value]], chance: bool) -> None:
        """Mark values that are one of several, at the same place of each."""
        for target, *sources in zip(targets, *ends, strict=True):
            if chance or self._differ(sources):
                self._values.add(target)
