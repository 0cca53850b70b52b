"""Arrays while a kernel is lowered: their parts as numbers of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from . import memory
from .toolkit import cgutils, ir, types

# Note [Arrays in parts]
# An array is its address, its dims, what owns its memory, and, only where its layout does not tell them, its strides: so many numbers, not a
# structure, of which LLVM needs no pass to take apart, and of an array in C order it sees what the strides are made of. Indices are never
# negative, and inside. A helper that takes an array asks the context for the structure, and is given these parts by the same names.

INTP = memory.INTP
_ZERO = ir.Constant(INTP, 0)
_ONE = ir.Constant(INTP, 1)
NOBODY = ir.Constant(memory.BYTES, None)


class Array:
    """An array: `steps` are in elements, for arrays of no layout in bytes."""

    def __init__(
        self,
        context: Any,
        builder: Any,
        kind: Any,
        data: Any,
        dims: Sequence[Any],
        owner: Any,
        steps: Any = None,
    ) -> None:
        self.context, self.builder, self.kind = context, builder, kind
        self.data, self.dims, self.meminfo = data, list(dims), owner
        self.element = context.get_data_type(kind.dtype)
        self.size = context.get_abi_sizeof(self.element)
        # What its addresses are multiples of, where that is not what LLVM takes them to be.
        self.align = None if kind.aligned else 1
        self.steps = self._contiguous() if steps is None else list(steps)

    def _contiguous(self) -> list[Any]:
        dims = self.dims if self.kind.layout == "F" else self.dims[::-1]
        steps = [_ONE]
        for dim in dims[:-1]:
            steps.append(product(self.builder, steps[-1], dim))
        steps = steps[: len(dims)]
        return steps if self.kind.layout == "F" else steps[::-1]

    @property
    def parent(self) -> Any:
        """What numba keeps an array of Python's in."""
        return NOBODY

    @property
    def itemsize(self) -> Any:
        """How many bytes an element takes."""
        return ir.Constant(INTP, self.size)

    @property
    def nitems(self) -> Any:
        """How many elements there are."""
        return functools.reduce(functools.partial(product, self.builder), self.dims, _ONE)

    @property
    def shape(self) -> Any:
        """The dims, as a tuple."""
        return cgutils.pack_array(self.builder, self.dims, INTP)

    @property
    def strides(self) -> Any:
        """The strides, as a tuple."""
        return cgutils.pack_array(self.builder, [self.stride(k) for k in range(len(self.dims))], INTP)

    def stride(self, axis: int) -> Any:
        """Return how many bytes lie between neighbours along an axis."""
        if self.kind.layout == "A":
            return self.steps[axis]
        return product(self.builder, self.steps[axis], self.itemsize)

    def pointer(self, indices: Sequence[Any]) -> Any:
        """Return the address of an element."""
        builder = self.builder
        offset: Any = _ZERO
        for index, step in zip(indices, self.steps, strict=True):
            part = product(builder, index, step)
            offset = part if offset is _ZERO else builder.add(offset, part, flags=("nsw",))
        if self.kind.layout == "A":
            data = builder.gep(builder.bitcast(self.data, memory.BYTES), [offset])
            return builder.bitcast(data, self.element.as_pointer())
        return self.data if offset is _ZERO else builder.gep(self.data, [offset], inbounds=True)

    def load(self, indices: Sequence[Any]) -> Any:
        """Return the value of an element."""
        builder, place, kind = self.builder, self.pointer(indices), self.kind.dtype
        if isinstance(kind, types.Boolean):
            return builder.icmp_unsigned(
                "!=", builder.load(place, align=self.align), ir.Constant(ir.IntType(8), 0)
            )
        if isinstance(kind, types.Complex):
            whole: Any = ir.Constant(self.element, ir.Undefined)
            for half in range(2):
                part = builder.load(cgutils.gep_inbounds(builder, place, 0, half), align=self.align)
                whole = builder.insert_value(whole, part, half)
            return whole
        return builder.load(place, align=self.align)

    def store(self, indices: Sequence[Any], value: Any) -> None:
        """Give an element a value."""
        builder, place, kind = self.builder, self.pointer(indices), self.kind.dtype
        if isinstance(kind, types.Boolean):
            value = builder.zext(value, ir.IntType(8))
        if isinstance(kind, types.Complex):
            for half in range(2):
                part = builder.extract_value(value, half)
                builder.store(part, cgutils.gep_inbounds(builder, place, 0, half), align=self.align)
            return
        builder.store(value, place, align=self.align)

    def viewed(self, kind: Any, dims: Sequence[Any], steps: Any = None) -> Array:
        """Return the same memory in other dims."""
        return Array(self.context, self.builder, kind, self.data, dims, self.meminfo, steps)

    def transposed(self, kind: Any, axes: Sequence[int]) -> Array:
        """Return a view whose axes are taken in another order."""
        strides = self.steps
        if kind.layout == "A" and self.kind.layout != "A":
            strides = [self.stride(axis) for axis in range(len(axes))]
        return self.viewed(kind, [self.dims[axis] for axis in axes], [strides[axis] for axis in axes])

    def merged(self, kind: Any, first: int, count: int) -> Array:
        """Return a view of an array in C order in which some neighbouring axes are one."""
        multiply = functools.partial(product, self.builder)
        length = functools.reduce(multiply, self.dims[first : first + count])
        last = first + count - 1
        steps = [*self.steps[:first], *self.steps[last:]]
        return self.viewed(kind, [*self.dims[:first], length, *self.dims[last + 1 :]], steps)

    def numbers(self) -> list[Any]:
        """Return the numbers of which the array is made."""
        steps = self.steps if self.kind.layout == "A" else []
        return [self.data, self.meminfo, *self.dims, *steps]

    def loosened(self, kind: Any) -> Array:
        """Return the same array as one of another layout, which says less."""
        if kind == self.kind:
            return self
        strides = [self.stride(axis) for axis in range(len(self.dims))]
        return self.viewed(kind, self.dims, self.steps if kind.layout == self.kind.layout else strides)


def product(builder: Any, first: Any, second: Any) -> Any:
    """Return the product of two integers that does not overflow."""
    for one, other in ((first, second), (second, first)):
        if isinstance(one, ir.Constant) and one.constant == 1:
            return other
        if isinstance(one, ir.Constant) and one.constant == 0:
            return one
    if isinstance(first, ir.Constant) and isinstance(second, ir.Constant):
        return ir.Constant(INTP, first.constant * second.constant)
    return builder.mul(first, second, flags=("nsw",))


def from_numbers(context: Any, builder: Any, kind: Any, numbers: Sequence[Any]) -> Array:
    """Return an array that is made of numbers."""
    data, owner, *rest = numbers
    steps = rest[kind.ndim :] if kind.layout == "A" else None
    return Array(context, builder, kind, data, rest[: kind.ndim], owner, steps)


def from_structure(context: Any, builder: Any, kind: Any, value: Any) -> Array:
    """Return an array that is handed to the kernel as numba's structure."""
    meminfo, _parent, _count, _size, data, dims, strides = (
        builder.extract_value(value, place) for place in range(7)
    )
    dims, strides = (cgutils.unpack_tuple(builder, part, kind.ndim) for part in (dims, strides))
    return Array(context, builder, kind, data, dims, meminfo, strides if kind.layout == "A" else None)


def with_parts(context: Any) -> Any:
    """Return a context in which helpers that ask for the structure of an array are given its parts."""

    class Context:
        """The context, but for arrays."""

        def __getattr__(self, name: str) -> Any:
            return getattr(context, name)

        def make_array(self, kind: Any) -> Callable[..., Any]:
            """Return what takes an array apart."""
            return lambda _context, _builder, array: array

    return Context()
