"""Every other row of the op table, by small programs; and that no row is left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.ops.table import TABLE

from .agreement import DEVICES, agree, convert, disagreement, function_of
from .operands import DTYPES, LAYOUTS, numbers

# Programs of one array `x` of two axes: reads, writes and rearrangement, and what is made from nothing.
OF_AN_ARRAY = {
    "view": "[x[1:], x[::-1], x[:, 1:-1], x.T, x[..., None], x[-3:-1, ::2], x[2], x[:, 0], x[5:2]]",
    "view of a view": "[x[1:][::2].T[::-1], x.T[1:, :-1], np.flip(x)[1:], np.broadcast_to(x[0], x.shape) + x]",
    "load": "[x[0, 0], x[-1, -1], x[2, -3], x[1][2], x.T[0, 1], x[::-1][0, 0]]",
    "update": "x[1:3] = x[0]\nx[:, -1] = x[:, 0]\nx[-1, -1] = x[0, 0]\nx[::2, ::-1] = x[::2]\nreturn x",
    "update by a number": "y = np.empty_like(x)\ny[...] = 1\ny[0] = 0\ny[1:, 1:] = x[1:, 1:]\nreturn y",
    "reshape": "[x.copy().reshape(-1), x.copy().reshape(-1, 1, x.shape[0]), x[1:].copy().reshape(x.shape[1], -1), x.T.reshape(-1), x.copy().reshape(-1) * 2]",
    "copy": "[x.copy(), x.copy(order='C'), x.copy(order='F'), x.copy(order='K'), np.array(x), x.T.copy(), np.ascontiguousarray(x.T)]",
    "concatenate": "[np.concatenate([x, x[1:]]), np.concatenate([x, x[:, :2], x], axis=1), np.stack([x, x[::-1]]), np.vstack([x[0], x])]",
    "fill": "[np.zeros(x.shape, x.dtype), np.ones_like(x), np.full(x.shape[0], x[0, 0]), np.full_like(x, x[1, 1]), np.zeros((2, 0))]",
    "empty": "y = np.empty(x.shape[::-1], x.dtype)\ny[...] = x.T\nreturn y",
    "iota": "[np.arange(x.shape[0]), np.arange(2, x.shape[1]), np.arange(x.size)[::-1] * 3, np.indices(x.shape)]",
    "select": "[np.where(x == x[0], x, x[::-1]), np.where(x != 0, x, x.dtype.type(1)), np.where(x[:, :1] == x[0], x, x[1])]",
    "nonzero": "[x[x != 0], x[x[:, 0] == x[0, 0]], x[:, x[1] != x[0]], x.T[x.T == x[1, 1]], x[x != x], np.count_nonzero(x)]",
    "gather": "[x[x != 0], x[np.array([2, 0, -1])], x[np.array([[0, 1], [2, 2]]), np.array([1, -1])], x[[1, 0]][:, [2, 2]], x[x[:, 0] != 0]]",
    "scatter": "x[x == x[0, 0]] = x[1, 1]\nx[np.array([0, 2, 0]), np.array([1, 1, 1])] = x[0, :3]\nx[[1, -1]] = x[[0, 0]]\nreturn x",
    "real": "[x.real * 1, x.imag + 1, np.real(x) + 0, -np.imag(x)]",
    "numpy": "[np.sort(x * 1), np.sort(x, axis=0), np.argsort(x[0] * 1, kind='stable')]",
    "numpy_several": "[*np.linalg.qr(x[:, :3] * np.float64(1)), *np.unique(x, return_counts=True)]",
    "kept": "[np.unique(x, axis=1), np.block([[x, x[::-1]], [x, x]])]",
    "matmul": "[x @ x.T, x @ x[0], x[0] @ x.T, x[0] @ x[1], np.matmul(x[None], x.T[None])]",
    "dot": "[np.dot(x, x.T), np.dot(x, x[0]), np.dot(x[0], x[1])]",
}


def small(dtype: np.dtype[Any]) -> Any:
    """Return an array of six by seven numbers."""
    values = numbers(dtype)
    if dtype.kind in "fc":
        values = values[np.isfinite(values) & (abs(values) < 1e3)]
    return np.resize(values, (6, 7))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_casts_to_every_dtype(dtype: np.dtype[Any], device: str) -> None:
    # NumPy warns where an imaginary part is lost, and so is asked to.
    targets = [d for d in DTYPES if d.kind == "c" or dtype.kind != "c"]

    def apply(x: Any, number: Any) -> list[Any]:
        return [x.astype(target) for target in targets] + [number.astype(target) for target in targets]

    values = numbers(dtype)
    if dtype.kind in "fc":
        # What does not fit into an integer is undefined, and differs between NumPy's own loops.
        values = values[np.isfinite(values) & (abs(values) < 100) & (values.real >= 0)]
    agree(apply, lambda: [values.copy(), values[2 % values.size]], device)


# Compiled, where each takes its time, on fewer dtypes and layouts.
@pytest.mark.parametrize(
    ("device", "character"), [*(("host", c) for c in "?BhlfdD"), *(("cpu", c) for c in "?hedF")]
)
@pytest.mark.parametrize("program", OF_AN_ARRAY)
def test_programs_on_dtypes(program: str, character: str, device: str) -> None:
    dtype = np.dtype(character)
    agree(function_of(OF_AN_ARRAY[program], "x"), lambda: [small(dtype)], device)


_TURNED = ("Fortran", "gaps", "backwards both", "backwards with gaps", "inner rows", "turned")


@pytest.mark.parametrize(
    ("device", "layout"), [*(("host", name) for name in _TURNED), *(("cpu", name) for name in _TURNED[::3])]
)
@pytest.mark.parametrize("program", OF_AN_ARRAY)
def test_programs_on_layouts(program: str, layout: str, device: str) -> None:
    """What NumPy decides by the strides at hand may be refused, with a reason."""
    values = np.arange(200.0) % 7 - 2

    def make() -> list[Any]:
        x = LAYOUTS[layout](values)
        return [x[0].T if x.ndim == 3 else x]

    try:
        agree(function_of(OF_AN_ARRAY[program], "x"), make, device)
    except transpile.runtime.errors.StagingError as error:
        assert error.code in OF_LAYOUTS, error


# Whether reshaping copies, and what BLAS adds up first, shows at run time.
OF_LAYOUTS = ("S147-hosted", "S171-strides", "S180-dot", "S184-reshape", "S185-order", "S212-view")

# Programs of numbers and control, each with arguments that take all its ways; errors are compared as well.
X = np.linspace(-3, 3, 13)
N = np.arange(10)
PROGRAMS: dict[str, tuple[str, str, list[tuple[Any, ...]]]] = {
    "cond": ("x, a", "if a > 0:\n    y = x * a\nelse:\n    y = x - a\n    x[0] = a\nreturn y.sum(), x", [(X, 2.0), (X, -1.0)]),
    "while_loop": ("a, n", "i = 0\nwhile a > 1 and i < n:\n    a = a / 2\n    i += 1\nreturn a, i", [(100.0, 50), (100.0, 3), (0.5, 9)]),
    "for_loop": ("x, n", "s = 0.0\nfor i in range(n, 0, -2):\n    s += x[i]\n    x[i] = s\nreturn s, x", [(X, 12), (X, 0), (X, -3), (X, 13)]),
    "for_loop until": ("x, a", "for i in range(len(x)):\n    if x[i] > a:\n        break\n    x[i] = a\nelse:\n    i = -1\nreturn i, x", [(X, 1.0), (X, 9.0), (X, -9.0)]),
    "bits": ("x", "y = x.view(np.int64)\ny[1] += 1\nreturn y >> 3, x, x.view(np.uint64)", [(X,)]),
    "complex_of": ("x, a", "z = x + 0j\nz.real[1] = a\nz.imag += x\nreturn z", [(X, 2.0)]),
    "constant": ("x", "return x + 1.5, x * -0.0, x ** 3, 1e308 * x, x.astype(complex) * (1 - 2j)", [(X,)]),
    "table": ("x", "return x[:3] + np.array([0.1, -0.0, 3.0]), np.array([[1, 2], [3, 4]]).T", [(X,)]),
    "reserve": ("x, n", "kept = []\nfor i in range(n):\n    if x[i] > 0:\n        kept.append(x[i] * 2)\nreturn np.array(kept)", [(X, 13), (X, 12)]),
    "index": ("x, i, j", "return x[i], x[i] + x[j - i]", [(X, 0, 5), (X, -1, -3), (X, -13, 0), (X, 13, 0), (X, -14, 0), (X, 12, 30)]),
    "index of data": ("x, n, i", "k = n[i]\nreturn x[k], x[int(k) - 2], x[n[:3]]", [(X, N, 3), (X, N, 0), (X, N + 6, 9), (X, N - 30, 0)]),
    "slice_bound": ("x, i, j", "return x[i:j].sum(), x[j:i:-1].copy(), x[i::3].copy()", [(X, a, b) for a in (-20, -3, 0, 5, 20) for b in (-15, -1, 4, 13)]),
    "slice_length": ("x, i, j", "x[i:j:2] = -1\nx[j:i:-3] += 1\nreturn x", [(X, a, b) for a in (-20, -3, 0, 5, 20) for b in (-15, -1, 4, 13)]),
    "deoptimise_if": ("a, b", "return a ** b", [(2.0, 0.5), (-8.0, 1 / 3), (2.0, 5000.0), (0.0, -1.0)]),
    "raise_if": ("x, a", "assert a < 5, f'{a} is too large'\nx[0] = 7 // (a - 1)\nreturn x", [(X, 3), (X, 7), (X, 1)]),
    "raise": ("x, a", "x[0] = a\nif a > 2:\n    raise ValueError('no', a)\nreturn x", [(X, 1.0), (X, 3.0)]),
    "leaves_int64": ("a", "return int(a), int(a) + 1", [(2.5,), (-2.5,), (1e30,), (-(2.0**63),), (float("nan"),)]),
    "math": ("a", "return math.sin(a), math.sqrt(a), math.floor(a)", [(2.5,), (0.0,), (-1.0,), (1e300,), (float("inf"),)]),
    "math of two": ("a, b", "return math.atan2(a, b), math.hypot(a, b), math.fmod(a, b)", [(2.5, 1.0), (0.0, 0.0), (-1.0, -0.0), (5.5, float("inf"))]),
    "math_fails": ("a", "return math.exp(a), math.log(a)", [(2.5,), (1e-300,), (0.0,), (-1.0,), (800.0,), (float("nan"),)]),
    "make_complex": ("a, b", "z = complex(a, b)\nreturn z, z * z, abs(z), z.real, z.imag, z.conjugate()", [(1.0, 2.0), (-0.0, 3.0), (1e200, 1e200)]),
    "arange_length": ("a, b", "return np.arange(a, b, 0.3), np.arange(b, a, -0.7), np.arange(b)", [(0.0, 3.0), (0.0, 0.9), (5.0, 1.0), (-1.0, 2.0), (0.0, 1e-310)]),
    "kept": ("x", "return np.polynomial.polynomial.polyfit(np.arange(13.0), x, 1)", [(X,), (-X,)]),
    "host_value": ("a", "return round(a, 2), round(a, 1) * 2", [(2.675,), (-0.05,), (1e300,)]),
    "bit_generator": ("a, n", "np.random.seed(n)\nreturn a + np.random.rand(), np.random.normal(a, 2.0), np.random.randint(n)", [(2.5, 3), (1.0, 9)]),
    "argreduce": ("x", "return x.argmax(), np.argmin(x), np.argmax(x[::-1]), np.argmin(x[2:5])", [(X,), (-X,)]),
    "scalar_power": ("x, i", "return x[i] ** 2, x[i] ** x[i], x[i] ** 0.5, x[i] // x[1], x[i] % x[2]", [(X, k) for k in range(13)]),
    "scalar_multiply": ("z, i", "return z[i] * z[i], z[i] * z[0], abs(z[i]), z[i] < z[1], z[i] <= z[1], z[i] > z[1], z[i] >= z[1]", [(X + 1j * X[::-1], k) for k in range(13)]),
}  # fmt: skip


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_of_numbers_and_control(program: str, device: str) -> None:
    parameters, body, calls = PROGRAMS[program]
    function = function_of(body, parameters)
    converted = convert(function, device)
    for arguments in calls:

        def make() -> list[Any]:
            return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]  # noqa: B023

        text = disagreement(function, converted, make)
        assert not text, f"{arguments}: {text}"
    assert any(entry.hits for entry in converted.calls.entries)


@pytest.mark.parametrize("device", DEVICES)
def test_host_calls_print_in_order(device: str, capsys: pytest.CaptureFixture[str]) -> None:
    """host_call, token"""
    function = function_of("for i in range(n):\n    print(i, x[i], x[:i])\nprint('end')\nreturn n", "x, n")
    converted = convert(function, device)
    function(N, 4)
    expected = capsys.readouterr().out
    converted(N, 4)
    assert capsys.readouterr().out == expected


def test_every_row_is_in_a_program() -> None:
    """Rows that a ufunc is are all taken by test_ufuncs."""
    found = {name for name, op in TABLE.items() if op.family == "elementwise" and op.numpy}
    cases = [(body, "x", (small(np.dtype(float)),)) for body in OF_AN_ARRAY.values()]
    cases += [(OF_AN_ARRAY["real"], "x", (small(np.dtype(complex)),))]
    cases += [(body, parameters, calls[0]) for parameters, body, calls in PROGRAMS.values()]
    cases += [("print(x[0])\nreturn x.astype(int), x.sum()", "x", (X,)), ("a - (a > 1)", "a", (1,))]
    for body, parameters, arguments in cases:
        graph = convert(function_of(body, parameters), "host").graph(*arguments)
        found |= {op.name for op in graph.block.walk()}
    # Where NumPy warns, the call is traced anew, to find out of what.
    warned = convert(function_of("return x / a", "x, a"), "cpu")
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        warned(np.ones(3), 0.0)
    # What is changed in place is watched from the start.
    summed = convert(function_of("x *= a\nreturn x.sum()", "x, a"), "cpu")
    summed(np.ones(3), 2.0)
    for entry in (*warned.calls.entries, *summed.calls.entries):
        found |= {op.name for op in entry.trace.graph.block.walk()}
    assert sorted(set(TABLE) - found) == []
