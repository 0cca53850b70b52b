"""What tests of the interpreter share: every call of a graph is also run by the reference, and with a copy for each write."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from transpile.devices.host.interpreter import Interpreter
from transpile.runtime.graph.ir import Graph

from .reference import Reference

_RUN = Interpreter.run


def bits(value: Any) -> Any:
    """Return a value as something that is equal for equal types, bits and strides alone."""
    if isinstance(value, np.ndarray):
        # The strides of an axis of length 1, or of an array without elements, say nothing.
        steps = [(size, step) for size, step in zip(value.shape, value.strides, strict=True) if size != 1]
        return value.dtype.str, value.shape, steps if value.size else (), value.tobytes()
    if isinstance(value, (tuple, list)):
        return [bits(item) for item in value]
    return type(value), repr(value) if value is None or type(value) is int else np.asarray(value).tobytes()


def outcome_of(run: Callable[[Sequence[Any]], Any], inputs: Sequence[Any]) -> Any:
    """Return what comes of a run, and what the inputs hold afterwards; give them back what they held."""
    held = [value.copy() if isinstance(value, np.ndarray) else None for value in inputs]
    result: Any
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            result = bits(run(inputs))
        except Exception as error:
            result = type(error), str(error)
    after = bits(list(inputs))
    for value, before in zip(inputs, held, strict=True):
        if before is not None and value.flags.writeable:
            value[...] = before
    return result, after


def outcomes(graph: Graph, inputs: Sequence[Any]) -> list[Any]:
    """Return what comes of a graph: by the reference, with a copy for each write, and written in place."""
    interpreters = Interpreter(graph, in_place=False), Interpreter(graph)
    ways = [Reference(graph).run, *(partial(_RUN, interpreter) for interpreter in interpreters)]
    return [outcome_of(way, inputs) for way in ways]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Graph]]:
    """Compare each call of a graph on the host with the reference; give the graphs that were."""
    graphs: list[Graph] = []
    found: list[Any] = []

    def run(interpreter: Interpreter, inputs: Sequence[Any]) -> Any:
        # What calls Python is done once.
        if not any(op.name == "host_call" for op in interpreter.graph.block.walk()):
            graphs.append(interpreter.graph)
            found.append(
                [*outcomes(interpreter.graph, inputs), outcome_of(partial(_RUN, interpreter), inputs)]
            )
        return _RUN(interpreter, inputs)

    monkeypatch.setattr(Interpreter, "run", run)
    yield graphs
    for reference, *others in found:
        for other in others:
            assert other == reference
