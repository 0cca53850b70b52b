"""The interpreter, the reference, and NumPy: they agree on the corpus and on the small programs."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import transpile
from transpile import corpus
from transpile.runtime.errors import FallbackWarning
from transpile.runtime.graph.ir import Graph

from ...end_to_end import (
    test_corpus,
    test_programs_algorithms,
    test_programs_aliasing,
    test_programs_arrays,
    test_programs_language,
    test_programs_numerics,
)
from ...end_to_end.comparison import call, compare, of_program
from ...end_to_end.programs import Program, name_of

MODULES: list[Any] = [
    test_programs_algorithms,
    test_programs_aliasing,
    test_programs_arrays,
    test_programs_language,
    test_programs_numerics,
]
PROGRAMS: list[Program] = [program for module in MODULES for program in module.programs.found]
# They print or draw: the fixture leaves them to the tests of the corpus.
HAVE_HOST_CALLS = ("bootstrap", "gauss_seidel", "logistic", "robust_regression")


@pytest.mark.parametrize("name", test_corpus.PROGRAMS)
def test_a_program_of_the_corpus_gives_what_the_reference_gives(name: str, compared: list[Graph]) -> None:
    program = corpus.load(name)
    converted = transpile.convert(program.entry, device="host")
    ways = [program.make("small"), *(program.make_sized(k) for k in range(3))]
    for arguments in [*ways, *(case.args for case in program.error_cases())]:
        with warnings.catch_warnings():
            # What fails on every way has no graph.
            warnings.simplefilter("ignore", FallbackWarning)
            outcomes = call(program.entry, arguments), call(converted, arguments)
            compare(*map(of_program, outcomes))
    assert len(compared) >= len(ways) or name in HAVE_HOST_CALLS


@pytest.mark.parametrize("program", PROGRAMS, ids=name_of)
def test_a_small_program_gives_what_the_reference_gives(program: Program, compared: list[Graph]) -> None:
    converted = transpile.convert(program.function, device="host")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for make in program.inputs:
            # Not copied before: what arguments share is part of the test.
            call(lambda _, make=make: converted(*make()), (None,))
