"""Which operands of a ufunc NumPy copies through its buffers, so that what runs backwards in memory runs forward there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

from transpile.runtime.graph.dim import DimLike, product
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ArrayType, dims_of, element
from transpile.runtime.ops.backwards import rounds_backwards
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .array import SymbolicArray, applied
from .one_number import Target
from .recorder import recorder
from .strides import lies_backwards, runs_forward, strides_of

# Note [Buffers]
# NumPy goes over operands of several axes by the order of the result, and takes two axes for one where all operands lie so. Then it looks how many of them, from the innermost on, a call of its loop may
# cover: those of one row, which takes operands as they lie, or more, where operands that no single stride runs through are copied into buffers of 8192 numbers. It takes more where (1 + copied operands) *
# row is no more than what a call covers then, times (1 + cast operands). So a function that rounds backwards otherwise (see `rounds_backwards`) does so where rows are long, or where one stride runs through all of what lies backwards,
# and does not where it is copied. What is cast is copied in any case. Kernels take operands as they lie, and what is computed in blocks that lie forward.

_BUFFER = 8192


def as_buffered(
    name: str, operands: Sequence[Any], values: Sequence[Value], target: Target
) -> Sequence[Value]:
    """Return the operands of an op as NumPy's loop meets them: what lies backwards and is copied is computed. What run time decides is left to the original."""
    if not rounds_backwards(name, element(values[0].type).char):
        return values
    (type_,) = TABLE[name].types([value.type for value in values], {})
    if not isinstance(type_, ArrayType):
        return values
    axes = [axis for axis in type_.axes if type_.dims[axis] != 1]
    if not axes:
        return values
    values = [recorder().emit("positive", value) if _is_neutral(value) else value for value in values]
    laid = [_Laid(operand, value, len(type_.dims)) for operand, value in zip(operands, values, strict=True)]
    if any(one.array is not None and one.array.storage.copied == "order" for one in laid):
        # Which way control took decides how it lies.
        _refuse(name)
    backwards = [one for one in laid if one.lies_backwards(axes[-1])]
    out = target.out
    if out is not None and not runs_forward(out):
        _refuse(name)
    if not backwards:
        return values
    if out is not None and any(one.array.storage is out.storage for one in backwards):  # type: ignore[union-attr]
        # A copy is made of it before it is written over.
        _refuse(name)
    written = [] if out is None else [_Laid(out, out.read(), len(type_.dims))]
    if not _are_copied(name, axes, type_.dims, laid + written, backwards):
        if any(one.array.parts for one in backwards):  # type: ignore[union-attr]
            _refuse(name)
        return [
            _in_memory(one.array) if one in backwards else value  # type: ignore[arg-type]
            for one, value in zip(laid, values, strict=True)
        ]
    return [
        recorder().emit("positive", value) if one in backwards else value
        for one, value in zip(laid, values, strict=True)
    ]


def _is_neutral(value: Value) -> bool:
    """Whether a value may be that of an array to which nothing is done (`x * 1`), but that it is a new one, which lies forward."""
    if value.op is None or value.op.name not in ("add", "subtract", "multiply", "divide"):
        return False
    ops = [operand.op for operand in value.op.operands]
    return any(op is not None and op.name == "constant" and op.attributes["value"] in (0, 1) for op in ops)


def _in_memory(array: SymbolicArray) -> Value:
    """Return the value of an array whose memory is there, for kernels to go through it as it lies: they may compute elements of what the function makes where these are wanted."""
    record = recorder()
    value = record.read(array.storage)
    storage = array.storage
    if value.op is None:
        return array.read()
    if storage.input is not None and not runs_forward(SymbolicArray(storage)):
        # A copy lies forward.
        record.unstageable("S171-strides", "what lies backwards is written before it is read")
    value = record.emit("copy", value, order=storage.type.order)
    for step in array.chain:
        value = applied(step, value)
    return value


def _refuse(name: str) -> NoReturn:
    recorder().unstageable(
        "S171-strides", f"numpy.{name} of what lies backwards, where strides decide how it rounds"
    )


class _Laid:
    """An operand, spread to the dims of the result."""

    def __init__(self, operand: Any, value: Value, rank: int) -> None:
        is_array = isinstance(operand, SymbolicArray) and operand.ndim
        self.array = operand if is_array else None
        self.dims = dims_of(value.type)
        self.missing = rank - len(self.dims)
        # What is cast is copied in any case.
        self.is_cast = is_array and operand.dtype != element(value.type)

    def axis(self, axis: int) -> int | None:
        """Return its own axis for one of the result; None where nothing moves along it."""
        own = axis - self.missing
        if self.array is None or own < 0 or self.dims[own] == 1:
            return None
        last = self.array.chain[-1] if self.array.chain else None
        return None if isinstance(last, View) and own in last.broadcast_axes() else own

    def lies_backwards(self, axis: int) -> bool:
        own = self.axis(axis)
        return own is not None and not self.is_cast and lies_backwards(self.array, own)  # type: ignore[arg-type]

    def goes_on(self, outer: int, inner: int) -> bool | None:
        """Whether the stride along an axis leads on to the next one; None where it is not known."""
        own = self.axis(outer), self.axis(inner)
        if None in own or self.array is None:
            return own[0] is own[1]
        strides = strides_of(self.array)
        first, second = own
        assert first is not None and second is not None
        if strides is not None:
            record = recorder()
            reach = strides[second] * self.dims[second]
            if record.same(strides[first], reach):
                return True
            return None if lies_backwards(self.array, first) == lies_backwards(self.array, second) else False
        if lies_backwards(self.array, first) != lies_backwards(self.array, second):
            return False
        if self.array.chain or self.array.storage.input is None:
            return None
        return recorder().goes_on(self.array.storage.input, first, second)


def _are_copied(
    name: str, axes: Sequence[int], dims: Sequence[DimLike], laid: Sequence[_Laid], backwards: Sequence[_Laid]
) -> bool:
    """Whether what lies backwards is copied; the call serves what is so."""
    # From the innermost axis outwards: whether each operand leads on, at each step.
    steps = [[one.goes_on(outer, inner) for one in laid] for outer, inner in pairwise(axes)][::-1]
    lengths = [dims[axis] for axis in reversed(axes)]
    row = lengths.pop(0)
    while steps and all(steps[0]):
        row, _ = row * lengths.pop(0), steps.pop(0)
    places = [laid.index(one) for one in backwards]
    own = [step[place] for step in steps for place in places]
    if all(own):
        # One stride runs through all of it.
        return False
    if None in own or any(steps[0][place] for place in places):
        _refuse(name)
    record = recorder()
    cost = least = 1 + sum(one.is_cast for one in laid)
    first_cost = cost + sum(
        not goes_on and not one.is_cast for goes_on, one in zip(steps[0], laid, strict=True)
    )
    if record.speculate(first_cost * row - least * _BUFFER - 1):
        return False
    going = [True] * len(laid)
    for number, step in enumerate(steps):
        if None in step:
            break
        cost += sum(
            was and not now and not one.is_cast for was, now, one in zip(going, step, laid, strict=True)
        )
        going = [was and bool(now) for was, now in zip(going, step, strict=True)]
        rows = product(tuple(lengths[: number + 1]))
        if record.speculate(least * _BUFFER - cost * row) and record.speculate(least * rows - cost):
            return True
    _refuse(name)
