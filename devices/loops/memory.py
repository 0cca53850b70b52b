"""Which memory each array of a graph lives in."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import ArrayType
from transpile.runtime.ops.table import TABLE

# Note [Roots]
# A root is a piece of memory, named by the value that first lived there: an argument of the graph, the result of an op that makes an
# array, an argument of a loop's block, a result of a loop or branch. Views, reshapes and updates in place have the roots of their base.
#
# What a loop carries is given a root of its own, although its memory was somebody's before: that of the initial value, or of
# what an earlier turn yielded (its `sources`). The carried arrays of one loop are different memory on every turn if their initial values are, and if what a turn
# yields is, taken by roots: then swapping two arrays, the usual way to keep an old and a new state, copies nothing.
# Pairs of which that cannot be said are `entangled`.
Root = Value


def is_array(value: Value) -> bool:
    """Whether a value is an array."""
    return isinstance(value.type, ArrayType)


def is_update(op: Op) -> bool:
    """Whether an op writes into the memory of its first operand."""
    return TABLE[op.name].writes is not None


class Memory:
    """The memory of a graph's arrays.

    `lazy` holds the values that are computed where they are used; all others are stored. `copied` holds the updates that work on a copy, and
    `copied_initial` the loops' operands, by op and place, that are copied before the loop, because the old contents are still wanted.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.lazy: set[Value] = set()
        self.copied: set[Op] = set()
        self.copied_initial: set[tuple[Op, int]] = set()
        self.roots: dict[Value, frozenset[Root]] = {}
        self.sources: dict[Root, frozenset[Root]] = {}
        self.family: dict[Root, tuple[Op, bool]] = {}
        self.entangled: set[tuple[Root, Root]] = set()
        # What loops carry, in the order of the program.
        self._order: dict[Root, int] = {}
        # Whether pairs of roots may be the same memory, and whether any of several and any of others may, where that was asked; None while it is still being
        # found where loops have theirs from.
        self._met: dict[tuple[Root, Root], bool] | None = None
        self._shared: dict[tuple[frozenset[Root], frozenset[Root]], bool] = {}
        # One root for all that one may have its memory from, or that have theirs from it, and so on: those of several such groups are apart.
        self._groups: dict[Root, Root] = {}
        # Whether it is decided which views are lazy; until then all of them may be.
        self.decided = False

    def find_roots(self) -> None:
        """Find the roots of all arrays, as views and updates are decided to be now."""
        self.roots = {value: frozenset([value]) for value in self.graph.block.arguments if is_array(value)}
        self.sources, self.family, self.entangled, self._order = {}, {}, set(), {}
        self._met, self._shared, self._groups = None, {}, {}
        self._roots_of_block(self.graph.block)
        for root, sources in self.sources.items():
            for source in sources:
                self._groups[self._group(root)] = self._group(source)
        for one, other in self.entangled:
            self._groups[self._group(one)] = self._group(other)
        self._met = {}

    def _group(self, root: Root) -> Root:
        """Return the root that stands for the group of one."""
        groups = self._groups
        while (above := groups.get(root, root)) is not root:
            groups[root] = groups.get(above, above)
            root = above
        return root

    def groups_of(self, value: Value) -> set[Root]:
        """Return what stands for the groups of the roots of an array: arrays without a common one do not share memory."""
        return {self._group(root) for root in self.roots[value]}

    def _roots_of_block(self, block: Block) -> None:
        for op in block.ops:
            if op.name == "cond":
                for region in op.regions:
                    self._roots_of_block(region)
                self._roots_of_cond(op)
            elif op.regions:
                self._roots_of_loop(op)
            elif op.result_is_array():
                base = self._base(op)
                for result in op.results:
                    self.roots[result] = frozenset([result]) if base is None else self.roots[base]

    def _base(self, op: Op) -> Value | None:
        """Return the operand whose memory an op's result has; None where it has memory of its own."""
        if op.name == "view":
            return op.operands[0] if not self.decided or op.result in self.lazy else None
        if op.name in ("reshape", "reserve") or (is_update(op) and op not in self.copied):
            return op.operands[0]
        return None

    def _roots_of_cond(self, op: Op) -> None:
        for place, result in enumerate(op.results):
            if is_array(result):
                ways = [region.results[place] for region in op.regions if region.results is not None]
                roots = [self.roots[way] for way in ways]
                self.roots[result] = frozenset().union(*roots)

    def _roots_of_loop(self, op: Op) -> None:
        carried, arguments = carried_of(op)
        places = [place for place, argument in enumerate(arguments) if is_array(argument)]
        for place in places:
            self._own(arguments[place], op, False)
        for region in op.regions:
            self._roots_of_block(region)
        after = op.regions[-1].results or tuple(arguments)
        ends = op.regions[0].results[1:] if op.name == "while_loop" and op.regions[0].results else arguments
        inside = {result for region in op.regions for inner in region.walk() for result in inner.results}
        inside |= {
            argument
            for region in op.regions
            for inner in region.walk()
            for block in inner.regions
            for argument in block.arguments
        }
        initial = {
            place: frozenset() if (op, place) in self.copied_initial else self.roots[carried[place]]
            for place in places
        }
        sources = dict(initial)
        while True:
            grown = dict(sources)
            for place in places:
                for root in self._from_outside(after[place], inside) | self._from_outside(
                    ends[place], inside
                ):
                    grown[place] |= sources[arguments.index(root)] if root in arguments else {root}
            if grown == sources:
                break
            sources = grown
        for place in places:
            self.sources[arguments[place]] = sources[place]
            self._own(op.results[place], op, True)
            self.sources[op.results[place]] = sources[place]
        for one, other in itertools.combinations(places, 2):
            pairs = [(carried[one], carried[other]), (after[one], after[other]), (ends[one], ends[other])]
            started = (op, one) in self.copied_initial or (op, other) in self.copied_initial
            if any(self._share_at_once(a, b) for a, b in pairs[1 if started else 0 :]):
                for values in (arguments, op.results):
                    self.entangled |= {(values[one], values[other]), (values[other], values[one])}

    def _share_at_once(self, first: Value, second: Value) -> bool:
        """Whether two values may share memory where both are there: what one branch gives is not there with what the other gives."""
        op = first.op
        if op is None or op is not second.op or op.name != "cond":
            return self.shares(first, second)
        return any(
            self._share_at_once(region.results[first.index], region.results[second.index])
            for region in op.regions
            if region.results is not None
        )

    def _from_outside(self, value: Value, inside: set[Value]) -> frozenset[Root]:
        """Return the roots a value may have that are not memory made among the values `inside`."""
        found: set[Root] = set()
        stack, seen = list(self.roots[value]), set(self.roots[value])
        while stack:
            root = stack.pop()
            if root not in inside:
                found.add(root)
                continue
            new = self.sources.get(root, frozenset()) - seen
            seen |= new
            stack += new
        return frozenset(found)

    def _own(self, value: Value, loop: Op, result: bool) -> None:
        self.roots[value] = frozenset([value])
        self.family[value] = (loop, result)
        self._order[value] = len(self._order)
        self.sources.setdefault(value, frozenset())

    def _everything(self, root: Root) -> frozenset[Root]:
        """Return a root, and those whose memory it may have taken over."""
        found, stack = {root}, [root]
        while stack:
            for source in self.sources.get(stack.pop(), ()):
                if source not in found:
                    found.add(source)
                    stack.append(source)
        return frozenset(found)

    @property
    def moved(self) -> frozenset[int]:
        """The inputs that are not always updated where the caller sees it, but in a copy."""
        found = set()
        for op in self.graph.block.walk():
            if is_update(op) and op.attributes["input"] is not None:
                place = op.attributes["input"]
                made = {root for root in self.memory_of(op.results[0]) if root not in self.family}
                if made != {self.graph.block.arguments[place]}:
                    found.add(place)
        return frozenset(found)

    def memory_of(self, value: Value) -> frozenset[Root]:
        """Return all roots whose memory a value may have."""
        return frozenset().union(*(self._everything(root) for root in self.roots[value]))

    def shares(self, first: Value, second: Value) -> bool:
        """Whether two arrays may share memory."""
        one, other = self.roots[first], self.roots[second]
        if self._met is None:
            return self._any_meet(one, other)
        known = self._shared.get((one, other))
        if known is None:
            known = not self.groups_of(first).isdisjoint(self.groups_of(second)) and self._any_meet(
                one, other
            )
            self._shared[one, other] = self._shared[other, one] = known
        return known

    def _any_meet(self, some: frozenset[Root], others: frozenset[Root]) -> bool:
        apart: set[tuple[Root, Root]] = set()
        if any(self._meet(a, b, apart) for a in some for b in others):
            return True
        if self._met is not None:
            self._met.update(dict.fromkeys(apart, False))
        return False

    def _meet(self, first: Root, second: Root, apart: set[tuple[Root, Root]]) -> bool:
        """Whether two roots may be the same memory: the one that is carried later in the program is followed to where it comes from.

        Many ways may lead to two roots, which are found to be `apart` once.
        """
        if first is second:
            return True
        known = None if self._met is None else self._met.get((first, second))
        if known is not None or (first, second) in apart:
            return bool(known)
        apart.add((first, second))
        pair = first, second
        if self._order.get(first, -1) < self._order.get(second, -1):
            first, second = second, first
        family = self.family.get(first)
        if family is not None and family == self.family.get(second):
            return (first, second) in self.entangled
        meet = any(self._meet(source, second, apart) for source in self.sources.get(first, ()))
        if meet and self._met is not None:
            self._met[pair] = True
        return meet

    def origin(self, value: Value) -> Value:
        """Return the value whose memory `value` has after updates in place, back to a block's argument or what made it."""
        while value.op is not None and (
            value.op.name == "reshape" or (is_update(value.op) and value.op not in self.copied)
        ):
            value = value.op.operands[0]
        return value

    def home(self, value: Value, found: dict[Value, Value | None] | None = None) -> Value | None:
        """Return the value whose memory `value` is, through updates, branches and loops; None where that depends on the way.

        Branch after branch, many ways lead to what was `found` already.
        """
        known: dict[Value, Value | None] = {} if found is None else found
        value = self.origin(value)
        if value not in known:
            known[value] = self._home(value, known)
        return known[value]

    def _home(self, value: Value, known: dict[Value, Value | None]) -> Value | None:
        op = value.op
        if op is None or not op.regions:
            return value
        if op.name == "cond":
            homes = {
                self.home(region.results[value.index], known)
                for region in op.regions
                if region.results is not None
            }
            found = homes.pop()
            inside = found is None or any(found.block is region for region in op.regions)
            return None if homes or inside else found
        carried, arguments = carried_of(op)
        after = op.regions[-1].results or arguments
        place = value.index
        if (op, place) in self.copied_initial or not self.threaded(after[place], arguments[place]):
            return None
        return self.home(carried[place], known)

    def threaded(self, value: Value, argument: Value, seen: set[Value] | None = None) -> bool:
        """Whether a value is an argument's memory, updated in place through and through.

        Branch after branch, many ways lead to what was `seen` already: had one not been the argument's, that would be known.
        """
        seen = set() if seen is None else seen
        while True:
            value = self.origin(value)
            if value is argument or value in seen:
                return True
            seen.add(value)
            op = value.op
            if op is None or not op.regions:
                return False
            place = value.index
            if op.name == "cond":
                ways = [region.results[place] for region in op.regions if region.results is not None]
                return all(self.threaded(way, argument, seen) for way in ways)
            carried, arguments = carried_of(op)
            after = op.regions[-1].results or arguments
            if (op, place) in self.copied_initial or not self.threaded(after[place], arguments[place]):
                return False
            value = carried[place]

    def writes(self, op: Op) -> Iterator[Value]:
        """Yield the arrays that an op, or a region of it, updates in place."""
        for inner in op.walk():
            if is_update(inner):
                yield inner.operands[0]


def carried_of(loop: Op) -> tuple[tuple[Value, ...], list[Value]]:
    """Return a loop's initial values and the arguments of its block that they become."""
    if loop.name == "for_loop":
        return loop.operands[3:], loop.regions[0].arguments[1:]
    return loop.operands, loop.regions[0].arguments
