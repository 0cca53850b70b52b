"""Sums in the order of NumPy's pairwise summation, of values that are never all in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .lanes import Lane, named_intrinsic
from .owners import own_function
from .toolkit import cgutils, ir, types

# Note [Pairwise sums]
# NumPy adds a run of n floats up to 128 with eight accumulators, and a longer one as the sum of its two parts, the
# first of n // 2 elements less what is not a multiple of eight. `pairwise_sum` does that for floats in memory, with vectors
# for accumulators: in a third to half of the time that NumPy's own loop takes where they lie in a cache.
#
# The order is fixed by n alone, so a run of what is computed can be summed in segments: a segment is a node of this tree of
# at most ``limit`` elements (128 or more), and a stack puts the segments' sums together: two neighbours of one depth are always the two parts of a node.
# Complex numbers, which NumPy's own loop adds up, count as two floats each, with the eight accumulators shared between real and imaginary parts.
#
#     start = top = 0
#     while start < n:
#         m, depth = pairwise_segment(n, start, 512)
#         for j in range(m):
#             t[j] = ...  # the values from start on
#         top = pairwise_push(stack, depths, top, pairwise_sum(t, 0, m), depth)
#         start += m
#     total = 0.0 + stack[0]  # NumPy adds the run to what it had: see docs/reductions.md
#
# ``stack`` and ``depths`` (int64) hold 64 elements.

_INT32, _INT64 = ir.IntType(32), ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()
_LANES = 8
# The most floats that are added up with eight accumulators.
LEAF = 128


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


def _define_sum(typing_context: Any, x: Any, offset: Any, n: Any) -> Any:
    if not isinstance(x, types.Array) or not isinstance(x.dtype, types.Float):
        return None
    number = x.dtype

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        array, offset, n = values
        data = builder.bitcast(context.make_array(x)(context, builder, array).data, _BYTES)
        scalar = context.get_data_type(number)
        first = builder.bitcast(builder.gep(data, [offset]), scalar.as_pointer())
        return builder.call(_sum(builder.module, scalar), [first, n])

    return number(x, types.int64, types.int64), generate


pairwise_sum: Any = named_intrinsic(
    "pairwise_sum",
    _define_sum,
    ["x", "offset", "n"],
    "``pairwise_sum(x, offset, n)``: the sum of n floats, one behind the other, from so many bytes behind the first of x on.",
)


def _sum(module: Any, scalar: Any) -> Any:
    """The function of a module that adds up floats: it calls itself for the two parts of what is more than a leaf."""
    name = f"pairwise_sum_{scalar}"
    if name in module.globals:
        return module.globals[name]
    kind = scalar.as_pointer()
    function, builder = own_function(module, name, scalar, [kind, _INT64])
    data, n = function.args
    with builder.if_then(builder.icmp_signed("<=", n, ir.Constant(_INT64, LEAF)), likely=True):
        builder.ret(_leaf(builder, scalar, data, n))
    half = (Lane(builder, n) >> 1) & -_LANES
    parts = ((data, half.value), (builder.gep(data, [half.value]), builder.sub(n, half.value)))
    builder.ret(builder.fadd(*(builder.call(function, part) for part in parts)))
    return function


def _leaf(builder: Any, scalar: Any, data: Any, n: Any) -> Any:
    """The sum of a leaf: by eight accumulators, and what is left one by one."""
    vector = ir.VectorType(scalar, _LANES)
    lanes = cgutils.alloca_once(builder, vector)
    total, place = cgutils.alloca_once(builder, scalar), cgutils.alloca_once(builder, _INT64)
    whole = builder.and_(n, ir.Constant(_INT64, -_LANES))

    def eight() -> Any:
        first = builder.gep(data, [builder.load(place)])
        loaded = builder.load(builder.bitcast(first, vector.as_pointer()))
        loaded.align = 4 if isinstance(scalar, ir.FloatType) else 8
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
        builder.store(_across(builder, builder.load(lanes)), total)
    _loop(builder, below(n), add_one)
    return builder.load(total)


def _across(builder: Any, lanes: Any) -> Any:
    """The sum of the accumulators: of neighbours, and of these."""
    while (count := lanes.type.count) > 1:
        even, odd = (
            builder.shuffle_vector(
                lanes,
                ir.Constant(lanes.type, ir.Undefined),
                ir.Constant(ir.VectorType(_INT32, count // 2), list(range(first, count, 2))),
            )
            for first in (0, 1)
        )
        lanes = builder.fadd(even, odd)
    return builder.extract_element(lanes, ir.Constant(_INT32, 0))
