"""Arrays that kernels make: allocated, on the stack, over foreign memory, and one-dimensional views."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

from . import pool
from .intrinsic import Intrinsic
from .toolkit import borrowed, cgutils, ir, itemsize_of, parse_dtype, populate_array, types

# Note [Allocation]
# numba's own np.empty compiles a Python function in each process, and gives memory back when it is done with it. These
# functions write the same array structures directly, over blocks of the pool. A failed allocation raises MemoryError out of the kernel. A scratch array lives on the stack of
# the kernel, has no reference count, and must not leave the kernel. Nothing is written to it beforehand:
# numba's own stack memory is filled with zeros, and LLVM takes seconds to look through those.

INTP = ir.IntType(64 if sys.maxsize > 2**32 else 32)
BYTES = ir.IntType(8).as_pointer()
ALIGNMENT = 64


def _new_array(
    context: Any, builder: Any, array_type: Any, data: Any, shape: Sequence[Any], meminfo: Any
) -> Any:
    """An array structure over ``data`` with the strides of its type's layout."""
    itemsize = ir.Constant(INTP, itemsize_of(context, array_type))
    lengths = list(shape) if array_type.layout == "F" else list(shape)[::-1]
    strides = [itemsize]
    for length in lengths[:-1]:
        strides.append(builder.mul(strides[-1], length))
    strides = strides[: array_type.ndim]
    array = context.make_array(array_type)(context, builder)
    populate_array(
        array,
        data=builder.bitcast(data, context.get_data_type(array_type.dtype).as_pointer()),
        shape=list(shape),
        strides=strides if array_type.layout == "F" else strides[::-1],
        itemsize=itemsize,
        meminfo=meminfo,
    )
    return array._getvalue()


def _lengths(builder: Any, shape_type: Any, shape: Any) -> list[Any]:
    return cgutils.unpack_tuple(builder, shape) if isinstance(shape_type, types.BaseTuple) else [shape]


def _shape_type(shape: Any) -> Any:
    """The type to take a shape as: an integer, or a tuple of them."""
    if isinstance(shape, types.BaseTuple):
        return types.UniTuple(types.intp, len(shape))
    return types.intp if isinstance(shape, types.Integer) else None


def _rank(shape_type: Any) -> int:
    return len(shape_type) if isinstance(shape_type, types.BaseTuple) else 1


def new_block(context: Any, builder: Any, size: Any) -> Any:
    """The record of a new block of ``size`` bytes; null where there is none."""
    if INTP.width == 64:
        return pool.new(builder, size)
    return context.nrt.meminfo_alloc_aligned_unchecked(builder, size, ALIGNMENT)


def data_of(builder: Any, meminfo: Any) -> Any:
    """The address of a block, which its record holds behind its count, its destructor and what that takes."""
    words = builder.bitcast(meminfo, BYTES.as_pointer())
    return builder.load(builder.gep(words, [ir.Constant(INTP, 3)]))


def size_of(builder: Any, itemsize: Any, lengths: Sequence[Any]) -> Any:
    """How many bytes so many elements take; more than there are where that is no number."""
    size, overflow = itemsize, ir.Constant(ir.IntType(1), 0)
    for length in lengths:
        product = builder.umul_with_overflow(size, length)
        size = builder.extract_value(product, 0)
        overflow = builder.or_(overflow, builder.extract_value(product, 1))
    return builder.select(overflow, ir.Constant(INTP, -(2**16)), size)


def _allocate(context: Any, builder: Any, size: Any) -> Any:
    """A new block; MemoryError where there is none."""
    meminfo = new_block(context, builder, size)
    with builder.if_then(cgutils.is_null(builder, meminfo), likely=False):
        context.call_conv.return_user_exc(builder, MemoryError, ("Unable to allocate an array",))
    return meminfo


def _empty(layout: str) -> Any:
    def empty(typing_context: Any, shape: Any, dtype: Any) -> Any:
        element, shape_type = parse_dtype(dtype), _shape_type(shape)
        if element is None or shape_type is None:
            return None
        array_type = types.Array(element, _rank(shape_type), layout)

        def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            lengths = _lengths(builder, shape_type, values[0])
            itemsize = ir.Constant(INTP, itemsize_of(context, array_type))
            meminfo = _allocate(context, builder, size_of(builder, itemsize, lengths))
            data = context.nrt.meminfo_data(builder, meminfo)
            return _new_array(context, builder, array_type, data, lengths, meminfo)

        return array_type(shape_type, dtype), generate

    empty.__doc__ = (
        f"``empty(shape, dtype)``: a new uninitialised array in {layout} order; a shape or a length."
    )
    return Intrinsic(empty)


empty: Any = _empty("C")
empty_f: Any = _empty("F")


def stack_block(builder: Any, element: Any, lengths: Sequence[int]) -> Any:
    """Memory on the stack of the kernel, with nothing in it: numba's own is filled with zeros, which LLVM takes seconds to look through."""
    with builder.goto_entry_block():
        block = builder.alloca(ir.ArrayType(element, max(math.prod(lengths), 1)))
    block.align = ALIGNMENT
    return block


def _scratch(typing_context: Any, shape: Any, dtype: Any) -> Any:
    """``scratch(length, dtype)``: an uninitialised array on the kernel's stack, of a literal shape or length."""
    element = parse_dtype(dtype)
    parts = list(shape) if isinstance(shape, types.BaseTuple) else [shape]
    if element is None or not all(isinstance(part, types.IntegerLiteral) for part in parts):
        return None
    array_type = types.Array(element, len(parts), "C")
    lengths = [int(part.literal_value) for part in parts]

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        block = stack_block(builder, context.get_data_type(element), lengths)
        shape = [ir.Constant(INTP, length) for length in lengths]
        return _new_array(context, builder, array_type, block, shape, None)

    return array_type(shape, dtype), generate


scratch = Intrinsic(_scratch, prefer_literal=True)


def _flat(typing_context: Any, x: Any) -> Any:
    """``flat(x)``: the elements of a contiguous array in the order of memory, as a one-dimensional view."""
    if not isinstance(x, types.Array) or x.layout not in "CF":
        return None
    result = types.Array(x.dtype, 1, "C", readonly=not x.mutable, aligned=x.aligned)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(x)(context, builder, values[0])
        view = context.make_array(result)(context, builder)
        populate_array(
            view,
            data=array.data,
            shape=[array.nitems],
            strides=[array.itemsize],
            itemsize=array.itemsize,
            meminfo=array.meminfo,
            parent=array.parent,
        )
        return borrowed(context, builder, result, view._getvalue())

    return result(x), generate


flat = Intrinsic(_flat)


def _merged(typing_context: Any, x: Any, axis: Any, count: Any) -> Any:
    """``merged(x, axis, count)``: a view of an array in C order in which ``count`` axes, from ``axis`` on, are one; both are literals."""
    if not isinstance(x, types.Array) or x.layout != "C":
        return None
    if not isinstance(axis, types.IntegerLiteral) or not isinstance(count, types.IntegerLiteral):
        return None
    first, last = axis.literal_value, axis.literal_value + count.literal_value - 1
    result = types.Array(x.dtype, x.ndim - (last - first), "C", readonly=not x.mutable, aligned=x.aligned)

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(x)(context, builder, values[0])
        view = context.make_array(result)(context, builder)
        shape, strides = (cgutils.unpack_tuple(builder, part) for part in (array.shape, array.strides))
        length = shape[first]
        for other in shape[first + 1 : last + 1]:
            length = builder.mul(length, other)
        populate_array(
            view,
            data=array.data,
            shape=[*shape[:first], length, *shape[last + 1 :]],
            strides=[*strides[:first], *strides[last:]],
            itemsize=array.itemsize,
            meminfo=array.meminfo,
            parent=array.parent,
        )
        return borrowed(context, builder, result, view._getvalue())

    return result(x, axis, count), generate


merged = Intrinsic(_merged, prefer_literal=True)


def _lent(typing_context: Any, x: Any) -> Any:
    """``lent(x)``: the same array without a share in its memory, which somebody else keeps as long as it is used."""
    if not isinstance(x, types.Array):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(x)(context, builder, values[0])
        view = context.make_array(x)(context, builder)
        shape, strides = (cgutils.unpack_tuple(builder, part) for part in (array.shape, array.strides))
        populate_array(
            view, data=array.data, shape=shape, strides=strides, itemsize=array.itemsize, meminfo=None
        )
        return view._getvalue()

    return x(x), generate


lent = Intrinsic(_lent)


def _wrap(typing_context: Any, address: Any, shape: Any, dtype: Any) -> Any:
    """``wrap(address, shape, dtype)``: a C-ordered array over memory at an address, which somebody else owns."""
    element, shape_type = parse_dtype(dtype), _shape_type(shape)
    if element is None or shape_type is None or not isinstance(address, types.Integer):
        return None
    array_type = types.Array(element, _rank(shape_type), "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = builder.inttoptr(values[0], BYTES)
        return _new_array(context, builder, array_type, data, _lengths(builder, shape_type, values[1]), None)

    return array_type(types.intp, shape_type, dtype), generate


wrap = Intrinsic(_wrap)


def _owned(typing_context: Any, address: Any, owner: Any, shape: Any, dtype: Any) -> Any:
    """``owned(address, owner, shape, dtype)``: a C-ordered array over memory at an address, with a share in it, by the address of its record."""
    element, shape_type = parse_dtype(dtype), _shape_type(shape)
    if element is None or shape_type is None or not isinstance(address, types.Integer):
        return None
    array_type = types.Array(element, _rank(shape_type), "C")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data, meminfo = (builder.inttoptr(value, BYTES) for value in values[:2])
        return _new_array(
            context, builder, array_type, data, _lengths(builder, shape_type, values[2]), meminfo
        )

    return array_type(types.intp, types.intp, shape_type, dtype), generate


owned = Intrinsic(_owned)


def _address(typing_context: Any, x: Any) -> Any:
    """``address(x)``: where an array's first element lies."""
    if not isinstance(x, types.Array):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.ptrtoint(context.make_array(x)(context, builder, values[0]).data, INTP)

    return types.intp(x), generate


address = Intrinsic(_address)


def _move(typing_context: Any, target: Any, source: Any, count: Any) -> Any:
    """``move(target, source, count)``: the first ``count`` elements of an array, in the order of memory, become those of another one of its dtype, which lies elsewhere."""
    if not all(isinstance(x, types.Array) and x.layout == "C" for x in (target, source)):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        to, from_ = (
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip((target, source), values[:2], strict=True)
        )
        cgutils.raw_memcpy(builder, to, from_, values[2], itemsize_of(context, target))
        return context.get_dummy_value()

    return types.void(target, source, types.intp), generate


move = Intrinsic(_move)
