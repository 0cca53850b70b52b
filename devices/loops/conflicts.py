"""Which updates must not be done in place."""

from __future__ import annotations

from transpile.runtime.graph.ir import Block, Op, Value

from .memory import Memory, Root, carried_of, is_array, is_update


class Conflicts:
    """Finds uses of contents that an update has replaced by then."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        # What there is by now, by groups of what may share memory and by roots, each once: a loop is walked more than once.
        self.alive: dict[Root, dict[frozenset[Root], dict[Value, None]]] = {}
        self.replaced: dict[Value, Op] = {}
        self.loops: list[Op] = []
        # What is copied before loops only since this check: what that leaves in the way, the next one finds.
        self._started: set[tuple[Op, int]] = set()
        self._around: dict[Op, list[Op]] = {}

    def check(self) -> None:
        """Add to the memory's copies what is needed."""
        graph = self.memory.graph
        for value in graph.block.arguments:
            if is_array(value):
                self.begin(value)
        self.block(graph.block)

    def begin(self, value: Value) -> None:
        """Note that an array is there from here on, as it is."""
        self.replaced.pop(value, None)
        roots = self.memory.roots.get(value)
        if roots is None:
            return
        for group in self.memory.groups_of(value):
            self.alive.setdefault(group, {}).setdefault(roots, {})[value] = None

    def use(self, value: Value) -> None:
        """Note a use."""
        update = self.replaced.get(value)
        if update is not None:
            self.copy(update, value)

    def copy(self, update: Op, wanted: Value) -> None:
        """Have an update leave the contents of `wanted` alone: by a copy before the loop around it, where they are older than that."""
        memory = self.memory
        for loop in self._around[update]:
            carried, arguments = carried_of(loop)
            for place, (initial, argument) in enumerate(zip(carried, arguments, strict=True)):
                own = is_array(argument) and argument in memory.roots[update.operands[0]]
                if own and memory.shares(initial, wanted):
                    if (loop, place) not in memory.copied_initial:
                        memory.copied_initial.add((loop, place))
                        self._started.add((loop, place))
                    if (loop, place) in self._started:
                        return
        memory.copied.add(update)

    def block(self, block: Block) -> None:
        """Walk a block in program order."""
        for op in block.ops:
            for operand in op.operands:
                self.use(operand)
            if is_update(op):
                self._around[op] = list(self.loops)
                self.update(op)
            elif op.name == "cond":
                before = dict(self.replaced)
                after: dict[Value, Op] = {}
                for region in op.regions:
                    self.replaced = dict(before)
                    self.block(region)
                    after |= self.replaced
                self.replaced = after
            elif op.regions:
                self.loop(op)
            for result in op.results:
                if is_array(result):
                    self.begin(result)
        for value in block.results or ():
            self.use(value)

    def loop(self, op: Op) -> None:
        """Walk a loop twice: what one turn replaces, the next may want."""
        _, arguments = carried_of(op)
        self.loops.append(op)
        for _ in range(2):
            for argument in arguments:
                if is_array(argument):
                    self.begin(argument)
            for region in op.regions:
                self.block(region)
        self.loops.pop()

    def update(self, op: Op) -> None:
        """Note what an update replaces."""
        memory = self.memory
        if op in memory.copied:
            return
        base = op.operands[0]
        for root in memory.memory_of(base):
            if root.owner is memory.graph.block and op.attributes["input"] != root.index:
                # The caller's array, in which this update is not to be seen.
                self.copy(op, root)
                return
        for group in memory.groups_of(base):
            for values in self.alive.get(group, {}).values():
                # All of them have the same roots.
                if memory.shares(next(iter(values)), base):
                    self.replaced.update(dict.fromkeys(values, op))
