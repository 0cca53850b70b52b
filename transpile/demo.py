"""A tour: one program at every stage, then the whole corpus checked against NumPy and timed."""

from __future__ import annotations

from typing import Any

from transpile.corpus import load, programs

from . import bench
from .converting import convert
from .show import STAGES

# The program that is shown: short, and yet with a loop on a tolerance, slices, and updates in place.
_SHOWN = "heat"
# Seconds for which each program is timed.
_SECONDS = 0.3

_TITLES = {
    "source": "1. Rewritten: control flow has become operations",
    "graph": "2. Traced: one graph, whatever the sizes, with mutation resolved",
    "kernels": "3. Scheduled: the loops that are compiled to one machine-code function",
}


def run(size: str) -> int:
    """Show, check, time; the status is 0 where every program ran compiled, with NumPy's results."""
    from rich.console import Console
    from rich.rule import Rule
    from rich.syntax import Syntax

    console = Console()
    console = console if console.is_terminal else Console(width=118)

    def code(title: str, text: str, language: str) -> None:
        console.print(Rule(title, align="left"))
        console.print(Syntax(text.strip("\n"), language, background_color="default", word_wrap=True))
        console.print()

    program = load(_SHOWN)
    with open(program.module.__file__ or "") as file:
        code(f"{_SHOWN}: {program.summary}", file.read().partition('"""\n\n')[2], "python")
    converted = convert(program.entry, strict=True)
    for stage in STAGES:
        arguments: tuple[Any, ...] = () if stage == "source" else program.make("small")
        text = str(getattr(converted, stage)(*arguments))
        code(_TITLES[stage], text, "text" if stage == "graph" else "python")

    console.print(Rule("4. All programs: results compared with NumPy's, then timed", align="left"))
    return bench.run(programs(), size, _SECONDS, later=1)
