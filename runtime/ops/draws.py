"""The op that finds what a device draws random numbers from by itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Op
from transpile.runtime.graph.types import INT
from transpile.runtime.recipes import recipe

from .handles import held
from .journal import journal
from .opdef import OpDef, define

# Note [Draws]
# A random number is drawn by a `host_call` of the generator's own method: an effect, in the order of the program. One whose parameters are numbers
# says in its attribute `draw` which distribution it is of (`Generator.normal`) and of how many parameters, and has in front of its other operands what a device needs that
# draws it without Python: the address of the generator's C interface, and the parameters, those left out too, as floats or integers of 64 bits. Where the
# address is 0, or a parameter is not plainly valid, the method is called as before, and raises what it raises.

# bit_generator(handle): the address of the C interface of a generator, or of the one behind `numpy.random` where there is no handle; 0 where Python
# alone draws. With `gauss`, that of the old generators' state, in which the second of two normal numbers waits. With `python`, it is the one behind `random`.
define(
    OpDef(
        "bit_generator", lambda operands, attributes: (INT,), lambda attributes, *handle: 0, family="scalar"
    )
)

# The generator behind the functions of `random`.
_PYTHONS = random._inst


@recipe
def sought(op: Op, noted: bool = False) -> Callable[..., tuple[Any, bool, bool]]:
    """Return what gives the generator that an op is about, whether its `gauss` is asked for, and whether others may draw from it during the call.

    If it is `noted`, the generator's state is kept, so that the original can draw anew.
    """
    gauss, made = op.attributes["gauss"], op.operands[0].op if op.operands else None
    default = _PYTHONS if op.attributes.get("python") else np.random.mtrand._rand
    is_shared = made is None or made.name != "host_call"

    def find(*handle: int) -> tuple[Any, bool, bool]:
        generator = held(*handle) if handle else default
        if noted and is_shared:
            journal().keep_generator(generator)
        return generator, gauss, is_shared

    return find
