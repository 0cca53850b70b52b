"""Applies laws that hold to the bit.

Before:
    graph known:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        steps: int = scalar('steps')
        t0: int = 0
        t1: int = 1
        t2: float = 1.0
        t3: bool = True
        s_2: float, k_1: int = for i in range(t0, steps, t1) with s = t2, k = n:
            t4: float = multiply(s, t2)
            t5: float = if t3:
                t6: float = add(t4, t4)
                yield t6
            else:
                yield t4
            yield t5, k
        t7: int = subtract(k_1, t0)
        return s_2, t7
After:
    graph known:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        steps: int = scalar('steps')
        t0: int = 0
        t1: int = 1
        t2: float = 1.0
        t3: bool = True
        s_2: float = for i in range(t0, steps, t1) with s = t2:
            t6: float = add(s, s)
            yield t6
        return s_2, n

A law that does not hold for NaN, infinities and -0.0 is none: `x + 0.0` is 0.0 for -0.0, and `x - x` is NaN for an infinity. A law gives a value of the op's very type, and
does not put one array in the place of another that is updated or returned.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from transpile.runtime.graph.bounds import dim_of
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import INT, ArrayType, ScalarType, element
from transpile.runtime.ops.table import TABLE

from .dce import keep_results
from .hazards import is_harmless
from .laws import LAWS, equal_constants, number
from .rewriter import Rewriter
from .sharing import Sharing

# A polynomial with more terms is not worked out.
_TERMS = 8
# A branch that computes more stays one.
_BRANCH = 4


def simplify(graph: Graph) -> Graph:
    """Apply the laws once, in program order, in place, and return the graph."""
    return Simplifier(graph).run()


class Simplifier(Rewriter):
    """Applies laws in program order."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.sharing = Sharing(graph)
        self._dims: dict[Value, DimLike] = {}
        # How often something may have been written by now, and when each view was taken.
        self.writes = 0
        self.taken: dict[Value, int] = {}

    # -- what is known -----------------------------------------------------------------------------------------

    def dim(self, value: Value) -> DimLike:
        """Return the polynomial that a Python integer is."""
        if value not in self._dims:
            op = value.op
            if op is None or op.name not in _POLYNOMIALS or not all(o.type == INT for o in op.operands):
                self._dims[value] = (
                    dim_of(value) if op is not None and op.name == "constant" else Dim.of_value(value)
                )
            else:
                found = _POLYNOMIALS[op.name](*map(self.dim, op.operands))
                long = isinstance(found, Dim) and len(found.terms) > _TERMS
                self._dims[value] = Dim.of_value(value) if long else found
        return self._dims[value]

    def fresh(self, value: Value) -> bool:
        """Whether nothing was written since a view was taken: its base is what it was."""
        return self.taken.get(value) == self.writes

    # -- walking -----------------------------------------------------------------------------------------------

    def enter_region(self, region: Block) -> None:
        self.writes += 1

    def leave_region(self, region: Block) -> None:
        self.writes += 1

    def visit(self, op: Op) -> bool:
        if op.name in ("view", "reshape"):
            self.taken[op.result] = self.writes
        elif TABLE[op.name].writes is not None:
            self.writes += 1
        elif op.name == "cond":
            return not self.take_branch(op)
        elif op.name in ("for_loop", "while_loop"):
            self.capture_invariants(op)
            return not self.skip_loop(op)
        elif op.name in ("raise_if", "deoptimise_if"):
            return number(op.operands[0]) is None or bool(number(op.operands[0]))
        for law in LAWS.get(op.name, ()):
            new = law(self, op)
            if new is not None and self.fits(op.result, new):
                self.replace(op.result, new)
                return False
        return True

    def fits(self, old: Value, new: Value) -> bool:
        """Whether a value can stand for another one."""
        if old.type != new.type or not self.can_replace(old, new):
            return False
        if not isinstance(old.type, ArrayType):
            return True
        return not self.sharing.is_owned(old) and not self.sharing.is_owned(new)

    # -- branches and loops ------------------------------------------------------------------------------------

    def take_branch(self, op: Op) -> bool:
        """Put the region of a branch whose test is known in its place; return whether that was possible."""
        test = number(op.operands[0])
        if test is None:
            return False
        region = op.regions[0 if test else 1]
        if region.results is None:
            return False
        if not all(self.can_replace(old, new) for old, new in zip(op.results, region.results, strict=True)):
            return False
        for inner in list(region.ops):
            self.rewrite(inner)
        for old, new in zip(op.results, region.results, strict=True):
            self.replace(old, self.value(new))
        return True

    def skip_loop(self, op: Op) -> bool:
        """Leave out a loop that never turns; return whether it is one."""
        if op.name == "while_loop":
            return False
        start, stop, step = map(self.dim, op.operands[:3])
        if not isinstance(step, int) or not step:
            return False
        left = stop - start if step > 0 else start - stop
        initial = op.operands[3:]
        if not isinstance(left, int) or left > 0 or not all(map(self.can_replace, op.results, initial)):
            return False
        for result, value in zip(op.results, initial, strict=True):
            self.replace(result, value)
        return True

    def capture_invariants(self, op: Op) -> None:
        """Have a loop see from outside what it carries but never changes."""
        count = len(op.results)
        arguments = op.regions[0].arguments[len(op.regions[0].arguments) - count :]
        kept: list[int] = []
        for place, (argument, result) in enumerate(zip(arguments, op.results, strict=True)):
            initial = op.operands[len(op.operands) - count + place]
            after = [region.results[place - count] for region in op.regions if region.results is not None]
            held = all(value is argument for value in after) and place != op.attributes["until"]
            # A size goes before the arrays that have it: the types agree once it is replaced.
            held = held and self.type_of(argument) == initial.type
            if held and self.can_replace(argument, initial) and self.can_replace(result, initial):
                self.replace(argument, initial)
                self.replace(result, initial)
            else:
                kept.append(place)
        keep_results(op, kept)

    def leave(self, op: Op) -> None:
        if op.name != "cond":
            return
        ways = [region.results for region in op.regions if region.results is not None]
        for place, result in enumerate(op.results):
            first = ways[0][place]
            if all(way[place] is first for way in ways) and first.block not in op.regions:
                if self.type_of(result) == first.type and self.can_replace(result, first):
                    self.replace(result, first)
            elif len(ways) == 2 and equal_constants(first, ways[1][place]):
                self._replace_after(op, result, first)
        if len(ways) == 2:
            self.choose(op)

    def _replace_after(self, op: Op, result: Value, known: Value) -> None:
        assert known.op is not None
        constant = self.constant(op, known.op.attributes["value"], known.type)
        if self.can_replace(result, constant):
            self.replace(result, constant)
        else:
            self._ops.pop()

    def choose(self, op: Op) -> None:
        """Turn a branch that only chooses among scalars, each of which can be computed in any case, into selects."""
        inner = [o for region in op.regions for o in region.ops]
        if sum(map(_computes, inner)) > _BRANCH or not all(map(is_harmless, inner)):
            return
        if not all(isinstance(result.type, ScalarType) for result in op.results):
            return
        (test,) = op.operands
        place = next(p for p in range(len(self._ops) - 1, -1, -1) if self._ops[p] is op)
        after = self._ops[place + 1 :]
        del self._ops[place:]
        for moved in inner:
            moved.block = self._block
            self._ops.append(moved)
        first, second = (region.results or () for region in op.regions)
        for result, a, b in zip(op.results, first, second, strict=True):
            if result not in self._replaced:
                chosen = self.emit(op, "select", (test, a, b), result.type)
                chosen.name = result.name
                self.replace(result, chosen)
        self._ops += after
        self.changed = True


def _computes(op: Op) -> bool:
    """Whether an op takes an instruction; a NumPy scalar made of a Python number with the same bits does not."""
    if op.name == "cast":
        return element(op.operands[0].type) != element(op.result.type)
    return op.name != "constant"


_POLYNOMIALS: dict[str, Callable[..., DimLike]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "negative": operator.neg,
}
