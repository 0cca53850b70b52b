"""Merges ops that compute the same from the same.

Before:
    graph twice:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        i: int = scalar('i')
        t0: int = index(i, n, axis=0)
        t1: float64 = load(x[t0])
        t2: int = index(i, n, axis=0)
        t3: float64 = load(x[t2])
        t4: float64 = add(t1, t3)
        return t4
After:
    graph twice:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        i: int = scalar('i')
        t0: int = index(i, n, axis=0)
        t1: float64 = load(x[t0])
        t4: float64 = add(t1, t1)
        return t4

An op is merged with an earlier one of its block or of a block around it. An array that is updated or returned keeps memory of its own. An op that may warn is
merged with one of the same line alone; see Note [Warnings]. Arrays that a machine instruction for each element gives are
not merged, because two users have an array stored; but what is computed of them is. Nor are two that are multiplied, or views of two. A check that was made is not made again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.notation import DERIVED
from transpile.runtime.graph.types import ArrayType, element
from transpile.runtime.ops.table import TABLE

from .hazards import is_pure, may_warn
from .rewriter import Rewriter
from .sharing import Sharing

# Ops whose operands can change places, where they are integers: of two NaN, the first one is what is left.
_COMMUTATIVE = frozenset(
    (
        "add",
        "multiply",
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "equal",
        "not_equal",
        "minimum",
        "maximum",
    )
)
_CHECKS = frozenset(("raise_if", "deoptimise_if"))


def merge_equal_ops(graph: Graph) -> Graph:
    """Merge equal ops, in place, and return the graph."""
    return _Merger(graph).run()


class _Merger(Rewriter):
    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.sharing = Sharing(graph)
        self.known: dict[Any, Op] = {}
        # For an array that is equal to an earlier one without being merged, that one.
        self.equal: dict[Value, Value] = {}
        # The keys that each region, innermost last, has added.
        self.added: list[list[Any]] = [[]]

    def enter_region(self, region: Block) -> None:
        self.added.append([])

    def leave_region(self, region: Block) -> None:
        for key in self.added.pop():
            del self.known[key]

    def visit(self, op: Op) -> bool:
        key = _key(op, self.values_as_known(op.operands))
        if key is None or any(self._is_owned(result) for result in op.results):
            return True
        known = self.known.get(key)
        if known is None:
            self.known[key] = op
            self.added[-1].append(key)
            return True
        pairs = list(zip(op.results, known.results, strict=True))
        if _is_cheap(op) or self._lies_elsewhere(op, known):
            self.equal.update((old, self.equal.get(new, new)) for old, new in pairs)
            return True
        if not all(self.can_replace(old, new) for old, new in pairs):
            return True
        for old, new in pairs:
            self.replace(old, new)
            if isinstance(old.type, ArrayType):
                self.sharing.join(old, new)
        return False

    def _lies_elsewhere(self, op: Op, known: Op) -> bool:
        """Whether an op gives an array that must not lie where the one of an equal op does."""
        if not op.result_is_array():
            return False
        if TABLE[op.name].view_of is not None and op.operands != known.operands:
            return True
        return any(map(self.sharing.are_multiplied, op.results, known.results))

    def values_as_known(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """Return values, each as the first that is equal to it."""
        return tuple([self.equal.get(value, value) for value in values]) if self.equal else values

    def _is_owned(self, value: Value) -> bool:
        return isinstance(value.type, ArrayType) and self.sharing.is_owned(value)


def _is_cheap(op: Op) -> bool:
    """Whether an op gives an array that is better computed for each of its users than stored for all of them."""
    definition = TABLE[op.name]
    simple = bool(definition.cpu) or op.name in ("cast", "select")
    return op.result_is_array() and definition.family == "elementwise" and simple


def _key(op: Op, operands: Any) -> Any:
    """Return what ops have in common that give the same; None for an op that is not merged."""
    if op.name in _CHECKS:
        return ("check", operands[0])
    if op.name == "index":
        # The axis stands in the error alone, which the first of two would have raised.
        return ("index", operands)
    if not op.results or not is_pure(op):
        return None
    if op.name in _COMMUTATIVE and all(element(operand.type).kind in "biu" for operand in operands):
        operands = tuple(sorted(operands, key=lambda operand: operand.serial))
    # What follows from the types need not be compared, and may be spelled in several ways.
    attributes: tuple[Any, ...] = ()
    if op.attributes:
        derived = DERIVED.get(op.name, ())
        attributes = tuple(
            [(key, _hashable(op.attributes[key])) for key in sorted(op.attributes) if key not in derived]
        )
    line = (op.location[-1].file, op.location[-1].line) if op.location and may_warn(op) else None
    return (op.name, operands, attributes, tuple([result.type for result in op.results]), line)


def _hashable(attribute: Any) -> Any:
    if isinstance(attribute, (bool, int, float, complex, np.generic, np.ndarray)):
        # By type and bits: True is not 1, and 0.0 is not -0.0.
        stored = np.asarray(attribute)
        bits = stored.tobytes() if stored.dtype != object else attribute
        return (type(attribute), stored.dtype, stored.shape, bits)
    return attribute
