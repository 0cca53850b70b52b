"""Plain NumPy programs, one per file, and the loader that reads their headers.

A program imports nothing of this package and is written as its author would write it without it. Its module docstring
is a sentence, prose if need be, and a header of ``key: value`` lines (an indented line continues the one before):

    entry:      name of the function to call
    family:     one of FAMILIES
    exercises:  what the program is here for, in words
    patterns:   keys of PATTERNS
    dtypes:     the floating dtypes its inputs come in, the default first (optional)
    small:      n=20 steps=3         keywords of make_inputs; also medium, large
    sized:      n=12+5k steps=3      the same keywords as functions of k, for ten sizes that one trace should serve
    sweeps:     steps                how often a call goes over its arrays at least: a number, or one of these keywords; or `none:`
                                     and why that, and what it computes, is not known beforehand (optional)
    work:       n n steps            the keywords whose product says how much a call computes (where it has sweeps)
    cached:     n=60                 the keywords to change for all that a call needs to lie in the second cache (likewise)

Its ``make_inputs(**size)`` returns the arguments of the entry as a tuple, the same on every call, made afresh; it takes
``dtype`` as well where the header has ``dtypes``. An optional ``bad_inputs()`` returns ``(label, exception, arguments)``
triples on which the entry raises.
"""

import importlib
import math
import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from ._patterns import FAMILIES, PATTERNS

__all__ = ["FAMILIES", "PATTERNS", "SIZES", "ErrorCase", "Program", "load", "names", "programs"]

SIZES = ("small", "medium", "large")

_REQUIRED = ("entry", "family", "exercises", "patterns", *SIZES, "sized")
_OPTIONAL = ("dtypes", "sweeps", "work", "cached")
_KEY = re.compile(r"([a-z]+):\s+(\S.*)")
_LINEAR = re.compile(r"(\d+)(?:([+-])(\d*)k)?")


@dataclass(frozen=True)
class ErrorCase:
    """A call on which the plain program raises."""

    label: str
    error: type[Exception]
    args: tuple[Any, ...]


@dataclass(frozen=True)
class Program:
    """One program of the corpus, as its header describes it."""

    name: str
    module: ModuleType
    entry: Callable[..., Any]
    summary: str
    family: str
    exercises: str
    patterns: frozenset[str]
    sizes: Mapping[str, Mapping[str, int]]
    growth: Mapping[str, tuple[int, int]]
    dtypes: tuple[str, ...]
    sweeps: str
    work: tuple[str, ...]
    cached: Mapping[str, int]

    def make(self, size: str = "small", dtype: str | None = None) -> tuple[Any, ...]:
        """Arguments of the entry at a named size, made afresh."""
        return self._make(self.sizes[size], dtype)

    def make_sized(self, k: int, dtype: str | None = None) -> tuple[Any, ...]:
        """Arguments at the k-th of a series of sizes: the dtypes and ranks stay, no dim is 1."""
        return self._make({key: start + slope * k for key, (start, slope) in self.growth.items()}, dtype)

    def count_sweeps(self, size: str) -> int | None:
        """How often a call at a named size goes over its arrays at least; None where the header does not say."""
        if self.sweeps.isdecimal():
            return int(self.sweeps)
        return self.sizes[size].get(self.sweeps)

    def make_cached(self, size: str) -> tuple[tuple[Any, ...], float]:
        """Arguments like those at a named size that lie in the caches with all that a call makes, and how many times as much is computed at that size."""
        keywords = {**self.sizes[size], **self.cached}
        times = math.prod(self.sizes[size][key] / keywords[key] for key in self.work)
        return self._make(keywords, None), times

    def error_cases(self) -> list[ErrorCase]:
        """Calls that raise, with arguments made afresh."""
        make = getattr(self.module, "bad_inputs", None)
        return [] if make is None else [ErrorCase(*case) for case in make()]

    def _make(self, size: Mapping[str, int], dtype: str | None) -> tuple[Any, ...]:
        keywords: dict[str, Any] = dict(size)
        if dtype is not None:
            if dtype not in self.dtypes:
                raise ValueError(f"{self.name} has no inputs of dtype {dtype!r}")
            keywords["dtype"] = np.dtype(dtype)
        args: tuple[Any, ...] = self.module.make_inputs(**keywords)
        return args


def names() -> list[str]:
    """Names of all programs, sorted."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def load(name: str) -> Program:
    """The program in the file of that name. Raises ``ValueError`` where its header is not in order."""
    module = importlib.import_module(f"{__name__}.{name}")
    summary, header = _read_header(name, module.__doc__ or "")
    return Program(
        name=name,
        module=module,
        entry=getattr(module, header["entry"]),
        summary=summary,
        family=header["family"],
        exercises=header["exercises"],
        patterns=frozenset(header["patterns"].split()),
        sizes={size: {key: int(n) for key, n in _pairs(name, header[size])} for size in SIZES},
        growth={key: _linear(name, rule) for key, rule in _pairs(name, header["sized"])},
        dtypes=tuple(header.get("dtypes", "").split()),
        sweeps=header.get("sweeps", ""),
        work=tuple(header.get("work", "").split()),
        cached={key: int(n) for key, n in _pairs(name, header.get("cached", ""))},
    )


def programs() -> list[Program]:
    """All programs, sorted by name."""
    return [load(name) for name in names()]


def _read_header(name: str, doc: str) -> tuple[str, dict[str, str]]:
    lines = doc.splitlines()
    header: dict[str, str] = {}
    key = ""
    for line in lines[1:]:
        match = _KEY.fullmatch(line.strip())
        if match and match[1] in (*_REQUIRED, *_OPTIONAL) and not line.startswith(" "):
            key = match[1]
            header[key] = match[2]
        elif key and line.startswith(" "):
            header[key] += " " + line.strip()
    missing = [key for key in _REQUIRED if key not in header]
    if missing:
        raise ValueError(f"corpus program {name}: no {', '.join(missing)} in its header")
    return lines[0], header


def _pairs(name: str, text: str) -> list[tuple[str, str]]:
    words = [word.partition("=") for word in text.split()]
    if not all(key and sign and value for key, sign, value in words):
        raise ValueError(f"corpus program {name}: cannot read {text!r}")
    return [(key, value) for key, _, value in words]


def _linear(name: str, rule: str) -> tuple[int, int]:
    match = _LINEAR.fullmatch(rule)
    if not match:
        raise ValueError(f"corpus program {name}: cannot read {rule!r}; write 7, 7+3k or 40-2k")
    start, sign, slope = match.groups()
    if not sign:
        return int(start), 0
    return int(start), int(sign + (slope or "1"))
