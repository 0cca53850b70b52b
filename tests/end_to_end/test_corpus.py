"""The corpus, converted whole, against plain NumPy."""

from __future__ import annotations

import warnings

import pytest

import transpile
from transpile import corpus
from transpile.runtime.errors import FallbackWarning

from .comparison import call, compare, of_program

PROGRAMS = corpus.names()
# Programs with traces for a few sizes alone, before there is one that serves all, and how many they have in all. The list may only shrink.
SEVERAL = {"householder": 5}
DEVICES = ("host", "cpu")


def _dtypes(name: str) -> list[str | None]:
    return list(corpus.load(name).dtypes) or [None]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("name", "dtype"), [(n, d) for n in PROGRAMS for d in _dtypes(n)])
def test_a_small_run_gives_what_numpy_gives(name: str, dtype: str | None, device: str) -> None:
    program = corpus.load(name)
    converted = transpile.convert(program.entry, strict=True, device=device)
    arguments = program.make("small", dtype)
    compare(call(program.entry, arguments), call(converted, arguments))


@pytest.mark.slow
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_medium_run_gives_what_numpy_gives(name: str, device: str) -> None:
    program = corpus.load(name)
    converted = transpile.convert(program.entry, strict=True, device=device)
    arguments = program.make("medium")
    compare(call(program.entry, arguments), call(converted, arguments))
    assert not any(entry.deoptimised for entry in converted.calls.entries), "the original ran the call"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_one_trace_serves_ten_sizes(name: str, device: str) -> None:
    program = corpus.load(name)
    converted = transpile.convert(program.entry, strict=True, device=device)
    for k in range(10):
        arguments = program.make_sized(k)
        compare(call(program.entry, arguments), call(converted, arguments))
    assert converted.cache_info().misses == SEVERAL.get(name, 1)
    assert converted.cache_info().hits == 10 - SEVERAL.get(name, 1)
    assert not any(entry.deoptimised for entry in converted.calls.entries), "the original ran a call"


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("name", "number"), [(n, k) for n in PROGRAMS for k in range(len(corpus.load(n).error_cases()))]
)
def test_bad_input_raises_what_python_raises(name: str, number: int, device: str) -> None:
    program = corpus.load(name)
    converted = transpile.convert(program.entry, device=device)
    # The trace is made of good input: the error comes out of compiled code.
    call(converted, program.make("small"))
    case = program.error_cases()[number]
    expected = call(program.entry, case.args)
    assert isinstance(expected.error, case.error)
    with warnings.catch_warnings():
        if name in SEVERAL:
            # Of bad input another trace would have to be made, which cannot be.
            warnings.simplefilter("ignore", FallbackWarning)
        outcomes = expected, call(converted, case.args)
    compare(*(map(of_program, outcomes) if device == "host" else outcomes))
