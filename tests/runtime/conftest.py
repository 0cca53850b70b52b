"""What tests of graphs share: runs of programs as the interpreter sees them."""

import copy
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import transpile
from transpile import prepare
from transpile.devices.host.interpreter import Interpreter


@dataclass
class Run:
    """One run of a graph: what it was given, and what came of it."""

    graph: Any
    inputs: tuple[Any, ...]
    outcome: Any

    def again(self, graph: Any) -> Any:
        """Return what comes of the same inputs in another graph."""
        return outcome_of(graph, copy.deepcopy(self.inputs))


def bits(value: Any) -> Any:
    """Return a value as something that is equal for equal types and bits alone."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, (tuple, list)):
        return tuple(map(bits, value))
    return (type(value), np.asarray(value).tobytes())


def outcome_of(graph: Any, inputs: Any) -> Any:
    """Return the results of a graph, or its error, and its inputs afterwards."""
    try:
        result = bits(_RUN(Interpreter(graph), inputs))
    except Exception as error:
        result = (type(error), str(error))
    return result, bits(inputs)


_RUN = Interpreter.run


@pytest.fixture
def runs(monkeypatch):
    """Return a function that calls a function on the host, its graphs as they were recorded, and gives all runs."""

    def collect(function: Any, arguments: Any, fails: bool = False) -> list[Run]:
        found: list[Run] = []

        def run(interpreter: Interpreter, inputs: Any) -> Any:
            before = copy.deepcopy(tuple(inputs))
            found.append(Run(interpreter.graph, before, outcome_of(interpreter.graph, copy.deepcopy(before))))
            return _RUN(interpreter, inputs)

        monkeypatch.setattr(Interpreter, "run", run)
        monkeypatch.setattr(prepare, "optimise", lambda graph: graph)
        converted = transpile.convert(function, strict=True, device="host")
        # Where a call fails, what it does until then is part of the outcome; where it always does, there is no graph.
        with suppress(Exception) if fails else nullcontext():
            converted(*copy.deepcopy(arguments))
        assert found or fails
        return found

    return collect
