"""How kernels have the turns of a loop shared by threads. See Note [Threads]."""

from __future__ import annotations

from typing import Any

from . import symbols
from .lanes import named_intrinsic
from .toolkit import cgutils, ir, types
from .workers import available

_RUNNER = "transpile_threads_runner"
if available:
    symbols.register([_RUNNER])


def run(builder: Any, piece: Any, closure: Any, turns: Any, wanted: Any) -> None:
    """Write the running of a loop by so many threads, at most, by its piece: a function of what it uses, its first turn and the turn after its last."""
    pointer = ir.IntType(8).as_pointer()
    kind = ir.FunctionType(ir.VoidType(), [pointer, pointer, ir.IntType(64), ir.IntType(64)])
    cell = cgutils.get_or_insert_function(builder.module, kind, _RUNNER)
    function = builder.load(builder.bitcast(cell, kind.as_pointer().as_pointer()))
    builder.call(function, [builder.bitcast(piece, pointer), closure, turns, wanted])


def _define_spread(typing_context: Any, work: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return context.get_dummy_value()

    return types.void(types.int64), generate


spread = named_intrinsic(
    "spread",
    _define_spread,
    ["work"],
    "``spread(work)``: the turns of the loop that follows, of so much work each, may run in any order, and by several threads.",
)
