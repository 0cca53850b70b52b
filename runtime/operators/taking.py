"""Takes the parts out of what a call of Python has given: arrays, of the sizes that run time gives them, and numbers."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ScalarType
from transpile.runtime.ops.kept import ConstantPart, NumberPart, Pattern, SequenceParts

_places = itertools.count()


def new_place() -> int:
    """Return a number under which nothing is kept."""
    return next(_places)


class Taking:
    """Takes the parts out of what is kept."""

    def __init__(self, record: Recorder, handle: Value, dims: Sequence[tuple[DimLike | None, ...]]) -> None:
        self.record, self.handle = record, handle
        self.dims = iter(dims)
        self.count = -1

    def taken(self, pattern: Pattern) -> Any:
        """Return what stands for a thing of a pattern."""
        if isinstance(pattern, SequenceParts):
            items = [self.taken(item) for item in pattern.items]
            return pattern.kind(*items) if hasattr(pattern.kind, "_fields") else pattern.kind(items)
        self.count += 1
        if isinstance(pattern, ConstantPart):
            return pattern.thing
        if isinstance(pattern, NumberPart):
            return SymbolicScalar(self._part(pattern.type))
        dims = tuple(self._dim(axis, dim) for axis, dim in enumerate(next(self.dims)))
        if not pattern.gaps:
            return fresh(self._part(None, dtype=pattern.dtype, dims=dims, order=pattern.order))
        lengths = (dims[0], *(self._dim(pattern.ndim + axis, None) for axis in range(pattern.ndim)))
        base = fresh(self._part(None, dtype=pattern.dtype, dims=lengths, order=None, gaps=True))
        assert isinstance(base, SymbolicArray)
        view = base.whole().take(pattern.ndim, 0)
        for axis, dim in enumerate(dims):
            view = view.slice(axis, 0, dim, 1)
        return base.through(view)

    def _part(self, type_: ScalarType | None, axis: int | None = None, **attributes: Any) -> Value:
        return self.record.emit(
            "kept_part", self.handle, part=self.count, type=type_, axis=axis, **attributes
        )

    def _dim(self, axis: int, dim: DimLike | None) -> DimLike:
        """Return the length of the part along an axis: the one that it should have, which is checked, or what run time says."""
        record = self.record
        length = self._part(INT, axis)
        if dim is None:
            record.bounds.sizes.add(length)
            return record.dim(length)
        differs = record.emit("not_equal", length, record.dim_value(dim))
        record.deoptimise_if(differs, "a function gives an array of another size than while tracing")
        return dim if isinstance(dim, (int, Dim)) else record.dim(length)
