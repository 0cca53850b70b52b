"""Fuses loop nests that run over the same indices into one.

Before:
    for i in range(n): t[i] = x[i] + 1
    for i in range(n): y[i] = t[i] * 2
    for i in range(n): s = s + y[i]
After:
    for i in range(n):
        u = x[i] + 1
        t[i] = u
        v = u * 2
        y[i] = v
        s = s + v
"""

from __future__ import annotations

from dataclasses import replace

from transpile.runtime.graph.dim import Dim, values_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

from .accesses import Access, Accesses, accesses
from .buffer import Buffer, Variable
from .expression import (
    Apply,
    Constant,
    Element,
    Expression,
    Gather,
    Position,
    may_raise,
    moved,
    rebuilt,
    walk,
)
from .nests import Loop, changed_part, loops_of, parts_of
from .sharing import Sharing
from .statement import (
    Body,
    Collect,
    For,
    Fused,
    If,
    Let,
    Nest,
    Part,
    Reduction,
    Statement,
    While,
)

# Note [Fusion]
# Two nests over the same indices become one where, of every two accesses to memory that may be the same, one of them a write, both are to
# the same element at each index, and to another one at every other index; or never to the same element. What is stored is then
# read from a variable.
#
# What stands between the two goes before the first, or stays behind the second. Checks may only go before: the second nest may rely on
# them, and the original, which takes over where they fail, finds no more written than it would. Nothing passes what is seen outside.
#
# A search for true elements takes up the nest over what it has found that picks elements there: then no places are stored.
#
# Reductions are fused that give the same bits in any order. They lose the way out of any and all, and so such a one is fused only
# where it reads what is stored.

# How far back a nest looks for one to join, and how much one may do at an index.
_REACH = 16
_PARTS = 192
_EXACT = frozenset(("add", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"))


class Fuser:
    """Fuses the nests of a program."""

    def __init__(self, sharing: Sharing) -> None:
        self.sharing = sharing
        self._accesses: dict[Statement, Accesses] = {}

    def of(self, statement: Statement) -> Accesses:
        """Return what a statement does."""
        found = self._accesses.get(statement)
        if found is None:
            found = self._accesses[statement] = accesses(statement)
        return found

    def body(self, body: Body) -> Body:
        """Return a body with its nests fused."""
        result: Body = []
        for statement in body:
            match statement:
                case If():
                    statement.then = self.body(statement.then)
                    statement.otherwise = self.body(statement.otherwise)
                case While():
                    statement.head = self.body(statement.head)
                    statement.body = self.body(statement.body)
                case For():
                    statement.body = self.body(statement.body)
            if not (is_candidate(statement) and self.join(result, statement)):
                result.append(statement)
        return result

    def join(self, body: Body, second: Statement) -> bool:
        """Put a nest at the end of a body into an earlier one; return whether there is one to take it."""
        for place in range(len(body) - 1, max(len(body) - _REACH, 0) - 1, -1):
            first = body[place]
            if (is_candidate(first) or isinstance(first, Collect)) and self.can_fuse(first, second):
                passed = self.passed(first, body[place + 1 :], second)
                if passed is not None:
                    before, behind = passed
                    fused = self.fused(first, second)
                    body[place:] = before
                    # With what it has taken up, it may go with an earlier one.
                    if not (is_candidate(fused) and self.join(body, fused)):
                        body.append(fused)
                    body += behind
                    return True
            if self.of(first).is_seen or isinstance(first, (If, While, For)):
                return False
        return False

    def passed(self, first: Statement, between: Body, second: Statement) -> tuple[Body, Body] | None:
        """Return which of the statements between two that are fused go before, and which stay behind; None where some can do neither."""
        before: Body = []
        behind: Body = []
        for statement in between:
            found = self.of(statement)
            others = (first, *behind)
            if not any(self.sharing.conflict(self.of(other), found) for other in others):
                before.append(statement)
            elif found.leaves or self.sharing.conflict(found, self.of(second)):
                return None
            else:
                behind.append(statement)
        return before, behind

    def can_fuse(self, first: Statement, second: Statement) -> bool:
        """Whether two nests run over the same indices, share elements, and can do their work index by index."""
        one, other = loops_of(first), loops_of(second)
        if isinstance(first, Collect) and not all(map(is_picked, parts_of(second))):
            return False
        if len(one) != len(other) or len(parts_of(first)) + len(parts_of(second)) > _PARTS:
            return False
        if any(self.sharing.dim(a) != self.sharing.dim(b) for (_, a), (_, b) in zip(one, other, strict=True)):
            return False
        before = self.of(first)
        after = accesses(with_loops_of(second, loops_of(first)))
        if before.defines & (after.uses | after.defines) or after.defines & before.uses:
            return False
        written = [access for access in before.writes if self.meets(access, after.reads)]
        shared = written or any(self.meets(access, before.reads) for access in (*after.reads, *after.writes))
        shared = shared or any(self.meets(access, before.writes) for access in after.writes)
        shared = shared or any(self.sharing.is_beside(a, b) for a in after.writes for b in before.writes)
        if not shared or (not written and any(map(ends_early, parts_of(second)))):
            return False
        if self.sharing.heeds and self.silences(first, after):
            return False
        return self.sharing.keeps_order(before, after, one)

    def silences(self, first: Statement, after: Accesses) -> bool:
        """Whether what the first of two nests stores, and may raise flags, is overwritten by the second at once, unread."""
        return any(
            isinstance(part, Nest)
            and may_raise(part.expression)
            and self.meets(access := Access(part.target.buffer, part.target.indices), after.writes)
            and not self.meets(access, after.reads)
            for part in parts_of(first)
        )

    def meets(self, access: Access, others: list[Access]) -> bool:
        """Whether an element is among others, as the same one at each index."""
        return any(self.sharing.is_same(access, other) for other in others)

    def fused(self, first: Statement, second: Statement) -> Statement:
        """Return two nests as one."""
        loops = loops_of(first)
        parts = parts_of(first)
        for part in parts_of(with_loops_of(second, loops)):
            parts = self.added(parts, part)
        if isinstance(first, Collect):
            return replace(first, parts=parts)
        assert isinstance(first, (Nest, Reduction, Fused))
        return Fused(loops, parts, first.location)

    def added(self, parts: list[Part], part: Part) -> list[Part]:
        """Return parts with another one at their end, which finds what they have stored in variables."""
        known: dict[Element, Expression] = {}
        result: list[Part] = []
        wanted = accesses(part)
        for earlier in parts:
            if isinstance(earlier, Nest):
                access = Access(earlier.target.buffer, earlier.target.indices)
                if self.meets(access, wanted.reads):
                    value, stored = self.kept(earlier, result)
                    known[earlier.target] = value
                    earlier = stored
                if self.meets(access, wanted.writes):
                    # Overwritten at once.
                    continue
            result.append(earlier)

        def leaf(expression: Expression) -> Expression:
            if isinstance(expression, Element):
                access = Access(expression.buffer, expression.indices)
                for element, value in known.items():
                    if self.sharing.is_same(access, Access(element.buffer, element.indices)):
                        return value
            return expression

        part = replace(part, expression=found_at_once(rebuilt(part.expression, leaf)))
        place = len(result)
        if isinstance(part, Reduction):
            # Before the stores: what is read once more behind them keeps loops from being vectors.
            read = {access.buffer for access in accesses(part).reads}
            while place and self.goes_behind(result[place - 1], read):
                place -= 1
        return [*result[:place], part, *result[place:]]

    def goes_behind(self, part: Part, read: set[Buffer]) -> bool:
        """Whether a part stores elsewhere than into some buffers."""
        return isinstance(part, Nest) and not any(
            self.sharing.may_share(part.target.buffer, other) for other in read
        )

    def kept(self, store: Nest, parts: list[Part]) -> tuple[Expression, Nest]:
        """Return what a part stores as a number or variable, which is defined by a part that is added, and the part that stores that."""
        expression = store.expression
        type_ = ScalarType(store.target.buffer.dtype)
        if isinstance(expression, Constant):
            return Constant(expression.value, type_), store
        if isinstance(expression, Position):
            return Position(expression.dim, type_), store
        if isinstance(expression, Variable) and expression.type == type_:
            return expression, store
        value = Value(type_, store.target.buffer.name)
        parts.append(Let(value, expression, store.location))
        return Variable(value), Nest([], store.target, Variable(value), store.location)


def is_candidate(statement: Statement) -> bool:
    """Whether a statement is a nest that can be fused with others."""
    match statement:
        case Fused():
            return True
        case Nest():
            return bool(statement.indices) and stores_as_is(statement) and not scatters(statement)
        case Reduction():
            return (
                isinstance(statement.target, Value)
                and bool(statement.loops)
                and (ends_early(statement) or is_exact(statement))
            )
    return False


def is_picked(part: Part) -> bool:
    """Whether a part stores what it finds somewhere, without computing it."""
    return isinstance(part, Nest) and not any(isinstance(p, Apply) for p in walk(part.expression))


def found_at_once(expression: Expression) -> Expression:
    """Return an expression without the reading of places that are known."""
    if isinstance(expression, Gather):
        known = {value: place.dim for value, place in expression.places if isinstance(place, Position)}
        if len(known) == len(expression.places):
            return moved(expression.element, lambda value: known.get(value, Dim.of_value(value)))
    if isinstance(expression, Apply):
        operands = tuple(map(found_at_once, expression.operands))
        return Apply(expression.name, operands, expression.type, expression.attributes)
    return expression


def stores_as_is(nest: Nest) -> bool:
    """Whether a nest stores numbers of the type that it computes."""
    return bool(nest.expression.type.dtype == nest.target.buffer.dtype)


def scatters(nest: Nest) -> bool:
    """Whether a nest stores at places that it reads."""
    return isinstance(nest.expression, Gather) and any(
        value in values_of(place) for value, _ in nest.expression.places for place in nest.target.indices
    )


def ends_early(part: Part) -> bool:
    """Whether a part, alone, need not look at all elements."""
    return isinstance(part, Reduction) and part.ufunc in ("logical_and", "logical_or")


def is_exact(reduction: Reduction) -> bool:
    """Whether a reduction gives the same bits in any order, or those of any order will do."""
    return reduction.free or (reduction.ufunc in _EXACT and reduction.expression.type.dtype.kind in "biu")


def with_loops_of(statement: Statement, loops: list[Loop]) -> Fused:
    """Return what a nest does as one with the loops of another nest."""
    names = {own: index for (own, _), (index, _) in zip(loops_of(statement), loops, strict=True)}

    def at(expression: Expression) -> Expression:
        return moved(expression, lambda value: Dim.of_value(names.get(value, value)))

    parts = [changed_part(part, at) for part in parts_of(statement)]
    return Fused(loops, parts, getattr(statement, "location", ()))
