"""Every step from source to kernel is timed, and the conversion of ever longer functions."""

from itertools import islice

import pytest

from transpile import bench_steps, corpus
from transpile.bench_steps import STEPS, fresh_entry, growth, steps
from transpile.runtime.errors import StagingError


def test_every_step_takes_time() -> None:
    program = corpus.load("heat")
    times, ops, lines = steps(fresh_entry(program), program.make("small"))
    assert list(times) == list(STEPS) and all(seconds > 0 for seconds in times.values())
    assert ops > 0 and lines > 0


def test_longer_functions_have_more_lines() -> None:
    measured = list(islice(growth(), 2))
    assert measured[0][0] < measured[1][0] and all(seconds > 0 for _, seconds in measured)


def test_a_program_that_is_not_compiled_whole_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_steps, "growth", lambda: islice(growth(), 1))

    def refuse(*_: object) -> None:
        raise StagingError("S160-grows", "a dict grows")

    monkeypatch.setattr(bench_steps, "steps", refuse)
    assert bench_steps.run([corpus.load("heat")], "small") == 0
    assert "heat: [S" in capsys.readouterr().out
    monkeypatch.setattr(bench_steps, "steps", lambda *_: 1 / 0)
    assert bench_steps.run([corpus.load("heat")], "small") == 1
    assert "ZeroDivisionError" in capsys.readouterr().out
