"""Searches for the places of numbers in sorted vectors."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Sequence
from typing import Any

from . import owners
from .lanes import Lane, named_intrinsic
from .toolkit import cgutils, ir, types

# Note [Bisection]
# NumPy halves the vector for each number, and begins where the number before was found: in a vector that is not sorted, which nobody forbids, that decides
# what is found. So a vector is looked through first, unless that would take longer than the search. One that is sorted has one answer for each number:
# several are searched for at a time, without branches, for the memory to be read for all of them at once. In any other the steps are NumPy's.

_INT64 = ir.IntType(64)
# Numbers that are searched for at a time.
_TOGETHER = 8
# How many elements behind a place are looked at first for that of the next ones.
_NEAR = 16


def _before(first: Lane, second: Lane) -> Lane:
    """Whether a number comes before another: NaN comes last."""
    if not first.is_float:
        return first < second
    return (first < second) | (second.is_nan() & ~first.is_nan())


def _passes(side: str) -> Callable[[Lane, Lane], Lane]:
    """Return whether the place of a number is behind an element."""
    return _before if side == "left" else lambda element, number: ~_before(number, element)


class _Code:
    """Writes the search for numbers in a vector."""

    def __init__(self, builder: Any, side: str, signed: bool, table: Any, size: Any) -> None:
        self.builder = builder
        self.passes = _passes(side)
        self.signed = signed
        self.table, self.size = table, size

    def constant(self, number: int) -> Any:
        return ir.Constant(_INT64, number)

    def lane(self, value: Any) -> Lane:
        return Lane(self.builder, value, self.signed)

    def load(self, array: Any, place: Any) -> Lane:
        return self.lane(self.builder.load(self.builder.gep(array, [place], inbounds=True)))

    def loop(self, goes_on: Callable[..., Any], step: Callable[..., Sequence[Any]], *start: Any) -> list[Any]:
        """Write a loop over carried values; return what they are in the end."""
        builder = self.builder
        head, body, end = map(builder.append_basic_block, ("head", "body", "end"))
        before = builder.block
        builder.branch(head)
        builder.position_at_end(head)
        carried = [builder.phi(value.type) for value in start]
        for phi, value in zip(carried, start, strict=True):
            phi.add_incoming(value, before)
        builder.cbranch(goes_on(*carried), body, end)
        builder.position_at_end(body)
        following = step(*carried)
        for phi, value in zip(carried, following, strict=True):
            phi.add_incoming(value, builder.block)
        builder.branch(head)
        builder.position_at_end(end)
        return carried

    def is_sorted(self) -> Any:
        """Write the look through the vector, as far as it is sorted."""
        builder = self.builder
        last = builder.sub(self.size, self.constant(1))

        def goes_on(place: Any) -> Any:
            inside = builder.icmp_signed("<", place, last)
            # What is looked at beyond the end is the last one again.
            here = builder.select(inside, place, self.constant(0))
            next_ = builder.select(inside, builder.add(place, self.constant(1)), self.constant(0))
            falls = _before(self.load(self.table, next_), self.load(self.table, here))
            return builder.and_(inside, (~falls).value)

        (place,) = self.loop(goes_on, lambda place: [builder.add(place, self.constant(1))], self.constant(0))
        return builder.icmp_signed("==", place, last)

    def together(self, wanted: Sequence[Lane], low: Any, length: Any) -> list[Any]:
        """Write the search for several numbers in a sorted vector, the places of all of which are among so many from one on."""
        builder = self.builder

        def step(length: Any, *low: Any) -> list[Any]:
            half = builder.lshr(length, self.constant(1))
            found = []
            for base, number in zip(low, wanted, strict=True):
                middle = builder.add(base, half)
                element = self.load(self.table, builder.sub(middle, self.constant(1)))
                found.append(builder.select(self.passes(element, number).value, middle, base))
            return [builder.sub(length, half), *found]

        _, *places = self.loop(
            lambda length, *_: builder.icmp_signed(">", length, self.constant(1)),
            step,
            length,
            *[low] * len(wanted),
        )
        return [
            builder.add(place, builder.zext(self.passes(self.load(self.table, place), number).value, _INT64))
            for place, number in zip(places, wanted, strict=True)
        ]

    def near(self, number: Lane, low: Any) -> Any:
        """Write the search for how many elements from one on the place of a number is among, in steps that double."""
        builder = self.builder

        def goes_on(span: Any) -> Any:
            end = builder.add(low, span)
            inside = builder.icmp_signed("<", end, self.size)
            last = builder.sub(builder.select(inside, end, self.size), self.constant(1))
            return builder.and_(inside, self.passes(self.load(self.table, last), number).value)

        (span,) = self.loop(goes_on, lambda s: [builder.shl(s, self.constant(1))], self.constant(_NEAR))
        rest = builder.sub(self.size, low)
        return builder.select(builder.icmp_signed("<", span, rest), span, rest)

    def several(self, numbers: Any, target: Any, first: Any, low: Any, before: Any) -> list[Any]:
        """Write the search for numbers side by side: where they rise, near the place of the one before."""
        builder = self.builder
        places = [builder.add(first, self.constant(k)) for k in range(_TOGETHER)]
        wanted = [self.load(numbers, place) for place in places]
        falls = [_before(second, one) for one, second in itertools.pairwise([self.lane(before), *wanted])]
        rises = (~functools.reduce(operator.or_, falls)).value
        low = builder.select(rises, low, self.constant(0))
        entered, rising, going = builder.block, *map(builder.append_basic_block, ("rising", "going"))
        builder.cbranch(rises, rising, going)
        builder.position_at_end(rising)
        near = self.near(wanted[-1], low)
        found = builder.block
        builder.branch(going)
        builder.position_at_end(going)
        length = builder.phi(_INT64)
        length.add_incoming(self.size, entered)
        length.add_incoming(near, found)
        results = self.together(wanted, low, length)
        for result, place in zip(results, places, strict=True):
            builder.store(result, builder.gep(target, [place], inbounds=True))
        last = builder.sub(self.size, self.constant(1))
        low = builder.select(builder.icmp_signed("<", results[-1], last), results[-1], last)
        return [builder.add(first, self.constant(_TOGETHER)), low, wanted[-1].value]

    def one_by_one(self, numbers: Any, target: Any, count: Any) -> None:
        """Write the search for numbers as NumPy does it."""
        builder, size, zero, one = self.builder, self.size, self.constant(0), self.constant(1)

        def search(place: Any, low: Any, high: Any, last: Any) -> list[Any]:
            number = self.load(numbers, place)
            rises = self.passes(self.lane(last), number).value
            beyond = builder.add(high, one)
            beyond = builder.select(builder.icmp_signed("<", high, size), beyond, size)
            low = builder.select(rises, low, zero)
            high = builder.select(rises, size, beyond)

            def halve(low: Any, high: Any) -> list[Any]:
                middle = builder.add(low, builder.lshr(builder.sub(high, low), one))
                behind = self.passes(self.load(self.table, middle), number).value
                return [
                    builder.select(behind, builder.add(middle, one), low),
                    builder.select(behind, high, middle),
                ]

            low, high = self.loop(lambda low, high: builder.icmp_signed("<", low, high), halve, low, high)
            builder.store(low, builder.gep(target, [place], inbounds=True))
            return [builder.add(place, one), low, high, number.value]

        first = self.load(numbers, zero).value
        self.loop(lambda place, *_: builder.icmp_signed("<", place, count), search, zero, zero, size, first)

    def run(self, numbers: Any, target: Any, count: Any) -> None:
        """Write the whole search: neither the numbers nor the vector are empty."""
        builder = self.builder
        worth = builder.icmp_signed("<=", self.size, builder.shl(count, self.constant(4)))
        is_worth, is_not, ordered, end = map(builder.append_basic_block, ("many", "few", "sorted", "found"))
        builder.cbranch(worth, is_worth, is_not)
        builder.position_at_end(is_worth)
        builder.cbranch(self.is_sorted(), ordered, is_not)
        builder.position_at_end(ordered)
        step, zero = self.constant(_TOGETHER), self.constant(0)
        rest, *_ = self.loop(
            lambda first, *_: builder.icmp_signed("<=", builder.add(first, step), count),
            lambda *carried: self.several(numbers, target, *carried),
            zero,
            zero,
            self.load(numbers, zero).value,
        )

        def single(first: Any) -> list[Any]:
            (result,) = self.together([self.load(numbers, first)], zero, self.size)
            builder.store(result, builder.gep(target, [first], inbounds=True))
            return [builder.add(first, self.constant(1))]

        self.loop(lambda first: builder.icmp_signed("<", first, count), single, rest)
        builder.branch(end)
        builder.position_at_end(is_not)
        self.one_by_one(numbers, target, count)
        builder.branch(end)
        builder.position_at_end(end)


@functools.cache
def bisect(side: str) -> Any:
    """The search for numbers as a function for kernels: ``bisect(table, size, numbers, count, target)``, all arrays side by side."""

    def define(typing_context: Any, table: Any, size: Any, numbers: Any, count: Any, target: Any) -> Any:
        if not all(isinstance(kind, types.Array) for kind in (table, numbers, target)):
            return None

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            kinds = [signature.args[place] for place in (0, 2, 4)]
            data = [
                context.make_array(kind)(context, builder, values[place]).data
                for kind, place in zip(kinds, (0, 2, 4), strict=True)
            ]
            signed = getattr(kinds[0].dtype, "signed", False)
            parameters = [data[0].type, _INT64, data[1].type, _INT64, data[2].type]
            name = f"bisect_{side}_{kinds[0].dtype}"
            function = builder.module.globals.get(name)
            if function is None:
                function, inner = owners.own_function(builder.module, name, ir.VoidType(), parameters)
                table_, size_, numbers_, count_, target_ = function.args
                is_empty = inner.icmp_signed("==", count_, ir.Constant(_INT64, 0))
                with inner.if_then(is_empty):
                    inner.ret_void()
                with inner.if_then(inner.icmp_signed("==", size_, ir.Constant(_INT64, 0))):
                    with cgutils.for_range(inner, count_, intp=_INT64) as loop:
                        inner.store(ir.Constant(_INT64, 0), inner.gep(target_, [loop.index]))
                    inner.ret_void()
                _Code(inner, side, signed, table_, size_).run(numbers_, target_, count_)
                inner.ret_void()
            builder.call(function, [data[0], values[1], data[1], values[3], data[2]])
            return context.get_dummy_value()

        return types.void(table, types.int64, numbers, types.int64, target), generate

    return named_intrinsic(f"bisect_{side}", define, ["table", "size", "numbers", "count", "target"])
