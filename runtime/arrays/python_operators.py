"""Python's operators on Python's numbers."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    FLOAT64,
    INT,
    INT64,
    ScalarType,
    element,
)
from transpile.runtime.ops.elementwise import (
    OPERATORS,
    python_types,
)

from .numbers import COMPLEX, lift, raise_if, to_weak
from .recorder import recorder
from .scalar import SymbolicScalar

# What Python's floats do not have.
_ON_BITS = frozenset(("left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor", "invert"))


# What fails for some second operands.
_FAILING = frozenset(("divide", "floor_divide", "remainder", "left_shift", "right_shift", "power"))


# What Python's complex numbers do not have.
NOT_COMPLEX = frozenset(("floor_divide", "remainder", "less", "less_equal", "greater", "greater_equal"))


# The exponents for which Python multiplies complex numbers, instead of taking logarithms. For 0 and those below it divides.
_MULTIPLIED = range(1, 101)


def python_operator(name: str, values: Sequence[Value], within: Callable[..., Any] | None = None) -> Any:
    """Apply an operator to Python numbers; one that fails does so as the function does that it is applied `within`."""
    function = OPERATORS[name] if within is None else within
    record = recorder()
    known = [
        value.op.attributes["value"] if value.op and value.op.name == "constant" else None for value in values
    ]
    if all(number is not None for number in known):
        if within is not None:
            within(*known)
        return OPERATORS[name](*known)
    if name in _ON_BITS and any(element(value.type).kind in "fc" for value in values):
        # Python's own TypeError, whatever the numbers.
        return OPERATORS[name](*(value.type.python(1) for value in values))  # type: ignore[union-attr]
    loop, _ = python_types(name, [value.type for value in values])  # type: ignore[misc]
    if COMPLEX in (element(value.type) for value in values) and name in NOT_COMPLEX:
        try:
            function(*(value.type.python(1) for value in values))  # type: ignore[union-attr]
        except TypeError as error:
            # Where numbers are ordered, Python speaks of the operator that is asked for, such as that of `min`.
            raise record.unsure(TypeError(str(error))) from None
    operands = [to_weak(value, dtype) for value, dtype in zip(values, loop, strict=True)]
    if name == "power" and loop[0] == COMPLEX and known[1] is not None and known[1] in _MULTIPLIED:
        return _complex_product(operands[0], int(known[1].real))
    if name in _FAILING and record.supposed is not None:
        # Where this alternative does not hold, nothing may fail that is computed of it.
        one = lift(operands[1].type.python(1))  # type: ignore[union-attr]
        operands[1] = record.emit("select", record.supposed, operands[1], one)
    if name in ("divide", "floor_divide", "remainder"):
        divisor = operands[1]
        if not (divisor.type.dtype == INT64 and _not_zero(divisor)):  # type: ignore[union-attr]
            message = _zero_division(function, values)
            raise_if(SymbolicScalar(divisor) == 0, lambda: ZeroDivisionError(message))
    if name in ("left_shift", "right_shift") and not record.bounds.nonnegative(record.dim(operands[1])):
        raise_if(SymbolicScalar(operands[1]) < 0, lambda: ValueError("negative shift count"))
    if name == "power":
        return _python_power(operands)
    return SymbolicScalar(record.emit(name, *operands))


def _not_zero(divisor: Value) -> bool:
    record = recorder()
    dim = record.dim(divisor)
    return record.bounds.nonnegative(dim - 1) or record.bounds.nonnegative(-1 - dim)


def _zero_division(function: Callable[..., Any], values: Sequence[Value]) -> str:
    """Return Python's message for this operator and these operand types, asked of Python itself."""
    try:
        function(*(value.type.python(0) for value in values))  # type: ignore[union-attr]
    except ZeroDivisionError as error:
        return str(error)
    raise AssertionError


def _python_power(operands: Sequence[Value]) -> Any:
    """Raise a Python number to a power: an int to a negative one is a float, and some floats give complex numbers."""
    record = recorder()
    base, exponent = operands
    dtype = base.type.dtype  # type: ignore[union-attr]
    if dtype == INT64:
        known = record.dim(exponent)
        if isinstance(known, int) and known < 0:
            return python_operator("power", [to_weak(base, FLOAT64), to_weak(exponent, FLOAT64)])
        if not record.bounds.nonnegative(known):
            record.deoptimise_if(
                record.emit("less", exponent, record.constant(0, INT)), "an int has a negative exponent"
            )
    elif dtype == FLOAT64:
        record.deoptimise_if(
            record.emit("power_leaves_floats", base, exponent), "a float power that is an error or complex"
        )
    elif dtype == COMPLEX:
        return SymbolicScalar(
            record.emit("host_value", base, exponent, function=operator.pow, type=ScalarType(COMPLEX, True))
        )
    return SymbolicScalar(record.emit("power", base, exponent))


def _complex_product(base: Value, exponent: int) -> SymbolicScalar:
    """Multiply a Python complex number by itself, in the order in which Python does; where it gets too large, Python's OverflowError."""
    record = recorder()
    product, factor = lift(complex(1)), base
    for bit in reversed(f"{exponent:b}"):
        if bit == "1":
            product = record.emit("multiply", product, factor)
        factor = record.emit("multiply", factor, factor)
    power = SymbolicScalar(product)
    for part in (power.real, power.imag):
        raise_if(abs(part) == math.inf, lambda: OverflowError("complex exponentiation"))
    return power
