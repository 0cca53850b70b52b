"""What the tests of devices.loops share: a function's schedule, and whether it gives what NumPy gives."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.devices.loops.program import Program
from transpile.devices.loops.schedule import schedule
from transpile.devices.loops.sharing import all_bodies
from transpile.devices.loops.statement import (
    Allocate,
    ArgReduction,
    Collect,
    Fused,
    Nest,
    Reduction,
    Statement,
)


class Scheduled:
    """The schedule of a function: its statements, wherever they stand."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def __iter__(self) -> Iterator[Statement]:
        for body in all_bodies(self.program.body):
            yield from body

    @property
    def nests(self) -> list[Statement]:
        """All loop nests, reductions included."""
        kinds = (Fused, Reduction, ArgReduction, Collect)
        return [s for s in self if isinstance(s, kinds) or (isinstance(s, Nest) and s.indices)]

    def count(self, kind: type) -> int:
        """How many statements there are of a kind."""
        return sum(isinstance(statement, kind) for statement in self)

    @property
    def made(self) -> int:
        """How many arrays the kernel makes for itself."""
        return len({s.buffer for s in self if isinstance(s, Allocate) and s.buffer.source == "local"})


@pytest.fixture
def scheduled() -> Callable[..., Scheduled]:
    """Gives the schedule of a function for arguments, after a comparison of what it does with what NumPy does."""

    def run(function: Callable[..., Any], *arguments: Any, parallel: bool = True) -> Scheduled:
        converted = transpile.convert(function, strict=True, parallel=parallel)
        plain, compiled = copy.deepcopy(arguments), copy.deepcopy(arguments)
        expected, found = function(*plain), converted(*compiled)
        _compare((expected, plain), (found, compiled))
        return Scheduled(schedule(converted.graph(*arguments)))

    return run


def _compare(expected: Any, found: Any) -> None:
    assert type(expected) is type(found)
    if isinstance(expected, tuple):
        assert len(expected) == len(found)
        for one, other in zip(expected, found, strict=True):
            _compare(one, other)
    elif isinstance(expected, np.ndarray):
        assert (expected.dtype, expected.shape) == (found.dtype, found.shape)
        assert expected.tobytes() == found.tobytes()
    else:
        assert expected == found or expected != expected
