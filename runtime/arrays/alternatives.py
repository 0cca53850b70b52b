"""Functions of scalars whose type depends on the way that control took."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.types import (
    FLOAT64,
    INT64,
    PYTHON_TYPES,
    element,
)
from transpile.runtime.ops.elementwise import (
    COMPARISONS,
    loop_dtypes,
)
from transpile.runtime.ops.quiet import QUIET
from transpile.runtime.ops.table import TABLE

from .array import SymbolicArray
from .choices import choose
from .numbers import COMPLEX, cast, lift, to_weak
from .numpy_loops import asked_of
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .union import Union


def over_union(
    name: str, function: Callable[..., Any], operands: tuple[Any, ...], is_ufunc: bool = False
) -> Any:
    """Apply a function of scalars where the type of one operand depends on the way control took: Python's operator, or a ufunc.

    Each alternative is computed; where all give one type, the union ends there.
    """
    place = next(p for p, o in enumerate(operands) if isinstance(o, Union))
    if operands[place].has_others:
        return operands[place].on_each_way(
            # An operand that is the same union has the same alternative.
            lambda way: function(*(way if o is operands[place] else o for o in operands))
        )
    union = operands[place].numbers()
    if not isinstance(union, Union):
        return function(*operands[:place], union, *operands[place + 1 :])
    if any(isinstance(o, SymbolicArray) for o in operands):
        return function(
            *operands[:place], _beside_arrays(name, union, operands, place), *operands[place + 1 :]
        )
    if _same_bits(name, union, [o for o in operands if o is not operands[place]]):
        return _computed_once(function, union, operands, place, is_ufunc)
    if _may_tell(name, union, operands):
        # What does not hold is not computed, lest NumPy be said to warn of it.
        return Operand.on_way(
            union.tag,
            union.alternatives,
            lambda way: function(*(way if o is operands[place] else o for o in operands)),
        )
    results: dict[int, Any] = {}
    refused: dict[int, TypeError] = {}
    for number, alternative in enumerate(union.alternatives):
        # An operand that is the same union has the same alternative.
        parts = [alternative if o is operands[place] else o for o in operands]
        with recorder().supposing(lift(union.tag == number)):
            try:
                results[number] = function(*parts)
            except TypeError as error:
                refused[number] = error
    if not results:
        raise refused[0]
    for number, reason in refused.items():
        recorder().deoptimise_if(lift(union.tag == number), str(reason))
    other = next(iter(results.values()))
    return choose(union.tag, [results.get(number, other) for number in range(len(union.alternatives))])


_NARROW = frozenset(map(np.dtype, (np.float16, np.float32, np.complex64)))
# Operators that give the same bits for Python's floats and NumPy's.
_SAME_BITS = frozenset(("add", "subtract", "multiply", "negative", "positive", "conjugate"))
# Those that NumPy's int64 does with Python's integer as it does them with another int64.
_OF_INT64 = frozenset(("add", "subtract", "multiply", "floor_divide", "remainder"))
# Functions that raise no floating-point error of the zeros that stand for what does not hold.
_QUIET = COMPARISONS | _SAME_BITS | {"absolute", "logical_not", "logical_and", "logical_or"}
# Functions of which NumPy never warns where they are of integers.
_QUIET_OF_INTEGERS = (
    _QUIET | QUIET | {"left_shift", "right_shift", "square", "sign", "gcd", "lcm", "bitwise_count"}
)


def _may_tell(name: str, union: Union, operands: Sequence[Any]) -> bool:
    """Whether a function may raise an error of the zeros that stand for what does not hold."""
    ways = [way for o in operands for way in (o.alternatives if isinstance(o, Union) else (o,))]
    numpys = {way.type.dtype.kind for way in ways if isinstance(way, SymbolicScalar) and not way.weak}
    if name == "multiply":
        # Zero times infinity is none, but of Python's floats, of which nobody is told.
        return bool(numpys & set("fc"))
    if name == "subtract":
        # NumPy's integers are too large where they are taken from zero.
        return bool(numpys & set("iu"))
    floats = any(way.type.dtype.kind in "fc" for way in union.alternatives)
    return (floats and name not in _QUIET) or (bool(numpys) and name not in _QUIET_OF_INTEGERS)


def _same_bits(name: str, union: Union, others: Sequence[Any]) -> bool:
    """Whether an operator gives the same bits for all alternatives, of which some are Python's and some NumPy's."""
    dtypes = {way.type.dtype for way in union.alternatives}
    if dtypes == {INT64}:
        return name in _OF_INT64 and bool(others) and all(_is_int64(o) for o in others)
    if len(dtypes) > 1 or not dtypes <= {FLOAT64, COMPLEX} or all(way.weak for way in union.alternatives):
        return False
    if any(isinstance(o, Union) for o in others):
        return False
    # Beside numbers of single precision Python's floats are of that precision, too.
    if any(element(lift(o).type) in _NARROW for o in others):
        return False
    if name in _SAME_BITS:
        return True
    # Python compares a float with an int exactly, and orders it with no complex number; NumPy does not, and does.
    kinds = "fc" if name in ("equal", "not_equal") else "f"
    return name in COMPARISONS and all(element(lift(o).type).kind in kinds for o in others)


def _computed_once(
    function: Callable[..., Any], union: Union, operands: tuple[Any, ...], place: int, is_ufunc: bool
) -> Any:
    """Apply a function to a union once, for the NumPy scalar that it may be; where it is Python's, an operator's result may be Python's too."""
    dtype = union.alternatives[0].type.dtype
    strong = choose(union.tag, [SymbolicScalar(cast(lift(way), dtype)) for way in union.alternatives])
    result = function(*(strong if o is operands[place] else o for o in operands))
    if is_ufunc or not all(_is_weak(o) for o in operands if o is not operands[place]):
        return result
    ways = [
        SymbolicScalar(to_weak(result.value, result.type.dtype)) if way.weak else result
        for way in union.alternatives
    ]
    return choose(union.tag, ways)


def _is_int64(operand: Any) -> bool:
    return isinstance(operand, SymbolicScalar) and not operand.weak and operand.type.dtype == INT64


def _is_weak(operand: Any) -> bool:
    """Whether an operand is a Python number."""
    return operand.weak if isinstance(operand, SymbolicScalar) else type(operand) in PYTHON_TYPES


def _beside_arrays(name: str, union: Union, operands: tuple[Any, ...], place: int) -> Any:
    """Return a union as the one number that an op with arrays takes, if all alternatives are taken as the same dtype."""
    others = [o for p, o in enumerate(operands) if p != place]
    if name in TABLE and name != "power" and not any(isinstance(o, Union) for o in others):
        asked = [lift(o).type for o in others]
        loops = set()
        for alternative in union.alternatives:
            types = [*asked[:place], lift(alternative).type, *asked[place:]]
            try:
                loops.add(loop_dtypes(name, tuple(map(asked_of, types))))
            except TypeError:
                # For one of several: which one it is shows at run time.
                return union.resolved()
        if len(loops) == 1:
            dtype = loops.pop()[place]
            return choose(union.tag, [SymbolicScalar(cast(lift(way), dtype)) for way in union.alternatives])
    return union.resolved()
