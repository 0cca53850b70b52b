"""The loop that the blocks of a function which calls itself become."""

from typing import Any

import gast

from .context import Context
from .recursion_blocks import Block, Goto, Liveness, Resume, Return, Suspend, parts_in, repeat_short
from .syntax import assign, constant, load, place, set_flag

# The most parts of a block that is repeated wherever it is gone to.
_REPEATED = 4


def loop_of(
    blocks: list[Block], variables: frozenset[str], returned: str | None, at: gast.AST, context: Context
) -> list[gast.stmt]:
    """Writes a loop that runs blocks; ``variables`` are those that each call has of its own."""
    order = repeat_short(blocks, _REPEATED)
    writer = _Writer(blocks, order, variables, returned, at, context)
    body = _choice(writer.state, 0, [writer.block(blocks[number]) for number in order], at)
    stacks = [writer.waiting, *writer.stacks.values()]
    start = [assign(name, gast.List([], gast.Load()), at) for name in stacks]
    start += [assign(name, constant(0), at) for name in (writer.depth, writer.state)]
    start.append(set_flag(writer.running, True, at))
    end = [place(gast.Return(load(returned)), at)] if returned else []
    return [*start, place(gast.While(place(load(writer.running), at), body, []), at), *end]


def _choice(state: str, first: int, ways: list[list[gast.stmt]], at: gast.AST) -> list[gast.stmt]:
    """Chooses one of several ways by a number, of which the first has one, by halves."""
    if len(ways) == 1:
        return ways[0]
    half = len(ways) // 2
    test = place(gast.Compare(load(state), [gast.Lt()], [constant(first + half)]), at)
    parts = _choice(state, first, ways[:half], at), _choice(state, first + half, ways[half:], at)
    return [place(gast.If(test, *parts), at)]


class _Writer:
    """Writes the statements that the parts of blocks stand for."""

    def __init__(
        self,
        blocks: list[Block],
        order: list[int],
        variables: frozenset[str],
        returned: str | None,
        at: Any,
        context: Context,
    ) -> None:
        self._context, self._returned, self._at = context, returned, at
        fresh = context.names.fresh
        self.state, self.depth, self.running, self.waiting = map(
            fresh, ("state", "depth", "running", "waiting")
        )
        self._numbers = {number: place_ for place_, number in enumerate(order)}
        starts = Liveness(blocks).starts
        waits = [part.number for block in blocks for part in parts_in(block) if isinstance(part, Suspend)]
        # What waits for each call, in the order of names. What a call is to return does not: once that is known, no other call is made.
        unkept = {returned, context.names.shared("result")}
        self._kept = {
            number: [
                n
                for n in sorted(starts[number])
                if n not in unkept and (n in variables or context.names.is_generated(n))
            ]
            for number in dict.fromkeys(waits)
        }
        kept = dict.fromkeys(name for names in self._kept.values() for name in names)
        self.stacks = {name: fresh(f"waiting_{name}") for name in kept}

    def block(self, block: Block) -> list[gast.stmt]:
        """Writes one block."""
        return [statement for part in block for statement in self._part(part)]

    def _part(self, part: Any) -> list[gast.stmt]:
        match part:
            case Goto(number):
                return [assign(self.state, constant(self._numbers[number]), self._at)]
            case Return():
                return [self._return()]
            case Suspend(number, at):
                return self._suspend(number, at)
            case Resume(number, target, at):
                kept = [
                    assign(name, self._method(at, self.stacks[name], "pop"), at)
                    for name in self._kept[number]
                ]
                value = load(self._returned) if self._returned else constant(None)
                return [*kept, *([assign(target, value, at)] if target else [])]
            case gast.If():
                part.body, part.orelse = self.block(part.body), self.block(part.orelse)
        return [part]

    def _suspend(self, number: int, at: gast.AST) -> list[gast.stmt]:
        deeper = place(self._context.operator("deeper", load(self.depth)), at)
        pushed = [(self.waiting, constant(self._numbers[number]))]
        pushed += [(self.stacks[name], load(name)) for name in self._kept[number]]
        pushes = [self._method(at, stack, "append", value) for stack, value in pushed]
        return [assign(self.depth, deeper, at), *(place(gast.Expr(push), at) for push in pushes)]

    def _return(self) -> gast.stmt:
        less = gast.BinOp(load(self.depth), gast.Sub(), constant(1))
        again = [
            assign(self.depth, less, self._at),
            assign(self.state, self._method(self._at, self.waiting, "pop"), self._at),
        ]
        test = gast.Compare(load(self.depth), [gast.Eq()], [constant(0)])
        return place(
            gast.If(place(test, self._at), [set_flag(self.running, False, self._at)], again), self._at
        )

    def _method(self, at: gast.AST, owner: str, name: str, *arguments: gast.expr) -> gast.Call:
        method = place(gast.Attribute(load(owner), name, gast.Load()), at)
        return place(gast.Call(method, list(arguments), []), at)
