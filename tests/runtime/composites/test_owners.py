"""What an array is a view of, and what hands its memory to others, is what it is in NumPy."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.coverage import function_of as function_of_sample
from transpile.runtime.errors import FallbackWarning, StagingError, TranspileError
from transpile.runtime.ops.settings import kept_settings
from transpile.samples import ARGUMENTS, Sample, samples

from .agreement import X, agree, function_of

BASES = [
    "a.base is None, a[1:].base is a, a.T.base is a, a[1:, ::2].T.base is a, a.reshape(-1).base is a",
    "b = a * 2\nreturn b.base is None, b[1:].base is b, b.T[:, 1:].base is b, b[0, 0].base",
    "b = a + 1\nc = b[1:]\nb.shape = (12,)\nreturn b.base is None, c.base is b, c.base",
    "b = np.zeros(4)\nreturn b.base, b.copy().base, b[::2].base, b[1:].flags.owndata, b.flags.owndata",
    "a.flags.owndata, a[1:].flags.owndata, (a + 1).flags.owndata, (a + 1)[1:].flags['O']",
    "b = a + 1\nfor i in range(3):\n    b[i] = b[i - 1] * 2\nreturn b[1:].base is b, b",
]


@pytest.mark.parametrize("body", BASES)
def test_bases_are_numpys(body: str) -> None:
    agree(body, X.copy())


def test_the_base_that_the_callers_array_has_is_read_when_the_call_begins() -> None:
    @convert(strict=True)
    def bases(a: Any) -> Any:
        return a.base, a[1:].base, a.flags.owndata

    x = np.arange(6.0)
    for given in (x, x[1:], x, x[1:][1:]):
        for _ in range(3):
            found = bases(given)
            assert found[0] is given.base and found[1] is given[1:].base
            assert found[2] == given.flags.owndata


def test_what_is_written_where_its_base_is_read_is_left_to_python() -> None:
    def writes(a: Any) -> Any:
        a[0] = a.base[1] + 1
        return a.base

    x, y = np.arange(4.0), np.arange(4.0)
    with pytest.warns(FallbackWarning, match="S203-overlap"):
        assert convert(writes)(x[:]) is x
    writes(y[:])
    assert x.tolist() == y.tolist()


@pytest.mark.parametrize(
    "body",
    [
        "np.linspace(0, 1, 5).base",
        "np.lib.stride_tricks.sliding_window_view(a, 2, 0).base",
        "np.from_dlpack(a).base",
        "(a * 1j).real.base",
        "b = a if a[0, 0] > 0 else a + 1\nreturn b.base is None",
    ],
)
def test_bases_that_are_not_known_are_left_to_numpy(body: str) -> None:
    with pytest.raises(StagingError):
        convert(function_of(body, "a"), strict=True, device="host")(X)


class _OfResult(Sample):
    """A sample call of whose result it is asked whose memory it lies in."""

    @property
    def body(self) -> str:
        return (
            f"x_ = {self.text}\nreturn (x_.base is None, x_.flags.owndata) if type(x_) is np.ndarray else 0"
        )


# One of so many sample calls is tried.
_TRIED = 6


@pytest.mark.parametrize("part", range(2))
def test_bases_of_what_sample_calls_give_are_numpys_where_they_are_known(part: int) -> None:
    for sample in list(samples())[part :: 2 * _TRIED]:
        try:
            ast.parse(sample.text, mode="eval")
        except SyntaxError:
            continue
        function = function_of_sample(_OfResult("", sample.text))
        given = [np.copy(x) if isinstance(x := ARGUMENTS[name], np.ndarray) else x for name in sample.names]
        with warnings.catch_warnings(action="ignore"), kept_settings(), np.errstate(all="ignore"):
            try:
                expected = function(*given)
            except Exception:
                continue
            if not expected:
                continue
            try:
                found = convert(function, strict=True, device="host")(*given)
            except TranspileError:
                continue
            assert found == expected, sample.text


MEMORY = [
    "a.data",
    "a.ctypes",
    "b = a + 1\nreturn b.data, b, b.flat, b.flags, b.ctypes",
    "a[1:].data, a.T.data, np.zeros(3, np.int8).data",
    "m = a.data\na[0] = 7\nreturn m, a",
    "m = a.data\nreturn m.nbytes, m.itemsize, m.ndim, m.shape, m.strides, m.format, m.readonly, m.obj is a, len(m)",
    "m = a.data\nreturn m.c_contiguous, m.f_contiguous, m.contiguous, m.tobytes(), m.tolist(), m[1, 2], m[-1, 0]",
    "m = memoryview(a[0])\nreturn m[1], m.tolist(), len(m), m",
    "b = a + 1\nb.setflags(write=False)\nreturn b.data.readonly, b.data.tobytes()",
    "m = a.data\ntry:\n    m[9, 9]\nexcept IndexError as e:\n    return str(e)",
]


def _behind(found: Any) -> Any:
    if isinstance(found, (tuple, list)):
        return [_behind(thing) for thing in found]
    array = found.obj if isinstance(found, memoryview) else getattr(found, "_arr", found)
    array = array.base if isinstance(array, np.flatiter) else array
    if isinstance(array, np.ndarray):
        return type(found), array.dtype, array.shape, array.strides, array.tolist(), str(array.flags)
    return str(array)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("body", MEMORY)
def test_memory_is_handed_on(body: str, device: str) -> None:
    function = function_of(body, "a")
    converted = convert(function, strict=True, device=device)
    for _ in range(2):
        assert _behind(converted(X.copy())) == _behind(function(X.copy()))


def test_what_is_handed_on_is_the_very_memory() -> None:
    @convert(strict=True)
    def handed(a: Any) -> Any:
        b = a * 2
        return b, b.data, b.ctypes, a.data, a.ctypes.data, b.flat

    for x in (np.arange(4.0), np.arange(6.0), np.arange(5.0)):
        b, memory, address, own, place, flat = handed(x)
        memory[0], own[1] = 9.0, 8.0
        assert b[0] == 9 and x[1] == 8 and memory.obj is b and own.obj is x and flat.base is b
        assert (address.data, place) == (b.ctypes.data, x.ctypes.data)
        kept = b[1:].tolist()
        del b
        assert memory.tolist()[1:] == kept


@pytest.mark.parametrize(
    "body",
    [
        "m = a.data\nm[0, 0] = 1.0",
        "a.data[0]",
        "a.data.cast('B')",
        "bytes(a.data)",
        "a.data == a.data",
        "str(a.data)",
        "(a * 1j).data.tolist()",
        "(a + 1).ctypes.data",
        "a.ctypes.strides",
        "a.setflags(write=False)\nreturn a.data",
        "a.setflags(write=False)\nreturn a.flags",
        "m = a.data\na.setflags(write=False)\nreturn m",
        "m = (a + 1).data if a[0, 0] > 0 else a.data\nreturn m",
        "b = a + 1\nm = b.data\nb.shape = (12,)\nreturn m",
        "a[0, 0].data",
    ],
)
def test_what_is_not_known_of_memory_is_left_to_numpy(body: str) -> None:
    with pytest.raises(TranspileError):
        convert(function_of(body, "a"), strict=True, device="host")(X.copy())


def test_memory_seen_through_a_memoryview_is_not_taken_for_out_of_reach() -> None:
    def sees(x: Any, c: Any) -> Any:
        a = x + 1
        m = a.data
        b = a if c > 0 else a.copy()
        a = x
        b[0] = 50.0
        return m.tolist(), a[0]

    with pytest.raises(StagingError, match="S110-alias"):
        convert(sees, strict=True)(np.arange(3.0), 1)
