"""The bench measures what it says, goes on where it stopped, and counts what fails as 1."""

from __future__ import annotations

import importlib.machinery
import json
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from transpile import bench, bench_bounds, bench_peers, bench_process, bench_report, corpus
from transpile.bench_peers import Built


def program_of(name: str, family: str, **times: float) -> dict[str, Any]:
    """Return the figures of a program that was timed at medium size."""
    return {
        "program": name,
        "family": family,
        "times": {"medium": times},
        "first": dict.fromkeys(times, 1.0),
        "fails": {},
    }


@pytest.fixture
def found() -> dict[str, Any]:
    """Figures of two programs, of which njit can do one."""
    one = program_of("heat", "stencils", numpy=8.0, transpile=1.0, njit=2.0)
    other = program_of("maze", "dynamic-programming", numpy=1.0, transpile=2.0)
    other["fails"] = {"njit": "TypingError: a | b"}
    other["in_parts"] = "[S130-value] why"
    one["peaks"] = {"numpy": 2**20, "transpile": 2**22}
    machine = {
        "python": "3",
        "numpy": "2",
        "numba": "0",
        "processor": "one",
        "cpus": 2,
        "import_ms": {"numpy": 1, "transpile": 2},
    }
    return {
        "machine": machine,
        "sizes": ["medium"],
        "wanted": ["heat", "maze"],
        "programs": [one, other],
        "finished": True,
    }


def test_means_count_what_fails_as_one(found: dict[str, Any]) -> None:
    figures = bench_report.Figures(found)
    assert figures.mean("transpile", "medium") == pytest.approx((8 * 0.5) ** 0.5)
    assert figures.mean("njit", "medium") == figures.mean("best", "medium") == pytest.approx(2)
    assert figures.handled("njit", "medium") == 1
    assert figures.slower("transpile", "medium") == ["maze"]
    assert figures.behind("medium") == []


def test_a_page_has_a_row_for_each_program_and_says_what_stands_out(found: dict[str, Any]) -> None:
    text = bench_report.page(bench_report.Figures(found), None)
    assert "| heat | 8 s | 8.00 | 4.00 |" in text
    assert "| maze | 1 s | 0.50 | — |" in text
    assert "* maze: [S130-value] why" in text
    assert "* maze: TypingError: a ∣ b" in text
    assert "* heat (4.0 MB instead of 1.0 MB)" in text


def test_calls_are_held_against_what_bounds_them(found: dict[str, Any]) -> None:
    assert "Times that what bounds" not in bench_report.page(bench_report.Figures(found), None)
    one, other = found["programs"]
    one["sweeps"], other["sweeps"] = "steps", "none: it counts"
    one["times"]["medium"] |= {"alone": 2.0, "copying": 0.2, "computing": 1.6}
    text = bench_report.page(bench_report.Figures(found), None)
    assert "| program | medium: copying | medium: computing | medium: the longer |" in text
    assert "| heat | 10.0 | 1.25 | 1.25 |" in text and "| maze | — |" not in text
    assert "* maze: it counts" in text


def test_a_call_moves_what_it_is_handed_and_what_it_leaves() -> None:
    x, y = np.arange(8.0), np.zeros(4, np.float32)
    assert bench_bounds.moved((x, y, 3), [x + 1, {"sum": 2}], (x.copy(), y + 1, 3)) == 64 + 16 + 64 + 16
    same = x.copy()
    assert bench_bounds.moved((x,), same, (same,)) == 128
    times = bench_process._times(corpus.load("wave"), "small", 0.01, {}, {})
    assert min(times["alone"], times["copying"], times["computing"]) > 0
    assert "computing" not in bench_process._times(corpus.load("heat"), "small", 0.01, {}, {})


def test_figures_that_are_kept_are_printed_again(
    found: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    file.write_text(json.dumps(found))
    assert bench.report(bench.kept(str(file)), str(tmp_path / "page.md"), None, True) == 0
    assert "| stencils | 8.00 | 4.00 |" in capsys.readouterr().out
    found["programs"][0]["fails"]["transpile medium"] = "differs: values"
    assert bench.report(found, None, None, False) == 1


def test_an_unfinished_run_is_gone_on_with(
    found: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured = []

    def measure(program: corpus.Program, *_: Any) -> dict[str, Any]:
        measured.append(program.name)
        return program_of(program.name, program.family, numpy=1.0, transpile=1.0)

    monkeypatch.setattr(bench, "_measure", measure)
    monkeypatch.setattr(bench, "has_pythran", lambda: False)
    file = tmp_path / "figures.json"
    file.write_text(json.dumps({**found, "programs": found["programs"][:1], "finished": False}))
    both = bench.choose(["heat", "maze"])
    assert bench.run(both, ["medium"], 0.1, str(file)) == 0
    assert measured == ["maze"]
    assert bench.run(both, ["medium"], 0.1, str(file)) == 0
    assert measured == ["maze", "heat", "maze"]
    capsys.readouterr()


def test_one_program_that_ends_its_process_does_not_end_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench.sys, "executable", "/bin/false")
    entry = bench._measure(corpus.load("heat"), ["small"], 0.1, None)
    assert entry["error"] == "it ends the process with status 1"


def test_of_later_processes_the_median_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    later = iter((0.05, 0.09, 0.04))

    def in_process(asked: dict[str, Any], folder: str) -> dict[str, Any]:
        if asked["again"]:
            return {"first_again": next(later)}
        return program_of("heat", "stencils", numpy=1.0)

    monkeypatch.setattr(bench, "_in_process", in_process)
    assert bench._measure(corpus.load("heat"), ["medium"], 0.1, None)["first_again"] == 0.05


def test_a_tool_that_ends_the_process_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def in_process(asked: dict[str, Any], folder: str) -> dict[str, Any]:
        if asked["again"]:
            return {"first_again": 1.0}
        if "pythran" not in asked["without"]:
            raise ChildProcessError("pythran", "ends the process with status -11")
        return {**program_of("heat", "stencils", numpy=1.0), "fails": asked["without"]}

    monkeypatch.setattr(bench, "_in_process", in_process)
    entry = bench._measure(corpus.load("heat"), ["medium"], 0.1, None)
    assert entry["fails"] == {"pythran": "ends the process with status -11"}
    assert entry["first_again"] == 1.0


def test_figures_are_drawn(found: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "figures.svg"
    bench_report.draw(bench_report.Figures(found), str(file))
    assert "<svg" in file.read_text()


def test_results_of_peers_count_within_rounding_alone() -> None:
    x = np.linspace(0, 1, 5)
    assert not bench_process._off(([x + 1e-9, 3], (x,), ""), ((x, np.int64(3)), (x,), "printed"))
    assert bench_process._off(([x + 1e-3, 3], (x,), ""), ((x, 3), (x,), "")) == "float64 values"
    assert bench_process._off((x, (x + 1,), ""), (x, (x,), "")) == "float64 values"
    assert bench_process._off((4, (), ""), (3, (), "")) == "int64 values"
    assert bench_process._off((x[:2], (), ""), (x, (), "")) == "float64[2] for float64[5]"
    assert bench_process._off(({"a": 1}, (), ""), ({"b": 1}, (), "")) == "other keys"


def test_tools_run_side_by_side_and_memory_is_seen() -> None:
    program = corpus.load("heap")
    refused = Built("", "it is refused", 1.0)
    found = bench_process.measure(program, ["small"], 0.01, refused)
    assert set(found["times"]["small"]) >= {"numpy", "transpile"}
    assert found["fails"]["pythran"] == "RuntimeError: it is refused"
    assert found["first"]["transpile"] > 0
    held: list[Any] = []
    grown = bench_process.peak(lambda n: held.append(np.ones(n)), (4_000_000,))
    assert grown is None or 30e6 < grown < 40e6


def test_pythran_gets_the_source_without_what_makes_inputs() -> None:
    source = bench_peers.pythran_source(corpus.load("heat"))
    kinds = source.splitlines()[0]
    assert kinds.startswith("# pythran export diffuse(float64[:,:], ")
    assert "def diffuse(" in source and "def make_inputs" not in source and "default_rng" not in source
    compile(source, "heat.py", "exec")


def test_pages_name_files_without_their_folders() -> None:
    assert (
        bench_report.without_folders("at /home/me/.venv/lib/x.py:3, https://a.b/c, 3/4")
        == "at x.py:3, https://a.b/c, 3/4"
    )


def test_torch_is_compared_with_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = types.ModuleType("torch")
    torch.__spec__ = importlib.machinery.ModuleSpec("torch", None)
    torch.compile = lambda function: ("compiled", function)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    program = corpus.load("heat")
    made = {peer.name: peer.make for peer in bench_peers.peers(None)}
    assert made["torch"](program) == ("compiled", program.entry)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(bench_peers.importlib.util, "find_spec", lambda name: None)
    assert "torch" not in {peer.name for peer in bench_peers.peers(None)}
