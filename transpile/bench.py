"""Times the programs of the corpus: NumPy, transpile, and `numba.njit` put on the unmodified source where that compiles."""

from __future__ import annotations

import contextlib
import copy
import gc
import importlib.util
import io
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from transpile.corpus import Program, load, names
from transpile.runtime.errors import TranspileError

from .compare import difference
from .compare import run as outcome
from .convert import convert

# Rounds that are made at least, however long they take.
_ROUNDS = 3
# njit takes the order of sums and the library of products into its own hands.
_NJIT_TOLERANCE = 1e-5


@dataclass
class Timing:
    """What was measured of a program; seconds, medians. A reason stands where a time could not be taken."""

    program: str
    size: str
    numpy: float
    transpile: float | None = None
    njit: float | None = None
    first_call: float | None = None
    first_call_cached: float | None = None
    njit_first_call: float | None = None
    copies: int | None = None
    transpile_fails: str = ""
    njit_fails: str = ""
    rounds: int = 0

    @property
    def to_numpy(self) -> float | None:
        """How many times faster than NumPy."""
        return self.transpile and self.numpy / self.transpile

    @property
    def to_njit(self) -> float | None:
        """The time as a multiple of njit's."""
        return self.transpile and self.njit and self.transpile / self.njit


def choose(wanted: Sequence[str]) -> list[Program]:
    """Return programs by name; all of them without names."""
    known = names()
    for name in wanted:
        if name not in known:
            raise TranspileError("L101-program", f"there is no program {name}; there are {', '.join(known)}")
    return [load(name) for name in wanted or known]


def run(
    programs: Sequence[Program],
    size: str,
    seconds: float,
    json_file: str | None = None,
    markdown: bool = False,
) -> int:
    """Time programs and print the table; the status is 0 where all ran compiled, with NumPy's results."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    timings = [
        measure(program, size, seconds)
        for program in track(
            programs, "timing", console=console, transient=True, disable=not console.is_terminal
        )
    ]
    if markdown:
        print(markdown_table(timings))
    else:
        print_table(timings)
    if json_file:
        text = json.dumps({"machine": machine(), "programs": [asdict(t) for t in timings]}, indent=2)
        if json_file == "-":
            print(text)
        else:
            Path(json_file).write_text(text + "\n")
    return int(any(t.transpile_fails for t in timings))


def machine() -> dict[str, object]:
    """Return what the figures depend on."""
    import numba

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "import_ms": {name: round(1000 * import_time(name)) for name in ("numpy", "transpile")},
    }


def import_time(module: str) -> float:
    """Return the seconds that importing a module takes a new process, once its bytecode is kept."""
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> float:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return float(done.stdout)

    run()
    return statistics.median(run() for _ in range(5))


# -- measuring -------------------------------------------------------------------------------------------------


def measure(program: Program, size: str, seconds: float) -> Timing:
    """Time one program: first calls, check results, then rounds in turn for `seconds`."""
    arguments = program.make(size)
    expected = outcome(program.entry, arguments)
    timing = Timing(program.name, size, math.nan)
    contenders: dict[str, Callable[..., Any]] = {"numpy": program.entry}
    ours = _ours(program, arguments, expected, timing)
    if ours is not None:
        contenders["transpile"] = ours
    theirs = _njit(program, arguments, expected, timing)
    if theirs is not None:
        contenders["njit"] = theirs
    for name, samples in _rounds(contenders, arguments, seconds).items():
        setattr(timing, name, statistics.median(samples))
        timing.rounds = len(samples)
    return timing


def _rounds(
    contenders: dict[str, Callable[..., Any]], arguments: Sequence[Any], seconds: float
) -> dict[str, list[float]]:
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    end = perf_counter() + seconds * len(contenders)
    rounds = 0
    while rounds < _ROUNDS or perf_counter() < end:
        for name, function in contenders.items():
            samples[name].append(_time(function, arguments))
        rounds += 1
    return samples


def _time(function: Callable[..., Any], arguments: Sequence[Any]) -> float:
    """Return how long a call takes on fresh arguments."""
    given = copy.deepcopy(tuple(arguments))
    collecting = gc.isenabled()
    gc.disable()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            start = perf_counter()
            function(*given)
            return perf_counter() - start
    finally:
        if collecting:
            gc.enable()


def _ours(
    program: Program, arguments: Sequence[Any], expected: Any, timing: Timing
) -> Callable[..., Any] | None:
    warm_up()
    try:
        with empty_cache():
            timing.first_call = _time(convert(program.entry, strict=True), arguments)
            converted = convert(program.entry, strict=True)
            timing.first_call_cached = _time(converted, arguments)
    except Exception as error:
        timing.transpile_fails = first_line(error)
        return None
    wrong = difference(outcome(converted, arguments), expected)
    if wrong:
        timing.transpile_fails = f"differs: {wrong}"
        return None
    timing.copies = sum(len(entry.copies) for entry in converted.calls.entries)
    return converted  # type: ignore[no-any-return]


def _njit(
    program: Program, arguments: Sequence[Any], expected: Any, timing: Timing
) -> Callable[..., Any] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            entry = njit_entry(program)
            timing.njit_first_call = _time(entry, arguments)
        except Exception as error:
            timing.njit_fails = first_line(error)
            return None
        wrong = difference(_loosely(outcome(entry, arguments)), _loosely(expected), _NJIT_TOLERANCE)
    if wrong:
        timing.njit_fails = f"differs: {wrong}"
        return None
    return entry


def njit_entry(program: Program) -> Callable[..., Any]:
    """Return the entry of a new copy of the program, its functions under `numba.njit`."""
    import numba

    spec = importlib.util.spec_from_file_location(f"{program.module.__name__}_njit", program.module.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, thing in list(vars(module).items()):
        if isinstance(thing, types.FunctionType) and thing.__module__ == module.__name__:
            setattr(module, name, numba.njit(thing))
    entry: Callable[..., Any] = getattr(module, program.entry.__name__)
    return entry


def _loosely(thing: Any) -> Any:
    """Return a thing with Python's numbers for NumPy's: njit returns the former for either."""
    if isinstance(thing, np.generic):
        return thing.item()
    if isinstance(thing, (tuple, list)):
        return (
            type(thing)(map(_loosely, thing)) if type(thing) in (tuple, list) else tuple(map(_loosely, thing))
        )
    return thing


def warm_up() -> None:
    """Load numba, and let it compile something, so that the first program does not pay for it."""
    import numba

    numba.njit("f8(f8[:])")(lambda x: x[0] + 1.0)


@contextlib.contextmanager
def empty_cache() -> Iterator[None]:
    """Keep kernels in an empty folder."""
    before = os.environ.get("TRANSPILE_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRANSPILE_CACHE_DIR"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["TRANSPILE_CACHE_DIR"]
            else:
                os.environ["TRANSPILE_CACHE_DIR"] = before


def first_line(error: Exception) -> str:
    """Return what an error says, in one line."""
    if isinstance(error, TranspileError):
        return f"[{error.code}] {' '.join(error.message.split())}"
    lines = re.sub(r"\x1b\[[0-9]*m", "", str(error)).splitlines()
    said = next((line for line in lines if line.strip() and not _WRAPPING.search(line)), "")
    return f"{type(error).__name__}: {said.strip()}"


# Lines that numba puts around what it has to say.
_WRAPPING = re.compile("Failed in|Resolution failure|^During|^- ")


# -- printing --------------------------------------------------------------------------------------------------


def print_table(timings: Sequence[Timing]) -> None:
    """Print the table, and below it what could not be timed and why."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console = console if console.is_terminal else Console(width=118)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("program")
    for title in (
        "NumPy", "transpile", "× NumPy", "njit", "time / njit", "first call", "kernel kept", "njit first", "copies",
    ):  # fmt: skip
        table.add_column(title, justify="right")
    for t in timings:
        table.add_row(
            t.program, in_units(t.numpy), in_units(t.transpile), _ratio(t.to_numpy, 1), in_units(t.njit),
            _ratio(t.to_njit, 2), in_units(t.first_call), in_units(t.first_call_cached), in_units(t.njit_first_call),
            "" if t.copies is None else str(t.copies),
        )  # fmt: skip
    console.print(table)
    speedups = [t.to_numpy for t in timings if t.to_numpy]
    if speedups:
        mean = statistics.geometric_mean(speedups)
        console.print(
            f"\n{len(speedups)} of {len(timings)} programs compiled whole; {mean:.1f} × NumPy on geometric average"
        )
    for title, reasons in (
        ("transpile", [(t.program, t.transpile_fails) for t in timings if t.transpile_fails]),
        ("njit on the unmodified source", [(t.program, t.njit_fails) for t in timings if t.njit_fails]),
    ):
        if reasons:
            console.print(f"\n{title} fails:")
        for program, reason in reasons:
            console.print(f"  {program}: {reason[:300]}", markup=False, highlight=False)


def markdown_table(timings: Sequence[Timing]) -> str:
    """Return the table as it stands in the README, and below it what the figures depend on."""
    titles = ("program", "NumPy", "transpile", "times faster", "njit", "first call", "kernel kept")
    rows = [titles, ("---", *["---:"] * (len(titles) - 1))]
    for t in timings:
        rows.append((
            t.program, in_units(t.numpy), in_units(t.transpile) or "plain Python", _ratio(t.to_numpy, 1), in_units(t.njit),
            in_units(t.first_call), in_units(t.first_call_cached),
        ))  # fmt: skip
    of = machine()
    milliseconds = of["import_ms"]
    assert isinstance(milliseconds, dict)
    notes = (
        f"NumPy {of['numpy']}, numba {of['numba']}, Python {of['python']}, {of['machine']}, {of['cpus']} cores; {timings[0].size} size. "
        f"`import transpile` takes {milliseconds['transpile']} ms, of which {milliseconds['numpy']} ms are NumPy's."
    )
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + f"\n\n{notes}"


def in_units(seconds: float | None) -> str:
    """Return seconds in a fitting unit."""
    if seconds is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _ratio(ratio: float | None, digits: int) -> str:
    return "" if ratio is None else f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.{digits}f}"
