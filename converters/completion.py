"""How statements complete: at their end, or by a ``break``, ``continue`` or ``return``."""

import gast

from .syntax import LOOPS, inner_blocks, is_constant_true

JUMPS = (gast.Return, gast.Break, gast.Continue)


class Completion:
    """What is known of statements before they are rewritten, each looked at once."""

    def __init__(self) -> None:
        self._completes: dict[gast.stmt, bool] = {}
        self._jumps: dict[gast.stmt, bool] = {}
        self._returns: dict[gast.stmt, bool] = {}
        self._left: dict[gast.stmt, bool] = {}

    def prune(self, block: list[gast.stmt]) -> None:
        """Drops the statements that no way leads to. To be done before anything is asked."""
        for number, statement in enumerate(block):
            for inner in inner_blocks(statement):
                self.prune(inner)
            if not self._statement_completes(statement):
                del block[number + 1 :]
                break

    def completes(self, block: list[gast.stmt]) -> bool:
        """Says whether the end of a block may be reached."""
        return all(self._statement_completes(statement) for statement in block)

    def jumps(self, node: gast.stmt) -> bool:
        """Says whether a statement may jump out of itself."""
        if node not in self._jumps:
            inner = getattr(node, "orelse", []) if isinstance(node, LOOPS) else inside(node)
            self._jumps[node] = (
                isinstance(node, JUMPS)
                or self.returns(node)
                or any(self.jumps(statement) for statement in inner)
            )
        return self._jumps[node]

    def returns(self, node: gast.stmt) -> bool:
        """Says whether a statement may return."""
        if node not in self._returns:
            self._returns[node] = isinstance(node, gast.Return) or any(
                self.returns(statement) for block in inner_blocks(node) for statement in block
            )
        return self._returns[node]

    def breaks(self, body: list[gast.stmt]) -> bool:
        """Says whether the body of a loop has a ``break`` of this loop."""
        for node in body:
            if isinstance(node, gast.Break):
                return True
            if self.breaks(node.orelse if isinstance(node, LOOPS) else inside(node)):
                return True
        return False

    def is_left(self, node: gast.For | gast.While) -> bool:
        """Says whether a loop may end other than by a return."""
        if node not in self._left:
            endless = isinstance(node, gast.While) and is_constant_true(node.test)
            self._left[node] = not endless or self.breaks(node.body)
        return self._left[node]

    def _statement_completes(self, node: gast.stmt) -> bool:
        if node not in self._completes:
            completes = not isinstance(node, (*JUMPS, gast.Raise))
            if isinstance(node, gast.If):
                completes = self.completes(node.body) or self.completes(node.orelse)
            elif isinstance(node, gast.With):
                completes = self.completes(node.body)
            elif isinstance(node, gast.Try):
                completes = self.completes(node.body + node.orelse)
                completes |= any(self.completes(handler.body) for handler in node.handlers)
                completes &= self.completes(node.finalbody)
            elif isinstance(node, LOOPS):
                completes = self.is_left(node) and (self.breaks(node.body) or self.completes(node.orelse))
            self._completes[node] = completes
        return self._completes[node]


def inside(node: gast.stmt) -> list[gast.stmt]:
    """Returns the statements directly inside a statement."""
    return [statement for block in inner_blocks(node) for statement in block]
