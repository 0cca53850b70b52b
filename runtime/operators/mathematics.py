"""The modules math and cmath, on symbolic values."""

from __future__ import annotations

import cmath
import contextlib
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.numbers import cast, lift, to_weak
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.types import BOOL, COMPLEX128, FLOAT, FLOAT64, INT, INT64, PYBOOL, ScalarType

from .builtins import element, to_int
from .call import call, known
from .iteration import run_loop
from .streams import stream_of

_COMPLEX = ScalarType(COMPLEX128, True)
_INTEGERS = (int, np.integer)

# What Python computes by itself, not by the machine's library.
_PYTHONS_OWN = frozenset(("hypot", "gamma", "lgamma"))


def _math(name: str) -> None:
    function = getattr(math, name)

    def error(*numbers: float) -> BaseException:
        try:
            function(*numbers)
        except (ValueError, OverflowError) as raised:
            return raised.with_traceback(None)
        raise AssertionError(f"math.{name} does not fail for {numbers}")

    def implementation(*numbers: Any) -> Any:
        numbers = tuple(element(number) for number in numbers)
        if not is_symbolic(numbers):
            return known(function, numbers, {})
        with contextlib.suppress(ValueError):
            # Python says whether there are as many as there should be.
            function(*(1.0 for _ in numbers))
        values = [to_weak(lift(number), FLOAT64) for number in numbers]
        record = recorder()
        if name == "fabs":
            return SymbolicScalar(record.emit("absolute", *values))
        if name == "copysign":
            strong = [cast(value, FLOAT64) for value in values]
            return SymbolicScalar(to_weak(record.emit("copysign", *strong), FLOAT64))
        if name in _PYTHONS_OWN:
            return SymbolicScalar(record.emit("host_value", *values, function=function, type=FLOAT))
        record.raise_if(record.emit("math_fails", *values, function=name), error, *values)
        return SymbolicScalar(record.emit("math", *values, function=name))

    FUNCTIONS[function] = implementation


for _name in (
    "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "pow", "hypot", "fabs", "copysign", "fmod", "degrees", "radians", "erf", "erfc", "gamma", "lgamma", "cbrt", "exp2",
):  # fmt: skip
    _math(_name)


_logarithm = FUNCTIONS[math.log]


@implements(math.log)
def log(number: Any, /, *base: Any) -> Any:
    """Stand for `math.log`: to a base, it is the quotient of two."""
    if len(base) != 1 or not is_symbolic((number, *base)):
        return _logarithm(number, *base)
    return _logarithm(number) / _logarithm(*base)


def _math_truth(name: str) -> None:
    function = getattr(math, name)

    def implementation(number: Any) -> Any:
        number = element(number)
        if not isinstance(number, SymbolicScalar):
            return known(function, (number,), {})
        value = cast(to_weak(number.value, FLOAT64), FLOAT64)
        return SymbolicScalar(recorder().emit("cast", recorder().emit(name, value), dtype=BOOL, weak=True))

    FUNCTIONS[function] = implementation


for _name in ("isnan", "isinf", "isfinite"):
    _math_truth(_name)


def _math_rounding(name: str) -> None:
    function = getattr(math, name)

    def implementation(number: Any) -> Any:
        if name == "trunc" and _has_no_trunc(number):
            raise recorder().unsure(TypeError("the type doesn't define __trunc__ method"))
        number = element(number)
        if not isinstance(number, SymbolicScalar):
            return known(function, (number,), {})
        if number.type.dtype.kind in "iub":
            return to_int(number)
        value = cast(to_weak(number.value, FLOAT64), FLOAT64)
        return to_int(SymbolicScalar(to_weak(recorder().emit(name, value), FLOAT64)))

    FUNCTIONS[function] = implementation


def _has_no_trunc(number: Any) -> bool:
    """Whether `math.trunc` refuses a thing: `floor` and `ceil` take any that is a float, it asks for a method that few of NumPy's numbers have."""
    if isinstance(number, SymbolicArray):
        return True
    return isinstance(number, SymbolicScalar) and not hasattr(number.python_type, "__trunc__")


for _name in ("floor", "ceil", "trunc"):
    _math_rounding(_name)


# -- what Python computes at run time -------------------------------------------------------------------------------


def _at_run_time(
    function: Callable[..., Any], numbers: tuple[Any, ...], dtype: Any, result: ScalarType
) -> Any:
    """Return the number that a function gives for Python numbers, taken as a dtype, that run time gives."""
    numbers = tuple(map(element, numbers))
    if not is_symbolic(numbers):
        return known(function, numbers, {})
    values = [to_weak(lift(number), dtype) for number in numbers]
    return SymbolicScalar(recorder().emit("host_value", *values, function=function, type=result))


def _of_floats(function: Callable[..., Any]) -> None:
    def stand_in(*numbers: Any, **options: Any) -> Any:
        if options:
            recorder().unstageable("S142-unknown", f"math.{function.__name__} with {', '.join(options)}=")
        return _at_run_time(function, numbers, FLOAT64, FLOAT)

    FUNCTIONS[function] = stand_in


for _function in (math.remainder, math.nextafter, math.ulp):
    _of_floats(_function)


def _of_complex(function: Callable[..., Any], result: ScalarType) -> None:
    FUNCTIONS[function] = lambda *numbers: _at_run_time(function, numbers, COMPLEX128, result)


for _complex_function in (
    cmath.sqrt, cmath.exp, cmath.log, cmath.log10, cmath.sin, cmath.cos, cmath.tan, cmath.asin, cmath.acos, cmath.atan,
    cmath.sinh, cmath.cosh, cmath.tanh, cmath.asinh, cmath.acosh, cmath.atanh,
):  # fmt: skip
    _of_complex(_complex_function, _COMPLEX)
_of_complex(cmath.phase, FLOAT)
for _test in (cmath.isnan, cmath.isinf, cmath.isfinite):
    _of_complex(_test, PYBOOL)


@implements(cmath.polar)
def polar(number: Any) -> Any:
    """Stand for `cmath.polar`."""
    radius = _at_run_time(lambda z: cmath.polar(z)[0], (number,), COMPLEX128, FLOAT)
    return radius, _at_run_time(cmath.phase, (number,), COMPLEX128, FLOAT)


@implements(cmath.rect)
def rect(radius: Any, angle: Any) -> Any:
    """Stand for `cmath.rect`."""
    return _at_run_time(cmath.rect, (radius, angle), FLOAT64, _COMPLEX)


@implements(math.modf)
def modf(number: Any) -> Any:
    """Stand for `math.modf`."""
    number = element(number)
    if not is_symbolic(number):
        return known(math.modf, (number,), {})
    record, value = recorder(), cast(to_weak(lift(number), FLOAT64), FLOAT64)
    # Infinity less itself would be none.
    finite = record.emit("select", record.emit("isinf", value), lift(np.float64(0)), value)
    fraction = record.emit("subtract", finite, record.emit("trunc", finite))
    parts = record.emit("copysign", fraction, value), record.emit("trunc", value)
    return tuple(SymbolicScalar(to_weak(part, FLOAT64)) for part in parts)


@implements(math.frexp)
def frexp(number: Any) -> Any:
    """Stand for `math.frexp`."""
    mantissa = _at_run_time(lambda x: math.frexp(x)[0], (number,), FLOAT64, FLOAT)
    return mantissa, _at_run_time(lambda x: math.frexp(x)[1], (number,), FLOAT64, INT)


@implements(math.ldexp)
def ldexp(mantissa: Any, exponent: Any) -> Any:
    """Stand for `math.ldexp`."""
    fraction, power = element(mantissa), element(exponent)
    if not is_symbolic((fraction, power)):
        return known(math.ldexp, (fraction, power), {})
    if not issubclass(power.python_type if isinstance(power, SymbolicScalar) else type(power), int):
        # Not even NumPy's integers will do.
        raise TypeError("Expected an int as second argument to ldexp.")
    values = to_weak(lift(fraction), FLOAT64), to_weak(lift(power), INT64)
    return SymbolicScalar(recorder().emit("host_value", *values, function=math.ldexp, type=FLOAT))


@implements(math.fsum)
def fsum(numbers: Any) -> Any:
    """Stand for `math.fsum`."""
    return _at_run_time(lambda *given: math.fsum(given), tuple(stream_of(numbers)), FLOAT64, FLOAT)


@implements(math.dist)
def dist(p: Any, q: Any) -> Any:
    """Stand for `math.dist`."""
    p, q = tuple(stream_of(p)), tuple(stream_of(q))
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    # As Python computes it.
    return FUNCTIONS[math.hypot](*(_float(a) - _float(b) for a, b in zip(p, q, strict=True)))


def _float(number: Any) -> SymbolicScalar:
    return SymbolicScalar(to_weak(lift(number), FLOAT64))


@implements(math.prod)
def prod(numbers: Any, *, start: Any = 1) -> Any:
    """Stand for `math.prod`."""
    multiplied = run_loop(
        numbers, lambda number, product: call(operator.mul, product, number), (start,), ("a product",)
    )
    return multiplied[0]


def _is_close(module: Any, dtype: Any) -> None:
    function = module.isclose

    def is_close(a: Any, b: Any, *, rel_tol: Any = 1e-9, abs_tol: Any = 0.0) -> Any:
        if is_symbolic((rel_tol, abs_tol)):
            recorder().unstageable("S256-tolerance", "a tolerance of isclose() that run time gives")
        return _at_run_time(
            lambda a, b: function(a, b, rel_tol=rel_tol, abs_tol=abs_tol), (a, b), dtype, PYBOOL
        )

    FUNCTIONS[function] = is_close


_is_close(math, FLOAT64)
_is_close(cmath, COMPLEX128)
