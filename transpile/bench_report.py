"""What `transpile bench` says of its figures: tables for the terminal, the README and the page of docs/, and a plot."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from transpile.corpus import FAMILIES
from transpile.runtime.errors import TranspileError

# Tools by their names in the figures; NumPy is what all are compared with.
TOOLS = {
    "transpile": "transpile",
    "njit": "njit",
    "njit_parallel": "njit(parallel, fastmath)",
    "pythran": "Pythran",
    "torch": "torch.compile",
    "best": "the best of the other tools",
}
# What is called as fast: measuring is no more exact.
_AS_FAST = 0.95
_FAILED = "—"
# What bounds a call, by names of figures.
_BOUNDS = {"copying": ("copying",), "computing": ("computing",), "the longer": ("copying", "computing")}


class Figures:
    """What was measured, and what follows from it."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.machine: dict[str, Any] = found["machine"]
        self.sizes: list[str] = found["sizes"]
        self.programs: list[dict[str, Any]] = found["programs"]

    @property
    def tools(self) -> list[str]:
        """The tools that were there."""
        there = {name for p in self.programs for name in (*p["first"], *p["fails"])}
        return [name for name in TOOLS if name in there or name == "best"]

    def ratio(self, program: dict[str, Any], tool: str, size: str) -> float | None:
        """Return how many times faster than NumPy a tool is; None where it fails, or gives other results."""
        if tool == "best":
            ratios = [self.ratio(program, name, size) for name in TOOLS if name not in ("transpile", "best")]
            return max(filter(None, ratios), default=None)
        times = program["times"].get(size, {})
        return times["numpy"] / times[tool] if tool in times else None

    def over(self, program: dict[str, Any], bounds: Sequence[str], size: str) -> float | None:
        """Return how often what bounds a call could be done while it runs on one processor, the longest; None where nothing is known to."""
        times = program["times"].get(size, {})
        return times["alone"] / max(times[bound] for bound in bounds) if "alone" in times else None

    def mean(self, tool: str, size: str, family: str | None = None) -> float:
        """Return the geometric mean over NumPy, what fails counted as 1."""
        ratios = [
            self.ratio(p, tool, size) or 1.0
            for p in self.programs
            if family in (None, p["family"]) and size in p["times"]
        ]
        return statistics.geometric_mean(ratios) if ratios else 1.0

    def slower(self, tool: str, size: str) -> list[str]:
        """Return the programs for which a tool is slower than NumPy."""
        return [p["program"] for p in self.programs if (self.ratio(p, tool, size) or 1.0) < _AS_FAST]

    def handled(self, tool: str, size: str) -> int:
        """Return how many programs a tool gives NumPy's results for."""
        return sum(self.ratio(p, tool, size) is not None for p in self.programs)

    def behind(self, size: str) -> list[str]:
        """Return the programs for which another tool is faster, and how much."""
        found = []
        for p in self.programs:
            ours, best = self.ratio(p, "transpile", size) or 1.0, self.ratio(p, "best", size)
            if best and ours < _AS_FAST * best:
                found.append(f"{p['program']} ({ours / best:.2f})")
        return found

    def first(self, tool: str) -> float | None:
        """Return the median of the times of first calls."""
        times = [p["first"][tool] for p in self.programs if tool in p["first"]]
        return statistics.median(times) if times else None


def tables(figures: Figures) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Yield tables: title, heads of columns, rows."""
    sizes = figures.sizes
    heads = ["tool"]
    for size in sizes:
        heads += [f"{size}: handles", "× NumPy", "slower on"]
    rows = []
    for tool in figures.tools:
        row = [TOOLS[tool]]
        for size in sizes:
            row += [
                str(figures.handled(tool, size)),
                ratio(figures.mean(tool, size)),
                str(len(figures.slower(tool, size))),
            ]
        rows.append([*row, in_units(figures.first(tool))])
    yield "All programs, geometric means, what fails counted as 1", [*heads, "first call, median"], rows

    heads = ["family"] + [f"{size}: {TOOLS[tool]}" for size in sizes for tool in ("transpile", "best")]
    rows = [
        [
            family,
            *(ratio(figures.mean(tool, size, family)) for size in sizes for tool in ("transpile", "best")),
        ]
        for family in FAMILIES
        if any(p["family"] == family for p in figures.programs)
    ]
    yield "Families", heads, rows

    for size in sizes:
        heads = ["program", "NumPy", *(TOOLS[tool] for tool in figures.tools if tool != "best")]
        rows = [
            [p["program"], in_units(p["times"][size]["numpy"])]
            + [ratio(figures.ratio(p, tool, size)) for tool in figures.tools if tool != "best"]
            for p in figures.programs
            if size in p["times"]
        ]
        yield f"Times faster than NumPy, {size} size", heads, rows

    heads = ["program", *(TOOLS[tool] for tool in figures.tools if tool != "best")]
    heads += ["again, kernel on disk", "of that, loading", "peak memory of NumPy", "of transpile"]
    rows = [
        [p["program"]]
        + [in_units(p["first"].get(tool)) for tool in figures.tools if tool != "best"]
        + [in_units(p.get("first_again")), in_units(p.get("loading"))]
        + [in_bytes(p.get("peaks", {}).get(name)) for name in ("numpy", "transpile")]
        for p in figures.programs
    ]
    yield "First calls, and memory", heads, rows

    heads = ["program", *(f"{size}: {name}" for size in sizes for name in _BOUNDS)]
    rows = [
        [
            p["program"],
            *(ratio(figures.over(p, bounds, size)) for size in sizes for bounds in _BOUNDS.values()),
        ]
        for p in figures.programs
        if any("alone" in times for times in p["times"].values())
    ]
    if rows:
        yield "Times that what bounds a call takes, on one processor", heads, rows


def remarks(figures: Figures) -> Iterator[tuple[str, list[str]]]:
    """Yield lists: title, items."""
    for size in figures.sizes:
        yield f"Slower than NumPy at {size} size", figures.slower("transpile", size)
        yield f"Behind the best of the other tools at {size} size", figures.behind(size)
    parts = [f"{p['program']}: {p['in_parts']}" for p in figures.programs if p.get("in_parts")]
    yield "Not compiled whole", parts
    words = [p for p in figures.programs if p.get("sweeps", "").startswith("none: ")]
    yield (
        "Not held against what bounds them",
        [f"{p['program']}: {p['sweeps'].removeprefix('none: ')}" for p in words],
    )
    yield (
        "More memory than NumPy",
        [
            f"{p['program']} ({in_bytes(p['peaks']['transpile'])} instead of {in_bytes(p['peaks']['numpy'])})"
            for p in figures.programs
            if _takes_more(p.get("peaks", {}))
        ],
    )
    yield "Not measured", [f"{p['program']}: {p['error']}" for p in figures.programs if p.get("error")]
    for tool, title in TOOLS.items():
        reasons = [
            f"{p['program']}{name.removeprefix(tool)}: {reason}"
            for p in figures.programs
            for name, reason in p["fails"].items()
            if name.split()[0] == tool
        ]
        yield f"{title} fails", reasons


def _takes_more(peaks: dict[str, int | None]) -> bool:
    numpy, ours = peaks.get("numpy"), peaks.get("transpile")
    # A process grows by whole pages, and by more of them at once.
    return numpy is not None and ours is not None and ours > 1.02 * numpy + 2**20


def print_tables(figures: Figures) -> None:
    """Print everything on the terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console = console if console.is_terminal else Console(width=150)
    for title, heads, rows in tables(figures):
        table = Table(box=None, header_style="bold", pad_edge=False, title=title, title_justify="left")
        for place, head in enumerate(heads):
            table.add_column(head, justify="right" if place else "left")
        for row in rows:
            table.add_row(*row)
        console.print(table, "")
    for title, items in remarks(figures):
        if items:
            console.print(
                f"{title}:", *(f"  {item[:300]}" for item in items), sep="\n", markup=False, highlight=False
            )


def markdown(figures: Figures) -> str:
    """Return the first two tables and what they depend on, as the README has them."""
    first, second, *_ = tables(figures)
    return "\n\n".join([_markdown_table(*first[1:]), _markdown_table(*second[1:]), conditions(figures)])


def page(figures: Figures, plot: str | None) -> str:
    """Return the page of docs/."""
    parts = [
        "# The corpus, timed",
        "Written by `make bench`: the programs of `corpus/`, unmodified, in plain NumPy, under `@convert`, and under other tools. Each program has a process "
        "of its own, in which all tools run in turn on fresh arguments, short calls some hundred times before; medians. A tool's time counts where its results are NumPy's: to the bit for transpile, "
        "within rounding for others. "
        + _FAILED
        + " stands where a tool refuses the source, or gives other results; in means that counts as 1. "
        "The first call of Pythran is its compilation, ahead of time. A first call that finds kernels on disk is the median of three processes. Memory is how much a process grows during a call at the largest size whose plain call is short, where nothing is kept of calls before. "
        "What a call moves at least is the arrays that it is handed, read, and those that it returns or changes, written, in each of its steps: copies of a larger array than caches hold tell how long "
        "as many bytes take. What it computes at least is told by the same machine code on data that lie in the caches, times as much as there is more to compute. Both have one processor, and so has "
        "the call that is held against them. Neither counts what is moved of arrays that a program makes on its way and goes over again in each step, once these are too large for the caches.",
        conditions(figures),
    ]
    if plot:
        parts.append(f"![Times faster than NumPy]({Path(plot).name})")
    for title, heads, rows in tables(figures):
        parts += [f"## {title}", _markdown_table(heads, rows)]
    parts.append("## What stands out")
    for title, items in remarks(figures):
        if items:
            short = [item if len(item) < 200 else item[:200] + "…" for item in items]
            parts += [f"{title}:", "\n".join(f"* {item.replace('|', '∣')}" for item in short)]
    return "\n\n".join(parts) + "\n"


def conditions(figures: Figures) -> str:
    """Return what the figures depend on."""
    of = figures.machine
    others = "".join(f", {name} {of[name]}" for name in ("pythran", "torch") if of.get(name))
    milliseconds = of["import_ms"]
    return (
        f"NumPy {of['numpy']}, numba {of['numba']}{others}, Python {of['python']}, {of['processor']}, {of['cpus']} cores. "
        f"To import transpile and to convert a first function takes {milliseconds['transpile']} ms, of which {milliseconds['numpy']} ms are NumPy's."
    )


def _markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ("---", *["---:"] * (len(heads) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw(figures: Figures, file: str) -> None:
    """Draw how many times faster than NumPy each tool is, a row for each program and a panel for each size."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    order = sorted(
        figures.programs, key=lambda p: (list(FAMILIES).index(p["family"]), p["program"]), reverse=True
    )
    tools = [tool for tool in figures.tools if tool != "best"]
    figure, panels = pyplot.subplots(
        1,
        len(figures.sizes),
        sharey=True,
        squeeze=False,
        figsize=(4 * len(figures.sizes) + 2, 0.22 * len(order) + 1.5),
    )
    for panel, size in zip(panels[0], figures.sizes):
        for tool, marker in zip(tools, "os^Dv"):
            points = [(r, y) for y, p in enumerate(order) if (r := figures.ratio(p, tool, size))]
            across, up = zip(*points) if points else ((), ())
            panel.scatter(
                across, up, s=28 if tool == "transpile" else 14, marker=marker, label=TOOLS[tool], zorder=3
            )
        panel.axvline(1.0, color="black", linewidth=0.8)
        panel.set_xscale("log")
        panel.set_title(f"{size} size: times faster than NumPy", fontsize=9)
        panel.set_yticks(range(len(order)), [p["program"] for p in order], fontsize=7)
        panel.grid(axis="y", linewidth=0.3)
    panels[0][0].legend(fontsize=7, loc="lower right")
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None} if file.endswith(".svg") else None)
    pyplot.close(figure)


# -- words -----------------------------------------------------------------------------------------------------


def in_units(seconds: float | None) -> str:
    """Return seconds in a fitting unit."""
    if seconds is None:
        return ""
    for unit, scale in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def in_bytes(count: int | None) -> str:
    """Return a number of bytes in megabytes."""
    return "" if count is None else f"{count / 2**20:.1f} MB"


def ratio(value: float | None) -> str:
    """Return a ratio with the digits that it is worth."""
    if value is None:
        return _FAILED
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def first_line(error: Exception) -> str:
    """Return what an error says, in one line."""
    if isinstance(error, TranspileError):
        return f"[{error.code}] {' '.join(error.message.split())}"
    lines = re.sub(r"\x1b\[[0-9]*m", "", str(error)).splitlines()
    said = next((line for line in lines if line.strip() and not _WRAPPING.search(line)), "")
    return without_folders(f"{type(error).__name__}: {said.strip()}"[:300])


def without_folders(text: str) -> str:
    """Return a text with the files that it names, but not the folders that these are in on some machine."""
    return re.sub(r"(?<![\w:/.])/(?:[\w.@+-]+/)+", "", text)


# Lines that numba puts around what it has to say.
_WRAPPING = re.compile("Failed in|Resolution failure|^During|^- ")
