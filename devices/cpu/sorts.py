"""Calls of NumPy's own sorts and searches from kernels."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from functools import cache
from typing import Any

from transpile.devices.loops.routines import routine

from . import symbols
from .flags import keep_flags
from .lanes import named_intrinsic
from .toolkit import cgutils, ir, itemsize_of, types

_INT, _INT64 = ir.IntType(32), ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()
# What sorts rows, by the name of the routine; the last one goes on with the order that the target holds.
SORTS = ("sort", "argsort", "stable_sort", "stable_argsort", "further_argsort")


@cache
def sort(name: str, character: str) -> Any:
    """NumPy's sort, or argsort, of a dtype as a function for kernels: ``sort(source, target, rows, count)``.

    Sorts rows of `count` numbers, of which there are `rows` one after the other: in place, where the source is the target as well, or by filling the target with the order.
    """
    function = name.replace("further", "stable")
    symbol = f"transpile_sorts_{function}_{character.replace('?', 't')}"
    symbols.register([symbol])

    def define(typing_context: Any, source: Any, target: Any, rows: Any, count: Any) -> Any:
        if not isinstance(source, types.Array) or not isinstance(target, types.Array):
            return None

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            arrays = [
                context.make_array(kind)(context, builder, value)
                for kind, value in zip(signature.args[:2], values[:2], strict=True)
            ]
            numbers, order = (builder.bitcast(array.data, _BYTES) for array in arrays)
            _, _, rows, count = values
            size = builder.mul(count, ir.Constant(_INT64, itemsize_of(context, signature.args[0])))
            ordering = function.endswith("argsort")
            parameters = [_BYTES, _BYTES, _INT64, _BYTES] if ordering else [_BYTES, _INT64, _BYTES]
            kind = ir.FunctionType(_INT, parameters)
            call = cgutils.get_or_insert_function(builder.module, kind, symbol)
            nothing = ir.Constant(_BYTES, None)
            with cgutils.for_range(builder, rows, intp=_INT64) as row:
                first = builder.gep(numbers, [builder.mul(row.index, size)])
                given = [first, count, nothing]
                if ordering:
                    places = builder.gep(
                        builder.bitcast(order, _INT64.as_pointer()), [builder.mul(row.index, count)]
                    )
                    if name != "further_argsort":
                        with cgutils.for_range(builder, count, intp=_INT64) as place:
                            builder.store(place.index, builder.gep(places, [place.index]))
                    given.insert(1, builder.bitcast(places, _BYTES))
                status = keep_flags(builder, functools.partial(builder.call, call, given))
                if function.startswith("stable"):
                    # It takes memory.
                    with builder.if_then(
                        builder.icmp_signed("<", status, ir.Constant(_INT, 0)), likely=False
                    ):
                        context.call_conv.return_user_exc(builder, MemoryError, ("Unable to sort",))
            return context.get_dummy_value()

        return types.void(source, target, types.int64, types.int64), generate

    return named_intrinsic(symbol + name, define, ["source", "target", "rows", "count"])


@cache
def search(function: str, character: str) -> Any:
    """NumPy's argmax, or argmin, of a dtype as a function for kernels: ``place = search(array, offset, count)``, of numbers side by side from some byte on; None where there is none."""
    symbol = f"transpile_sorts_{function}_{character.replace('?', 't')}"
    if routine(function, character) is None:
        return None
    symbols.register([symbol])

    def define(typing_context: Any, array: Any, offset: Any, count: Any) -> Any:
        if not isinstance(array, types.Array):
            return None

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            data = context.make_array(signature.args[0])(context, builder, values[0]).data
            numbers = builder.gep(builder.bitcast(data, _BYTES), [values[1]])
            kind = ir.FunctionType(_INT, [_BYTES, _INT64, _INT64.as_pointer(), _BYTES])
            call = cgutils.get_or_insert_function(builder.module, kind, symbol)
            place = cgutils.alloca_once(builder, _INT64)
            keep_flags(
                builder, lambda: builder.call(call, [numbers, values[2], place, ir.Constant(_BYTES, None)])
            )
            return builder.load(place)

        return types.int64(array, types.int64, types.int64), generate

    return named_intrinsic(symbol, define, ["array", "offset", "count"])


@cache
def dot(character: str, alone: bool) -> Any:
    """NumPy's product of two vectors of a dtype as a function for kernels: ``number = dot(array, offset, step, array, offset, step, count)``, steps in bytes; None where there is none.

    With `alone`, that of vectors of one element is the product of these.
    """
    symbol = f"transpile_sorts_dot_{character}"
    if routine("dot", character) is None:
        return None
    symbols.register([symbol])

    def define(typing_context: Any, *kinds: Any) -> Any:
        if not isinstance(kinds[0], types.Array) or not isinstance(kinds[3], types.Array):
            return None

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            given: list[Any] = []
            for place in (0, 3):
                data = context.make_array(signature.args[place])(context, builder, values[place]).data
                given += [builder.gep(builder.bitcast(data, _BYTES), [values[place + 1]]), values[place + 2]]
            result = cgutils.alloca_once(builder, context.get_data_type(signature.return_type))
            kind = ir.FunctionType(ir.VoidType(), [_BYTES, _INT64, _BYTES, _INT64, _BYTES, _INT64, _BYTES])
            call = cgutils.get_or_insert_function(builder.module, kind, symbol)
            given += [builder.bitcast(result, _BYTES), values[6], ir.Constant(_BYTES, None)]
            if alone:
                kind = result.type
                numbers = [builder.bitcast(given[place], kind) for place in (0, 2)]
                is_one = builder.icmp_signed("==", values[6], ir.Constant(_INT64, 1))
                with builder.if_else(is_one, likely=False) as (then, otherwise):
                    with then:
                        builder.store(builder.fmul(*map(builder.load, numbers)), result)
                    with otherwise:
                        builder.call(call, given)
            else:
                builder.call(call, given)
            return builder.load(result)

        whole = [types.int64, types.int64]
        return kinds[0].dtype(kinds[0], *whole, kinds[3], *whole, types.int64), generate

    names = ["first", "first_offset", "first_step", "second", "second_offset", "second_step", "count"]
    return named_intrinsic(symbol + "_alone" * alone, define, names)
