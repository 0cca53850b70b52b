"""Warnings of a file's text are Python's, when it compiles that: nothing warns of it once more, nor is a warning shown anew that was shown."""

import importlib.util
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.forecast import foreseen
from transpile.hook import load, offer
from transpile.runtime.quiet import noted_warnings

TEXT = r"""
import warnings

import numpy as np

LATE = lambda x: x * 2 is 5 or x + 1

def by_lines(x):
    "The kernel is \k."
    for row in x:
        if x.shape is 5:
            return row
    return x * 2 + x[::-1]

def tells():
    warnings.warn("an old thing")
"""


def _module(folder: Path) -> ModuleType:
    path = folder / "warned_of.py"
    # What was rewritten for another test is not found on disk.
    path.write_text(f"{TEXT}\nFOLDER = {str(folder)!r}\n")
    specification = importlib.util.spec_from_file_location(path.stem, path)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    with warnings.catch_warnings(action="ignore"):
        specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["by_lines", "LATE"])
def test_converting_warns_of_no_text(tmp_path: Path, name: str) -> None:
    function = getattr(_module(tmp_path), name)
    converted = transpile.convert(function)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert np.array_equal(converted(np.arange(3.0)), function(np.arange(3.0)))
        foreseen(function, (np.arange(3.0),))
    assert not shown
    assert not converted.calls.failures


def test_text_that_python_warns_of_is_converted_where_warnings_are_errors(tmp_path: Path) -> None:
    module = _module(tmp_path)
    with warnings.catch_warnings(action="error"):
        converted = transpile.convert(module.by_lines)
        assert np.array_equal(converted(np.arange(3.0)), [2.0, 3.0, 4.0])
    assert not converted.calls.failures


def test_a_file_that_is_run_is_warned_of_once(tmp_path: Path) -> None:
    path = tmp_path / "warned_of_once.py"
    path.write_text("x = 1\nfor turn in range(3):\n    if turn is 5:\n        x = 2\n")
    ran: list[Any] = []
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        load(path, path.stem, tmp_path, offer, lambda loop: ran.append(loop()))
    assert ran
    assert [str(each.message)[:4] for each in shown] == ['"is"']


def whole(x):
    return np.linalg.lstsq(np.eye(len(x)), x)[0], np.nanmax(x), np.linalg.cond(np.outer(x, x))


def in_parts(x):
    return np.add.reduceat(x, [0, 1]) + np.median(x) * (np.float64(2.0) ** 0.5), f"{x[0]:.2f}"


def test_a_warning_that_was_shown_stays_shown(tmp_path: Path) -> None:
    module = _module(tmp_path)
    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("default")
        for size in (3, 4, 5):
            module.tells()
            for function in (module.by_lines, in_parts, whole):
                converted = transpile.convert(function)
                converted(np.arange(float(size)))
                assert not converted.calls.failures
    assert [str(each.message) for each in shown] == ["an old thing"]


def test_warnings_are_noted_as_python_filters_them() -> None:
    def quiet_inside() -> None:
        with warnings.catch_warnings(action="ignore"):
            warnings.warn("hidden", UserWarning, stacklevel=2)

    warn, filters = warnings.warn, warnings.filters
    with noted_warnings() as kinds:
        warnings.warn("told", UserWarning, stacklevel=2)
        warnings.warn(RuntimeWarning("told"), stacklevel=2)
        np.complex128(1j).astype(np.float64)
        quiet_inside()
        with pytest.raises(TypeError):
            raise TypeError
    assert kinds == [UserWarning, RuntimeWarning, np.exceptions.ComplexWarning]
    assert warnings.warn is warn and warnings.filters is filters
