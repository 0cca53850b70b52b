"""Memory that kernels make is given back: all of it, on every way out, and none of it before it is done with."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numba import types
from numba.core.runtime import _nrt_python, rtsys

from transpile.devices.cpu import memory

from .kernels import lowered

FRAME, VECTOR = types.Array(types.int64, 1, "C"), types.Array(types.float64, 1, "C")


def compiled(text: str) -> Any:
    """Return a kernel of a frame, an array and two integers."""
    namespace = {"empty": memory.empty, "merged": memory.merged, "float64": types.float64}
    kinds = (FRAME, VECTOR, types.int64, types.int64)
    return lowered(text, namespace, kinds, types.Tuple([types.int64, types.float64]))


class Program:
    """Random statements on three variables that hold arrays of one length, and on a number."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines = ["def kernel(frame, x, n, k):", "    total = 0.0"]
        self.views = 0
        for name in "abcd":
            self.make(name, 1)
        self.view("d", 1)
        self.body(1, 3, loops=0)
        self.lines += ["    return 0, total + a[0] + b[1] + c[2] + d[3]"]
        self.text = "\n".join(self.lines)

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def make(self, name: str, depth: int) -> None:
        self.line(depth, f"{name} = empty((n,), float64)")
        self.line(depth, f"for i{len(self.lines)} in range(n):")
        self.line(depth + 1, f"{name}[i{len(self.lines) - 1}] = x[i{len(self.lines) - 1}] + total")

    def view(self, name: str, depth: int) -> None:
        self.views += 1
        self.line(depth, f"view{self.views} = merged({name}, 0, 1)")
        self.line(depth, f"total = total + view{self.views}[0]")

    def body(self, depth: int, size: int, loops: int) -> None:
        for _ in range(self.random.randint(1, size)):
            self.statement(depth, size, loops)

    def statement(self, depth: int, size: int, loops: int) -> None:
        pick, names = self.random.random(), self.random.sample("abc", 2)
        if pick < 0.2:
            self.make(names[0], depth)
        elif pick < 0.35:
            self.line(depth, f"{names[0]} = {names[1]}")
        elif pick < 0.45:
            self.line(depth, f"{names[0]}, {names[1]} = {names[1]}, {names[0]}")
        elif pick < 0.5:
            self.line(depth, f"{names[0]} = x")
        elif pick < 0.6:
            self.view(names[0], depth)
        elif pick < 0.75 or size == 1:
            self.line(depth, f"total = total * 0.5 + {names[0]}[k] - {names[1]}[0]")
        elif pick < 0.88:
            self.line(depth, f"if total > {self.random.randint(-3, 8)}.5:")
            self.body(depth + 1, size - 1, loops)
            end = self.random.random()
            if end < 0.25 and loops:
                self.line(depth + 1, "break")
            elif end < 0.4:
                self.line(depth + 1, f"return 1, total + {names[0]}[1]")
            if self.random.random() < 0.5:
                self.line(depth, "else:")
                self.body(depth + 1, size - 1, loops)
        elif pick < 0.95:
            self.line(depth, f"for turn{len(self.lines)} in range({self.random.choice(['k', '2', '3'])}):")
            self.body(depth + 1, size - 1, loops + 1)
        else:
            counter = f"counter{len(self.lines)}"
            self.line(depth, f"{counter} = 0")
            self.line(depth, "while True:")
            self.line(depth + 1, f"{counter} = {counter} + 1")
            self.line(depth + 1, f"if {counter} > k:")
            self.line(depth + 2, "break")
            self.body(depth + 1, size - 1, loops + 1)


def in_python(text: str, x: Any, n: int, k: int) -> tuple[tuple[int, float], int]:
    """Return what a kernel returns, and how many arrays it makes."""
    made = []

    def empty(shape: tuple[int], kind: object) -> Any:
        made.append(shape)
        return np.empty(shape)

    namespace: dict[str, Any] = {
        "empty": empty,
        "merged": lambda array, first, count: array[:],
        "float64": None,
    }
    exec(text, namespace)
    with np.errstate(all="ignore"):
        status, total = namespace["kernel"](None, x, n, k)
    return (status, float(total)), len(made)


@pytest.fixture
def counted() -> Iterator[None]:
    """numba counts what is allocated."""
    before = _nrt_python.memsys_stats_enabled()
    _nrt_python.memsys_enable_stats()
    yield
    if not before:
        _nrt_python.memsys_disable_stats()


@pytest.mark.parametrize("seed", range(60))
def test_what_random_kernels_make_is_given_back(counted: None, seed: int) -> None:
    text, x = Program(seed).text, np.arange(1.0, 7.0)
    kernel = compiled(text)
    for k in (0, 1, 3):
        expected, made = in_python(text, x.copy(), 6, k)
        before = rtsys.get_allocation_stats()
        assert kernel(np.zeros(1, np.int64), x.copy(), 6, k) == expected, text
        after = rtsys.get_allocation_stats()
        assert after.mi_free - before.mi_free == made, text
