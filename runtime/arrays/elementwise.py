"""Applies ufuncs and Python's operators to symbolic values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    FLOAT64,
    INT64,
    DType,
    ScalarType,
    element,
)
from transpile.runtime.ops.elementwise import (
    OPERATORS,
    SCALAR_OPERATORS,
)
from transpile.runtime.ops.table import TABLE

from .alternatives import over_union
from .array import SymbolicArray, fresh
from .beside import beside
from .buffered import as_buffered
from .choices import choose
from .countable import Countable
from .numbers import COMPLEX, as_scalar, cast, is_number, lift, to_weak
from .numpy_loops import strong_operands
from .one_number import NEW, Otherwise, Target, otherwise
from .operand import Operand
from .powers import check_exponent, check_repeats
from .python_operators import NOT_COMPLEX, python_operator
from .recorder import recorder
from .scalar import SymbolicScalar
from .subclassed import without_class
from .union import Union

_TRUTH = ScalarType(np.dtype(bool))
# What NumPy takes for an array.
_SEQUENCES = (list, tuple, range, Countable)

# What Python asks the second operand for where the first one knows no answer.
_MIRRORED = {
    "less": "greater",
    "less_equal": "greater_equal",
    "greater": "less",
    "greater_equal": "less_equal",
    "equal": "equal",
    "not_equal": "not_equal",
}

# The ufuncs that are ops, each with the op's name.
UFUNCS: dict[Any, str] = {
    op.numpy: name for name, op in TABLE.items() if op.family == "elementwise" and op.numpy
}


def apply(name: str, *operands: Any, dtype: DType | None = None, target: Target = NEW) -> Any:
    """Apply an elementwise op, by its name in the table, to numbers and symbolic values, as NumPy's ufunc does.

    `dtype` asks for the loop of that result, `target` tells what it is to be written to afterwards. Several results come as a tuple. Raises NumPy's own TypeError where there is no loop.
    """
    if any(isinstance(operand, Union) for operand in operands):
        return over_union(
            name, lambda *parts: apply(name, *parts, dtype=dtype, target=target), operands, True
        )
    operands = without_class(operands, python=False)
    values = [as_scalar(lift(operand)) for operand in operands]
    strong = as_buffered(name, operands, strong_operands(name, values, dtype), target)
    return _results(name, strong, name, otherwise(name, operands, strong, target))


def operate(name: str, *operands: Any, target: Target = NEW) -> Any:
    """Apply Python's operator: on Python numbers alone as Python does, else as NumPy does. `target` is what the result is to be written to afterwards."""
    if not all(is_number(operand) or isinstance(operand, Union) for operand in operands):
        return _operate_on_other(name, operands)
    if name == "divmod":
        return tuple(_part_of_divmod(part, operands) for part in ("floor_divide", "remainder"))
    if any(isinstance(operand, Union) for operand in operands):
        return over_union(name, lambda *parts: operate(name, *parts, target=target), operands)
    operands = without_class(operands, python=True)
    if name == "matmul":
        return Operand.matmul(*operands)
    if name == "power" and isinstance(operands[0], SymbolicArray):
        return _array_power(operands[0], operands[1], target)
    values = [as_scalar(lift(operand)) for operand in operands]
    types = [value.type for value in values]
    if all(isinstance(type_, ScalarType) and type_.weak for type_ in types):
        return python_operator(name, values)
    if types == [ScalarType(COMPLEX, True), ScalarType(FLOAT64)] and name not in NOT_COMPLEX:
        # To Python's complex a NumPy float64 is the Python float that it is as well.
        return python_operator(name, [values[0], to_weak(values[1], FLOAT64)])
    strong = strong_operands(name, values, None)
    reported = name
    if all(isinstance(type_, ScalarType) for type_ in types):
        # Where both operands have to be cast, or one is an array without axes, NumPy's scalars leave them to the ufunc.
        dtype = _common_dtype(name, types, element(strong[0].type))  # type: ignore[arg-type]
        own = any(not type_.weak and type_.dtype == dtype for type_ in types)  # type: ignore[union-attr]
        own = own and not any(isinstance(operand, SymbolicArray) for operand in operands)
        # So does a truth of NumPy's that comes first.
        own = own and types[0] != _TRUTH
        if own:
            reported = f"scalar {name}"
        if (
            own
            and name in SCALAR_OPERATORS
            and all(element(value.type).kind in SCALAR_OPERATORS[name] for value in strong)
        ):
            return _results(f"scalar_{name}", strong, reported)
    met = as_buffered(name, operands, strong, target)
    return _results(name, met, reported, otherwise(name, operands, met, target))


def _common_dtype(name: str, types: Sequence[ScalarType], computed: np.dtype[Any]) -> np.dtype[Any] | None:
    """Return the dtype that scalars are cast to by an operator of theirs: integers divide as integers, before they are `computed` with as floats."""
    if name != "divide" or any(type_.dtype.kind not in "biu" for type_ in types):
        return computed
    common = np.result_type(*(type_.dtype for type_ in types if not type_.weak))
    # Truths have no operator of their own.
    first = types[0].dtype if not types[0].weak else common
    return None if "b" in (first.kind, common.kind) else common


def _part_of_divmod(name: str, operands: tuple[Any, ...]) -> Any:
    """Apply one of the two operators that `divmod` is, which has a message of its own where Python's numbers are divided by 0."""
    if any(isinstance(operand, Union) for operand in operands):
        return over_union(name, lambda *ways: _part_of_divmod(name, ways), operands)
    operands = without_class(operands, python=True)
    values = [as_scalar(lift(operand)) for operand in operands]
    if all(isinstance(value.type, ScalarType) and value.type.weak for value in values):
        return python_operator(name, values, divmod)
    return operate(name, *operands)


def _operate_on_other(name: str, operands: tuple[Any, ...]) -> Any:
    """Apply an operator one of whose operands is no number: a list stands for an array, None equals nothing but None."""
    place = next((p for p, o in enumerate(operands) if isinstance(o, Union)), None)
    if place is not None and operands[place].has_others:
        return operands[place].on_each_way(
            lambda way: OPERATORS[name](*operands[:place], way, *operands[place + 1 :])
        )
    if name in ("equal", "not_equal"):
        if place is not None:
            union = operands[place].bound()
            ways = union.alternatives if isinstance(union, Union) else (union,)
            truths = [OPERATORS[name](*operands[:place], way, *operands[place + 1 :]) for way in ways]
            return choose(union.tag, truths) if isinstance(union, Union) else truths[0]
    if not any(isinstance(o, _SEQUENCES) for o in operands):
        return beside(name, operands)
    if name in _MIRRORED and isinstance(operands[0], _SEQUENCES):
        # Python has the array compare itself, as it finds that what comes first cannot.
        name, operands = _MIRRORED[name], operands[::-1]
    if any(isinstance(o, SymbolicArray) or (isinstance(o, SymbolicScalar) and not o.weak) for o in operands):
        return operate(name, *(Operand.as_array(o) if isinstance(o, _SEQUENCES) else o for o in operands))
    return NotImplemented


def _results(name: str, values: Sequence[Value], reported: str, instead: Otherwise | None = None) -> Any:
    record = recorder()
    if instead is not None and instead.test is None:
        name, values = instead.name, instead.values
    if name in ("power", "scalar_power") and element(values[1].type).kind == "i":
        check_exponent(values)
    elif name == "power" and element(values[1].type).kind == "f":
        check_repeats(values)
    if TABLE[name].numpy is not None and TABLE[name].numpy.nout > 1:
        # Which of the results has an error does not tell how often it is reported: the original does.
        return tuple(fresh(value) for value in record.append(name, values, {}))
    result = record.emit(name, *values)
    record.report(result, reported)
    if instead is not None and instead.test is not None:
        result = record.emit("select", instead.test, record.emit(instead.name, *instead.values), result)
    return fresh(result)


def _array_power(base: SymbolicArray, exponent: Any, target: Target) -> Any:
    """Raise an array to a power as its operator does, which has shorter ways for some exponents that are Python numbers."""
    if base.dtype.kind in "fc" and type(exponent) in (int, float):
        short = {(int, -1): "reciprocal", (int, 2): "square", (float, 0.5): "sqrt"}.get(
            (type(exponent), exponent)
        )
        if short is not None:
            return apply(short, base, target=target)
    if base.dtype.kind == "b" and type(exponent) is int and exponent == 2:
        # NumPy squares, and gives the square of truths a dtype of its own.
        return apply("square", base)
    if base.dtype.kind == "b" and isinstance(exponent, SymbolicScalar) and exponent.weak:
        recorder().unstageable("S124-power", "truths are raised to a power that run time gives")
    if (
        base.dtype.kind in "fc"
        and isinstance(exponent, SymbolicScalar)
        and exponent.weak
        and exponent.type.dtype in (INT64, FLOAT64)
    ):
        # Which way it is shows at run time: none is the one that NumPy speaks of.
        record, one = recorder(), cast(lift(1), base.dtype)
        powers = lift(apply("power", base, exponent, target=target))
        record.unreport(powers)
        other_target = Target(target.out, target.out is not None)
        for number, short in (
            ((-1, "reciprocal"), (2, "square")) if exponent.type.dtype == INT64 else ((0.5, "sqrt"),)
        ):
            test = record.emit("equal", exponent.value, lift(number))
            # A way that is not taken goes over ones, which raise no flags. What the power itself is of stays as it lies, by which it rounds.
            chosen = fresh(record.emit("select", test, base.read(), one))
            other = lift(apply(short, chosen, target=other_target))
            record.unreport(other)
            powers = record.emit("select", test, other, powers)
        return fresh(powers)
    return apply("power", base, exponent, target=target)


Operand.operate = staticmethod(operate)
