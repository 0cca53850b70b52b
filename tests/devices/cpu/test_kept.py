"""Programs that are kept on disk are loaded again, and made anew where they are damaged."""

from __future__ import annotations

import linecache
import os
import subprocess
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import kept, symbols, toolkit

PROGRAM = """
import sys
import numpy as np
import transpile

def f(x, y):
    # Sorted in memory of the kernel's own.
    return np.sort(x * y) + 1

converted = transpile.convert(f, strict=True)
assert converted(np.ones(3), np.ones(3)).tolist() == [2.0, 2.0, 2.0]
assert "numba.np.arraymath" not in sys.modules
print("transpile.devices.cpu.emit" in sys.modules, "numba" in sys.modules)
"""
CALLING = """
import sys
import numpy as np
import transpile

def f(x, seed):
    drawn = np.random.default_rng(seed).standard_normal(len(x))
    return (drawn + x)[np.argsort(x)[1]] * np.median(drawn)

assert transpile.convert(f, strict=True)(np.arange(5.0), 3) == f(np.arange(5.0), 3)
print("transpile.devices.loops.scheduler" in sys.modules)
"""
MADE, LOADED = "True True\n", "False False\n"


def output(program: Path, kernels: Path, *arguments: str, **settings: str) -> str:
    """Return what a program prints in a process of its own, with this folder for what is kept."""
    environment = {
        "TRANSPILE_CACHE_DIR": str(kernels),
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        **settings,
    }
    command = [sys.executable, str(program), *arguments]
    return subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout


def run(folder: Path) -> str:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    return output(program, folder / "kernels")


def stored(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "kernels").rglob("*.*")}


@pytest.mark.slow
def test_what_calls_python_is_loaded_without_what_schedules(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(CALLING)
    assert [output(program, tmp_path / "kernels") for _ in range(2)] == ["True\n", "False\n"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["kernel", "code", "object", "sources"])
@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:50], lambda b: bytes([*b[:-9], *[7] * 9])])
def test_damaged_files_are_made_anew(tmp_path: Path, suffix: str, damage: Callable[[bytes], bytes]) -> None:
    run(tmp_path)
    before = stored(tmp_path)
    files = list((tmp_path / "kernels").rglob(f"*.{suffix}"))
    # Those of sources are of what makes kernels, and of what rewrites and the library that it does so with.
    assert len(files) == (3 if suffix == "sources" else 1)
    for file in files:
        file.write_bytes(damage(file.read_bytes()))
    assert run(tmp_path) == (MADE if suffix == "kernel" else LOADED)
    assert stored(tmp_path).keys() == before.keys()
    assert all(stored(tmp_path)[file.name] != damage(before[file.name]) for file in files)


def test_programs_are_kept_and_loaded_without_what_makes_them(tmp_path: Path) -> None:
    assert run(tmp_path) == MADE
    before = stored(tmp_path)
    kinds = sorted(name.rpartition(".")[2] for name in before)
    assert kinds == ["code", "kernel", "object", "sources", "sources", "sources"]
    assert run(tmp_path) == LOADED
    assert stored(tmp_path) == before


REFUSED = """
import sys
import numpy as np
import transpile

def f(x, n):
    for i in range(n):
        x = np.sort(np.concatenate([x, x * i]))
    return x

if sys.argv[1:]:
    from transpile.devices.cpu import arithmetic, pipeline

    def refuse(*_given):
        raise arithmetic.NotLowered("a test")

    pipeline.compiled = refuse
x = np.array([3.0, 1.0, 2.0])
converted = transpile.convert(f, strict=True)
for n in (0, 1, 4):
    assert converted(x, n).tolist() == f(x, n).tolist()
from transpile.devices.cpu.toolkit import runtime

print("transpile.devices.cpu.emit" in sys.modules, runtime._init)
"""


@pytest.mark.parametrize("refused", [False, True])
def test_what_is_loaded_needs_nothing_that_numba_compiles_but_for_what_numba_has_compiled(
    tmp_path: Path, refused: bool
) -> None:
    program = tmp_path / "program.py"
    program.write_text(REFUSED)
    for arguments, shown in ((["refuse"] * refused, "True True\n"), ([], f"False {refused}\n")):
        assert output(program, tmp_path / "kernels", *arguments) == shown


THEN_NUMBA = """
import sys
import numpy as np
import transpile

def f(x, n, told):
    rows = []
    for i in range(n):
        x = np.sort(np.concatenate([x, x * i]))
        told.append(x)
        rows.append(x.sum())
    return x, rows

def check():
    found, expected = [], []
    for function, told in ((converted, found), (f, expected)):
        told += function(np.array([3.0, 1.0, 2.0]), 4, told)
    assert str(found) == str(expected)

converted = transpile.convert(f)
check()
print("numba" in sys.modules)
import numba

@numba.njit
def g(x, n):
    for i in range(n):
        x = np.concatenate((x, x * i))
    return x

assert g(np.ones(2), 3).tolist() == [1, 1, 0, 0] + [1, 1, 0, 0] + [2, 2, 0, 0] + [2, 2, 0, 0]
check()
assert transpile.convert(lambda x: (x[::-1] * 2.5, x.sum()))(np.ones(3))[0].tolist() == [2.5] * 3
"""


def test_numba_may_come_after_what_is_loaded(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(THEN_NUMBA)
    for shown in ("True\n", "False\n"):
        assert output(program, tmp_path / "kernels", TRANSPILE_ADAPTIVE="0") == shown


def test_settings_of_numba_are_told_without_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    states = [kept._state.__wrapped__()]
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    states.append(kept._state.__wrapped__())
    (tmp_path / ".numba_config.yaml").write_text("cpu_name: generic")
    states.append(kept._state.__wrapped__())
    assert all(states) and len({*states}) == len(states)


def test_a_folder_that_cannot_be_written_does_without(tmp_path: Path) -> None:
    (tmp_path / "kernels").write_text("a file")
    assert run(tmp_path) == MADE


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[bool]:
    """Says of each program, in an empty folder, whether it was loaded."""
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    found: list[bool] = []
    load = kept.load

    def noting(content: Any) -> Any:
        made = load(content)
        found.append(made is not None)
        return made

    monkeypatch.setattr(kept, "load", noting)
    return found


def indexed(x, places):
    return [x[place] for place in places]


def warns(x):
    return np.linalg.inv(x) / x


def draws(generator, n):
    return generator.normal(size=n), generator.integers(9)


def prints(x):
    high = x[x > 1]
    print(f"{len(high)} are high, the first of {x.shape} is {x[0]:.2f}")
    return high


def raises(x, n):
    total = 0
    for place in range(n):
        total += int(x[place]) ** 9
    if total < 0:
        raise ValueError(f"{total} is negative")
    return total


def stores(x, where):
    x[1:] = x[:-1] * 2
    where.append(float(x.sum()))
    return np.median(x), np.sort(x)[::-1]


@pytest.mark.parametrize(
    "function, arguments",
    [
        (indexed, lambda: (np.arange(5.0), np.array([1, -1, 3]))),
        (indexed, lambda: (np.arange(5.0), np.array([1, -1, 5]))),
        (warns, lambda: (np.array([[0.0, 2.0], [1.0, 0.0]]),)),
        (draws, lambda: (np.random.default_rng(7), 3)),
        (prints, lambda: (np.array([0.5, 1.5, 2.5]),)),
        (raises, lambda: (np.array([3.0, -4.0]), 2)),
        (raises, lambda: (np.array([3.0, 1e6]), 2)),
        (stores, lambda: (np.array([3.0, -4.0, 1.0]), [])),
    ],
)
def test_what_is_loaded_does_what_the_original_does(
    loads: list[bool], capsys: pytest.CaptureFixture[str], recwarn: Any, function: Any, arguments: Any
) -> None:
    def outcome(called: Any) -> Any:
        given = arguments()
        recwarn.clear()
        warnings.simplefilter("always")
        try:
            result = called(*given)
        except Exception as error:
            result = type(error), str(error), error.__traceback__ and _last_line(error)
        told = [(str(each.message), each.lineno) for each in recwarn]
        return repr(result), repr(given[-1]), told, capsys.readouterr().out

    expected = outcome(function)
    for _ in range(2):
        assert outcome(transpile.convert(function, device="cpu")) == expected
    assert loads[-1] and not loads[0]


def test_dtypes_of_what_is_loaded_are_numpys_own(loads: list[bool]) -> None:
    def gives(x):
        return np.zeros(3), x * 2, x.sum(axis=0), np.sort(x), x > 1, np.float32(2) * len(x), np.argsort(x[0])

    for _ in range(2):
        results = transpile.convert(gives, device="cpu")(np.ones((3, 3)))
        assert all(result.dtype is np.dtype(result.dtype.char) for result in results)
    assert loads == [False, True]


def test_what_is_loaded_is_machine_code_alone(loads: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    """LLVM reads nothing of what the code was made of, which takes as long as half of a load."""

    def adds(x, y):
        return np.sqrt(x) + y.sum()

    arguments = np.arange(3.0), np.ones((2, 2))
    expected = transpile.convert(adds, device="cpu")(*arguments)
    monkeypatch.setattr(toolkit.llvm, "parse_bitcode", None)
    loaded = transpile.convert(adds, device="cpu", strict=True)
    assert [loaded(*arguments).tolist() for _ in range(3)] == [expected.tolist()] * 3
    assert loads == [False, True]


def _last_line(error: BaseException) -> int:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_lineno if trace is not None else 0


TAKES = """\
def takes(x, place):
    x[0] = 1.0
    return x[place]
"""


def test_what_is_loaded_raises_at_the_lines_of_the_function_at_hand(loads: list[bool]) -> None:
    for number, before in enumerate(("", "# Moved.\n\n")):
        text, file = before + TAKES, f"<takes {number}>"
        linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
        namespace: dict[str, Any] = {"__name__": "takes"}
        exec(compile(text, file, "exec"), namespace)
        with pytest.raises(IndexError) as caught:
            transpile.convert(namespace["takes"], strict=True, device="cpu")(np.zeros(3), 3)
        entry = traceback.extract_tb(caught.value.__traceback__)[-1]
        assert (entry.filename, entry.lineno, entry.line) == (file, 3 + 2 * number, "return x[place]")
    assert loads == [False, True]


def test_what_names_a_symbol_that_is_not_there_is_made_anew(
    loads: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def scaled(x):
        return np.exp(x) * 2

    for _ in range(2):
        assert transpile.convert(scaled, strict=True, device="cpu")(np.zeros(3)).tolist() == [2, 2, 2]
        monkeypatch.setattr(symbols, "_bound", {})
        monkeypatch.setattr(symbols, "_resolvers", {**symbols._resolvers, "np": lambda rest: None})
    assert loads == [False, False]


def test_other_code_that_compiles_keeps_other_programs(
    loads: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    def halved(x):
        return x / 2

    for state in ("one", "one", "another"):
        monkeypatch.setattr(kept, "_state", lambda state=state: state)
        assert transpile.convert(halved, strict=True, device="cpu")(np.ones(3)).tolist() == [0.5] * 3
    assert loads == [False, True, False]


def test_nothing_is_kept_where_the_code_that_makes_it_cannot_be_read(
    nothing_kept: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(kept, "_FOLDERS", ("nowhere",))
    monkeypatch.setattr(kept, "_state", kept._state.__wrapped__)
    halved = transpile.convert(lambda x: x / 2, strict=True, device="cpu")
    assert halved(np.ones(3)).tolist() == [0.5] * 3
    assert not list(tmp_path.rglob("*.kernel"))


OF_COMPLEX = """
import transpile

def iterated(c, steps):
    z = 0j
    for _ in range(steps):
        z = z**3 - z**2 + c
    return z

assert transpile.convert(iterated, strict=True)(0.3 + 0.5j, 40) == iterated(0.3 + 0.5j, 40)
"""


def test_what_is_loaded_takes_complex_numbers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(OF_COMPLEX)
    paths = os.pathsep.join([str(Path(transpile.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "TRANSPILE_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONPATH": paths}
    for _ in range(2):
        subprocess.run([sys.executable, str(script)], check=True, timeout=120, env=environment)
