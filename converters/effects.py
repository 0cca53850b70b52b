"""What each statement does to the names of its function, as bitsets: the bottom-up half of the analysis."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import gast

from .context import Context
from .scopes import Scopes
from .syntax import (
    COMPREHENSIONS,
    COMPREHENSIONS_ARE_INLINED,
    FUNCTIONS,
    LOOPS,
    annotations_of,
    is_constant_true,
    outside_expressions,
    until,
)

ALL = -1
"""The set of all names: what never ends writes everything, and nothing is read after it."""


@dataclass(slots=True)
class Effect:
    """What running something does to names. Each field is a set of names, a bit per name.

    ``reads``: read before written here. ``writes``: certainly written or deleted. ``binds``: perhaps written or
    deleted. ``gains``: certainly bound at the end. ``loses``: perhaps deleted, and not bound again.
    ``drops``: perhaps deleted at some time.
    """

    reads: int = 0
    writes: int = 0
    binds: int = 0
    gains: int = 0
    loses: int = 0
    drops: int = 0

    @property
    def ends(self) -> bool:
        """Whether what comes after is reached."""
        return self.writes != ALL

    def then(self, after: "Effect") -> "Effect":
        """Gives the effect of this and then another."""
        return Effect(
            self.reads | (after.reads & ~self.writes),
            self.writes | after.writes,
            self.binds | after.binds,
            (self.gains & ~after.loses) | after.gains,
            (self.loses & ~after.gains) | after.loses,
            self.drops | after.drops,
        )

    def either(self, other: "Effect") -> "Effect":
        """Gives the effect of one of the two."""
        gains = self.gains & other.gains
        return Effect(
            self.reads | other.reads,
            self.writes & other.writes,
            self.binds | other.binds,
            gains,
            (self.loses | other.loses) & ~gains,
            self.drops | other.drops,
        )

    def repeated(self) -> "Effect":
        """Gives the effect of doing this any number of times."""
        return Effect(self.reads, 0, self.binds, 0, self.loses, self.drops)

    def partly(self) -> "Effect":
        """Gives the effect of doing any part of this."""
        return Effect(self.reads, 0, self.binds, 0, self.drops, self.drops)

    def endless(self) -> "Effect":
        """Gives the effect of doing this for ever."""
        return Effect(self.reads, ALL, self.binds, ALL, 0)


NOTHING = Effect()


@dataclass(slots=True)
class Step(Effect):
    """The effect of a simple statement, or of the test or iterable of a compound one, and what it is made of.

    ``loads`` are the reads by name, each with its bit and whether Python reads it as a variable of another function,
    as it does inside a generator expression and, before 3.12, inside every comprehension.
    ``captures`` are the functions made here that may be called later, each with the names that it reads; ``inside``
    are all names that functions made here read.
    """

    loads: list[tuple[gast.Name, int, bool]] = field(default_factory=list)
    captures: list[tuple[gast.AST, int]] = field(default_factory=list)
    inside: int = 0


class Effects:
    """The effects of everything in one function, whose statements are in canonical form.

    ``steps`` holds simple statements, and compound ones for their test or iterable; ``of`` holds compound statements
    as a whole; ``blocks`` their blocks, by ``(statement, field)``.
    """

    def __init__(
        self, function: gast.FunctionDef, scopes: Scopes, local: Iterable[str], context: Context
    ) -> None:
        self.bits: dict[str, int] = {name: 1 << index for index, name in enumerate(local)}
        self.names = list(self.bits)
        self.steps: dict[gast.stmt, Step] = {}
        self.of: dict[gast.stmt, Effect] = {}
        self.blocks: dict[tuple[gast.stmt, str], Effect] = {}
        self._scopes = scopes
        self._context = context
        # The statements that yield somewhere inside: they stay as they are.
        self.staying: set[gast.stmt] = set()
        self._yields = 0
        self._block(function, "body")

    def listed(self, names: int) -> list[str]:
        """Gives a set of names as a list, in the order of the text."""
        found = []
        while names > 0:
            lowest = names & -names
            found.append(self.names[lowest.bit_length() - 1])
            names ^= lowest
        return found

    def _block(self, statement: gast.stmt, name: str) -> Effect:
        effect = NOTHING
        for inner in getattr(statement, name):
            effect = effect.then(self._statement(inner))
        self.blocks[statement, name] = effect
        return effect

    def _statement(self, node: gast.stmt) -> Effect:
        before = self._yields
        effect = self._effect(node)
        if self._yields > before or isinstance(node, gast.Try | gast.With):
            self.staying.add(node)
        return effect

    def _effect(self, node: gast.stmt) -> Effect:
        self._yields += isinstance(getattr(node, "value", None), gast.Yield | gast.YieldFrom)
        step = self.steps[node] = _Reader(self.bits, self._scopes, self._context).step(node)
        if isinstance(node, gast.If):
            effect = step.then(self._block(node, "body").either(self._block(node, "orelse")))
        elif isinstance(node, gast.While):
            body = self._block(node, "body")
            if not is_constant_true(node.test):
                body = body.repeated()
            elif until(node) is None:
                body = body.endless()
            effect = step.then(body)
        elif isinstance(node, gast.For):
            target = self.bits.get(node.target.id, 0)
            bound = Effect(0, target, target, target, 0)
            effect = step.then(bound.then(self._block(node, "body")).repeated())
        elif isinstance(node, gast.With):
            # What a manager swallows while tracing, plain Python has to swallow: so its body always ends.
            effect = step.then(self._block(node, "body"))
        elif isinstance(node, gast.Try):
            effect = self._try(node)
        else:
            return step
        flag = until(node) if isinstance(node, LOOPS) else None
        if flag is not None:
            # The operator carries the flag, even where every turn of the loop sets it anew.
            effect = Effect(self.bits[flag]).then(effect)
        self.of[node] = effect
        return effect

    def _try(self, node: gast.Try) -> Effect:
        """Gives the effect of a ``try``: a handler, or the ``finally``, may find any part of the body done."""
        body = self._block(node, "body")
        done = body.then(self._block(node, "orelse"))
        partly = body.partly()
        for handler in node.handlers:
            self.steps[handler] = _Reader(self.bits, self._scopes, self._context).step(handler)
            way = self.steps[handler].then(self._block(handler, "body"))
            done = done.either(partly.then(way))
        final = self._block(node, "finalbody")
        done = done.then(final)
        return Effect(done.reads | final.reads, done.writes, done.binds, done.gains, done.loses, done.drops)


class _Reader:
    """Reads one statement in order of evaluation."""

    def __init__(self, bits: dict[str, int], scopes: Scopes, context: Context) -> None:
        self._bits = bits
        self._scopes = scopes
        self._context = context
        # The names that comprehensions around the current expression bind.
        self._hidden: frozenset[str] = frozenset()
        self._free = False

    def step(self, node: gast.stmt) -> Step:
        self._step = Step()
        match node:
            case gast.If() | gast.While():
                self._read(node.test)
            case gast.For():
                self._read(node.iter)
            case gast.With():
                for item in node.items:
                    self._read(item.context_expr)
                    self._read(item.optional_vars)
            case gast.ExceptHandler():
                self._read(node.type)
                self._read(node.name)
            case gast.Try():
                pass
            case gast.Assign():
                self._read(node.value)
                for target in node.targets:
                    self._read(target)
            case gast.AnnAssign():
                self._read(node.value)
                self._read(node.target)
            case gast.AugAssign():
                if isinstance(node.target, gast.Name):
                    self._load(node.target)
                    self._read(node.value)
                    self._read(node.target)
                else:
                    self._read(node.target)
                    self._read(node.value)
            case gast.Delete():
                for target in node.targets:
                    self._delete(target)
            case gast.Import() | gast.ImportFrom():
                for alias in node.names:
                    self._bind(alias.asname or alias.name.partition(".")[0])
            case gast.Raise():
                self._generic(node)
                self._step.writes = self._step.gains = ALL
            case gast.Break():
                pass
            case _:
                self._read(node)
        return self._step

    def _read(self, node: gast.AST | None) -> None:
        match node:
            case None:
                pass
            case gast.Name():
                if isinstance(node.ctx, gast.Load):
                    self._load(node)
                else:
                    self._bind(node.id)
            case gast.NamedExpr():
                self._read(node.value)
                self._bind(node.target.id)
            case gast.Dict():
                for key, value in zip(node.keys, node.values):
                    self._read(key)
                    self._read(value)
            case gast.Constant():
                pass
            case _ if isinstance(node, COMPREHENSIONS):
                self._comprehension(node)
            case _ if isinstance(node, FUNCTIONS):
                self._nested(node)
            case _:
                self._generic(node)

    def _generic(self, node: gast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, gast.AST):
                self._read(value)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, gast.AST):
                        self._read(item)

    def _load(self, node: gast.Name) -> None:
        bit = self._bits.get(node.id, 0)
        if bit and node.id not in self._hidden:
            step = self._step
            if not step.gains & bit:
                free = not COMPREHENSIONS_ARE_INLINED and node in self._context.from_comprehensions
                step.loads.append((node, bit, self._free or free))
            step.reads |= bit & ~step.writes

    def _bind(self, name: str) -> None:
        bit = self._bits.get(name, 0)
        step = self._step
        step.writes |= bit
        step.binds |= bit
        step.gains |= bit
        step.loses &= ~bit

    def _delete(self, target: gast.expr) -> None:
        if isinstance(target, gast.Name):
            bit = self._bits.get(target.id, 0)
            self._load(target)
            self._bind(target.id)
            self._step.gains &= ~bit
            self._step.loses |= bit
            self._step.drops |= bit
        elif isinstance(target, gast.Tuple | gast.List):
            for element in target.elts:
                self._delete(element)
        else:
            self._read(target)

    def _comprehension(self, node: gast.expr) -> None:
        first = node.generators[0]
        self._read(first.iter)
        if isinstance(node, gast.GeneratorExp):
            self._capture(node)
        outer = self._hidden, self._free
        self._hidden |= frozenset(self._scopes[node].bound)
        self._free |= isinstance(node, gast.GeneratorExp) or not COMPREHENSIONS_ARE_INLINED
        for generator in node.generators:
            if generator is not first:
                self._read(generator.iter)
            self._read_inside(generator.target)
            for test in generator.ifs:
                self._read(test)
        for name in ("elt", "key", "value"):
            self._read(getattr(node, name, None))
        self._hidden, self._free = outer

    def _read_inside(self, target: gast.expr) -> None:
        """Reads a comprehension's target: what it binds is hidden, what it stores into is read."""
        for node in gast.walk(target):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
                self._load(node)

    def _nested(self, node: gast.AST) -> None:
        for expression in outside_expressions(node):
            self._read(expression)
        if not self._context.defers_annotations:
            for annotation in annotations_of(node):
                self._read(annotation)
        if not isinstance(node, gast.Lambda):
            self._bind(node.name)
        self._capture(node)

    def _capture(self, node: gast.AST) -> None:
        names = 0
        for name in self._scopes[node].free - self._hidden:
            names |= self._bits.get(name, 0)
        step = self._step
        step.reads |= names & ~step.writes
        step.inside |= names
        if names and self._scopes.passed.get(node) not in self._context.consumers:
            step.captures.append((node, names))
