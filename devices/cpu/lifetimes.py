"""When the arrays that a kernel makes are done with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from . import memory
from .variables import names, targets

# Note [Owners]
# A variable that may hold memory that the kernel has made has a slot, with a share in that memory or nothing. It gives the share back where it is
# done with for good, and, whatever it holds then, where the kernel is left; to a variable that is assigned when this one is done with, the share goes
# as it is. So the slot of a variable that is assigned is empty, unless it is read for what is assigned. A view that is as fixed as the variable
# of its array has no slot: it is a name for the array. Giving back twice does nothing, so all that must be right is that nothing is needed later.


class Lifetimes:
    """Which variables have slots, and which are done with where."""

    def __init__(
        self,
        function: ast.FunctionDef,
        arrays: Mapping[str, Any],
        fixed: set[str],
        namespace: Mapping[str, Any],
    ) -> None:
        self._namespace = namespace
        assigned = [
            (left, right)
            for statement in ast.walk(function)
            if isinstance(statement, ast.Assign)
            for left, right in pairs(statement)
            if left in arrays
        ]
        # The variables whose memory a fixed one is a view of.
        self.roots: dict[str, str] = {}
        self.owning: set[str] = set()
        while True:
            before = len(self.owning)
            for name, value in assigned:
                base = self.base(value)
                if base in self.owning or self.makes(value):
                    self.owning.add(name)
            if len(self.owning) == before:
                break
        for name, value in assigned:
            base = self.base(value)
            if name in self.owning and base is not None and name in fixed and base in fixed:
                self.roots[name] = base
        for name in self.roots:
            while (base := self.roots[name]) in self.roots:
                self.roots[name] = self.roots[base]
        self.slots = {name: k for k, name in enumerate(sorted(self.owning - self.roots.keys()))}
        # The variables that are done with before a suite, and after a statement.
        self.before: dict[int, list[str]] = {}
        self.after: dict[int, list[str]] = {}
        # By assignment: the variables that are given the share of another one, the ones that have given theirs, those whose slot is not empty.
        self.taking: dict[int, set[str]] = {}
        self.given: dict[int, list[str]] = {}
        self.replaced: dict[int, list[str]] = {}
        if self.slots:
            self._suite(function.body, frozenset(), frozenset())

    def base(self, value: ast.expr) -> str | None:
        """Return the variable of which an expression is a view."""
        if isinstance(value, ast.Name):
            return value.id
        if isinstance(value, ast.Call):
            if isinstance(value.func, ast.Attribute):
                return self.base(value.func.value)
            if isinstance(value.func, ast.Name) and self._namespace.get(value.func.id) is memory.merged:
                return self.base(value.args[0])
        return None

    def makes(self, value: ast.expr) -> bool:
        """Whether an expression makes an array."""
        if not isinstance(value, ast.Call):
            return False
        if isinstance(value.func, ast.Attribute):
            return self.makes(value.func.value)
        helper = self._namespace.get(value.func.id) if isinstance(value.func, ast.Name) else None
        return helper in (memory.empty, memory.empty_f, memory.owned)

    def _slotted(self, found: Iterable[str]) -> frozenset[str]:
        return frozenset(root for name in found if (root := self.roots.get(name, name)) in self.slots)

    def _filled(self, statement: ast.stmt) -> frozenset[str]:
        """Return the variables with slots that a statement itself assigns to."""
        return frozenset(self.slots.keys() & targets(statement))

    def _mentioned(self, statement: ast.stmt) -> frozenset[str]:
        return self._slotted(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))

    def _assigns(self, statement: ast.stmt) -> bool:
        """Whether a statement, or one in it, assigns to a variable with a slot."""
        parts = (part for part in ast.walk(statement) if isinstance(part, ast.stmt))
        return any(map(self._filled, parts))

    def _suite(self, body: list[ast.stmt], after: frozenset[str], broken: frozenset[str]) -> frozenset[str]:
        """Note what is done with in a suite, given what is needed after it, and where its loop is left; return what is needed before it."""
        needed = after
        for statement in reversed(body):
            needed = self._statement(statement, needed, broken)
        return needed

    def _statement(
        self, statement: ast.stmt, after: frozenset[str], broken: frozenset[str]
    ) -> frozenset[str]:
        if isinstance(statement, ast.Return):
            return self._slotted(names(statement))
        if isinstance(statement, ast.Break):
            return broken
        mentioned = self._mentioned(statement)
        if isinstance(statement, ast.If) and (mentioned or _holds(statement, ast.Break)):
            return self._branch(statement, after, broken)
        if not mentioned:
            return after
        self.after[id(statement)] = sorted(mentioned - after)
        if isinstance(statement, (ast.For, ast.While)):
            return self._loop(statement, after)
        if isinstance(statement, ast.Assign):
            self._assignment(statement, after)
        return (after - self._filled(statement)) | self._slotted(names(statement))

    def _assignment(self, statement: ast.Assign, after: frozenset[str]) -> None:
        """Note which variables an assignment moves shares between."""
        assigned = self._filled(statement)
        sources = {name: self.base(value) for name, value in pairs(statement) if name in self.slots}
        roots = {name: self.roots.get(base, base) for name, base in sources.items() if base is not None}
        moved = {
            name: root
            for name, root in roots.items()
            if root in self.slots
            and (root in assigned or root not in after)
            and list(roots.values()).count(root) == 1
        }
        givers = set(moved.values())
        self.taking[id(statement)] = set(moved)
        self.given[id(statement)] = sorted(givers - assigned)
        self.replaced[id(statement)] = sorted((assigned & self._slotted(names(statement))) - givers)
        self.after[id(statement)] = [
            name for name in self.after[id(statement)] if name not in givers - assigned
        ]

    def _branch(self, statement: ast.If, after: frozenset[str], broken: frozenset[str]) -> frozenset[str]:
        ways = [self._suite(body, after, broken) for body in (statement.body, statement.orelse)]
        needed = ways[0] | ways[1]
        for body, own in zip((statement.body, statement.orelse), ways, strict=True):
            leaves = any(isinstance(part, ast.Return) for part in body)
            if not leaves or any(map(self._assigns, body)):
                self.before[id(body)] = sorted(needed - own)
        return needed | self._slotted(names(statement))

    def _loop(self, statement: ast.For | ast.While, after: frozenset[str]) -> frozenset[str]:
        if self._assigns(statement):
            needed = after | self._slotted(names(statement))
            # What a turn needs, the one before it needs as well; once more, and nothing is new.
            for _ in range(2):
                first = self._suite(statement.body, needed, after)
                needed = needed | first
            # What is needed where there is no other turn.
            self.before[id(statement.body)] = sorted(needed - first)
            return needed
        return after | self._mentioned(statement)


def _holds(statement: ast.stmt, kind: type) -> bool:
    return any(isinstance(node, kind) for node in ast.walk(statement))


def pairs(statement: ast.Assign) -> list[tuple[str, ast.expr]]:
    """Return the names that an assignment gives values, each with its value."""
    (target,) = statement.targets
    if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
        return [
            (left.id, right)
            for left, right in zip(target.elts, statement.value.elts, strict=True)
            if isinstance(left, ast.Name)
        ]
    return [(target.id, statement.value)] if isinstance(target, ast.Name) else []
