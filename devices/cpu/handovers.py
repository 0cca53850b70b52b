"""What kernels hand over to Python, and get from it: see Note [Upcalls]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import symbols
from .flags import keep_flags
from .lanes import named_intrinsic
from .toolkit import cgutils, ir, parse_dtype, types

_SYMBOL = "transpile_upcall_enter"
_INT64 = ir.IntType(64)
symbols.register([_SYMBOL])


def width(kind: Any) -> int:
    """How many slots a numba type takes in a frame."""
    if isinstance(kind, types.Array):
        return 2 + 2 * int(kind.ndim)
    return 2 if isinstance(kind, types.Complex) and kind.bitwidth == 128 else 1


def _slot(context: Any, builder: Any, frame_type: Any, frame: Any, slot: Any) -> Any:
    data = context.make_array(frame_type)(context, builder, frame).data
    return builder.gep(builder.bitcast(data, _INT64.as_pointer()), [slot])


def _define_upcall(typing_context: Any, frame: Any, site: Any) -> Any:
    if not isinstance(frame, types.Array):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        number = builder.load(_slot(context, builder, frame, values[0], ir.Constant(_INT64, 0)))
        kind = ir.FunctionType(_INT64, [_INT64, _INT64])
        cell = cgutils.get_or_insert_function(builder.module, kind, _SYMBOL)
        enter = builder.load(builder.bitcast(cell, kind.as_pointer().as_pointer()))
        return keep_flags(builder, lambda: builder.call(enter, [number, values[1]]))

    return types.int64(frame, types.int64), generate


def _share(builder: Any, meminfo: Any) -> None:
    """Take a share in the ownership of memory, if it has a record, as numba's own ``NRT_incref`` does.

    That function must not be called: numba takes the call and the end of the kernel's own share for a pair that does nothing, and leaves both out.
    """
    with builder.if_then(cgutils.is_not_null(builder, meminfo)):
        builder.atomic_rmw(
            "add", builder.bitcast(meminfo, _INT64.as_pointer()), ir.Constant(_INT64, 1), "monotonic"
        )


def _define_put(typing_context: Any, frame: Any, slot: Any, value: Any) -> Any:
    kind = types.unliteral(value)
    if not isinstance(frame, types.Array) or not isinstance(kind, (types.Array, types.Number, types.Boolean)):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        first = _slot(context, builder, frame, values[0], values[1])
        if not isinstance(kind, types.Array):
            place = builder.bitcast(first, context.get_data_type(kind).as_pointer())
            context.pack_value(builder, kind, values[2], place, align=1)
            return context.get_dummy_value()
        array = context.make_array(kind)(context, builder, values[2])
        _share(builder, array.meminfo)
        words = [builder.ptrtoint(array.data, _INT64), builder.ptrtoint(array.meminfo, _INT64)]
        for part in (array.shape, array.strides):
            words += cgutils.unpack_tuple(builder, part, kind.ndim)
        for k, word in enumerate(words):
            builder.store(word, builder.gep(first, [ir.Constant(_INT64, k)]))
        return context.get_dummy_value()

    return types.void(frame, types.int64, kind), generate


def _define_get(typing_context: Any, frame: Any, slot: Any, dtype: Any) -> Any:
    kind = parse_dtype(dtype)
    if not isinstance(frame, types.Array) or not isinstance(kind, (types.Number, types.Boolean)):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        first = _slot(context, builder, frame, values[0], values[1])
        return context.unpack_value(
            builder, kind, builder.bitcast(first, context.get_data_type(kind).as_pointer()), align=1
        )

    return kind(frame, types.int64, dtype), generate


upcall = named_intrinsic(
    "upcall",
    _define_upcall,
    ["frame", "site"],
    "``upcall(frame, site)``: run a site's handler; the kernel returns at once if the status is not 0.",
)
put = named_intrinsic(
    "put",
    _define_put,
    ["frame", "slot", "value"],
    "``put(frame, slot, value)``: hand a number or array to Python.",
)
get = named_intrinsic(
    "get",
    _define_get,
    ["frame", "slot", "dtype"],
    "``get(frame, slot, dtype)``: a number that Python left in a slot.",
)
