"""Random programs: the text of a module with a function `f`, what it needs, and functions that make its arguments."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from .arguments import PARAMETERS, maker
from .choices import Choices
from .scope import Scope
from .statements import Statements, indented

PREAMBLE = '''\
import copy
import math
import sys
import warnings
from collections import deque, namedtuple
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

LIMIT = 3
TABLE = [2, 7, 1]
WEIGHTS = np.array([0.5, 0.25, 2.0])
Pair = namedtuple("Pair", "a b")
events = []
totals = {"sum": 0}


class Wrong(Exception):
    """An error of the program's own."""


class Box:
    """An object with state."""

    def __init__(self, value):
        self.value = value

    @property
    def next(self):
        return self.value + 1

    def doubled(self):
        return self.value * 2

    def __add__(self, other):
        return Box(self.value + other)


class Series:
    """Numbers with a total."""

    scale = 2

    def __init__(self, values):
        self.values = values
        self.total = 0.0

    def add(self, value):
        self.total += value * self.scale
        return self

    def step(self):
        self.values = self.values * 0.5 + self.total

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return self.values[place]


@dataclass
class Point:
    """A place that moves."""

    x: float
    y: float


class Guard:
    """A context that prints."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("enter", self.name)
        return self

    def __exit__(self, kind, error, place):
        print("exit", self.name, kind.__name__ if kind else None)
        return False


def scale(v, factor=3):
    if v > 2:
        return v * factor
    return v + 0.5


def steps(count):
    for step in range(count):
        yield step * 2
'''
"""What every program starts with."""

FIRST_LINE = PREAMBLE.count("\n") + 3
"""The line of its module at which the text of a program starts."""

_numbers = itertools.count()


def module(text: str, names: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Run the text of a program, which may know of further names, and return its own."""
    whole = f"{PREAMBLE}\n\n{text}"
    file = f"<program {next(_numbers)}>"
    linecache.cache[file] = (len(whole), None, whole.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": "program", **names}
    exec(compile(whole, file, "exec", dont_inherit=True), space)
    return space


@st.composite
def programs(draw: Callable[[Any], Any], size: int = 14) -> str:
    """Draw the text of a program."""
    return program(Choices(draw), size)


def program(choices: Choices, size: int = 14, wide: bool = False) -> str:
    """Return the text of a program, without what every one starts with. A wide one has idioms of real programs in it, and is mostly small."""
    if wide:
        size = choices.weighted([(2, size), (3, 4)])
    names = ("x", "y", "n", "t")[: choices.count(1, 4)]
    parameters = {name: choices.weighted(PARAMETERS) for name in names}
    statements = Statements(choices, Scope(dict(parameters)), size, wide=wide)
    statements.scope.kinds["scale"] = "function"
    statements.scope.reserved.add("scale")
    lines = statements.block(3, 7)
    known = [name for name, kind in statements.scope.kinds.items() if kind not in ("function", "box")]
    results = [choices.among(known) for _ in range(choices.count(1, 3))] if known else ["0"]
    lines.append(f"return {', '.join(dict.fromkeys(results))}")
    text = [f"def f({', '.join(names)}):", *indented(lines)]
    makers = [f"arguments_{number}" for number in range(choices.count(1, 3))]
    for name in makers:
        text += ["", "", *maker(choices, name, parameters)]
    return "\n".join([*text, "", "", f"CALLS = [{', '.join(makers)}]", ""])
