"""What is found of the variables of a kernel's text."""

from __future__ import annotations

import ast

import pytest
from numba import types

from transpile.devices.cpu import memory, variables
from transpile.devices.cpu.arithmetic import NotLowered

NAMES = {
    "empty": memory.empty,
    "empty_f": memory.empty_f,
    "merged": memory.merged,
    "wrap": memory.wrap,
    "float64": types.float64,
    "int8": types.int8,
}


def function(text: str) -> ast.FunctionDef:
    (found,) = ast.parse(text).body
    assert isinstance(found, ast.FunctionDef)
    return found


def test_a_variable_is_fixed_where_one_assignment_comes_before_all_that_reads_it() -> None:
    text = """
def kernel(x, n):
    once = n + 1
    twice = 0
    for i in range(once):
        inside = i + n
        twice = twice + inside
        if inside > 3:
            later = inside
            deep = later
        for after in range(3):
            pass
        n_2 = deep
    while twice < 9:
        break
    return i + after
"""
    assert variables.fixed(function(text)) == {"x", "n", "once", "inside", "later", "n_2"}


def test_a_parameter_that_is_assigned_to_is_not_fixed() -> None:
    assert variables.fixed(function("def kernel(x, y):\n    x = y\n    return x")) == {"y"}


def test_the_types_of_arrays() -> None:
    text = """
def kernel(x, n):
    a = empty((n, 3, n), float64)
    b = a.transpose((2, 1, 0))
    c = a.transpose((1, 0, 2))
    d = merged(a, 1, 2)
    e = empty(n, int8)
    f = empty_f((n, n), int8)
    g = wrap(n, (n,), float64)
    h, i = g, n
    for j in range(n):
        k = q
        q = f
    q = f.transpose((1, 0)).transpose((0, 1))
    r = g.reshape((1, n))
"""
    given = {"x": types.Array(types.int8, 2, "A"), "n": types.int64}
    found = variables.array_types(function(text), given, NAMES)
    layouts = {name: (str(kind.dtype), kind.ndim, kind.layout) for name, kind in found.items()}
    assert layouts == {
        "x": ("int8", 2, "A"),
        "a": ("float64", 3, "C"),
        "b": ("float64", 3, "F"),
        "c": ("float64", 3, "A"),
        "d": ("float64", 2, "C"),
        "e": ("int8", 1, "C"),
        "f": ("int8", 2, "F"),
        "g": ("float64", 1, "C"),
        "h": ("float64", 1, "C"),
        "k": ("int8", 2, "A"),
        "q": ("int8", 2, "A"),
        "r": ("float64", 2, "C"),
    }


@pytest.mark.parametrize(
    "body",
    [
        "a = empty((n,), float64)\n    a = empty((n, n), float64)",
        "a = empty((n,), float64)\n    a = empty((n,), int8)",
        "a = empty((n,), n)",
        "a = empty((n, n), float64).transpose((n, 0))",
    ],
)
def test_what_has_no_one_type_is_not_lowered(body: str) -> None:
    with pytest.raises(NotLowered):
        variables.array_types(function(f"def kernel(n):\n    {body}"), {"n": types.int64}, NAMES)
