"""Removes ops whose results nobody uses, and what branches and loops carry for nobody.

Before:
    graph first:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        t0: int = 0
        t1: int = 1
        t2: int = add(n, t1)
        s_1: int, k_1: int = for i in range(t0, n, t1) with s = t0, k = t0:
            s_2: int = add(s, i)
            k_2: int = add(k, t1)
            yield s_2, k_2
        return s_1
After:
    graph first:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        t0: int = 0
        t1: int = 1
        s_1: int = for i in range(t0, n, t1) with s = t0:
            s_2: int = add(s, i)
            yield s_2
        return s_1

Ops with an effect stay: those that call Python, leave the function, or write to an argument, and a `while_loop`, which may never end.
"""

from __future__ import annotations

from collections.abc import Iterable

from transpile.runtime.graph.dim import Dim
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.ops.table import TABLE


def has_effect(op: Op) -> bool:
    """Whether an op itself, whatever its regions hold, must stay whatever becomes of its results."""
    definition = TABLE[op.name]
    if definition.effect or (definition.fails and definition.view_of is None):
        return True
    return (
        op.name == "while_loop"
        or "refuses" in op.attributes
        or (definition.writes is not None and op.attributes["input"] is not None)
    )


def remove_dead_ops(graph: Graph) -> Graph:
    """Remove dead ops from a graph, in place, and return it."""
    _Marks(graph).sweep(graph.block)
    return graph


def live_ops(graph: Graph) -> set[Op]:
    """Return the ops of a graph that are not dead."""
    return _Marks(graph).ops


class _Marks:
    """The ops and values that are of use: effects, results, and what they are computed of."""

    def __init__(self, graph: Graph) -> None:
        self.ops: set[Op] = set()
        self.values: set[Value] = set()
        self.around: dict[Block, Op] = {}
        self.stack: list[Value] = []
        effects = []
        for op in graph.block.walk():
            self.around.update(dict.fromkeys(op.regions, op))
            if has_effect(op):
                effects.append(op)
        for op in effects:
            self.keep(op)
        self.use(graph.block.results or ())
        while self.stack:
            self.follow(self.stack.pop())

    def use(self, values: Iterable[Value]) -> None:
        """Note that values are used."""
        for value in values:
            if value not in self.values:
                self.values.add(value)
                self.stack.append(value)

    def keep(self, op: Op) -> None:
        """Note that an op stays, and so those around it."""
        known: Op | None = op
        while known is not None and known not in self.ops:
            self.ops.add(known)
            if not known.regions:
                self.use(known.used_values())
            elif known.name == "cond":
                self.use(known.operands)
            else:
                self.keep_loop(known)
            known = self.around.get(known.block) if known.block is not None else None

    def keep_loop(self, op: Op) -> None:
        """Use what decides how often a loop runs."""
        if op.name == "for_loop":
            self.use(op.operands[:3])
        else:
            self.use((op.regions[0].results or ())[:1])
        if op.attributes["until"] is not None:
            self.use((_carried(op)[op.attributes["until"]],))

    def follow(self, value: Value) -> None:
        """Use what a value is computed of."""
        for dim in dims_of(value.type):
            if isinstance(dim, Dim):
                self.use(dim.values())
        op = value.op
        if op is None:
            loop = self.around.get(value.owner) if isinstance(value.owner, Block) else None
            if loop is not None:
                self.keep(loop)
                self.use_carried(loop, value.index - (loop.name == "for_loop"))
            return
        self.keep(op)
        if op.name == "cond":
            self.use(region.results[value.index] for region in op.regions if region.results is not None)
        elif op.regions:
            self.use_carried(op, value.index)

    def use_carried(self, loop: Op, place: int) -> None:
        """Use a value that a loop carries: its first value, and those of all turns."""
        if place < 0:
            return
        self.use((_carried(loop)[place], loop.operands[place + len(loop.operands) - len(loop.results)]))
        self.use(
            (region.results or ())[place - len(loop.results)] for region in loop.regions if region.results
        )

    # -- sweeping ----------------------------------------------------------------------------------------------

    def sweep(self, block: Block) -> None:
        """Remove what is not marked."""
        block.ops[:] = [op for op in block.ops if op in self.ops]
        for op in block.ops:
            if op.regions:
                self.narrow(op)
            for region in op.regions:
                self.sweep(region)

    def narrow(self, op: Op) -> None:
        """Have a branch or loop carry only what is used."""
        arguments = _carried(op)
        kept = [
            place
            for place, result in enumerate(op.results)
            if result in self.values or (arguments and arguments[place] in self.values)
        ]
        keep_results(op, kept)


def _carried(op: Op) -> list[Value]:
    """Return the arguments of a loop's block that stand for what it carries; a branch has none."""
    return op.regions[0].arguments[1 if op.name == "for_loop" else 0 :]


def keep_results(op: Op, kept: list[int]) -> None:
    """Reduce a branch or loop to those of its results, and of what it carries, that stand at the places `kept`."""
    count = len(op.results)
    if len(kept) == count:
        return
    for region in op.regions:
        if region.results is not None:
            lead = len(region.results) - count
            region.results = (*region.results[:lead], *(region.results[lead + place] for place in kept))
    if op.name != "cond":
        block = op.regions[0]
        lead = len(block.arguments) - count
        block.arguments[:] = [*block.arguments[:lead], *(block.arguments[lead + place] for place in kept)]
        for place, argument in enumerate(block.arguments):
            argument.index = place
        lead = len(op.operands) - count
        op.operands = (*op.operands[:lead], *(op.operands[lead + place] for place in kept))
        until = op.attributes["until"]
        op.attributes["until"] = None if until is None else kept.index(until)
    op.results = tuple(op.results[place] for place in kept)
    for place, result in enumerate(op.results):
        result.index = place
    op.attributes["types"] = tuple(result.type for result in op.results)
