"""Operators on arrays and numbers beside things that are neither."""

from __future__ import annotations

import dis
import sys
from types import FrameType, FunctionType
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.graph.types import BOOL, ScalarType

from .array import SymbolicArray, fresh
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .undefined import Undefined

# The methods by which a class takes part in operators, whichever side it stands on.
_METHODS = frozenset(name for name in vars(Operand) if name.startswith("__r")) | {
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__",
}  # fmt: skip

# The priority of NumPy's numbers, and of what names none.
_OF_NUMBERS = -1_000_000.0

_ARRAYS = __name__.rpartition(".")[0]


def beside(name: str, operands: tuple[Any, ...]) -> Any:
    """Apply an operator one of whose operands is a number or an array, and the other neither, nor a sequence.

    NumPy takes what it does not know for an array of objects, unless its class says otherwise: that is left to the original.
    """
    if any(isinstance(operand, Undefined) for operand in operands):
        # Nothing stands there yet.
        return NotImplemented
    ours, other = operands if isinstance(operands[0], (SymbolicArray, SymbolicScalar)) else operands[::-1]
    compares = name in ("equal", "not_equal")
    simple = other is None or isinstance(other, (str, bytes))
    if not isinstance(ours, SymbolicArray) and not _is_of_numpy(ours):
        # Two numbers of Python's are equal to nothing else, but where that says so itself.
        return name == "not_equal" if compares and (simple or not _takes_part(other)) else NotImplemented
    if compares and simple:
        return _all(ours, other, name == "not_equal")
    kind = other.__class__
    if kind is np.ndarray and recorder().is_held(other):
        if operands[0] is other and _is_in_place():
            refuse_held_written()
        known = fresh(recorder().emit("table", array=other.copy()))
        return Operand.operate(name, *(known if operand is other else operand for operand in operands))
    if issubclass(kind, np.ndarray):
        # One that nothing guards, such as a class holds: it may hold something else in the next call.
        recorder().unstageable(
            "S299-beside", "an operator is applied to an array and one that is no argument"
        )
    if _is_left_to(kind, ours):
        return NotImplemented
    if compares or _takes_part(other) or hasattr(kind, "__array_ufunc__"):
        recorder().unstageable(
            "S299-beside", f"an operator is applied to an array and an object of type {kind.__name__}"
        )
    return NotImplemented


def _is_left_to(kind: type, ours: Any) -> bool:
    """Whether NumPy leaves an operator to a class: it says that it takes no part in ufuncs, or has the higher priority and says nothing of ufuncs."""
    if hasattr(kind, "__array_ufunc__"):
        return kind.__array_ufunc__ is None and not _is_in_place()
    own = 0.0 if isinstance(ours, SymbolicArray) else _OF_NUMBERS
    return bool(getattr(kind, "__array_priority__", _OF_NUMBERS) > own)


def refuse_held_written() -> NoReturn:
    """Give up staging where an array is written that a class or function holds, and a graph knows by what it holds."""
    recorder().unstageable("S249-held", "an array that a class or function holds is written")


def _is_in_place() -> bool:
    """Whether the operator under way is one like `+=`: NumPy's arrays ask for that of symbolic values as they ask for `+`."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__")).startswith(_ARRAYS):
        frame = frame.f_back
    if frame is None:
        return False
    place, code = frame.f_lasti, frame.f_code
    return any(
        found.offset == place and found.opname == "BINARY_OP" and found.argrepr.endswith("=")
        for found in dis.get_instructions(code)
    )


def _is_of_numpy(number: Any) -> bool:
    return isinstance(number, np.generic) or (isinstance(number, SymbolicScalar) and not number.weak)


def _takes_part(thing: Any) -> bool:
    """Whether a class has operators of its own, written in Python."""
    return any(
        isinstance(vars(base).get(method), FunctionType)
        for base in thing.__class__.__mro__[:-1]
        for method in _METHODS
    )


def _all(ours: Any, other: Any, truth: bool) -> Any:
    """Return what comparing with None or text gives: one truth for all elements."""
    if not isinstance(ours, SymbolicArray):
        return truth if other is None else np.bool_(truth)
    if not ours.ndim:
        return np.bool_(truth)
    value = recorder().constant(np.bool_(truth), ScalarType(BOOL))
    return fresh(recorder().emit("fill", value, dims=ours.dims))
