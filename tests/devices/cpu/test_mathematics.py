"""Functions of math in kernels give Python's results, and fail where Python's do."""

import math
import random

import pytest
from numba import njit

from transpile.devices.cpu.mathematics import math_function

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.0,
    3.0,
    -3.0,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    1e308,
    -1e308,
]
SPECIAL += [710.0, -745.5, 1e16, 0.1, -0.5, 1023.9, 1024.0]
UNARY = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "degrees",
    "erf",
    "erfc",
    "exp",
]
UNARY += ["exp2", "expm1", "log", "log10", "log1p", "log2", "radians", "sin", "sinh", "sqrt", "tan", "tanh"]


def number(r):
    kind = r.random()
    if kind < 0.25:
        return r.choice(SPECIAL)
    return r.uniform(-1.1, 1.1) if kind < 0.5 else r.gauss(0, 1) * 10.0 ** r.randrange(-10, 11)


@pytest.mark.parametrize("name", [*UNARY, "atan2", "fmod", "pow"])
def test_functions_of_math_are_pythons(name):
    r = random.Random(name)
    arity = 1 if name in UNARY else 2
    arguments = ", ".join("xy"[:arity])
    namespace = {"f": math_function(name)}
    exec(f"def call({arguments}):\n    return f({arguments})", namespace)
    call = njit(namespace["call"])
    for _ in range(3000):
        values = [number(r) for _ in range(arity)]
        found, status = call(*values)
        try:
            expected = getattr(math, name)(*values)
        except (ValueError, OverflowError) as error:
            assert status == (1 if isinstance(error, ValueError) else 2), values
        else:
            assert status == 0, values
            both_nan = found != found and expected != expected
            assert both_nan or found.hex() == expected.hex(), values


def test_what_python_computes_itself_is_not_offered():
    assert math_function("gamma") is None
    assert math_function("hypot") is None
