"""Kernels find floating-point errors as the oracle does."""

import itertools

import numpy as np
import pytest
from numba import njit

from transpile.devices.cpu.errors import float_errors
from transpile.runtime.ops.table import TABLE


def agree(name, result, *operands):
    """Compare what a kernel finds, element by element, with what the op table says."""
    finder = float_errors(name, len(operands))
    names = ", ".join(f"x{place}" for place in range(len(operands)))
    parameters = f"result, {names}" if operands else "result"
    elements = ", ".join(f"{name}[k]" for name in parameters.split(", "))
    namespace = {"finder": finder}
    text = f"def kernel({parameters}, out):\n    for k in range(len(result)):\n        out[k] = finder({elements})\n"
    exec(text, namespace)
    found = np.empty(len(result), np.int64)
    njit(namespace["kernel"])(result, *operands, found)
    assert found.tolist() == TABLE["float_errors"].evaluate({"of": name}, result, *operands).tolist()


REALS = [0.0, -0.0, 1.0, -2.0, 5e-324, 1e308, -1e308, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("name", ["multiply", "divide", "floor_divide", "power"])
def test_errors_of_two_reals(name):
    operands = np.array(list(itertools.product(REALS, repeat=2))).T.copy()
    with np.errstate(all="ignore"):
        agree(name, getattr(np, name)(*operands), *operands)


@pytest.mark.parametrize("name", ["sqrt", "log", "exp", "reciprocal", "other"])
def test_errors_of_one_real(name):
    with np.errstate(all="ignore"):
        x = np.array(REALS, np.float32)
        result = getattr(np, name, np.sqrt)(x)
    agree(name, result, *(() if name == "other" else (x,)))


@pytest.mark.parametrize("name", ["add", "multiply", "square"])
def test_errors_of_complex_numbers(name):
    parts = [0.0, 1.0, 1e200, 1e308, np.inf, np.nan]
    z = [complex(a, b) for a in parts for b in parts]
    ufunc = getattr(np, name)
    operands = np.array(list(itertools.product(z, repeat=ufunc.nin))).T.copy()
    with np.errstate(all="ignore"):
        agree(name, ufunc(*operands), *operands)


def test_errors_of_integers():
    a, b = np.array([1, 0, -3]), np.array([0, 0, 2])
    agree("floor_divide", a, a, b)
    x = np.array([1.5, np.nan, 1e300, -(2.0**63), 2.0**63])
    with np.errstate(all="ignore"):
        agree("cast", x.astype(np.int64), x)
