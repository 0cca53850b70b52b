"""Times single functions of NumPy's, compiled, on a million elements or 500 by 500."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from transpile.runtime.errors import TranspileError
from transpile.runtime.ops.table import TABLE

from .bench import processor
from .bench_report import first_line, in_units
from .converting import convert
from .written import written

FUNCTIONS = {
    "elementwise": """np.add(x, y); np.multiply(x, y); np.divide(x, y); np.maximum(x, y); np.sqrt(x); np.abs(s); np.exp(x); np.log(x); np.sin(x); np.tanh(x);
        np.arctan2(x, y); np.power(x, y); np.hypot(x, y); np.floor(x); np.sign(s); np.greater(x, y); np.bitwise_and(i, j); np.floor_divide(i, j);
        np.remainder(x, y); np.clip(x, 0.2, 0.8); np.where(t, x, y); np.isnan(x); np.round(x, 2); np.nan_to_num(x)""",
    "reductions": """np.sum(x); np.sum(m, axis=0); np.mean(m, axis=1); np.var(x); np.std(m, axis=0); np.max(x); np.argmax(x); np.any(t); np.count_nonzero(t);
        np.median(x); np.average(x, weights=y); np.ptp(x); np.percentile(x, 30)""",
    "scans": "np.cumsum(x); np.cumprod(x); np.diff(x); np.gradient(x); np.trapezoid(x)",
    "shapes": """np.concatenate((x, y)); np.stack((x, y), axis=1); np.flip(x).copy(); np.roll(x, 7); np.repeat(x, 2); np.ascontiguousarray(m.T); np.pad(m, 3);
        np.tril(m); np.take(x, p); np.nonzero(t)""",
    "sorting": "np.sort(x); np.argsort(x); np.searchsorted(g, x); np.unique(j); np.isin(j, k); np.bincount(j); np.histogram(x, 50); np.interp(x, g, g)",
    "products": "np.matmul(m, m); np.dot(x, y); np.outer(v, v); np.einsum('ij,ij->i', m, m); np.kron(v, v); np.convolve(x, v[:30]); np.polyval(v[:6], x)",
    "linalg": "np.linalg.norm(x); np.linalg.inv(d); np.linalg.solve(d, v); np.linalg.det(d / 560); np.linalg.cholesky(d); np.linalg.qr(m)",
    "fft": "np.fft.fft(z); np.fft.rfft(x); np.fft.fft2(m)",
}  # fmt: skip
# How long each is repeated, in seconds, and in how many rounds at least.
_SECONDS, _ROUNDS = 0.5, 5
# What takes so few seconds in NumPy is over before calls do not count.
_SHORT = 20e-6
# What is called as fast as NumPy: measuring is no more exact.
_AS_FAST, _NEARLY = 0.95, 0.8


def arrays() -> dict[str, Any]:
    """Return what the functions are called with."""
    draw = np.random.default_rng(7)
    x, y = draw.random(1_000_000) + 0.01, draw.random(1_000_000) + 0.01
    m = draw.random((500, 500))
    return {
        "x": x, "y": y, "s": x - 0.5, "t": x > 0.5, "z": x + 1j * y, "m": m, "d": m @ m.T + 500 * np.eye(500), "v": m[0].copy(),
        "i": draw.integers(0, 1000, 1_000_000), "j": draw.integers(1, 1000, 1_000_000), "k": np.arange(0, 1000, 7),
        "p": draw.permutation(1_000_000), "g": np.linspace(0.0, 1.0, 1000),
    }  # fmt: skip


@dataclass
class Timed:
    """One function: seconds in NumPy and compiled, or why it is not; and whether the kernel does no more than call NumPy's."""

    family: str
    call: str
    numpy: float = math.nan
    compiled: float = math.nan
    calls_whole: bool = False
    fails: str = ""

    @property
    def faster(self) -> float:
        """How many times faster it is compiled."""
        return self.numpy / self.compiled

    @property
    def why(self) -> str:
        """Says where the time goes where it is slower."""
        if self.fails or self.faster >= _AS_FAST:
            return self.fails
        if self.calls_whole:
            return "NumPy's function is called, from compiled code"
        if self.numpy < _SHORT:
            return "it is over before the microseconds that a compiled call takes do not count"
        if self.faster >= _NEARLY:
            return "the same loop in vectors, bound by memory, which NumPy unrolls otherwise"
        return "NumPy has code of its own for it, in wider vectors"


def run() -> int:
    """Time the functions and print the page; the status is 0 where all of them are compiled."""
    known = arrays()
    calls = [(family, call.strip()) for family, text in FUNCTIONS.items() for call in text.split(";")]
    timed = [measure(family, call, known) for family, call in calls]
    print(page(timed))
    return int(any(one.fails for one in timed))


def measure(family: str, call: str, known: dict[str, Any]) -> Timed:
    """Time one call both ways, in turn."""
    timed = Timed(family, call)
    names = [name for name in known if name in _names(call)]
    function = written("call", names, call, {"np": np})
    values = [known[name] for name in names]
    converted = convert(function, strict=True)
    try:
        converted(*values)
    except TranspileError as error:
        timed.fails = first_line(error)
        return timed
    entries = converted.calls.entries
    timed.calls_whole = any(
        TABLE[op.name].family in ("host", "linalg") or op.name == "numpy"
        for entry in entries
        for op in entry.trace.graph.block.walk()
    )
    timed.numpy, timed.compiled = _fastest(function, converted, values)
    return timed


def machine_text() -> str:
    """Return what figures depend on, without the name of the machine."""
    return (
        f"NumPy {np.__version__}, Python {platform.python_version()}, {processor()}, {os.cpu_count()} cores"
    )


def _names(call: str) -> frozenset[str]:
    return frozenset(compile(call, "<call>", "eval").co_names)


def _fastest(one: Callable[..., Any], other: Callable[..., Any], values: list[Any]) -> tuple[float, float]:
    """Return the shortest times of two functions that are called in turn."""
    best = [math.inf, math.inf]
    end, rounds = perf_counter() + _SECONDS, 0
    while rounds < _ROUNDS or perf_counter() < end:
        for place, function in enumerate((one, other)):
            start = perf_counter()
            function(*values)
            best[place] = min(best[place], perf_counter() - start)
        rounds += 1
    return best[0], best[1]


def page(timed: list[Timed]) -> str:
    """Return the page of what was measured."""
    done = [one for one in timed if not one.fails]
    fast = [one for one in done if one.faster >= _AS_FAST]
    mean = math.exp(math.fsum(math.log(one.faster) for one in done) / len(done))
    lines = [
        "# Single functions, compiled",
        "",
        "Written by `transpile bench --functions`: one call each, on 1,000,000 elements or 500 by 500, the shortest of several in turn.",
        f"{len(fast)} of {len(timed)} are as fast as NumPy, to within 5 percent, or faster; {mean:.2f} × on geometric average. What is slower goes the plain way in a program that "
        "does nothing else: which way calls take is measured. The bits are NumPy's for every row; [which promise holds](bits.md) is told by family.",
        "",
        f"Measured on {machine_text()}.",
        "",
        "| function | NumPy | compiled | times faster | why slower |",
        "| --- | ---: | ---: | ---: | --- |",
    ]
    for one in timed:
        figures = (
            ("", "", "") if one.fails else (in_units(one.numpy), in_units(one.compiled), f"{one.faster:.2f}")
        )
        lines.append(f"| {' | '.join((f'`{one.call}`', *figures, one.why))} |")
    return "\n".join(lines)
