"""Liveness and definite assignment: the top-down half of the analysis."""

from collections.abc import Iterator
from dataclasses import dataclass

import gast

from .effects import Effect, Effects
from .syntax import until


@dataclass(slots=True)
class Region:
    """What an ``if`` or a loop becomes: which names go in and come out of the functions made of its blocks.

    ``unset`` are those of the inputs that hold nothing, or nothing of use, before the statement.
    """

    inputs: list[str]
    outputs: list[str]
    unset: list[str]
    # The blocks whose end is reached.
    ends: frozenset[str]


@dataclass(slots=True)
class State:
    """What is known of the names at a place: certainly bound, and perhaps bound at some time before."""

    bound: int
    seen: int

    def after(self, effect: Effect) -> "State":
        """Gives the state after an effect."""
        return State((self.bound & ~effect.loses) | effect.gains, self.seen | effect.binds)


class Flow:
    """Tells for every ``if`` and loop of a canonical function what goes in and out, and which reads may fail.

    Note [Undefined names]: a name that goes into a region must be bound for Python, so one that holds no value
    holds ``ops.Undefined(name)`` instead. Such a name is live before the region (a path through it reads or
    returns the name), so every region before that binds it perhaps has it among its outputs: a name is bound for
    Python wherever it is live and some binding of it was passed. Where none was passed, or where it is not live
    before the region at all, it is ``unset``, and set just before.

    ``unset`` are, of each statement that stays, names that are bound to nothing before it because what comes may find
    them unbound.
    What is ``shared`` with functions inside stays a variable of the function, and goes neither in nor out.
    ``unbound`` holds the reads that may find no value, each with whether some binding may have been passed and
    whether Python reads the name as a variable of another function. ``missing`` are names that are still variables
    of the function though no statement is left that binds them.
    """

    def __init__(
        self,
        function: gast.FunctionDef,
        effects: Effects,
        parameters: int,
        missing: frozenset[str],
        shared: int,
    ) -> None:
        self.regions: dict[gast.stmt, Region] = {}
        self.unbound: dict[gast.Name, tuple[bool, bool]] = {}
        self.unset: dict[gast.stmt, list[str]] = {}
        self.missing = missing
        self._shared = shared
        self._undefined = 0
        self._effects = effects
        self._block(function, "body", 0, State(parameters, parameters | shared))

    @property
    def undefined(self) -> frozenset[str]:
        """All names that may at some time hold ``ops.Undefined``."""
        return frozenset(self._effects.listed(self._undefined)) | self.missing

    def _block(self, owner: gast.stmt, name: str, live: int, state: State) -> None:
        for statement, live_after in reversed(list(self._backwards(getattr(owner, name), live))):
            step = self._effects.steps[statement]
            if step.reads & ~state.bound:
                self._check_loads(step.loads, state)
            if isinstance(statement, gast.Delete):
                self._undefined |= step.loses
            made = step.gains if isinstance(statement, gast.FunctionDef) else 0
            self._undefined |= step.inside & self._shared & ~(state.bound | made)
            effect = self._effects.of.get(statement, step)
            if statement in self._effects.staying:
                self.unset[statement] = []
            if isinstance(statement, gast.If):
                self._branches(statement, live_after, state.after(step))
            elif isinstance(statement, gast.While | gast.For):
                self._loop(statement, live_after, state.after(step))
            elif isinstance(statement, gast.With):
                self._block(statement, "body", live_after, state.after(step))
            elif isinstance(statement, gast.Try):
                self._try(statement, live_after, state)
            state = state.after(effect)

    def _backwards(self, block: list[gast.stmt], live: int) -> Iterator[tuple[gast.stmt, int]]:
        for statement in reversed(block):
            yield statement, live
            effect = self._effects.of.get(statement) or self._effects.steps[statement]
            live = effect.reads | (live & ~effect.writes)

    def _check_loads(self, loads: list[tuple[gast.Name, int, bool]], state: State) -> None:
        for node, bit, free in loads:
            if not state.bound & bit:
                self.unbound[node] = bool(state.seen & bit), free

    def _branches(self, node: gast.If, live_after: int, state: State) -> None:
        binds = live_inside = 0
        for name in ("body", "orelse"):
            effect = self._effects.blocks[node, name]
            binds |= effect.binds
            live_inside |= effect.reads | (live_after & ~effect.writes)
            self._block(node, name, live_after, state)
        inputs = binds & live_inside
        self._region(node, inputs, binds & live_after, inputs & ~state.seen)

    def _loop(self, node: gast.stmt, live_after: int, state: State) -> None:
        body = self._effects.blocks[node, "body"]
        binds, reads = body.binds, body.reads
        flag = until(node)
        if flag is not None:
            reads |= self._effects.bits[flag]
        if isinstance(node, gast.For):
            target = self._effects.bits.get(node.target.id, 0)
            binds |= target
            reads &= ~target
        else:
            target = 0
            reads |= self._effects.steps[node].reads
        carried = binds & (reads | live_after)
        whole = self._effects.of[node]
        live_before = whole.reads | (live_after & ~whole.writes)
        self._region(node, carried, carried, carried & ~(state.seen & live_before))
        state = State((state.bound & ~body.loses) | target, state.seen | binds)
        if isinstance(node, gast.While):
            self._check_test(node, state)
        self._block(node, "body", reads | live_after, state)

    def _try(self, node: gast.Try, live_after: int, state: State) -> None:
        """Looks at a ``try``. What its handlers may read before its body has bound it is bound to nothing before it."""
        effects = self._effects
        final, body = effects.blocks[node, "finalbody"], effects.blocks[node, "body"]
        live_final = final.reads | (live_after & ~final.writes)
        orelse = effects.blocks[node, "orelse"]
        live_handlers = final.reads
        partly = state.after(body.partly())
        done = body.then(orelse)
        ways = [state.after(body.then(orelse))]
        for handler in node.handlers:
            whole = effects.steps[handler].then(effects.blocks[handler, "body"])
            live_handlers |= whole.reads | (live_final & ~whole.writes)
            done = done.either(whole)
        live_before = effects.of[node].reads | (live_after & ~effects.of[node].writes)
        unset = body.binds & live_handlers
        binds = body.binds | orelse.binds
        for handler in node.handlers:
            binds |= effects.blocks[handler, "body"].binds
        unset |= binds & (final.reads | (final.binds & live_final) | (live_final & ~done.writes))
        unset &= ~(state.seen & live_before)
        unset &= ~self._shared
        self._undefined |= unset
        self.unset[node] = effects.listed(unset)
        self._block(node, "body", live_final | orelse.reads | live_handlers, state)
        self._block(node, "orelse", live_final | live_handlers, state.after(body))
        for handler in node.handlers:
            step = effects.steps[handler]
            if step.reads & ~partly.bound:
                self._check_loads(step.loads, partly)
            inside = partly.after(step)
            self._block(handler, "body", live_final | final.reads, inside)
            ways.append(partly.after(step.then(effects.blocks[handler, "body"])))
        if node.finalbody:
            at_end = State(state.bound, 0)
            for way in (*ways, partly):
                at_end = State(at_end.bound & way.bound, at_end.seen | way.seen)
            self._block(node, "finalbody", live_after, at_end)

    def _check_test(self, node: gast.While, state: State) -> None:
        """Looks at a test once more, as it is evaluated after a turn of the loop."""
        self._check_loads(self._effects.steps[node].loads, state)

    def _region(self, node: gast.stmt, inputs: int, outputs: int, unset: int) -> None:
        inputs, outputs, unset = (names & ~self._shared for names in (inputs, outputs, unset))
        self._undefined |= unset
        listed = self._effects.listed
        ends = frozenset(
            name
            for name in ("body", "orelse")
            if (node, name) in self._effects.blocks and self._effects.blocks[node, name].ends
        )
        if node in self._effects.staying:
            self.unset[node] = listed(unset)
        self.regions[node] = Region(listed(inputs), listed(outputs), listed(unset), ends)
