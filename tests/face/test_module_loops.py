"""Scripts of which loops stand outside of functions."""

import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from transpile import convert, hook
from transpile.forecast import foreseen

Run = Callable[[str], tuple[dict[str, Any], list[Any]]]


@pytest.fixture(params=["host", "cpu"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Runs the text of a script with its loops converted; returns what it leaves behind, and what became of the loops."""

    def run_text(text: str) -> tuple[dict[str, Any], list[Any]]:
        path, made = tmp_path / "script.py", []
        path.write_text(text)

        def run_loop(loop: types.FunctionType) -> None:
            made.append(convert(loop, device=request.param, strict=True))
            made[-1]()

        module = types.ModuleType("script")
        hook.execute(module, text.encode(), str(path), lambda function: function, run_loop)
        return vars(module), made

    return run_text


def plainly(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "script"}
    exec(text, space)
    return space


STEPS = """
import numpy as np
x = np.linspace(0.0, 1.0, 50)
best, seen, count = np.inf, [], 0

def energy(v):
    return float((v * scale).sum())

for turn in range(30):
    scale = 1.0 / (turn + 1)
    x = x + np.sin(x * turn)
    e = energy(x)
    if e < best:
        best = e
        count += 1
    seen.append(e)
    if turn % 10 == 0:
        print(turn, f"{e:.3f}")
while count > 1:
    count //= 2
"""

ARRAYS = """
import numpy as np
n = 12
u, old = np.zeros((n, n)), np.ones((n, n))
u[3:6, 3:6] = 2.0
for t in range(8):
    old[:] = u
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            u[i, j] = 0.25 * (old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1])
    view = u[1:-1]
    total = u.sum()
"""


@pytest.mark.parametrize("text", [STEPS, ARRAYS], ids=["steps", "arrays"])
def test_loops_are_compiled_and_leave_what_they_leave(
    text: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, said = plainly(text), capsys.readouterr()
    found, loops = run(text)
    assert capsys.readouterr() == said
    assert loops and all(loop.calls.entries for loop in loops)
    names = {name for name in found if not name.startswith("__")}
    assert names == {name for name in expected if not name.startswith("__")}
    for name in names:
        if not isinstance(expected[name], (types.ModuleType, types.FunctionType)):
            np.testing.assert_array_equal(found[name], expected[name], strict=True)
            assert type(found[name]) is type(expected[name])
    assert "view" not in names or found["view"].base is found["u"]


FAILS = """
import numpy as np
x = np.arange(4000.0)
try:
    for k in range(3):
        for i in range(4000):
            x[i] += k
            last = x[i]
            if i + k > 4000:
                raise ValueError(f"{i} and {k}")
except ValueError as error:
    print(error, last, x[-1], k, i)
for i in range(4000):
    print(x[i * i]) if i % 2000 else None
"""


def test_errors_are_those_of_the_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(FAILS)
    plain = subprocess.run([sys.executable, script], capture_output=True, text=True)
    command = [sys.executable, "-m", "transpile", "run", script]
    found = subprocess.run(command, capture_output=True, text=True)
    assert (found.returncode, found.stdout, found.stderr) == (1, plain.stdout, plain.stderr)
    assert plain.stderr.count("<module>") == 1


def test_a_long_loop_of_a_script_is_compiled(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n"
        "x, total = np.ones(3000), 0.0\n"
        'if __name__ == "__main__":\n'
        "    for i in range(len(x)):\n"
        "        for j in range(len(x)):\n"
        "            total += x[i] * x[j]\n"
        "    print(total)\n"
    )
    command = [sys.executable, "-m", "transpile", "run", "--explain", script]
    found = subprocess.run(command, capture_output=True, text=True)
    assert found.stdout == "9000000.0\n"
    assert "<module>" in found.stderr and "compiled whole" in found.stderr


def test_what_a_loop_may_take_is_told_by_the_globals_that_it_starts_with(tmp_path: Path) -> None:
    text = "n = 1000\nfor i in range(n):\n    for j in range(i):\n        k = i * j\n"
    loops: list[types.FunctionType] = []
    path = tmp_path / "script.py"
    path.write_text(text)
    module = types.ModuleType("script")
    hook.execute(module, text.encode(), str(path), lambda function: function, loops.append)
    short = foreseen(loops[0], ()).seconds
    module.__dict__["n"] = 10_000
    # The turn in the middle stands for all.
    assert 0 < 80 * short < foreseen(loops[0], ()).seconds < 120 * short


DELETES = """
import numpy as np
x, known = np.arange(6.0), 1
for turn in range(2):
    try:
        for i in range(len(x)):
            last = x[i] + turn
            if last > 4 and turn:
                del known
    except NameError as error:
        print(error)
    else:
        print(last, known)
"""


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_name_that_a_piece_of_a_loop_deletes_is_gone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, said = plainly(DELETES), capsys.readouterr()
    path, module = tmp_path / "script.py", types.ModuleType("script")
    path.write_text(DELETES)
    hook.execute(module, DELETES.encode(), str(path), lambda function: function, lambda loop: convert(loop)())
    assert capsys.readouterr() == said and "known" not in expected and not hasattr(module, "known")
