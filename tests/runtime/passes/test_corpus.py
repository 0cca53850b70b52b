"""Programs of the corpus: optimised, they do what they did."""

import sys

import pytest

from transpile import corpus
from transpile.runtime.passes import PIPELINE, optimise

from ...end_to_end.test_corpus import PROGRAMS as NAMES

# Python functions that all passes may call, for a graph and for each of its ops: some 0.2 microseconds each.
CALLS = 5000
CALLS_PER_OP = 320


def _results(graph):
    """Return how many things the ops of a graph give; a branch with two results becomes two selections."""
    return sum(max(len(op.results), 1) for op in graph.block.walk())


@pytest.mark.parametrize("name", NAMES)
def test_every_pass_keeps_what_a_program_does(name, runs, capsys):
    program = corpus.load(name)
    for run in runs(program.entry, program.make("small")):
        capsys.readouterr()
        expected = run.again(run.graph), capsys.readouterr().out
        for improve in PIPELINE:
            improve(run.graph)
            assert (run.again(run.graph), capsys.readouterr().out) == expected, improve.__name__


@pytest.mark.parametrize("name", NAMES)
def test_every_pass_leaves_a_well_formed_graph(name, runs):
    program = corpus.load(name)
    for run in runs(program.entry, program.make("small")):
        before = _results(run.graph)
        optimise(run.graph, check=True)
        once = str(run.graph)
        assert _results(run.graph) <= before
        assert str(optimise(run.graph, check=True)) == once


@pytest.mark.parametrize("name", NAMES)
def test_passes_take_few_steps(name, runs):
    program = corpus.load(name)
    (run,) = runs(program.entry, program.make("small"))
    ops = sum(1 for _ in run.graph.block.walk())
    assert calls_of(lambda: optimise(run.graph)) < CALLS + ops * CALLS_PER_OP


def calls_of(function):
    """Return how many Python functions are called, which is the same on every machine."""
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls


@pytest.mark.parametrize("name", NAMES)
def test_failing_program_fails_as_before_and_leaves_its_arguments_as_before(name, runs):
    program = corpus.load(name)
    for case in program.error_cases():
        for run in runs(program.entry, case.args, fails=True):
            optimise(run.graph)
            assert run.again(run.graph) == run.outcome, case.label
