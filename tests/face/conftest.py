"""A small package, written to a folder, for the hook to import."""

from collections.abc import Callable
from pathlib import Path

import pytest

INIT = '''"""A package."""
from .sums import total, weighted
from . import shapes
'''

SUMS = '''"""Loops over arrays."""
from __future__ import annotations
import functools
import sys
import zlib
import numpy as np

def total(x, start: float = 0.0) -> float:
    """Adds up."""
    for i in range(len(x)):
        start += x[i]
    return start

def tagged(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper

@tagged
def weighted(x, w):
    s = 0.0
    for i in range(len(x)):
        s += w[i] * x[i]
    return s

def unconvertible(x):
    """Looks like any other."""
    for i in range(len(x)):
        x[i] += 1
    locals()
    return x

def mixed(x):
    mark = zlib.crc32(b"mixed")
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total, mark

def caller():
    return sys._getframe(1).f_code.co_name

def numbers(n):
    for i in range(n):
        yield i

def no_loop(x):
    return x + 1

def fails(x, i):
    for _ in range(2):
        y = x[i]
    return y

TABLE = {"total": total}
'''

SHAPES = '''"""Methods."""
import numpy as np

class Line:
    def __init__(self, x):
        self.x = x

    def length(self):
        s = 0.0
        for i in range(1, len(self.x)):
            s += abs(self.x[i] - self.x[i - 1])
        return s

    @property
    def largest(self):
        m = self.x[0]
        for i in range(1, len(self.x)):
            if self.x[i] > m:
                m = self.x[i]
        return m

    @staticmethod
    def mean(x):
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return s / len(x)

    @classmethod
    def of(cls, n):
        return cls(np.arange(float(n)))

    def __len__(self):
        return len(self.x)
'''


@pytest.fixture
def write_package(tmp_path: Path) -> Callable[[str], Path]:
    """Writes the package under a name, and returns the folder that it is in."""

    def write(name: str) -> Path:
        package = tmp_path / name
        package.mkdir()
        for module, text in (("__init__", INIT), ("sums", SUMS), ("shapes", SHAPES)):
            (package / f"{module}.py").write_text(text)
        return tmp_path

    return write
