"""Times the steps from source to kernel, and the conversion of ever longer functions."""

from __future__ import annotations

import contextlib
import linecache
import types
from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from transpile.converters import convert as convert_syntax
from transpile.corpus import Program
from transpile.runtime.errors import TranspileError
from transpile.runtime.passes import optimise
from transpile.runtime.trace.tracer import trace

from .bench_peers import njit_entry
from .bench_process import warm_up
from .bench_report import first_line, in_units
from .calls import Calls

STEPS = ("convert", "trace", "passes", "schedule", "emit", "compile")

# A statement of each kind, repeated to make functions of any length.
_PARAGRAPH = """\
    for i in range(n):
        if x[i] > {k}.0:
            total += x[i] * {k}
        else:
            total -= 1.0
            if total < -{k}:
                break
    while total > {k}.0 and n > {k}:
        total /= 2.0
    y{k} = np.maximum(x[1:] - x[:-1], total) if total > 0 else x[1:] * 2.0
    x[1:] += y{k}
"""


def run(programs: Sequence[Program], size: str) -> int:
    """Time the steps and print two tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console = console if console.is_terminal else Console(width=118)
    warm_up()
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("program")
    for title in (*STEPS, "all", "ops", "kernel lines"):
        table.add_column(title, justify="right")
    refused: list[str] = []
    failures: list[str] = []
    for program in programs:
        try:
            times, ops, lines = steps(fresh_entry(program), program.make(size))
        except TranspileError as error:
            # Which programs are compiled whole is no matter of time.
            refused.append(f"  {program.name}: {first_line(error)}")
            continue
        except Exception as error:
            failures.append(f"  {program.name}: {first_line(error)}")
            continue
        row = [in_units(times[step]) for step in STEPS]
        table.add_row(program.name, *row, in_units(sum(times.values())), str(ops), str(lines))
    console.print(table)
    console.print(*refused, *failures, sep="\n", markup=False, highlight=False)

    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("lines", "conversion", "per 100 lines"):
        table.add_column(title, justify="right")
    for lines, seconds in growth():
        table.add_row(str(lines), in_units(seconds), in_units(100 * seconds / lines))
    console.print("\nconversion alone, of ever longer functions\n")
    console.print(table)
    return int(bool(failures))


def fresh_entry(program: Program) -> types.FunctionType:
    """Return the entry of a new copy of the program, of which nothing is converted yet."""
    dispatcher = njit_entry(program)
    function: types.FunctionType = dispatcher.py_func  # type: ignore[attr-defined]
    for name, thing in list(function.__globals__.items()):
        function.__globals__[name] = getattr(thing, "py_func", thing)
    return function


def steps(function: types.FunctionType, arguments: Sequence[Any]) -> tuple[dict[str, float], int, int]:
    """Return the seconds of each step, how many ops the graph has, and how many lines the kernel."""
    from transpile.devices.cpu.compile_kernel import compile_kernel, kernel_types
    from transpile.devices.cpu.emit import emit
    from transpile.devices.loops.schedule import schedule

    times = dict.fromkeys(STEPS, 0.0)

    @contextlib.contextmanager
    def timed(step: str) -> Iterator[None]:
        start = perf_counter()
        try:
            yield
        finally:
            times[step] += perf_counter() - start

    def convert(*given: Any, **named: Any) -> Any:
        with timed("convert"):
            return convert_syntax(*given, **named)

    calls = Calls(function, strict=True, device="cpu")

    def call(converted: Callable[..., Any], wrapped: dict[str, Any]) -> Any:
        args, kwargs = calls.arguments(list(wrapped.values()))
        return converted(*args, **kwargs)

    values = calls.bind(tuple(arguments), {})
    with timed("trace"):
        graph = trace(function, convert, dict(zip(calls.parameters, values)), call).graph
    times["trace"] -= times["convert"]
    with timed("passes"):
        graph = optimise(graph) or graph
    with timed("schedule"):
        program = schedule(graph)
    with timed("emit"):
        kernel = emit(program)
    with timed("compile"):
        compile_kernel(kernel, kernel_types(program, kernel))
    return times, sum(1 for _ in graph.block.walk()), kernel.text.count("\n")


def growth() -> Iterator[tuple[int, float]]:
    """Yield the number of lines of functions, each twice as long as the last, and how long their conversion takes."""
    for paragraphs in (4, 8, 16, 32, 64, 128):
        text = "import numpy as np\ndef long(x, n, total=0.0):\n"
        text += "".join(_PARAGRAPH.format(k=k) for k in range(paragraphs)) + "    return total\n"
        file = f"<long {paragraphs}>"
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        namespace: dict[str, Any] = {}
        exec(compile(text, file, "exec"), namespace)
        start = perf_counter()
        convert_syntax(namespace["long"])
        yield text.count("\n"), perf_counter() - start
