"""What a function gives, found by calling it while tracing on what its operands may be."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.rows import is_named
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.graph.dim import DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYTHON_TYPES, ArrayType, ScalarType, dims_of, weak
from transpile.runtime.ops.creation import laid_out
from transpile.runtime.ops.kept import (
    ArrayPart,
    ConstantPart,
    NumberPart,
    Pattern,
    SequenceParts,
    parts_of,
    pitches_of,
)
from transpile.runtime.quiet import noted_warnings

# Arrays at hand that are larger are not tried.
_MOST = 100_000
# Nor are examples that are larger than this, and than the arrays at hand: of many axes they would fill the memory.
_LARGEST = 2_000_000


class Trials:
    """What a function gives of arrays of several sizes: the pattern of it, and for each array in it the dims, None where run time has to say."""

    def __init__(self, record: Recorder, make: Any, function: Any, values: Sequence[Value]) -> None:
        self.record, self.make, self.function, self.values = record, make, function, values
        self.pattern: Pattern | None = None
        self.gives_text = False
        # Whether it warns of nothing in some trial.
        self.is_silent = False
        # The class or dtype that the function gives of arrays of these dtypes.
        self.kind: Any = None
        self.dims: list[tuple[DimLike | None, ...]] = []
        self.known = {dim for value in values for dim in map(record.normal, dims_of(value.type))} | {1}
        runs = self._runs()
        if not runs:
            return
        found, operands, _ = runs[0]
        self.gives_text = all(type(run[0]) is str for run in runs)
        of_arrays = all(len(dims_of(value.type)) > 0 for value in values)
        if of_arrays and isinstance(found, (type, np.dtype)) and all(run[0] is found for run in runs):
            self.kind = found
        self.pattern = pattern_of(found)
        parts = [] if self.pattern is None else parts_of(self.pattern, found, operands)
        if self.pattern is None or parts is None:
            self.pattern = None
            return
        shapes = []
        for run_found, run_operands, sizes in runs:
            other = parts_of(self.pattern, run_found, run_operands)
            if other is not None:
                shapes.append(([part.shape for part in other if isinstance(part, np.ndarray)], sizes))
        for number, part in enumerate(p for p in parts if isinstance(p, np.ndarray)):
            self.dims.append(tuple(self._dim(number, axis, shapes) for axis in range(part.ndim)))

    def _dim(self, number: int, axis: int, shapes: Sequence[Any]) -> DimLike | None:
        """Return the dim, among those of the operands, that an array's length along an axis is in all trials."""
        if len(shapes) < 3:
            return None
        for dim in sorted(self.known, key=str):
            if all(found[number][axis] == substitute(dim, sizes) for found, sizes in shapes):
                return dim
        return None

    def _runs(self) -> list[Any]:
        """Return what the function gives, of what operands and sizes: first of the arrays at hand, then of small ones, or of ones of about their size."""
        at_hand = self._run(0, at_hand=True) if self._are_at_hand() else None
        for small in (True, False):
            runs = [run for trial in range(3) if (run := self._run(trial, small)) is not None]
            if len(runs) == 3:
                break
        return runs if at_hand is None else [at_hand, *runs]

    def _are_at_hand(self) -> bool:
        arrays = [value for value in self.values if isinstance(value.type, ArrayType)]
        record = self.record
        return all(value in record.at_hand and record.at_hand[value].size <= _MOST for value in arrays)

    def _run(self, trial: int, small: bool = False, at_hand: bool = False) -> Any:
        sizes: dict[Value, int] = {}
        samples = self.record.samples

        def size(value: Value) -> int:
            if value not in sizes:
                sample = samples.get(value)
                grows = value in self.record.bounds.sizes or sample is None
                if sample is None or (small and grows):
                    # Each grows by another step: what is so in all trials is not so because of what two of them have in common, as `n - 2` and `m` may.
                    sizes[value] = 4 + 2 * len(sizes) + trial * (1 + len(sizes))
                else:
                    sizes[value] = sample + trial if grows else sample
            return sizes[value]

        try:
            operands = tuple(_locked(self._example(value, size, trial, at_hand)) for value in self.values)
            positional, named = self.make(operands)
            with noted_warnings() as warned, np.errstate(all="ignore"):
                found = self.function(*positional, **named)
        except Exception:
            return None
        self.is_silent = self.is_silent or all(issubclass(kind, DeprecationWarning) for kind in warned)
        return found, operands, size

    def _example(self, value: Value, size: Callable[[Value], int], trial: int, at_hand: bool) -> Any:
        type_, record = value.type, self.record
        if isinstance(type_, ArrayType):
            if at_hand:
                return record.at_hand[value]
            dims, own = (
                [int(substitute(record.normal(dim), known)) for dim in type_.dims]  # type: ignore[arg-type]
                for known in (size, lambda value: record.samples.get(value, 1))
            )
            if math.prod(dims) > max(_LARGEST, 2 * math.prod(own)):
                raise MemoryError("an example would be too large")
            array = laid_out(dims, type_.dtype, type_.order)
            array[...] = _filling(trial, array.size, type_.dtype).reshape(dims)
            if array.ndim > 1 and dims[-1] == dims[-2] and type_.dtype.kind in "fc":
                # A matrix that can be inverted.
                array += np.eye(dims[-1], dtype=type_.dtype) * (1 + dims[-1])
            return array
        assert isinstance(type_, ScalarType)
        return number_of(value, substitute(record.dim(value), size) if type_ == INT else 1)


def number_of(value: Value, number: Any) -> Any:
    """Return what the value of a scalar may be: what it is, if that is known, or a number."""
    type_ = value.type
    assert isinstance(type_, ScalarType)
    if value.op is not None and value.op.name == "constant":
        return value.op.attributes["value"]
    return type_.python(number) if type_.weak else type_.dtype.type(number)


def _locked(operand: Any) -> Any:
    """Return an operand that a function cannot write into."""
    if not isinstance(operand, np.ndarray):
        return operand
    view = operand.view()
    view.flags.writeable = False
    return view


def _filling(trial: int, count: int, dtype: np.dtype[Any]) -> Any:
    """Return the numbers of an array for a trial: ones, then two kinds of different ones."""
    numbers = (
        np.ones(count) if trial == 0 else np.arange(count) * (0.37, 1.0)[trial - 1] - (0.5, 0.0)[trial - 1]
    )
    if dtype.kind == "b":
        return numbers % 2 > 0.6
    with np.errstate(all="ignore"):
        # There may be more numbers than small dtypes have.
        return (abs(numbers) if dtype.kind == "u" else numbers).astype(dtype)


def pattern_of(thing: Any) -> Pattern | None:
    """Return the pattern of what a function gave; None where the graph cannot hold it."""
    if type(thing) is np.ndarray:
        if thing.dtype not in DTYPES:
            return None
        order = tuple(int(axis) for axis in np.argsort([-stride for stride in thing.strides], kind="stable"))
        if thing.flags.c_contiguous:
            return ArrayPart(thing.dtype, thing.ndim, None)
        if thing.transpose(order).flags.c_contiguous:
            return ArrayPart(thing.dtype, thing.ndim, order)
        return None if pitches_of(thing) is None else ArrayPart(thing.dtype, thing.ndim, None, gaps=True)
    if isinstance(thing, np.generic):
        return NumberPart(ScalarType(thing.dtype)) if thing.dtype in DTYPES else None
    if type(thing) in PYTHON_TYPES:
        return NumberPart(weak(type(thing)))
    if thing is None:
        return ConstantPart(thing)
    if isinstance(thing, (tuple, list)) and (is_tuple(thing) or type(thing) is list or is_named(type(thing))):
        items = [pattern_of(item) for item in thing]
        return None if any(item is None for item in items) else SequenceParts(type(thing), tuple(items))
    return None
