"""The tools that `transpile bench` compares with, each put on the unmodified source of a program."""

from __future__ import annotations

import ast
import hashlib
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import types
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from transpile.corpus import Program

# How Pythran is asked to compile: as fast as its users have it, without changing what floats give.
_PYTHRAN_FLAGS = (
    "-O3",
    "-march=native",
    "-DUSE_XSIMD",
    "-fopenmp",
    "--config",
    "compiler.blas=scipy-openblas",
)
# How long it may take.
_PYTHRAN_SECONDS = 120
# Functions that make what a program is called with: they are no part of it.
_MAKERS = ("make_inputs", "bad_inputs")
# How many compilers of C++ run at once.
_AT_ONCE = 2


@dataclass(frozen=True)
class Peer:
    """A tool: its name, and what makes a program's entry of it. Makers raise where the tool cannot do it."""

    name: str
    make: Callable[[Program], Callable[..., Any]]
    # The tool of which this one is another way to use it.
    follows: str = ""


@dataclass(frozen=True)
class Built:
    """What came of building a module: its file, or the reason why there is none; and how long it took."""

    file: str
    fails: str
    seconds: float


def peers(built: Built | None) -> list[Peer]:
    """Return the tools to compare with: Pythran where something was tried to build, `torch.compile` where torch is installed."""
    found = [
        Peer("njit", njit_entry),
        Peer("njit_parallel", lambda p: njit_entry(p, parallel=True, fastmath=True), "njit"),
    ]
    if built is not None:
        found.append(Peer("pythran", lambda program: _pythran_entry(program, built)))
    if importlib.util.find_spec("torch") is not None:
        # Loaded before anything is timed.
        torch = importlib.import_module("torch")
        found.append(Peer("torch", lambda program: torch.compile(program.entry)))
    return found


# -- numba -----------------------------------------------------------------------------------------------------


def njit_entry(program: Program, **options: Any) -> Callable[..., Any]:
    """Return the entry of a new copy of the program, its functions under `numba.njit`."""
    import numba

    spec = importlib.util.spec_from_file_location(f"{program.module.__name__}_njit", program.module.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # What a dataclass is annotated with is looked up there.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for name, thing in list(vars(module).items()):
        if isinstance(thing, types.FunctionType) and thing.__module__ == module.__name__:
            setattr(module, name, numba.njit(**options)(thing))
    entry: Callable[..., Any] = getattr(module, program.entry.__name__)
    return entry


# -- Pythran ---------------------------------------------------------------------------------------------------


def has_pythran() -> bool:
    """Whether Pythran is installed."""
    return importlib.util.find_spec("pythran") is not None


def build_all(programs: Sequence[Program], folder: Path, tell: Callable[[str], None]) -> dict[str, Built]:
    """Compile programs by Pythran, those of which the folder has no result yet."""

    def build(program: Program) -> tuple[str, Built]:
        built = _build(program, folder)
        tell(program.name)
        return program.name, built

    with ThreadPoolExecutor(_AT_ONCE) as workers:
        return dict(workers.map(build, programs))


def _build(program: Program, folder: Path) -> Built:
    try:
        source = pythran_source(program)
    except NotImplementedError as error:
        return Built("", str(error), 0.0)
    version = importlib.metadata.version("pythran")
    key = hashlib.sha256(repr((source, _PYTHRAN_FLAGS, version, sys.version, np.__version__)).encode())
    place = folder / f"{program.name}_{key.hexdigest()[:16]}"
    record, module = place / "record.txt", place / f"{program.name}.so"
    if not record.is_file():
        place.mkdir(parents=True, exist_ok=True)
        file = place / f"{program.name}.py"
        file.write_text(source)
        start = perf_counter()
        command = [sys.executable, "-c", "from pythran.run import run; run()", *_PYTHRAN_FLAGS]
        try:
            done = subprocess.run(
                [*command, str(file), "-o", str(module)],
                capture_output=True, text=True, timeout=_PYTHRAN_SECONDS, cwd=place,
            )  # fmt: skip
            fails = "" if done.returncode == 0 and module.is_file() else _complaint(done.stderr + done.stdout)
        except subprocess.TimeoutExpired:
            fails = f"takes more than {_PYTHRAN_SECONDS} s"
        record.write_text(f"{perf_counter() - start:.3f}\n{fails}\n")
    seconds, _, fails = record.read_text().partition("\n")
    return Built("" if fails.strip() else str(module), fails.strip(), float(seconds))


def pythran_source(program: Program) -> str:
    """Return a program with the comment that Pythran asks for, without what makes its inputs."""
    assert program.module.__file__ is not None
    text = Path(program.module.__file__).read_text()
    lines = text.splitlines(keepends=True)
    for node in reversed(ast.parse(text).body):
        if isinstance(node, ast.FunctionDef) and node.name in _MAKERS:
            del lines[node.lineno - 1 : node.end_lineno]
    kinds = ", ".join(map(_pythran_type, program.make("small")))
    return f"# pythran export {program.entry.__name__}({kinds})\n" + "".join(lines)


def _pythran_type(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name}[{','.join(':' * value.ndim)}]" if value.ndim else value.dtype.name
    if isinstance(value, tuple):
        return f"({', '.join(map(_pythran_type, value))})"
    if isinstance(value, list) and value:
        return f"{_pythran_type(value[0])} list"
    if isinstance(value, dict) and value:
        key, item = next(iter(value.items()))
        return f"{_pythran_type(key)}: {_pythran_type(item)} dict"
    if type(value) in (int, float, bool, complex, str):
        return type(value).__name__
    raise NotImplementedError(f"no type of Pythran's for an argument of type {type(value).__name__}")


def _complaint(text: str) -> str:
    """Return the line that says why Pythran gave up."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in lines if "rror" in line] or lines or ["no reason given"]
    return said[0][:200].replace(os.getcwd(), "")


def _pythran_entry(program: Program, built: Built) -> Callable[..., Any]:
    if built.fails:
        raise RuntimeError(built.fails)
    loader = importlib.machinery.ExtensionFileLoader(program.name, built.file)
    spec = importlib.util.spec_from_file_location(program.name, built.file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    entry: Callable[..., Any] = getattr(module, program.entry.__name__)
    return entry
