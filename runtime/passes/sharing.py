"""Which arrays are known by their memory, so that they are not to be merged, moved or replaced by equal ones.

An array that is updated, or that the function returns, needs memory that nothing else looks at: two calls of `np.zeros` that are written to stay two,
and `x * 1` that is returned is not `x`. The graph's meaning would allow it (an update gives a new value), but the update could not be done in place any
more, and the caller would get one array twice.

A matrix times another one is not computed as the same matrix times itself, turned: NumPy does that by another routine, whose bits are others, and tells
them apart by their memory. So two equal arrays that are multiplied by each other stay two, and so do two that a function is handed which is called whole.
"""

from __future__ import annotations

import itertools

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import ArrayType
from transpile.runtime.ops.table import TABLE

_PRODUCTS = frozenset(("matmul", "dot"))


class Sharing:
    """The arrays of a graph in classes of those that may share memory, and which classes are updated or returned."""

    def __init__(self, graph: Graph) -> None:
        self._parents: dict[Value, Value] = {}
        self._owned: set[Value] = set()
        # The arrays that views are of, and the pairs of different ones that are multiplied.
        self._viewed: dict[Value, Value] = {}
        self._products: list[tuple[Value, Value]] = []
        self._block(graph.block)
        for value in graph.block.results or ():
            self._owned.add(value)
        self._classes = {self._find(value) for value in self._owned}

    def is_owned(self, value: Value) -> bool:
        """Whether the memory of an array is updated somewhere, or returned."""
        return self._find(value) in self._classes

    def are_multiplied(self, first: Value, second: Value) -> bool:
        """Whether two arrays, or views of them, are the two matrices of a product."""
        if not self._products:
            return False
        asked = {self._find(first), self._find(second)}
        return any({self._find(one), self._find(other)} == asked for one, other in self._products)

    def join(self, first: Value, second: Value) -> None:
        """Note that two values, one of them new, share memory."""
        self._parents[self._find(first)] = self._find(second)

    def _find(self, value: Value) -> Value:
        root = value
        while (parent := self._parents.get(root, root)) is not root:
            root = parent
        while (parent := self._parents.get(value, root)) is not root:
            self._parents[value] = root
            value = parent
        return root

    def _unite(self, first: Value, second: Value) -> None:
        if isinstance(first.type, ArrayType):
            self.join(first, second)

    def _block(self, block: Block) -> None:
        for op in block.ops:
            definition = TABLE[op.name]
            if definition.view_of is not None:
                source = op.operands[definition.view_of]
                self._unite(op.results[0], source)
                self._viewed[op.results[0]] = self._viewed.get(source, source)
            if op.name in _PRODUCTS or definition.family == "host":
                arrays = [value for value in op.operands if isinstance(value.type, ArrayType)]
                different = dict.fromkeys(self._viewed.get(array, array) for array in arrays)
                self._products += itertools.combinations(different, 2)
            if definition.writes is not None:
                self._unite(op.results[0], op.operands[definition.writes])
                self._owned.add(op.operands[definition.writes])
            for region in op.regions:
                self._block(region)
            if op.regions:
                self._control(op)

    def _control(self, op: Op) -> None:
        count = len(op.results)
        groups = [op.results, *(region.results[-count:] for region in op.regions if region.results and count)]
        if op.name != "cond" and count:
            groups += [op.operands[-count:], tuple(op.regions[0].arguments[-count:])]
        for group in groups[1:]:
            for result, value in zip(op.results, group, strict=True):
                self._unite(result, value)
