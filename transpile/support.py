"""Writes the page of what is supported of NumPy: what the tables say, and what tracing sample calls shows."""

from __future__ import annotations

import builtins
import cmath
import inspect
import math
import operator
import textwrap
import types
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.testing.overrides import get_overridable_numpy_array_functions

import transpile.runtime.composites
import transpile.runtime.operators  # noqa: F401 (declares what stands for functions)
from transpile.devices.cpu.random_numbers import DRAWS
from transpile.runtime.arrays.functions import FUNCTIONS, PYTHON_ATTRIBUTES, PYTHON_METHODS
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.ops.table import TABLE

from .coverage import Kind, Measured, measure
from .samples import Sample, samples
from .samples.ufuncs import UFUNCS

# The modules of NumPy's whose functions have rows, by measuring; and those of which the tables say what is known.
_MEASURED: tuple[tuple[str, types.ModuleType], ...] = (
    ("numpy", np),
    ("numpy.linalg", np.linalg),
    ("numpy.fft", np.fft),
    ("numpy.emath", np.emath),
)
_LISTED: tuple[tuple[str, types.ModuleType], ...] = (
    ("numpy.random", np.random),
    ("math", math),
    ("cmath", cmath),
    ("operator", operator),
    ("builtins", builtins),
)
_HOMES = {
    module: module
    for module in ("numpy", "numpy.linalg", "numpy.fft", "numpy.lib.stride_tricks", "numpy.lib.recfunctions")
} | {"numpy.lib.scimath": "numpy.emath"}
_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")

_KINDS = {
    Kind.COMPILED: "Compiled: the graph computes it",
    Kind.CONVERTED: "Compiled of NumPy's own Python, which is traced into",
    Kind.ROUTINE: "Routines in C, of NumPy's, LAPACK's or pocketfft's, which compiled code calls on arrays of which it knows dtype and shape",
    Kind.HOSTED: "Called of Python, on arrays of which compiled code knows what they give",
    Kind.WHOLE: "Called whole: compiled code takes what NumPy gives, as it comes",
    Kind.LEFT: "Left to NumPy: the function that calls it runs as plain Python",
}

Rows = dict[str, list[tuple[Sample, Measured]]]


def page() -> str:
    """Return the page."""
    rows = measured_rows()
    return (
        "\n\n".join((*_introduction(rows), *_functions(rows), *_lists(), *_exceptions(rows), *_ops())) + "\n"
    )


def measured_rows() -> Rows:
    """Return the sample calls that do not raise, with what is measured of them, by the function that each calls."""
    rows: Rows = defaultdict(list)
    for sample in samples():
        found = measure(sample)
        if found is not None:
            rows[sample.subject].append((sample, found))
    return rows


def kind_of(row: list[tuple[Sample, Measured]]) -> Kind:
    """Return the kind of a function: of its first sample call, which is a plain one."""
    return row[0][1].kind


def names_in(name: str, module: types.ModuleType) -> list[str]:
    """Return the names of the rows of a module's functions, but for classes, ufuncs and what is not to be called."""
    return sorted(
        f"{name}.{key}"
        for key, thing in ((key, getattr(module, key)) for key in dir(module) if not key.startswith("_"))
        if callable(thing)
        and not isinstance(thing, (np.ufunc, types.ModuleType))
        and not inspect.isclass(thing)
        and key != "test"
    )


def methods_and_attributes() -> list[str]:
    """Return the names of the rows of arrays' methods and attributes."""
    return [f"ndarray.{name}" for name in dir(np.ndarray) if not name.startswith("_")]


def overridable() -> list[str]:
    """Return the names of the rows of the functions that `__array_function__` may override."""
    return sorted(
        f"{_HOMES[function.__module__]}.{function.__name__}"
        for function in get_overridable_numpy_array_functions()
        if function.__module__ in _HOMES
    )


# -- what is measured ------------------------------------------------------------------------------------------------


def _introduction(rows: Rows) -> Iterator[str]:
    yield f"# What is supported of NumPy {'.'.join(np.__version__.split('.')[:2])}"
    yield (
        "Written by `make docs`: sample calls of every function are traced, and what their graphs call says of which kind they are. The kind of a function is that "
        "of its plainest call; calls that are carried out otherwise are listed [below](#calls-of-another-kind), with the reason."
    )
    functions = sorted({*overridable()})
    ufuncs = [f"numpy.{ufunc.__name__}" for ufunc in UFUNCS]
    methods = methods_and_attributes()
    lines = [
        "| kind | functions | ufuncs | methods and attributes |",
        "| --- | --- | --- | --- |",
    ]
    for kind, text in _KINDS.items():
        counts = (
            sum(kind_of(rows[name]) == kind for name in names) for names in (functions, ufuncs, methods)
        )
        lines.append(f"| {text} | {' | '.join(map(str, counts))} |")
    yield "\n".join(lines)


def _functions(rows: Rows) -> Iterator[str]:
    yield f"## {len(UFUNCS)} ufuncs"
    yield (
        "On every dtype of numbers that NumPy has a loop for, with `out=`, `where=`, `dtype=` and `casting=`. `isnat` is of dates alone, which are left to NumPy."
    )
    yield _line(sorted(ufunc.__name__ for ufunc in UFUNCS))
    yield "Their methods are compiled, but for:"
    yield "\n".join(_methods_of_ufuncs(rows)) or "none."
    for title, module in _MEASURED:
        yield from _by_kind(f"## {title}", names_in(title, module), rows)
    yield from _by_kind(
        "## Methods and attributes of arrays and NumPy scalars", methods_and_attributes(), rows
    )
    yield "Operators, in-place operators, indexing by integers, slices, `...`, `newaxis`, masks and integer arrays are compiled, for reading and writing."


def _methods_of_ufuncs(rows: Rows) -> Iterator[str]:
    for method in _METHODS:
        found = defaultdict(list)
        for ufunc in UFUNCS:
            row = rows.get(f"numpy.{ufunc.__name__}.{method}")
            if row and kind_of(row) > Kind.CONVERTED:
                found[kind_of(row)].append(ufunc.__name__)
        for kind, names in sorted(found.items()):
            yield f"* `{method}`, {_KINDS[kind].partition(':')[0].lower()}: {_line(names)}"


def _by_kind(title: str, names: list[str], rows: Rows) -> Iterator[str]:
    yield f"{title}: {len(names)}"
    for kind, text in _KINDS.items():
        found = [name for name in names if name in rows and kind_of(rows[name]) == kind]
        if not found:
            continue
        yield f"{text} ({len(found)}):"
        if kind < Kind.HOSTED:
            yield _listed(name.rpartition(".")[2] for name in found)
        else:
            reasons = ((name, rows[name][0][1].reason) for name in found)
            yield "\n".join(f"* `{name.rpartition('.')[2]}`: {_escaped(reason)}" for name, reason in reasons)


def _exceptions(rows: Rows) -> Iterator[str]:
    yield "## Calls of another kind"
    yield "Sample calls that are not of the kind of their function, and operators that are not compiled."
    lines = ["| call | how | reason |", "| --- | --- | --- |"]
    for name, row in sorted(rows.items()):
        usual = kind_of(row) if name else Kind.COMPILED
        lines += [
            f"| `{_escaped(sample.text)}` | {_KINDS[found.kind].partition(':')[0].lower()} | {_escaped(found.reason)} |"
            for sample, found in row
            if found.kind > max(usual, Kind.ROUTINE)
        ]
    yield "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


# -- what the tables say ---------------------------------------------------------------------------------------------


def _lists() -> Iterator[str]:
    for name, module in _LISTED:
        known = [key for key in dir(module) if not key.startswith("_") and _is_known(getattr(module, key))]
        yield f"## {name}: {len(known)} functions"
        yield _listed(known)
    for kind in (np.random.Generator, np.random.RandomState):
        yield f"## numpy.random.{kind.__name__}: {len(OBJECT_METHODS[kind])} methods"
        yield _listed(sorted(OBJECT_METHODS[kind]))
        yield "Of these, compiled code draws by itself, with parameters that are numbers:"
        yield _listed(sorted(d.split(".")[1] for d in DRAWS if d.startswith(f"{kind.__name__}.")))
    yield "## Python's numbers"
    yield _listed(sorted((*PYTHON_METHODS, *PYTHON_ATTRIBUTES)))


def _ops() -> Iterator[str]:
    yield f"## Below: {len(TABLE)} ops"
    families = dict.fromkeys(op.family for op in TABLE.values() if op.family != "elementwise")
    yield "\n".join(
        f"* {family}: {_line(sorted(n for n, op in TABLE.items() if op.family == family))}"
        for family in families
    )


def _is_known(thing: Any) -> bool:
    if isinstance(thing, types.ModuleType) or not callable(thing):
        return False
    try:
        return thing in FUNCTIONS
    except TypeError:
        return False


def _line(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _listed(names: Iterable[str]) -> str:
    return textwrap.fill(_line(names), 140, break_long_words=False, break_on_hyphens=False)
