"""Times the programs of the corpus at several sizes: NumPy, transpile, and other tools on the unmodified source."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np

from transpile.corpus import SIZES, Program, load, names
from transpile.runtime.errors import TranspileError

from .bench_peers import Built, build_all, has_pythran
from .bench_report import TOOLS, Figures, draw, markdown, page, print_tables

# How long all that is done with one program may take, in seconds.
_LIMIT = 240
# Memory is measured at the largest size at which plain NumPy takes no longer, in seconds.
_SHORT = 2.0
# How many processes find the kernels on disk: the one whose first call takes as long as the median is reported.
_LATER = 3


def choose(wanted: Sequence[str]) -> list[Program]:
    """Return programs by name; all of them without names."""
    known = names()
    for name in wanted:
        if name not in known:
            raise TranspileError("L101-program", f"there is no program {name}; there are {', '.join(known)}")
    return [load(name) for name in wanted or known]


def run(
    programs: Sequence[Program],
    sizes: Sequence[str],
    seconds: float,
    json_file: str | None = None,
    page_file: str | None = None,
    plot_file: str | None = None,
    short: bool = False,
    later: int = _LATER,
) -> int:
    """Time programs and print the tables; the status is 0 where all ran, with NumPy's results.

    A JSON file of an unfinished run of the same programs is gone on with.
    """
    sizes = [size for size in SIZES if size in sizes]
    found = _begun(json_file, programs, sizes)
    done = {entry["program"] for entry in found["programs"]}
    with _progress() as tell:
        left = [program for program in programs if program.name not in done]
        built = build_all(left, _folder(), tell) if has_pythran() else {}
        for program in left:
            tell(program.name)
            found["programs"].append(_measure(program, sizes, seconds, built.get(program.name), later))
            _keep(found, json_file)
    found["finished"] = True
    _keep(found, json_file)
    return report(found, page_file, plot_file, short)


def report(found: dict[str, Any], page_file: str | None, plot_file: str | None, short: bool) -> int:
    """Print, write and draw figures; the status is 0 where every program ran, with NumPy's results."""
    figures = Figures(found)
    if short:
        print(markdown(figures))
    else:
        print_tables(figures)
    if plot_file:
        draw(figures, plot_file)
    if page_file:
        Path(page_file).write_text(page(figures, plot_file))
    wrong = [
        p
        for p in figures.programs
        if "error" in p or any(name.startswith("transpile") for name in p["fails"])
    ]
    return int(bool(wrong))


def kept(file: str | None) -> dict[str, Any]:
    """Return the figures of an earlier run."""
    if not file or not Path(file).is_file():
        raise TranspileError("L102-figures", "there are no figures: name their file by --json")
    found: dict[str, Any] = json.loads(Path(file).read_text())
    return found


def _begun(file: str | None, programs: Sequence[Program], sizes: Sequence[str]) -> dict[str, Any]:
    """Return the figures that an unfinished run has left in a file, or none."""
    new = {"machine": machine(), "sizes": list(sizes), "wanted": [p.name for p in programs], "programs": []}
    if file and Path(file).is_file():
        with contextlib.suppress(ValueError):
            old: dict[str, Any] = json.loads(Path(file).read_text())
            alike = all(old.get(key) == new[key] for key in ("sizes", "wanted"))
            if alike and not old.get("finished"):
                return old
    return new


def _keep(found: dict[str, Any], file: str | None) -> None:
    if file:
        new = Path(f"{file}.new")
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(json.dumps(found, indent=1) + "\n")
        new.replace(file)


@contextlib.contextmanager
def _progress() -> Iterator[Any]:
    """Give a function that says what is being done, on a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda name: None
        return
    with console.status("") as status:
        yield lambda name: status.update(f"timing {name}")


def _folder() -> Path:
    """Return where modules that Pythran has built are kept."""
    base = os.environ.get("TRANSPILE_CACHE_DIR")
    return (Path(base) if base else Path.home() / ".cache" / "transpile") / "pythran"


# -- one program -----------------------------------------------------------------------------------------------


def _measure(
    program: Program, sizes: Sequence[str], seconds: float, built: Built | None, later: int = _LATER
) -> dict[str, Any]:
    """Measure a program in a process, and in later ones that find its kernels; without the tools that end the first."""
    asked: dict[str, Any] = {
        "program": program.name,
        "sizes": list(sizes),
        "seconds": seconds,
        "again": False,
    }
    asked["built"] = built and asdict(built)
    asked["without"] = {}
    with tempfile.TemporaryDirectory() as folder:
        while True:
            try:
                found = _in_process(asked, folder)
                break
            except ChildProcessError as error:
                tool, reason = error.args
                if tool in TOOLS and tool != "transpile" and tool not in asked["without"]:
                    asked["without"][tool] = reason
                    continue
                found = {
                    "program": program.name,
                    "family": program.family,
                    "times": {},
                    "first": {},
                    "fails": {},
                }
                found["error"] = f"{tool} {reason}"
                return found
        brief = [size for size in sizes if found["times"][size]["numpy"] <= _SHORT]
        again = {"program": program.name, "again": True, "size": (brief or sizes)[-1]}
        try:
            processes = [_in_process(again, folder) for _ in range(later)]
            found.update(sorted(processes, key=itemgetter("first_again"))[later // 2])
        except ChildProcessError as error:
            found["error"] = f"a second process {error.args[1]}"
    return found


def _in_process(asked: dict[str, Any], folder: str) -> dict[str, Any]:
    # The second process is to find what users find: bytecode, too.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["TRANSPILE_CACHE_DIR"] = folder
    command = [sys.executable, "-m", "transpile.bench_process"]
    try:
        done = subprocess.run(
            command, input=json.dumps(asked), capture_output=True, text=True, timeout=_LIMIT, env=environment
        )
    except subprocess.TimeoutExpired as late:
        said = (late.stderr or b"").decode()
        raise ChildProcessError(_last(said), f"takes more than {_LIMIT} s") from None
    if done.returncode:
        raise ChildProcessError(_last(done.stderr), f"ends the process with status {done.returncode}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def _last(text: str) -> str:
    """Return the last line: the tool that was at work, or what Python has to say."""
    return next(reversed(text.strip().splitlines()), "it")


# -- the machine -----------------------------------------------------------------------------------------------


def machine() -> dict[str, object]:
    """Return what the figures depend on."""
    import numba

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        **{name: _version(name) for name in ("pythran", "torch")},
        "processor": processor(),
        "cpus": os.cpu_count(),
        "import_ms": {
            name: round(1000 * import_time(code))
            for name, code in (
                ("numpy", "import numpy"),
                ("transpile", "from transpile import convert; convert(lambda x: x)"),
            )
        },
    }


def _version(package: str) -> str:
    """Return the version of a package, "" where it is not installed."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def processor() -> str:
    """Return the name of the processor, as far as it is told."""
    with contextlib.suppress(OSError), open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def import_time(statement: str) -> float:
    """Return the seconds that an import takes a new process, once its bytecode is kept."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> float:
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        return float(done.stdout)

    run()
    return statistics.median(run() for _ in range(5))
