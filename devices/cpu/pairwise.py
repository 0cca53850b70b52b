"""Sums in the order of NumPy's pairwise summation, of values that are never all in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .lanes import Lane, named_intrinsic
from .toolkit import cgutils, ir, types

# Note [Pairwise sums]
# NumPy adds a run of n floats up to 128 with eight accumulators, and a longer one as the sum of its two parts, the
# first of n // 2 elements less what is not a multiple of eight. The order is fixed by n alone, so a run can be computed
# in segments: a segment is a node of this tree of at most ``limit`` elements (128 or more), which NumPy's own loop adds
# up, and a stack puts the segments' sums together: two neighbours of one depth are always the two parts of a node.
# Complex numbers count as two floats each, with the eight accumulators shared between real and imaginary parts.
#
#     start = top = 0
#     while start < n:
#         m, depth = pairwise_segment(n, start, 512)
#         for j in range(m):
#             t[j] = ...  # the values from start on
#         value[0] = -0.0  # the one number that leaves every sum as it is; both parts of a complex one
#         add(m, value, 0, 0, t, 0, 8, value, 0, 0)
#         top = pairwise_push(stack, depths, top, value[0], depth)
#         start += m
#     total = 0.0 + stack[0]  # NumPy adds the run to what it had: see docs/reductions.md
#
# ``stack`` and ``depths`` (int64) hold 64 elements.

_INT64 = ir.IntType(64)
_LANES = 8


def _loop(builder: Any, condition: Callable[[], Any], body: Callable[[], None]) -> None:
    """Repeat ``body`` while ``condition``; both read and write slots of memory."""
    test, turn, end = (builder.append_basic_block(name) for name in ("test", "turn", "end"))
    builder.branch(test)
    builder.position_at_end(test)
    builder.cbranch(condition(), turn, end)
    builder.position_at_end(turn)
    body()
    builder.branch(test)
    builder.position_at_end(end)


def _segment(floats: int) -> Any:
    """The function that finds the segment at ``start`` in a run of numbers of so many floats."""
    result = types.UniTuple(types.int64, 2)

    def define(typing_context: Any, n: Any, start: Any, limit: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            offset, size, depth = (cgutils.alloca_once(builder, _INT64) for _ in range(3))
            slots = dict(zip((offset, size, depth), (values[1], values[0], ir.Constant(_INT64, 0))))
            for slot, value in slots.items():
                builder.store(value, slot)

            def load(slot: Any) -> Lane:
                return Lane(builder, builder.load(slot))

            def descend() -> None:
                whole, behind = load(size), load(offset)
                half = (whole * floats) >> 1
                first = (half - (half & 7)) >> (floats - 1)
                left = behind < first
                builder.store(left.where(first, whole - first).value, size)
                builder.store(left.where(behind, behind - first).value, offset)
                builder.store((load(depth) + 1).value, depth)

            _loop(builder, lambda: (load(size) > Lane(builder, values[2])).value, descend)
            return context.make_tuple(builder, result, [builder.load(size), builder.load(depth)])

        return result(types.int64, types.int64, types.int64), generate

    doc = "``length, depth = f(n, start, limit)``: the segment that starts there, and how deep in the tree it lies."
    return named_intrinsic("pairwise_segment", define, ["n", "start", "limit"], doc)


pairwise_segment: Any = _segment(1)
pairwise_segment_complex: Any = _segment(2)


def _define_push(typing_context: Any, stack: Any, depths: Any, top: Any, value: Any, depth: Any) -> Any:
    if not isinstance(stack, types.Array) or not isinstance(depths, types.Array):
        return None
    number = stack.dtype

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        numbers, levels = (
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip((stack, depths), values)
        )
        slots = [cgutils.alloca_once(builder, v.type) for v in values[2:]]
        top_slot, value_slot, depth_slot = slots
        for slot, initial in zip(slots, values[2:]):
            builder.store(initial, slot)
        one = ir.Constant(_INT64, 1)

        def below() -> Any:
            return builder.sub(builder.load(top_slot), one)

        def siblings() -> Any:
            filled = builder.icmp_signed(">", builder.load(top_slot), ir.Constant(_INT64, 0))
            place = builder.select(filled, below(), ir.Constant(_INT64, 0))
            level = builder.load(builder.gep(levels, [place]))
            return builder.and_(filled, builder.icmp_signed("==", level, builder.load(depth_slot)))

        def join() -> None:
            left = context.unpack_value(builder, number, builder.gep(numbers, [below()]))
            total = _add(context, builder, number, left, builder.load(value_slot))
            builder.store(total, value_slot)
            builder.store(below(), top_slot)
            builder.store(builder.sub(builder.load(depth_slot), one), depth_slot)

        _loop(builder, siblings, join)
        place = builder.load(top_slot)
        context.pack_value(builder, number, builder.load(value_slot), builder.gep(numbers, [place]))
        builder.store(builder.load(depth_slot), builder.gep(levels, [place]))
        return builder.add(place, one)

    return types.int64(stack, depths, types.int64, number, types.int64), generate


def _add(context: Any, builder: Any, number: Any, x: Any, y: Any) -> Any:
    if not isinstance(number, types.Complex):
        return builder.fadd(x, y)
    a, b, total = (context.make_complex(builder, number, *value) for value in ((x,), (y,), ()))
    total.real, total.imag = builder.fadd(a.real, b.real), builder.fadd(a.imag, b.imag)
    return total._getvalue()


pairwise_push: Any = named_intrinsic(
    "pairwise_push",
    _define_push,
    ["stack", "depths", "top", "value", "depth"],
    "``top = pairwise_push(stack, depths, top, value, depth)``: put a segment's sum onto the stack.",
)


def _define_short(typing_context: Any, x: Any, n: Any) -> Any:
    if not isinstance(x, types.Array) or not isinstance(x.dtype, types.Float):
        return None
    number = x.dtype

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        data = context.make_array(x)(context, builder, values[0]).data
        scalar = context.get_data_type(number)
        vector = ir.VectorType(scalar, _LANES)
        lanes = cgutils.alloca_once(builder, vector)
        total, place = cgutils.alloca_once(builder, scalar), cgutils.alloca_once(builder, _INT64)
        whole = builder.and_(values[1], ir.Constant(_INT64, -_LANES))

        def eight() -> Any:
            first = builder.gep(data, [builder.load(place)])
            loaded = builder.load(builder.bitcast(first, vector.as_pointer()))
            loaded.align = context.get_abi_sizeof(scalar)
            return loaded

        def step(count: int) -> None:
            builder.store(builder.add(builder.load(place), ir.Constant(_INT64, count)), place)

        def below(end: Any) -> Callable[[], Any]:
            return lambda: builder.icmp_signed("<", builder.load(place), end)

        def add_eight() -> None:
            builder.store(builder.fadd(builder.load(lanes), eight()), lanes)
            step(_LANES)

        def add_one() -> None:
            element = builder.load(builder.gep(data, [builder.load(place)]))
            builder.store(builder.fadd(builder.load(total), element), total)
            step(1)

        builder.store(ir.Constant(_INT64, 0), place)
        builder.store(ir.Constant(scalar, -0.0), total)
        with builder.if_then(builder.icmp_signed(">", whole, ir.Constant(_INT64, 0))):
            builder.store(eight(), lanes)
            step(_LANES)
            _loop(builder, below(whole), add_eight)
            sums = [
                builder.extract_element(builder.load(lanes), ir.Constant(ir.IntType(32), k))
                for k in range(_LANES)
            ]
            while len(sums) > 1:
                sums = [builder.fadd(*sums[k : k + 2]) for k in range(0, len(sums), 2)]
            builder.store(sums[0], total)
        _loop(builder, below(values[1]), add_one)
        return builder.load(total)

    return number(x, types.int64), generate


pairwise_short: Any = named_intrinsic(
    "pairwise_short",
    _define_short,
    ["x", "n"],
    "``pairwise_short(x, n)``: the sum of the first n floats of a block, at most 128: eight accumulators, and what is left.",
)
