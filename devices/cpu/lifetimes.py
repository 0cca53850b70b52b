"""When the arrays that a kernel makes are done with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from . import memory
from .variables import names, targets

# Note [Owners]
# A variable that may hold memory that the kernel has made has a slot, with a share in that memory or nothing. It gives the share back where it is
# done with for good, where it is given another array, and, whatever it holds then, where the kernel is left. A view that is as fixed as the variable
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
        return helper in (memory.empty, memory.empty_f)

    def _slotted(self, found: Iterable[str]) -> frozenset[str]:
        return frozenset(root for name in found if (root := self.roots.get(name, name)) in self.slots)

    def _mentioned(self, statement: ast.stmt) -> frozenset[str]:
        return self._slotted(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))

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
        if not mentioned:
            return after | self._leaving(statement, broken)
        if isinstance(statement, ast.If):
            return self._branch(statement, after, broken)
        self.after[id(statement)] = sorted(mentioned - after)
        if isinstance(statement, (ast.For, ast.While)):
            return self._loop(statement, after)
        return (after - self._slotted(targets(statement))) | self._slotted(names(statement))

    def _leaving(self, statement: ast.stmt, broken: frozenset[str]) -> frozenset[str]:
        """Return what is needed after a statement that may end the loop it stands in."""
        return broken if any(isinstance(node, ast.Break) for node in ast.walk(statement)) else frozenset()

    def _branch(self, statement: ast.If, after: frozenset[str], broken: frozenset[str]) -> frozenset[str]:
        ways = [self._suite(body, after, broken) for body in (statement.body, statement.orelse)]
        needed = ways[0] | ways[1]
        for body, own in zip((statement.body, statement.orelse), ways, strict=True):
            if not any(isinstance(part, ast.Return) for part in body):
                self.before[id(body)] = sorted(needed - own)
        return needed | self._slotted(names(statement))

    def _loop(self, statement: ast.For | ast.While, after: frozenset[str]) -> frozenset[str]:
        if any(self._slotted(targets(part)) for part in ast.walk(statement) if isinstance(part, ast.stmt)):
            needed = after | self._slotted(names(statement))
            # What a turn needs, the one before it needs as well; once more, and nothing is new.
            for _ in range(2):
                needed = needed | self._suite(statement.body, needed, after)
            return needed
        return after | self._mentioned(statement)


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
