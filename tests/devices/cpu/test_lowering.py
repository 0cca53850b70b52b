"""Kernels that are lowered do what numba makes of the same text, and all that the emitter prints is lowered."""

from __future__ import annotations

import contextlib
import copy
import io
import itertools
from typing import Any

import numpy as np
import pytest
from numba import types

import transpile
from transpile import corpus
from transpile.devices.cpu import machine_code, memory, pipeline
from transpile.devices.cpu.arithmetic import NotLowered

from .kernels import by_numba, lowered

VECTOR = types.Array(types.float64, 1, "C")
COUNTS = types.Array(types.int64, 1, "C")
NAMES = {"empty": memory.empty, "float64": types.float64, "int64": types.int64, "merged": memory.merged}


def both(text: str, kinds: tuple[Any, ...], returned: Any, *arguments: Any) -> Any:
    """Run a kernel both ways, and return what it returns and the arguments as it leaves them."""
    found = []
    for kernel in (lowered(text, NAMES, kinds, returned), by_numba(text, NAMES, kinds)):
        given = copy.deepcopy(arguments)
        found.append((kernel(*given), [np.asarray(item).tobytes() for item in given]))
    assert found[0] == found[1], text
    return found[0][0]


@pytest.mark.parametrize("bounds", ["n", "k, n", "0, n, 3", "n, k, -2", "k, n, k", "n, 0, k", "5, 5", "n, k"])
def test_loops_over_ranges(bounds: str) -> None:
    text = f"def kernel(x, n, k):\n    for i in range({bounds}):\n        x[0] = x[0] * 3 + i\n    return 0"
    for n, k in itertools.product((0, 1, 7), (-3, 2)):
        both(text, (COUNTS, types.int64, types.int64), types.int64, np.ones(3, np.int64), n, k)


def test_a_range_ends_where_integers_do() -> None:
    text = "def kernel(x, n, k):\n    for i in range(n, k, 5):\n        x[0] = x[0] + 1\n    return 0"
    ends = np.zeros(1, np.int64), 2**63 - 12, 2**63 - 1
    both(text, (COUNTS, types.int64, types.int64), types.int64, *ends)


def test_loops_that_are_left_keep_what_they_have_found() -> None:
    text = """
def kernel(x, n, k):
    found = -1
    last = 0.0
    for i in range(n):
        last = x[i]
        if last > k and (i != 2 or x[i + 1] > 8.0):
            found = i
            break
    while True:
        if found > 4:
            break
        else:
            found += 2
        if not last < 100.0:
            return -1, found, last
    while found > 3:
        found = found - 1
    return 0, found, last
"""
    returned = types.Tuple([types.int64, types.int64, types.float64])
    for n, k in itertools.product((0, 4, 9), (-1, 3, 90)):
        both(text, (VECTOR, types.int64, types.int64), returned, np.arange(10.0) ** 2, n, k)


def test_arrays_of_every_layout() -> None:
    text = """
def kernel(x, n, k):
    a = empty((n, k), float64).transpose((1, 0))
    c = empty((k, n), float64)
    for i in range(k):
        for j in range(n):
            a[i, j] = x[i, j] + i - j * 0.5
            c[i, j] = a[i, j] * 2.0
    b = a
    if n > 3:
        b = c
    flat = merged(c, 0, 2)
    square = c.reshape((n, k))
    total = 0.0
    for i in range(n * k):
        total = total * 0.5 + flat[i]
    return b.shape[0] * 100 + b.strides[1], total + b[0, n - 1] + square[n - 1, 0]
"""
    for layout, n in itertools.product("CFA", (2, 5)):
        x = np.arange(24.0).reshape(4, 6)[:, :n]
        x = {"C": np.ascontiguousarray, "F": np.asfortranarray, "A": lambda x: x}[layout](x)
        kinds = (types.Array(types.float64, 2, layout), types.int64, types.int64)
        both(text, kinds, types.Tuple([types.int64, types.float64]), x, n, 4)


def test_a_variable_may_hold_an_array_that_is_read_only_and_others() -> None:
    text = """
def kernel(x, n, k):
    y = x
    if n > 3:
        y = empty((n,), float64)
        y[0] = 7.0
    return 0, y[0]
"""
    kinds = (types.Array(types.float64, 1, "C", readonly=True), types.int64, types.int64)
    for n in (2, 5):
        both(text, kinds, types.Tuple([types.int64, types.float64]), np.ones(3), n, 4)


def test_an_array_for_which_there_is_no_memory_is_an_error_that_gives_back_the_others() -> None:
    text = "def kernel(n):\n    a = empty((8,), float64)\n    b = empty((n, n), float64)\n    return 0"
    kernel = lowered(text, NAMES, (types.int64,), types.int64)
    for n in (2**40, -1, 2**62):
        with pytest.raises(MemoryError):
            kernel(n)


@pytest.mark.parametrize(
    "body",
    [
        "y = x\n    return y",
        "return x[0] // 2",
        "del x\n    return 0",
        "return n + k",
        "y = 0\n    y = 0.5\n    return y",
        "return unheard(n)",
        "for i in x:\n        pass\n    return 0",
        "pass",
        "x.sort()\n    return 0",
    ],
)
def test_what_is_not_known_is_left_to_numba(body: str) -> None:
    with pytest.raises(NotLowered):
        kinds = (VECTOR, types.int64, types.uint64)
        lowered(f"def kernel(x, n, k):\n    {body}", NAMES, kinds, types.int64)


def test_a_kernel_that_is_not_lowered_is_compiled_by_numba(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    def refuse(*_given: Any) -> Any:
        raise NotLowered("a test")

    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(pipeline, "compiled", refuse)
    given: list[str] = []
    monkeypatch.setattr(pipeline, "refused", given)
    assert transpile.convert(_twice, strict=True, device="cpu")(np.arange(3.0)).tolist() == [1.0, 3.0, 5.0]
    assert given == ["a test"]


def _twice(x: Any) -> Any:
    return x * 2 + 1


# -- the whole corpus ------------------------------------------------------------------------------------------


def _run(program: Any) -> bytes:
    """Return what a program gives, prints and leaves of its arguments, as bytes."""
    arguments, shown = program.make("small"), io.StringIO()
    with contextlib.redirect_stdout(shown):
        result = transpile.convert(program.entry, device="cpu")(*arguments)
    return repr((_bits(result), _bits(arguments), shown.getvalue())).encode()


def _bits(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, (tuple, list)):
        return [_bits(item) for item in value]
    if isinstance(value, dict):
        return [(_bits(key), _bits(item)) for key, item in value.items()]
    return _bits(vars(value)) if hasattr(value, "__dict__") and not isinstance(value, type) else repr(value)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("name", corpus.names())
def test_the_corpus_is_lowered_and_gives_the_bits_that_numba_gives(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    program, made = corpus.load(name), []
    compiled = pipeline.compiled

    def count(*given: Any) -> Any:
        made.append(given)
        return compiled(*given)

    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path / "lowered"))
    monkeypatch.setattr(pipeline, "compiled", count)
    before = len(machine_code.refused)
    found = _run(program)
    assert machine_code.refused[before:] == []

    def refuse(*_given: Any) -> Any:
        raise NotLowered("a test")

    left: list[str] = []
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path / "numba"))
    monkeypatch.setattr(pipeline, "compiled", refuse)
    monkeypatch.setattr(pipeline, "refused", left)
    assert _run(program) == found
    assert len(left) == len(made)
