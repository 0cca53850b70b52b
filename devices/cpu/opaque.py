"""Numbers of which LLVM knows nothing."""

from __future__ import annotations

from typing import Any

from .lanes import named_intrinsic
from .toolkit import ir

# Note [Opaque numbers]
# Before a loop that is to become vectors, LLVM has it tested whether the memory that is stored to meets what is read; where the loop lies in another one, once, for all turns of that. Nests that follow
# each other in a loop over rows each run for some of the rows only, which that test does not heed: where another array ends less than a few rows before one, all went element by element. So the row is
# a number of which LLVM does not know how it changes from turn to turn, and has the memory of each row tested.


#
# Where numbers are only looked at when all is computed, LLVM makes vectors of the looks, and of all that leads to them, which then waits for its operands to be brought together. So these looks are at opaque
# numbers.


def hidden(builder: Any, value: Any) -> Any:
    """Return an LLVM integer of which LLVM knows nothing, with a value."""
    kind = ir.FunctionType(value.type, [value.type])
    return builder.call(ir.InlineAsm(kind, "", "=r,0"), [value])


def _define_opaque(typing_context: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return hidden(builder, values[0])

    return x(x), generate


opaque = named_intrinsic(
    "opaque", _define_opaque, ["x"], "``opaque(x)``: ``x``, an integer of which LLVM knows nothing."
)
