"""On a terminal, a line says that something is compiled, once that takes long."""

from __future__ import annotations

import io
from time import monotonic, sleep

import pytest

from transpile import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a terminal that is standard error from now on."""
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_what_takes_long_is_told_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    monkeypatch.setattr(progress, "_PATIENCE", 0.01)
    with progress.telling("diffuse"):
        end = monotonic() + 20
        while "compiling diffuse" not in stream.getvalue() and monotonic() < end:
            sleep(0.01)
    assert "compiling diffuse" in stream.getvalue()
    # The line is erased, and the cursor shown again.
    assert stream.getvalue().endswith(("\x1b[2K", "\x1b[?25h"))


def test_what_is_quick_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = terminal(monkeypatch)
    with progress.telling("diffuse"):
        pass
    assert not stream.getvalue()


def test_nothing_is_told_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    with progress.telling("diffuse"):
        sleep(0.2)
    assert not stream.getvalue()
    monkeypatch.setattr("sys.stderr", None)
    with progress.telling("diffuse"):
        pass
