"""Measures how calls of NumPy's functions are carried out, by tracing sample calls of each."""

from __future__ import annotations

import enum
import functools
import io
import itertools
import linecache
import operator
import types
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import implementation_of
from transpile.runtime.errors import TranspileError
from transpile.runtime.graph.ir import Block, Op
from transpile.runtime.ops.settings import kept_settings

from .converting import convert
from .samples import ARGUMENTS, Sample


class Kind(enum.IntEnum):
    """How a call is carried out, from the compiled to the plain."""

    COMPILED = 0
    CONVERTED = 1
    ROUTINE = 2
    HOSTED = 3
    WHOLE = 4
    LEFT = 5


@dataclass(frozen=True)
class Measured:
    """How one call is carried out, and for what reason not better."""

    kind: Kind
    reason: str = ""


def function_of(sample: Sample) -> types.FunctionType:
    """Return the function that makes a sample call of its arguments."""
    lines = [f"def call({', '.join(sample.names)}):", *(f"    {line}" for line in sample.body.splitlines())]
    name = f"<sample {next(_numbers)}>"
    linecache.cache[name] = (0, None, [f"{line}\n" for line in lines], name)
    namespace: dict[str, Any] = {"np": np}
    exec(compile("\n".join(lines), name, "exec"), namespace)
    function: types.FunctionType = namespace["call"]
    return function


_numbers = itertools.count()


def measure(sample: Sample) -> Measured | None:
    """Return how a sample call is carried out; one that raises is none of its function's kind."""
    function = function_of(sample)
    converted = convert(function, strict=True, device="host")
    with (
        warnings.catch_warnings(),
        kept_settings(),
        np.errstate(all="ignore"),
        redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        if _raises(function, sample):
            return None
        try:
            converted(*_arguments(sample))
        except TranspileError as error:
            return Measured(Kind.LEFT, str(error).partition("\n")[0])
    if any(entry.deoptimised for entry in converted.calls.entries):
        return Measured(Kind.LEFT, "what tracing assumes of the call does not hold")
    if any(entry.trace.ends for entry in converted.calls.entries):
        return Measured(Kind.HOSTED, "what NumPy is told, it is told when the call ends")
    return max(
        (_kind_of(op, sample) for entry in converted.calls.entries for op in _ops(entry.trace.graph.block)),
        key=lambda measured: measured.kind,
        default=Measured(_best(sample.subject)),
    )


def _arguments(sample: Sample) -> list[Any]:
    return [deepcopy(ARGUMENTS[name]) for name in sample.names]


def _raises(function: types.FunctionType, sample: Sample) -> bool:
    try:
        function(*_arguments(sample))
    except Exception:
        return True
    return False


def _ops(block: Block) -> Iterator[Op]:
    for op in block.ops:
        yield op
        for region in op.regions:
            yield from _ops(region)


def _kind_of(op: Op, sample: Sample) -> Measured:
    """Return what kind of call an op makes the whole call."""
    if op.name == "kept":
        function = op.attributes["function"]
        return Measured(Kind.WHOLE, f"{function.__name__}: {function.__doc__}")
    if op.name in ("numpy", "numpy_several"):
        name = op.attributes["function"]
        return Measured(Kind.ROUTINE if is_routine(name) else Kind.HOSTED, name)
    if op.name == "kept_part":
        return Measured(Kind.WHOLE, "what run time gives, of which only the dtypes are known before")
    gives = op.name == "host_call" and op.results[:-1] and "draw" not in op.attributes
    # NumPy's own Python may warn.
    if gives or (op.name == "host_call" and _best(sample.subject) == Kind.COMPILED):
        return Measured(Kind.HOSTED, "Python's own call")
    return Measured(_best(sample.subject))


@functools.cache
def is_routine(name: str) -> bool:
    """Whether a function of NumPy's, by its name below `numpy`, is a routine in C with little around it: of NumPy's own, of LAPACK's or of pocketfft's."""
    if name.startswith(("linalg.", "fft.")) or hasattr(np.ndarray, name) or name in _ROUTINES:
        return True
    function = operator.attrgetter(name)(np)
    return not isinstance(getattr(function, "__wrapped__", function), types.FunctionType)


# Those that Python code of a few lines stands around: what it does to the dims is done while tracing.
_ROUTINES = frozenset(
    ("convolve", "correlate", "digitize", "einsum", "interp", "tensordot", "ravel_multi_index")
)


@functools.cache
def _best(subject: str) -> Kind:
    """Return the kind of a call that is nothing but ops: whether what stands for it is in the tables, or NumPy's own Python was traced."""
    home = subject.partition(".")[0]
    if home != "numpy":
        return Kind.COMPILED
    function = resolve(subject)
    if not callable(function) or isinstance(getattr(function, "__self__", function), (np.ufunc, type(np))):
        return Kind.COMPILED
    return Kind.COMPILED if implementation_of(function) else Kind.CONVERTED


def resolve(subject: str) -> Any:
    """Return what a name like `numpy.add.reduce` or `ndarray.sum` stands for."""
    home, _, name = subject.partition(".")
    return operator.attrgetter(name)(np if home == "numpy" else np.ndarray)
