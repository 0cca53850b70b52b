"""The command line, as a user meets it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = """import sys
import numpy as np


def step(x):
    change = 0.0
    for i in range(1, len(x)):
        x[i] = 0.5 * (x[i] + x[i - 1])
        change = max(change, abs(x[i]))
    return change


class Run:
    def all(self, x, n):
        for _ in range(n):
            step(x)
        return x


def awkward(x):
    class Kept:
        pass

    return x


if __name__ == "__main__":
    x = np.arange(4.0)
    print("last", Run().all(x, 3)[-1], sys.argv[1:])
    if "fail" in sys.argv:
        step(np.zeros((3, 0)))
"""


LONG = """
import numpy as np

def total(x):
    sum = 0.0
    for turn in range(300):
        for i in range(len(x)):
            if x[i] > turn / 300:
                sum += x[i]
    return sum

print(total(np.ones(100_000)))
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return file


def transpile(*arguments: object, cwd: Path | None = None) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "transpile", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def plain(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, cwd=cwd)


def test_show_prints_the_rewritten_source(program: Path) -> None:
    status, out, err = transpile("--show", f"{program}::step")
    assert (status, err) == (0, "")
    assert out.startswith("# step\n\ndef step(x):\n    change = 0.0\n")
    assert "ops.for_loop(" in out and "last" not in out


def test_show_names_methods_by_class(program: Path) -> None:
    status, out, _ = transpile("--show", f"{program}::Run.all")
    assert status == 0 and "def all(self, x, n):" in out


def test_show_without_a_function_shows_all_and_why_one_is_not_converted(program: Path) -> None:
    status, out, _ = transpile("--show", program)
    assert status == 0
    assert "# step" in out and "# Run.all" in out
    assert "# awkward runs as plain Python\n\n[C014-class]" in out and "class Kept:" in out


def test_show_of_a_later_stage_runs_the_script_and_shows_its_calls(program: Path) -> None:
    status, out, _ = transpile("--show", f"{program}::step", "--stage", "graph")
    assert status == 0
    assert out.count("# step(x: float64[:])") == 1 and "graph step:" in out
    assert "last" in out


def test_show_takes_the_call_to_show(program: Path) -> None:
    call = "step(np.ones(3, np.float32))"
    status, out, _ = transpile("--show", f"{program}::step", "--stage", "kernels", "--call", call)
    assert status == 0
    assert "# step(x: float32[:])" in out and "def kernel(frame, x):" in out and "last" not in out


def test_show_takes_a_class_for_its_methods(program: Path) -> None:
    status, out, _ = transpile("--show", f"{program}::Run")
    assert status == 0 and "# Run.all" in out and "step(x):" not in out


def test_show_finds_lambdas_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "lambdas.py"
    file.write_text("import numpy as np\none = lambda x: x + 1\ntwo = lambda x: one(x) * 2\n")
    status, out, _ = transpile("--show", f"{file}::two")
    assert status == 0 and "* 2" in out and "+ 1" not in out
    status, out, _ = transpile("--show", f"{file}::two", "--stage", "graph", "--call", "two(np.ones(3))")
    assert status == 0 and "# <lambda>(x: float64[:])" in out


@pytest.mark.parametrize("text", ["def f(x:\n    return\n", "import nowhere\n", "def f():\n    1 / 0\nf()\n"])
@pytest.mark.parametrize("command", ["--show", "run"])
def test_what_is_wrong_with_a_file_is_shown_as_python_does(command: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    status, _, err = transpile(command, file)
    assert status == 1
    lines, expected = err.splitlines(), plain(file).stderr.splitlines()
    assert (
        lines == expected if "SyntaxError" not in err else lines[-4:] == expected[-4:] and "ast.py" not in err
    )


@pytest.mark.parametrize(
    "target, options, message",
    [
        ("nothing.py", (), "there is no file nothing.py"),
        ("program.py::stop", (), "has no function stop; it has step, Run.all, awkward"),
        ("program.py::step", ("--stage", "graph", "--call", "3"), "the expression 3 does not call step"),
        ("program.py::awkward", ("--stage", "graph"), 'give one: --call "awkward(np.ones(5))"'),
    ],
)
def test_show_says_what_is_wrong(program: Path, target: str, options: tuple[str, ...], message: str) -> None:
    status, _, err = transpile("--show", target, *options, cwd=program.parent)
    assert status == 1
    assert err.startswith("error: ") and message in err and "Traceback" not in err


def test_run_converts_the_functions_of_a_script(program: Path) -> None:
    status, out, err = transpile("run", "--explain", program, "a", "--b")
    assert (status, out) == (0, plain(program, "a", "--b").stdout)
    assert "Run.all" in err and "other calls run as plain Python: they took 0.0" in err


@pytest.mark.parametrize(
    "given", [("--", "a"), ("a", "--", "b"), ("--help",), ("--explain", "--show=x"), ("",)]
)
def test_run_hands_on_all_that_follows_the_script(program: Path, given: tuple[str, ...]) -> None:
    assert transpile("run", program, *given) == (0, plain(program, *given).stdout, "")


def test_run_takes_no_option_for_a_script() -> None:
    assert transpile("run")[0] == 2 and transpile("run", "--nonsense")[0] == 2
    assert transpile("run", "--help")[:2] != (1, "")
    assert transpile("run", "")[0] == 1


def test_run_compiles_at_once_what_promises_to_take_long(tmp_path: Path) -> None:
    file = tmp_path / "long.py"
    file.write_text(LONG)
    status, out, err = transpile("run", "--explain", file)
    assert (status, out) == (0, "30000000.0\n")
    assert "total" in err and "compiled whole for cpu" in err and "ran 1 time\n" in err


def test_run_prints_errors_as_python_does(program: Path) -> None:
    status, out, err = transpile("run", program, "fail")
    expected = plain(program, "fail")
    assert (status, out, err) == (1, expected.stdout, expected.stderr)
    assert "line 9, in step" in err


SELF = """
import sys
import numpy as np


def total(x):
    s = 0.0
    for v in x:
        s += v
    return float(s) / len(sys.argv[9:])


print(__file__, total.__code__.co_filename, sys.argv, sys.path[0], type(__loader__).__name__)
total(np.ones(300))
"""


def test_a_script_that_is_named_from_the_folder_it_is_in_knows_itself_as_python_has_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "itself.py").write_text(SELF)
    expected = plain("itself.py", "a", cwd=tmp_path)
    assert str(tmp_path) in expected.stdout and f'File "{tmp_path}' in expected.stderr
    found = transpile("run", "itself.py", "a", cwd=tmp_path)
    assert found == (1, expected.stdout, expected.stderr)


def test_what_became_of_functions_is_told_by_paths_from_the_folder_on(tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(LONG)
    _, _, err = transpile("run", "--explain", "long.py", cwd=tmp_path)
    assert "  (long.py:" in err


def test_run_takes_packages_to_convert(write_package: Callable[[str], Path]) -> None:
    script = write_package("library") / "script.py"
    script.write_text(
        "import numpy as np, library\nprint([library.total(np.ones(400_000)) for _ in range(400)][-1])\n"
    )
    status, out, err = transpile("run", "--hook", "library", "--explain", script)
    assert (status, out) == (0, "400000.0\n")
    assert err.startswith("total  (") and "compiled whole" in err


def test_help_shows_examples() -> None:
    status, out, _ = transpile()
    assert status == 0 and "transpile --show heat.py::diffuse" in out


def test_a_script_that_is_done_at_once_loads_nothing_that_it_needs_not(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nimport numpy as np\n\n\ndef total(x):\n    sum = 0.0\n    for v in x:\n        sum += v\n    return sum\n\n\n"
        "before = set(sys.argv[1].split(','))\n"
        "print(total(np.arange(4.0)), sorted(before & sys.modules.keys()))\n"
    )
    # What reads kept experience, Python's random numbers; what describes ops, makes traces, rewrites and compiles.
    heavy = "json,random,transpile.runtime.ops.table,transpile.tracing,transpile.converters.pipeline,numba"
    assert transpile("run", script, heavy) == (0, "6.0 []\n", "")


WARNS = """import numpy as np


def same(x):
    return x is 3


for turn in range(2):
    print(same(3))
"""


@pytest.mark.parametrize("warnings", ["default", "error", "ignore"])
def test_python_warns_of_a_script_in_every_process(warnings: str, tmp_path: Path) -> None:
    script = tmp_path / "warns.py"
    script.write_text(WARNS)
    expected = plain("-W", warnings, script)
    assert ("SyntaxWarning" in expected.stderr or "SyntaxError" in expected.stderr) == (warnings != "ignore")
    # Whatever filters there were when it was looked at first.
    for before in ("ignore", "default"):
        plain("-W", before, "-m", "transpile", "run", script)
        done = plain("-W", warnings, "-m", "transpile", "run", script)
        assert (done.stdout, done.stderr, done.returncode) == (
            expected.stdout,
            expected.stderr,
            expected.returncode,
        )
