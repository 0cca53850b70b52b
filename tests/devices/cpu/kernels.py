"""Kernels of given texts, compiled by either way, for tests."""

from __future__ import annotations

import ast
import itertools
import types as python_types
from typing import Any

import numba
from numba.core.registry import cpu_target

from transpile.devices.cpu import machine_code, pipeline

_numbers = itertools.count()


def function_of(text: str, namespace: dict[str, Any]) -> Any:
    """Return the function of a text, under a name of its own."""
    code = compile(text, "kernel", "exec").co_consts[0]
    function = python_types.FunctionType(code, {**namespace, "__name__": __name__})
    function.__qualname__ = f"kernel_{next(_numbers)}"
    return function


def lowered(text: str, namespace: dict[str, Any], kinds: tuple[Any, ...], returned: Any) -> Any:
    """Return a kernel that is lowered."""
    function = function_of(text, namespace)
    context = cpu_target.target_context
    return machine_code.compiled(
        context.typing_context, context, function, ast.parse(text), returned, kinds, False
    ).entry_point


def by_numba(text: str, namespace: dict[str, Any], kinds: tuple[Any, ...]) -> Any:
    """Return a kernel that numba compiles."""
    function = function_of(text, namespace)
    return numba.njit(kinds, error_model="numpy", pipeline_class=pipeline.Pipeline)(function)
