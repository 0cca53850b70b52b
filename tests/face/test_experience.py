"""What one process finds of functions that nobody asked for, the next one knows."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from transpile import hooked_calls, losses
from transpile.estimate import CompileTimes
from transpile.experience import Past
from transpile.forecast import Foreseen

_REPORTS = """
import atexit
import transpile.tracing as tracing
from transpile.calls import Calls

made = []
traced = Calls.traced
Calls.traced = lambda self, *given, **how: made.append(self.title) or traced(self, *given, **how)
atexit.register(lambda: print("traced", sorted(set(made))))
"""

_VAIN = """
import zlib
import numpy as np

def total(x, table):
    found = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            found += x[i] * x[j] + len(table[zlib.crc32(b"a") % 2])
    return found

print(total(np.ones({n}), {{0: "a", 1: "b"}}))
"""

_SERVED = """
import numpy as np

def total(x):
    found = 0.0
    for i in range(len(x)):
        found += x[i] * x[i]
    return found

x = np.ones(1000)
# No loop of the script's own, which would be compiled with the function in it.
print(sum(total(x) for _ in range({n})))
"""


@pytest.fixture
def run(tmp_path: Path) -> object:
    def run(text: str) -> list[str]:
        script = tmp_path / "script.py"
        script.write_text(_REPORTS + text)
        environment = {**os.environ, "TRANSPILE_CACHE_DIR": str(tmp_path / "kept")}
        command = [sys.executable, "-m", "transpile", "run", str(script)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return run


def test_what_came_to_nothing_is_not_tried_again_by_the_next_process(run) -> None:  # type: ignore[no-untyped-def]
    first = run(_VAIN.format(n=2500))
    assert "total" in first[-1]
    assert run(_VAIN.format(n=2500)) == [first[0], "traced []"]
    # Of another file, nothing is known.
    assert "total" in run(_VAIN.format(n=2501))[-1]


def test_what_has_served_is_traced_in_the_first_call_of_the_next_process(run) -> None:  # type: ignore[no-untyped-def]
    text = _SERVED.format(n=20_000)
    first = run(text)
    assert first[-1] == "traced ['total']"
    counted = text + "print('plain', total.calls._calls)\n"
    assert run(counted)[0] == first[0]
    assert run(counted)[1] == "plain 0"


# Nothing tells how often the loop turns, and it is guessed low.
_UNSEEN = """
import numpy as np

def steps(x, found):
    while found < {n}:
        for i in range(len(x)):
            x[i] = 0.5 * (x[i] + found)
        found += len(np.ones(3)) - 2
    return x.sum()

print(steps(np.ones({m}), 0))
"""


def test_what_took_so_long_that_compiling_would_have_paid_is_compiled_by_the_next_process(run) -> None:  # type: ignore[no-untyped-def]
    text = _UNSEEN.format(n=400_000, m=100)
    first = run(text)
    assert first[-1] == "traced []"
    assert run(text) == [first[0], "traced ['steps']"]
    # Nothing is kept of what does not take long.
    text = _UNSEEN.format(n=2000, m=100)
    assert run(text)[-1] == run(text)[-1] == "traced []"


def test_what_was_lost_in_earlier_processes_is_earned_before_more_is_risked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses._All, "share", 1.0)
    monkeypatch.setattr(hooked_calls, "foreseen", lambda function, values: Foreseen(0.0, 0.02))
    monkeypatch.setattr(CompileTimes, "foreseen", lambda times, trace: 0.5)
    for before, lost, would in ((5.0, 0.0, True), (5.0, 1.0, False), (1.0, 0.0, False), (40.0, 1.0, True)):
        monkeypatch.setattr(hooked_calls, "lost_before", lambda calls, lost=lost: lost)
        monkeypatch.setattr(hooked_calls, "ALL", losses._All())
        monkeypatch.setattr(
            hooked_calls, "past_of", lambda calls, taken=before: Past(0.0, taken, False, False)
        )
        calls = hooked_calls.HookedCalls(squares, device="host", listed=False)
        assert calls(np.ones(3)) == 3.0
        assert bool(calls.misses) == would, (before, lost)


def squares(x):
    found = 0.0
    for i in range(len(x)):
        found += x[i] * x[i]
    return found


def test_what_was_compiled_for_the_last_call_counts_as_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    monkeypatch.setattr(CompileTimes, "expected", lambda times, graph: 0.0)
    calls = hooked_calls.HookedCalls(squares, device="host", listed=False, eager=True)
    assert calls.experience() is None
    assert calls(np.ones(3)) == 3.0 and not calls.hits
    past = calls.experience()
    assert past is not None and past.served and not past.lost
