"""Computes what is known: ops on constants, by the function that defines them.

Before:
    graph area:
        r: float = scalar('r')
        t0: float = 3.0
        t1: float = 0.5
        t2: float = divide(t0, t1)
        t3: float = multiply(r, t2)
        return t3
After:
    graph area:
        r: float = scalar('r')
        t0: float = 3.0
        t1: float = 0.5
        t2: float = 6.0
        t3: float = multiply(r, t2)
        return t3

What raises, or makes NumPy warn, is left for run time, and so is what leaves 64 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Graph, Op
from transpile.runtime.graph.types import ScalarType, Type
from transpile.runtime.ops.elementwise import OPERATORS
from transpile.runtime.ops.table import TABLE
from transpile.runtime.quiet import noted_warnings

from .hazards import is_pure
from .rewriter import Rewriter


def fold_constants(graph: Graph) -> Graph:
    """Replace ops on constants by constants, in place, and return the graph."""
    return _Folder(graph).run()


class _Folder(Rewriter):
    def visit(self, op: Op) -> bool:
        if not op.operands or len(op.results) != 1 or not is_pure(op):
            return True
        operands = [operand.op for operand in op.operands]
        if any(made is None or made.name != "constant" for made in operands) or any(op.attribute_dims()):
            return True
        type_ = op.result.type
        found = _computed(op, [made.attributes["value"] for made in operands if made is not None])
        if not _is_of(found, type_):
            return True
        constant = self.constant(op, found, type_)
        if not self.can_replace(op.result, constant):
            self._ops.pop()
            return True
        self.replace(op.result, constant)
        return False


def _computed(op: Op, numbers: list[Any]) -> Any:
    """Return what an op gives for numbers, None where it raises or warns."""
    evaluate = TABLE[op.name].evaluate
    if evaluate is None:
        return None
    try:
        with np.errstate(all="raise"), noted_warnings() as kinds:
            if op.name in OPERATORS:
                # Of NumPy's integers that leave their range, the operator warns, where the ufunc does not.
                OPERATORS[op.name](*numbers)
            found = evaluate(op.attributes, *numbers)
    except Exception:
        return None
    return None if kinds else found


def _is_of(number: Any, type_: Type) -> bool:
    """Whether a number is exactly of a type, and within the range that the machine holds."""
    if not isinstance(type_, ScalarType):
        return False
    if type_.weak:
        return type(number) is type_.python and (type(number) is not int or -(2**63) <= number < 2**63)
    return isinstance(number, np.generic) and number.dtype == type_.dtype
