"""Which names are live and bound at every statement of a function as it was written: the analysis behind islands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce

import gast

from .scopes import Scopes
from .syntax import FUNCTIONS, SCOPES, annotations_of, is_constant_true, outside_expressions

_NEVER = -1
"""All names: what holds where control never comes."""

_WITH = (gast.With, gast.AsyncWith)
_FOR = (gast.For, gast.AsyncFor)
_TRY = (gast.Try, gast.TryStar)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a statement does on the whole, as sets of names.

    ``reads`` may be read before it binds them, ``binds`` are certainly bound where its end is reached, and ``breaks``
    where it leaves the loop around it.
    """

    reads: int
    binds: int
    breaks: int = _NEVER


@dataclass(frozen=True, slots=True)
class Jumps:
    """Names that are live where control goes to from inside a statement, other than to its end."""

    to_break: int = 0
    to_continue: int = 0
    to_return: int = 0
    to_handler: int = 0


@dataclass(frozen=True, slots=True)
class Live:
    """Names that are live at the end of a statement, and where an exception in it leads within the function."""

    after: int
    handlers: int


class IslandsFlow:
    """Liveness and definite assignment of the local names of a function, over all statements that Python has.

    Sets of names are integers, one bit a name. The work is linear in the length of the function: one walk from the
    leaves up for the summaries, one from the end of the function backwards for what is live. Both err on the safe
    side: a name that is said to be dead is dead, and one that is said to be bound is bound, but for names in
    ``deleted``, which are unbound somewhere.
    """

    def __init__(self, function: gast.FunctionDef, scopes: Scopes) -> None:
        self._scopes = scopes
        self.bits = {name: 1 << place for place, name in enumerate(scopes[function].local)}
        self.deleted = 0
        self.live: dict[gast.stmt, Live] = {}
        self._summaries: dict[gast.stmt, Summary] = {}
        self._block_live(function.body, 0, Jumps())

    def names(self, bits: int) -> list[str]:
        """Lists the names of a set, in the order of the text."""
        return [name for name, bit in self.bits.items() if bits & bit]

    def of(self, names: Iterable[str]) -> int:
        """Gives the set of those of the names that are local."""
        return reduce(int.__or__, (self.bits.get(name, 0) for name in names), 0)

    def stored(self, nodes: Iterable[gast.AST]) -> int:
        """Gives the names that nodes bind anywhere inside, other than in functions of their own."""
        return self.of(name for node in nodes for name in stored_in(node))

    def unbound(self, nodes: Iterable[gast.AST]) -> int:
        """Gives the names that nodes may unbind."""
        every = list(walk(nodes))
        names = [node.id for node in every if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Del)]
        names += [node.name.id for node in every if isinstance(node, gast.ExceptHandler) and node.name]
        return self.of(names)

    # -- from the leaves up --------------------------------------------------------------------------------------

    def block(self, block: Iterable[gast.stmt]) -> Summary:
        """Summarises statements that follow one another."""
        reads, binds, breaks = 0, 0, _NEVER
        for statement in block:
            one = self.summary(statement)
            reads |= one.reads & ~binds
            breaks &= binds | one.breaks
            binds |= one.binds
        return Summary(reads, binds, breaks)

    def summary(self, node: gast.stmt) -> Summary:
        """Summarises a statement."""
        if node not in self._summaries:
            self._summaries[node] = self._summarise(node)
        return self._summaries[node]

    def _summarise(self, node: gast.stmt) -> Summary:
        if isinstance(node, gast.If):
            body, orelse = self.block(node.body), self.block(node.orelse)
            reads = self._reads(node.test) | body.reads | orelse.reads
            return Summary(reads, body.binds & orelse.binds, body.breaks & orelse.breaks)
        if isinstance(node, gast.While):
            body, orelse = self.block(node.body), self.block(node.orelse)
            reads = self._reads(node.test) | body.reads | orelse.reads
            left = _NEVER if is_constant_true(node.test) else orelse.binds
            return Summary(reads, left & body.breaks, orelse.breaks)
        if isinstance(node, _FOR):
            body, orelse = self.block(node.body), self.block(node.orelse)
            target = self.stored([node.target])
            reads = self._reads(node.iter, node.target) | (body.reads & ~target) | orelse.reads
            return Summary(reads, orelse.binds & (target | body.breaks), orelse.breaks)
        if isinstance(node, _TRY):
            return self._summarise_try(node)
        if isinstance(node, _WITH):
            # Its manager may swallow what the body raises.
            targets = self.stored(item.optional_vars for item in node.items if item.optional_vars is not None)
            body = self.block(node.body)
            return Summary(self._reads(*node.items) | (body.reads & ~targets), targets, targets | body.breaks)
        if isinstance(node, gast.Match):
            return self._summarise_match(node)
        if isinstance(node, (gast.Return, gast.Raise)):
            return Summary(self._reads(node), _NEVER)
        if isinstance(node, gast.Break):
            return Summary(0, _NEVER, 0)
        if isinstance(node, gast.Continue):
            return Summary(0, _NEVER)
        if isinstance(node, gast.Delete):
            names = self.of(target.id for target in node.targets if isinstance(target, gast.Name))
            self.deleted |= names
            return Summary(names | self._reads(node), 0)
        return Summary(self._reads(node), self.of(_surely_stored(node)))

    def _summarise_try(self, node: gast.AST) -> Summary:
        parts = [self.block(node.body), self.block(node.orelse)]
        handlers = []
        for handler in node.handlers:
            name = self.stored([handler.name]) if handler.name is not None else 0
            # A handler's name is deleted at its end.
            self.deleted |= name
            inside = self.block(handler.body)
            types = self._reads(handler.type) if handler.type is not None else 0
            ends = inside.binds if inside.binds == _NEVER else inside.binds & ~name
            handlers.append(Summary(types | (inside.reads & ~name), ends))
            parts.append(Summary(handlers[-1].reads, 0, inside.breaks))
        final = self.block(node.finalbody)
        reads = reduce(int.__or__, (part.reads for part in (*parts, final)))
        breaks = reduce(int.__and__, (part.breaks for part in (*parts, final)))
        binds = parts[0].binds | parts[1].binds
        binds = reduce(int.__and__, (handler.binds for handler in handlers), binds)
        return Summary(reads, binds | final.binds, breaks)

    def _summarise_match(self, node: gast.Match) -> Summary:
        reads, binds, breaks = self._reads(node.subject), _NEVER, _NEVER
        total = False
        for case in node.cases:
            body, names = self.block(case.body), self.stored([case.pattern])
            guard = self._reads(case.guard) if case.guard is not None else 0
            reads |= self._reads(case.pattern) | ((guard | body.reads) & ~names)
            binds, breaks = binds & (names | body.binds), breaks & body.breaks
            total |= isinstance(case.pattern, gast.MatchAs) and case.pattern.pattern is None and not guard
        return Summary(reads, binds if total else 0, breaks)

    def _reads(self, *nodes: gast.AST) -> int:
        """Gives the names that nodes read, those that functions inside take from here with them."""
        found = 0
        pending = list(nodes)
        while pending:
            node = pending.pop()
            if isinstance(node, gast.Name):
                if not isinstance(node.ctx, gast.Store):
                    found |= self.bits.get(node.id, 0)
            elif isinstance(node, SCOPES):
                found |= self.of(self._scopes[node].free)
                # A class reads in its body what it may bind there as well.
                if isinstance(node, gast.ClassDef):
                    found |= self.of(self._scopes[node].reads)
                pending += self._outside(node)
            else:
                if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
                    found |= self.bits.get(node.target.id, 0)
                pending += gast.iter_child_nodes(node)
        return found

    @staticmethod
    def _outside(node: gast.AST) -> Iterator[gast.AST]:
        if isinstance(node, (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            yield node.generators[0].iter
            return
        yield from outside_expressions(node)
        if not isinstance(node, gast.ClassDef):
            yield from annotations_of(node)

    # -- from the end backwards ----------------------------------------------------------------------------------

    def _block_live(self, block: list[gast.stmt], after: int, jumps: Jumps) -> int:
        for statement in reversed(block):
            self.live[statement] = Live(after, jumps.to_handler)
            after = self._before(statement, after, jumps) | jumps.to_handler
        return after

    def _before(self, node: gast.stmt, after: int, jumps: Jumps) -> int:
        """Gives the names that are live before a statement, and notes what is live inside."""
        summary = self.summary(node)
        if isinstance(node, gast.If):
            body = self._block_live(node.body, after, jumps)
            return self._reads(node.test) | body | self._block_live(node.orelse, after, jumps)
        if isinstance(node, (gast.While, *_FOR)):
            head = summary.reads | after | jumps.to_return | jumps.to_handler
            self._block_live(node.body, head, replace(jumps, to_break=after, to_continue=head))
            return head | self._block_live(node.orelse, after, jumps)
        if isinstance(node, _TRY):
            return self._before_try(node, after, jumps)
        if isinstance(node, _WITH):
            inside = replace(jumps, to_handler=jumps.to_handler | after)
            return summary.reads | self._block_live(node.body, after, inside)
        if isinstance(node, gast.Match):
            before = summary.reads | after
            for case in node.cases:
                before |= self._block_live(case.body, after, jumps) & ~self.stored([case.pattern])
            return before
        if isinstance(node, gast.Return):
            return summary.reads | jumps.to_return
        if isinstance(node, gast.Raise):
            return summary.reads
        if isinstance(node, gast.Break):
            return jumps.to_break
        if isinstance(node, gast.Continue):
            return jumps.to_continue
        return summary.reads | (after & ~summary.binds)

    def _before_try(self, node: gast.AST, after: int, jumps: Jumps) -> int:
        if node.finalbody:
            # From its end control may go wherever it was on the way to.
            ways = after | jumps.to_break | jumps.to_continue | jumps.to_return | jumps.to_handler
            final = self._block_live(node.finalbody, ways, jumps)
            # An exception goes on from there, unless a jump swallows it.
            raised = self.block(node.finalbody).reads | jumps.to_handler
            if any(isinstance(inner, (gast.Break, gast.Continue)) for inner in walk(node.finalbody)):
                raised |= jumps.to_break | jumps.to_continue
            after, jumps = final, Jumps(final, final, final, raised)
        caught = jumps.to_handler
        # With `except*`, one handler may run after another.
        later = reduce(int.__or__, (self.block(handler.body).reads for handler in node.handlers), 0)
        for handler in node.handlers:
            types = self._reads(handler.type) if handler.type is not None else 0
            caught |= types | self._block_live(handler.body, after | later, jumps)
        rest = self._block_live(node.orelse, after, jumps)
        return self._block_live(node.body, rest, replace(jumps, to_handler=caught)) | caught


def walk(nodes: Iterable[gast.AST]) -> Iterator[gast.AST]:
    """Walks nodes, but not the functions and classes in them."""
    pending = list(nodes)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, gast.ClassDef)):
            pending += gast.iter_child_nodes(node)


def stored_in(node: gast.AST) -> Iterator[str]:
    """Lists the names that a node binds in the function it stands in."""
    if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
        yield node.id
    elif isinstance(node, gast.NamedExpr):
        yield node.target.id
        yield from stored_in(node.value)
    elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield node.name
        for expression in outside_expressions(node):
            yield from stored_in(expression)
    elif isinstance(node, gast.Lambda):
        for expression in outside_expressions(node):
            yield from stored_in(expression)
    elif isinstance(node, gast.alias):
        yield node.asname or node.name.partition(".")[0]
    elif isinstance(node, gast.comprehension):
        # Its targets are its own.
        for inner in (node.iter, *node.ifs):
            yield from stored_in(inner)
    else:
        if isinstance(node, (gast.MatchAs, gast.MatchStar)) and node.name is not None:
            yield node.name
        if isinstance(node, gast.MatchMapping) and node.rest is not None:
            yield node.rest
        for child in gast.iter_child_nodes(node):
            yield from stored_in(child)


def _surely_stored(node: gast.stmt) -> Iterator[str]:
    """Lists the names that a simple statement binds whenever it ends; not those bound in the middle of an expression."""
    if isinstance(node, gast.Assign):
        targets = node.targets
    elif isinstance(node, gast.AnnAssign):
        targets = [node.target] if node.value is not None else []
    elif isinstance(node, gast.AugAssign):
        targets = [node.target]
    elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        yield node.name
        return
    elif isinstance(node, (gast.Import, gast.ImportFrom)):
        targets = node.names
    else:
        return
    for target in targets:
        yield from stored_in(target)
