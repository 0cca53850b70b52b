"""Refuses graphs of which the original might have to take over when it is too late, and has effects noted where it may not be."""

from __future__ import annotations

from transpile.runtime.graph.ir import Block, Graph, Op
from transpile.runtime.ops.journal import is_final
from transpile.runtime.ops.scalars import CannotDeoptimise, is_handled


def note_effects(graph: Graph) -> bool:
    """Have the effects noted after which the original can run a call anew, and return whether there are any.

    Raises CannotDeoptimise where the original would have to take over after one that is final. Where there is an exception to raise then, it is raised.
    """
    noted: list[Op] = []
    _check(graph.block, False, noted)
    for op in noted:
        op.attributes["function"] = op.attributes["noted"]
    return bool(noted)


def _check(block: Block, final: bool, noted: list[Op]) -> bool:
    """Check a block that is entered after what is `final` or not; return whether something may be at its end."""
    for op in block.ops:
        if final and op.name == "deoptimise_if" and "exception" in op.attributes and not is_handled(op):
            op.name = "raise_if"
        elif final and (op.name == "deoptimise_if" or is_handled(op)):
            raise CannotDeoptimise(op, op.attributes.get("reason", "an error that a handler may catch"))
        if op.name in ("for_loop", "while_loop"):
            # What a turn does comes before the next one.
            final |= any(is_final(inner) for region in op.regions for inner in region.walk())
        ends = [_check(region, final, noted) for region in op.regions]
        if op.name == "host_call" and not final and not is_final(op):
            noted.append(op)
        final |= is_final(op) or any(ends)
    return final
