"""Every function of a good part of the standard library and of NumPy is converted, or refused with a reason."""

import ast
import importlib
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from transpile.converters import convert
from transpile.runtime.errors import ConversionError

pytestmark = pytest.mark.slow

STANDARD = [
    "_pydecimal",
    "argparse",
    "ast",
    "calendar",
    "cmd",
    "collections",
    "colorsys",
    "configparser",
    "copy",
    "csv",
    "datetime",
    "difflib",
    "dis",
    "doctest",
    "email.message",
    "fractions",
    "functools",
    "gettext",
    "glob",
    "heapq",
    "html.parser",
    "http.cookiejar",
    "inspect",
    "ipaddress",
    "json.decoder",
    "json.encoder",
    "locale",
    "logging",
    "numbers",
    "optparse",
    "pathlib",
    "pickletools",
    "plistlib",
    "pprint",
    "pydoc",
    "random",
    "reprlib",
    "sched",
    "shlex",
    "shutil",
    "statistics",
    "string",
    "symtable",
    "tarfile",
    "tempfile",
    "textwrap",
    "tokenize",
    "trace",
    "traceback",
    "types",
    "typing",
    "unittest.mock",
    "urllib.parse",
    "uuid",
    "weakref",
    "xml.dom.minidom",
    "xml.etree.ElementTree",
    "zipfile",
]

NUMPY = [
    "numpy._core.arrayprint",
    "numpy._core.numeric",
    "numpy._core.shape_base",
    "numpy._core.einsumfunc",
    "numpy.lib._arraysetops_impl",
    "numpy.lib._function_base_impl",
    "numpy.lib._histograms_impl",
    "numpy.lib._index_tricks_impl",
    "numpy.lib._nanfunctions_impl",
    "numpy.lib._npyio_impl",
    "numpy.lib._polynomial_impl",
    "numpy.lib._stride_tricks_impl",
    "numpy.lib._twodim_base_impl",
    "numpy.linalg._linalg",
    "numpy.ma.core",
    "numpy.ma.extras",
    "numpy.polynomial.chebyshev",
    "numpy.polynomial.hermite",
    "numpy.polynomial.polynomial",
    "numpy.polynomial.polyutils",
]

REASONS_OF_FILES = {"C001-not-a-function", "C002-no-source", "C003-changed-source"}


def functions(module: types.ModuleType) -> Iterator[types.FunctionType]:
    """Gives the functions and methods that a module defines."""
    pending: list[Any] = list(vars(module).values())
    seen: set[int] = set()
    while pending:
        found = pending.pop()
        if isinstance(found, property):
            pending += [found.fget, found.fset]
            continue
        if isinstance(found, staticmethod | classmethod):
            found = found.__func__
        found = getattr(found, "__wrapped__", found)
        if getattr(found, "__module__", None) != module.__name__ or id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, types.FunctionType):
            yield found
        elif isinstance(found, type):
            pending += vars(found).values()


@pytest.mark.parametrize("name", STANDARD + NUMPY)
def test_functions_are_converted_or_refused_with_a_reason(name):
    counts: Counter[str] = Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for function in functions(importlib.import_module(name)):
            try:
                text = convert(function).source()
            except ConversionError as error:
                counts[error.code] += 1
                assert error.location or error.code in REASONS_OF_FILES
            else:
                counts["converted"] += 1
                ast.parse(text)
    assert counts["C003-changed-source"] == 0
    assert counts["converted"] >= counts.total() // 3, counts
