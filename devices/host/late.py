"""Refuses graphs of which the original might have to take over when it is too late."""

from __future__ import annotations

from transpile.runtime.graph.ir import Block, Graph
from transpile.runtime.ops.scalars import CannotDeoptimise


def refuse_late(graph: Graph) -> None:
    """Raise CannotDeoptimise where the original would have to take over after an effect that cannot be undone."""
    _check(graph.block, False)


def _check(block: Block, effects: bool) -> bool:
    """Check a block that is entered after `effects` or none; return whether there may be some at its end."""
    for op in block.ops:
        if op.name == "deoptimise_if" and effects:
            raise CannotDeoptimise(op, op.attributes["reason"])
        if op.name in ("for_loop", "while_loop"):
            # What a turn does comes before the next one.
            effects |= any(inner.name == "host_call" for region in op.regions for inner in region.walk())
        ends = [_check(region, effects) for region in op.regions]
        effects |= op.name == "host_call" or any(ends)
    return effects
