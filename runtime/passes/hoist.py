"""Moves out of loops what is the same on every turn.

Before:
    graph scaled:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        a: float = scalar('a')
        b: float = scalar('b')
        t0: int = 0
        t1: int = 1
        x_2: float64[n] = for i in range(t0, n, t1) with x_1 = x:
            c: float = multiply(a, b)
            t2: float64 = load(x_1[i])
            t3: float64 = multiply(t2, c)
            x_3: float64[n] = update(x_1[i], t3, input=x)
            yield x_3
        return
        write x = x_2
After:
    graph scaled:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        a: float = scalar('a')
        b: float = scalar('b')
        t0: int = 0
        t1: int = 1
        c: float = multiply(a, b)
        x_2: float64[n] = for i in range(t0, n, t1) with x_1 = x:
            t2: float64 = load(x_1[i])
            t3: float64 = multiply(t2, c)
            x_3: float64[n] = update(x_1[i], t3, input=x)
            yield x_3
        return
        write x = x_2

A loop may not run at all. So an op on scalars is moved where it can neither fail nor warn, and any other pure op where the loop is proved to run
and nothing in front of it, in the first turn, can fail or is seen outside; see Note [Warnings]. An array is moved if it is computed of one of its size: where it
broadcasts, storing it costs more than computing it again.
"""

from __future__ import annotations

from transpile.runtime.graph.bounds import Bounds, dim_of
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import ArrayType, dims_of
from transpile.runtime.ops.table import TABLE

from .hazards import is_harmless, is_pure, may_fail
from .sharing import Sharing

# Arrays that cost nothing where they are used, or stand for memory that is not set yet.
_STAYS = frozenset(("view", "reshape", "fill", "iota", "empty"))


def hoist_invariants(graph: Graph) -> Graph:
    """Move invariant ops out of loops, in place, and return the graph."""
    _Hoister(graph).block(graph.block, 0)
    return graph


class _Hoister:
    def __init__(self, graph: Graph) -> None:
        self.sharing = Sharing(graph)
        sizes = (a for a, i in zip(graph.block.arguments, graph.inputs, strict=True) if i.source == "dim")
        self.bounds = Bounds(graph.assumptions, sizes)
        # How many regions lie around the definition of each value.
        self.depth: dict[Value, int] = dict.fromkeys(graph.block.arguments, 0)

    def block(self, block: Block, depth: int) -> None:
        """Hoist out of the loops of a block."""
        ops: list[Op] = []
        for op in block.ops:
            if op.name == "cond":
                for region in op.regions:
                    self.block(region, depth + 1)
            elif op.regions:
                for moved in self.loop(op, depth):
                    moved.block = block
                    ops.append(moved)
            ops.append(op)
            self.depth.update(dict.fromkeys(op.results, depth))
        block.ops[:] = ops

    def loop(self, op: Op, depth: int) -> list[Op]:
        """Take what does not change out of a loop, inner loops first, and return it."""
        moved: list[Op] = []
        self.depth.update(dict.fromkeys(op.regions[0].arguments, depth + 1))
        self.bounds.enter_block(op, op.regions[0])
        for place, region in enumerate(op.regions):
            self.block(region, depth + 1 + place)
            # The body of a while_loop may never be reached.
            clean = place == 0
            kept: list[Op] = []
            for inner in region.ops:
                if self.is_invariant(inner, depth) and (is_harmless(inner) or (clean and self.runs(op))):
                    moved.append(inner)
                    self.depth.update(dict.fromkeys(inner.results, depth))
                else:
                    moved += self.from_branches(inner, depth)
                    kept.append(inner)
                    clean = clean and not may_fail(inner)
            region.ops[:] = kept
        return moved

    def from_branches(self, op: Op, depth: int) -> list[Op]:
        """Take out of a branch, that stands in a loop, the scalars that do not change: harmless ones, for it may not be taken."""
        moved: list[Op] = []
        for region in op.regions if op.name == "cond" else ():
            kept: list[Op] = []
            for inner in region.ops:
                if self.is_invariant(inner, depth) and is_harmless(inner):
                    moved.append(inner)
                    self.depth.update(dict.fromkeys(inner.results, depth))
                else:
                    moved += self.from_branches(inner, depth)
                    kept.append(inner)
            region.ops[:] = kept
        return moved

    def is_invariant(self, op: Op, depth: int) -> bool:
        """Whether an op of a loop's region can stand in front of the loop, as far as its operands and its result are concerned."""
        if (
            op.name in _STAYS
            or TABLE[op.name].writes is not None
            or op.regions
            or not op.results
            or not is_pure(op)
        ):
            return False
        if any(self.depth[value] > depth for value in op.used_values()):
            return False
        arrays = [result for result in op.results if isinstance(result.type, ArrayType)]
        if any(
            self.sharing.is_owned(result) or self.sharing.are_multiplied(result, result) for result in arrays
        ):
            return False
        sizes = [dims_of(operand.type) for operand in op.operands]
        return not sizes or all(
            any(dims == dims_of(result.type) or len(dims) > len(dims_of(result.type)) for dims in sizes)
            for result in arrays
        )

    def runs(self, loop: Op) -> bool:
        """Whether a loop is proved to run at least once."""
        if loop.name == "while_loop":
            return True
        start, stop, step = (dim_of(operand) for operand in loop.operands[:3])
        if not isinstance(step, int) or not step:
            return False
        return self.bounds.nonnegative(stop - start - 1 if step > 0 else start - stop - 1)
