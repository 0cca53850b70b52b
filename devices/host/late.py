"""Refuses graphs of which the original might have to take over when it is too late."""

from __future__ import annotations

from transpile.runtime.graph.ir import Block, Graph
from transpile.runtime.ops.scalars import CannotDeoptimise, is_handled


def refuse_late(graph: Graph) -> None:
    """Raise CannotDeoptimise where the original would have to take over after an effect that cannot be undone.

    Where there is an exception to raise then, it is raised.
    """
    _check(graph.block, False)


def _check(block: Block, effects: bool) -> bool:
    """Check a block that is entered after `effects` or none; return whether there may be some at its end."""
    for op in block.ops:
        if effects and op.name == "deoptimise_if" and "exception" in op.attributes and not is_handled(op):
            op.name = "raise_if"
        elif effects and (op.name == "deoptimise_if" or is_handled(op)):
            raise CannotDeoptimise(op, op.attributes.get("reason", "an error that a handler may catch"))
        if op.name in ("for_loop", "while_loop"):
            # What a turn does comes before the next one.
            effects |= any(inner.name == "host_call" for region in op.regions for inner in region.walk())
        ends = [_check(region, effects) for region in op.regions]
        effects |= op.name == "host_call" or any(ends)
    return effects
