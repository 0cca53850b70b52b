"""What the machine computes side by side: inner loops of kernels are vector code."""

import re

import numpy as np
import pytest
from llvmlite import ir

import transpile
from transpile.devices.cpu import fast_loops
from transpile.devices.cpu.make import make

X = np.linspace(0.0, 1.0, 50)
PLATE = np.linspace(0.0, 1.0, 30 * 40).reshape(30, 40)
K = np.arange(50)
Z = X + 1j


def saxpy(x, y):
    y += 2.5 * x


def stencil(a, b):
    b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


def stencil_in_place(a):
    a[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])


def choice(x, y):
    return np.where(x < y, x * 2.0, y)


def total(x, y):
    return (x * y).sum()


def columns(x):
    return (x * x).sum(axis=0)


def integers(k, m):
    return (k * 3 + m) ^ (k >> 2)


def comparison(x, y):
    return (x < y) & (y < 0.5)


def complex_sum(z, w):
    return z + w


def squared_magnitude(z):
    return z.real * z.real + z.imag * z.imag


def single_precision(x, y):
    return x * y + x


def rows_with_gaps(a):
    a[:, 1:] *= 0.5


def around_a_function(x):
    return np.exp(-x * x) * 0.5 + 1.0


def optimised(function, arguments, accuracy="numpy"):
    """LLVM's code of a kernel, after its passes."""
    converted = transpile.convert(function, strict=True, accuracy=accuracy)
    return make(converted.graph(*arguments)).record.library.get_llvm_str()


def widths(text, operation, number):
    """The lengths of the vectors that an operation computes."""
    return {int(found) for found in re.findall(rf"= {operation}\b[a-z ]* <(\d+) x {number}>", text)}


@pytest.mark.parametrize(
    "function, arguments, operations, number",
    [
        (saxpy, (X, X + 1.0), ("fmul", "fadd"), "double"),
        (stencil, (PLATE, PLATE + 1.0), ("fmul", "fadd"), "double"),
        (stencil_in_place, (PLATE,), ("fmul", "fadd"), "double"),
        (choice, (X, X + 1.0), ("fcmp", "fmul"), "double"),
        (choice, (X, X + 1.0), ("select",), "i1"),
        (total, (X, X + 1.0), ("fmul",), "double"),
        (columns, (PLATE,), ("fmul", "fadd"), "double"),
        (integers, (K, K + 1), ("add", "ashr", "xor"), "i64"),
        (comparison, (X, X + 1.0), ("fcmp",), "double"),
        (comparison, (X, X + 1.0), ("and",), "i1"),
        (complex_sum, (Z, Z + 1.0), ("fadd",), "double"),
        (squared_magnitude, (Z,), ("fmul", "fadd"), "double"),
        (single_precision, (X.astype("f"), X.astype("f")), ("fmul", "fadd"), "float"),
        (rows_with_gaps, (PLATE,), ("fmul",), "double"),
        (around_a_function, (X,), ("fmul", "fadd", "fneg"), "double"),
    ],
)
def test_inner_loops_are_vector_code(function, arguments, operations, number):
    text = optimised(function, arguments)
    for operation in operations:
        assert max(widths(text, operation, number), default=1) >= 2, operation


def test_a_sum_in_any_order_is_added_up_in_vectors():
    text = optimised(total, (X, X + 1.0), accuracy="fast")
    assert max(widths(text, "fadd", "double"), default=1) >= 2


@pytest.mark.skipif(not fast_loops._width(), reason="there are no fast loops on this machine")
@pytest.mark.parametrize("name, kind", [("exp", "d"), ("exp", "f"), ("sin", "d"), ("tan", "d")])
def test_elementary_functions_of_our_own_are_vector_code(name, kind):
    module = ir.Module("loop")
    function = ir.Function(module, fast_loops._LOOP, "loop")
    number = ir.DoubleType() if kind == "d" else ir.FloatType()
    fast_loops._Loop(function, number, 1).emit(fast_loops._formula(name, kind))
    text = str(module)
    assert max(widths(text, "(?:fmul|call)", "(?:double|float)"), default=1) >= 2


def test_products_of_complex_numbers_are_numpys_vector_code():
    converted = transpile.convert(lambda z, w: z * w, strict=True)
    assert "np_multiply_DD_D(" in converted.kernels(Z, Z + 1.0)
