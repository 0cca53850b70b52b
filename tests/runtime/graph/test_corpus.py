"""Graphs of the corpus: they are well formed, and their text says all of them."""

import pytest

from transpile import corpus
from transpile.runtime.graph.text import functions_in, print_graph
from transpile.runtime.graph.verify import verify
from transpile.runtime.ops.table import TABLE
from transpile.runtime.passes import parsed

from ...end_to_end.test_corpus import PROGRAMS as NAMES


@pytest.mark.parametrize("name", NAMES)
def test_text_of_program_parses_to_a_graph_that_runs_alike(name, runs, capsys):
    program = corpus.load(name)
    for run in runs(program.entry, program.make("small")):
        verify(run.graph, TABLE)
        text = print_graph(run.graph)
        graph = parsed(text, functions_in(run.graph))
        assert print_graph(graph) == text
        capsys.readouterr()
        expected = run.again(run.graph), capsys.readouterr().out
        assert (run.again(graph), capsys.readouterr().out) == expected


@pytest.mark.parametrize("name", NAMES)
def test_text_of_failing_program_fails_alike(name, runs):
    program = corpus.load(name)
    for case in program.error_cases():
        for run in runs(program.entry, case.args, fails=True):
            assert run.again(parsed(str(run.graph), functions_in(run.graph))) == run.outcome, case.label
