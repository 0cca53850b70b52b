"""Where arrays die: the places after which nothing reads them any more."""

from __future__ import annotations

from collections.abc import Iterable

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import ArrayType


class Lifetimes:
    """The arrays that die at each place of a graph; they are found from the last op to the first.

    `after` an op: those that it is the last to read, and those of its results that nothing reads. `at_start` of a loop: those that it takes as initial
    values alone. `on_entry` to a block: those that are alive before it for the sake of others. `at_end` of a block: those that it yields and that
    nothing reads by their old name. `on_exit` from a `while`: those that its test leaves for the body alone.
    """

    def __init__(self, graph: Graph) -> None:
        self.after: dict[Op, list[Value]] = {}
        self.at_start: dict[Op, list[Value]] = {}
        self.on_entry: dict[Block, list[Value]] = {}
        self.at_end: dict[Block, list[Value]] = {}
        self.on_exit: dict[Op, list[Value]] = {}
        # The arrays from outside that a block reads, and the blocks in it.
        self._read: dict[Block, set[Value]] = {}
        self._find_read(graph.block)
        self._block(graph.block, set())

    def _find_read(self, block: Block) -> None:
        read = arrays(block.results or ())
        made = arrays(block.arguments)
        for op in block.ops:
            read |= arrays(op.operands)
            made |= arrays(op.results)
            for region in op.regions:
                self._find_read(region)
                read |= self._read[region]
            if op.name == "while_loop":
                made |= _made_by(op.regions[0])
        self._read[block] = read - made

    def _block(self, block: Block, live: set[Value]) -> set[Value]:
        """Find what dies in a block after which `live` are read; return what is alive at its beginning."""
        results = arrays(block.results or ())
        self.at_end[block] = _ordered(results - live)
        # Nothing is read after a block that control does not leave.
        live = set() if block.results is None else live | results
        for op in reversed(block.ops):
            dead = arrays(op.results) - live
            live = live - arrays(op.results)
            if op.name == "cond":
                before = self._cond(op, live)
                self.after[op] = _ordered(dead)
            elif op.regions:
                read = self._loop(op, live)
                initial = arrays(op.operands)
                self.at_start[op] = _ordered(initial - read - live)
                self.after[op] = _ordered(read - live | dead)
                before = live | read | initial
            else:
                before = live | arrays(op.operands)
                self.after[op] = _ordered(before - live | dead)
            live = before
        return live

    def _cond(self, op: Op, live: set[Value]) -> set[Value]:
        begins = [self._block(region, live) for region in op.regions]
        before = live.union(*begins)
        for region, begin in zip(op.regions, begins, strict=True):
            self.on_entry[region] = _ordered(before - begin)
        return before

    def _loop(self, op: Op, live: set[Value]) -> set[Value]:
        """Find what dies in a loop; return what it reads from outside on any turn, which lives as long as the loop."""
        first, body = op.regions[0], op.regions[-1]
        carried = arrays(first.arguments)
        read = set().union(*(self._read[region] for region in op.regions))
        if op.name == "while_loop":
            read -= _made_by(first)
        around = live | read
        begin = self._block(body, around)
        if op.name == "while_loop":
            ends = arrays((first.results or ())[1:])
            self.on_entry[body] = _ordered(ends - begin - around)
            self.on_exit[op] = _ordered((begin | ends) - around - carried)
            begin = self._block(first, begin | around)
        self.on_entry[first] = _ordered(carried - begin)
        return read


def _made_by(test: Block) -> set[Value]:
    """Return the arrays that a loop's test makes, its arguments among them: the body sees them too."""
    return arrays(test.arguments).union(*(arrays(op.results) for op in test.ops))


def arrays(values: Iterable[Value]) -> set[Value]:
    """Return the arrays among values."""
    return {value for value in values if isinstance(value.type, ArrayType)}


def _ordered(values: set[Value]) -> list[Value]:
    return sorted(values, key=lambda value: value.serial)
