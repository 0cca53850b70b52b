"""Writes the page of what is supported of NumPy, from the tables."""

from __future__ import annotations

import builtins
import cmath
import inspect
import math
import operator
import textwrap
import types
from collections.abc import Iterable

import numpy as np

import transpile.runtime.composites
import transpile.runtime.operators  # noqa: F401 (declares what stands for functions)
from transpile.devices.cpu.random_numbers import DRAWS
from transpile.runtime.arrays.functions import (
    ATTRIBUTES,
    FUNCTIONS,
    METHODS,
    PYTHON_ATTRIBUTES,
    PYTHON_METHODS,
)
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.operators.whole import is_whole
from transpile.runtime.ops.elementwise import elementwise_ufuncs
from transpile.runtime.ops.table import TABLE

# The modules that a user calls functions of, with the name that they go by.
_MODULES: tuple[tuple[str, types.ModuleType], ...] = (
    ("numpy", np),
    ("numpy.linalg", np.linalg),
    ("numpy.fft", np.fft),
    ("numpy.random", np.random),
    ("math", math),
    ("cmath", cmath),
    ("operator", operator),
    ("builtins", builtins),
)


def page() -> str:
    """Return the page."""
    ufuncs = sorted(ufunc.__name__ for ufunc in elementwise_ufuncs())
    reductions = sorted(key[1] for key in FUNCTIONS if isinstance(key, tuple) and key[0] == "reduce")
    parts = [
        f"# What is supported of NumPy {'.'.join(np.__version__.split('.')[:2])}",
        "Written by `make docs` from the tables that tracing uses. A function that is not in the table and that NumPy writes in Python is traced into, and compiled where it "
        "only calls what is. Where that fails, or an option is not supported, a function that only computes is called whole: compiled code hands the arrays to NumPy, and takes "
        "what it gives. Any other makes the function that calls it run as plain Python.",
        f"## Elementwise: {len(ufuncs)} ufuncs",
        "All of them, on every dtype of numbers that NumPy has a loop for, with `out=`, `dtype=` and `where=`:",
        _listed(ufuncs),
        "Their `reduce`, over any axes:",
        _listed(reductions),
        "The `reduce` of the others, and `reduceat`, are called whole; `accumulate`, `outer` and `at` are compiled.",
    ]
    for name, module in _MODULES:
        known = _names(module, supported=True)
        if known:
            parts += [f"## {name}: {len(known)} functions", _listed(known)]
        if module in (np, np.linalg, np.fft, np.random):
            rest = _names(module, supported=False)
            whole = [other for other in rest if is_whole(getattr(module, other))]
            if whole:
                parts += [f"### {name}: traced into, or called whole: {len(whole)} functions", _listed(whole)]
            parts += [f"### {name}: left to NumPy", _listed(other for other in rest if other not in whole)]
    for kind in (np.random.Generator, np.random.RandomState):
        parts += [
            f"## numpy.random.{kind.__name__}: {len(OBJECT_METHODS[kind])} methods",
            _listed(sorted(OBJECT_METHODS[kind])),
        ]
        own = [draw.split(".")[1] for draw in DRAWS if draw.startswith(f"{kind.__name__}.")]
        parts += [
            "Of these, compiled code draws by itself, with parameters that are numbers:",
            _listed(sorted(own)),
        ]
    parts += [
        f"## Arrays and NumPy scalars: {len(METHODS)} methods, {len(ATTRIBUTES)} attributes",
        _listed(sorted(METHODS)),
        _listed(sorted(ATTRIBUTES)),
        "Operators, in-place operators, indexing by integers, slices, `...`, `newaxis`, masks and integer arrays, for reading and writing.",
        "## Python's numbers",
        _listed(sorted((*PYTHON_METHODS, *PYTHON_ATTRIBUTES))),
        f"## Below: {len(TABLE)} ops",
    ]
    families = dict.fromkeys(op.family for op in TABLE.values() if op.family != "elementwise")
    parts += [
        f"* {family}: {_line(sorted(n for n, op in TABLE.items() if op.family == family))}"
        for family in families
    ]
    return "\n\n".join(parts[: -len(families)]) + "\n\n" + "\n".join(parts[-len(families) :]) + "\n"


def _names(module: types.ModuleType, supported: bool) -> list[str]:
    """Return the names of a module's functions that are in the table, or that are not."""
    found = []
    for name in dir(module):
        thing = getattr(module, name) if not name.startswith("_") else None
        if thing is None or isinstance(thing, (np.ufunc, types.ModuleType)) or not callable(thing):
            continue
        if (_known(thing)) is supported and (supported or not inspect.isclass(thing)):
            found.append(name)
    return sorted(found)


def _known(thing: object) -> bool:
    try:
        return thing in FUNCTIONS
    except TypeError:
        return False


def _line(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _listed(names: Iterable[str]) -> str:
    return textwrap.fill(_line(names), 140, break_long_words=False, break_on_hyphens=False)
