"""Proves that a dim is not negative, from what is known of the values it is over."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .assumed import Assumed
from .dim import Dim, DimLike
from .facts import facts, is_comparison
from .growth import note_growth, of_result
from .ir import Block, Op, Value
from .sums import dim_of as dim_of
from .types import BOOL, ScalarType, element

_DEPTH = 12
# What one proof looks into at most. Those that succeed take some tens, seldom a hundred; products of many values would be rewritten without end, and where
# branches say much of numbers that depend on each other, there are as many ways to try as there are orders of what they say.
_STEPS = 120
# How many proofs may be under way, one within the other: what an op says of a number may take another one.
_NESTED = 40
_LOOKS = 6

# No array has as many elements along an axis, but for one without elements or with a stride of 0; kernels leave such a one to the original.
LARGEST_SIZE = 2**60


def _counts(op: Op) -> bool:
    """Whether an op adds up truths."""
    if op.name != "reduce" or op.attributes["ufunc"] != "add":
        return False
    ones = op.operands[0].op
    return ones is not None and ones.name == "cast" and element(ones.operands[0].type) == BOOL


def _number(value: Value) -> int | None:
    """Return an integer that is known."""
    op = value.op
    known = op is not None and op.name == "constant" and element(value.type).kind in "biu"
    return int(op.attributes["value"]) if known and op is not None else None


_made_first = operator.attrgetter("serial")


class Bounds:
    """What is known of integer values: `ranges` of loop variables (both ends inclusive), dims of arguments, assumptions."""

    def __init__(
        self,
        assumptions: list[DimLike],
        sizes: Iterable[Value] = (),
        sample: Callable[[Value], int | None] = lambda value: None,
    ) -> None:
        self.assumptions = assumptions
        # What a value is on some call for which all this holds, if that is known.
        self.sample = sample
        self.sizes = set(sizes)
        self.assumed = Assumed(assumptions)
        self.ranges: dict[Value, tuple[DimLike | None, DimLike | None]] = {}
        # Dims that are not negative where the kernel is just now.
        self.facts: list[DimLike] = []
        # How many numbers are being looked at, each to know of the one before.
        self._looking = 0
        # How many proofs are under way, one within the other, and how deep dims were looked into in vain meanwhile: many ways lead to the same ones.
        self._proofs = 0
        self._failed: dict[Dim, int] = {}
        self._steps = 0
        # What could not be proved with as many assumptions, ranges and sizes, and nothing besides.
        self._unproved: set[Dim] = set()
        self._known = (0, 0, 0)

    def anew(self) -> Bounds:
        """Return bounds with the same assumptions alone."""
        found = Bounds(self.assumptions, self.sizes)
        found.assumed = self.assumed
        return found

    @contextmanager
    def knowing(self, known: Iterable[DimLike]) -> Iterator[None]:
        """Take some dims for not negative, meanwhile."""
        count = len(self.facts)
        self.facts += known
        yield
        del self.facts[count:]

    def of_turn(self, op: Op) -> list[DimLike]:
        """Return the dims that are not negative while a loop turns."""
        if op.name == "while_loop":
            tests = op.regions[0].results
            return facts(tests[0], True) if tests else []
        start, stop, step = map(dim_of, op.operands[:3])
        if isinstance(step, int) and step < 0:
            return [start - stop - 1]
        return [stop - start - 1] if isinstance(step, int) or self.nonnegative(step - 1) else []

    def of_branch(self, op: Op, truth: bool) -> list[DimLike]:
        """Return the dims that are not negative on one of the ways that a branch takes."""
        return facts(op.operands[0], truth)

    def is_false(self, test: Value) -> bool:
        """Whether a comparison of integers is proved not to hold."""
        op = test.op
        if op is None or not is_comparison(op):
            return False
        if op.name == "equal":
            difference = dim_of(op.operands[0]) - dim_of(op.operands[1])
            return self.nonnegative(difference - 1) or self.nonnegative(-difference - 1)
        return all(map(self.nonnegative, facts(test, False)))

    def note(self, test: Value, truth: bool) -> None:
        """Note that a test has the truth given from here on, where the kernel is just now."""
        self.facts += facts(test, truth)

    def enter_loop(self, variable: Value, start: DimLike, stop: DimLike, step: DimLike) -> None:
        """Note the range of a loop's variable."""
        if isinstance(step, int) and step:
            self.ranges[variable] = (start, stop - 1) if step > 0 else (stop + 1, start)
        elif self.nonnegative(step - 1):
            self.ranges[variable] = (start, stop - 1)

    def enter_block(self, op: Op, block: Block) -> None:
        """Note what a region's arguments are known to be."""
        if op.name == "for_loop":
            start, stop, step = (dim_of(operand) for operand in op.operands[:3])
            self.enter_loop(block.arguments[0], start, stop, step)
        if op.name in ("for_loop", "while_loop"):
            with self.knowing(self.of_turn(op)):
                note_growth(self, op)

    def lower(self, value: Value) -> Iterator[DimLike]:
        """Yield dims that `value` is at least."""
        low = self.ranges.get(of_result(value), (None, None))[0]
        if low is not None:
            yield low
        for rest in self._known_of(value, 1):
            yield -rest
        if value in self.sizes:
            yield 0
        if value.op is not None:
            yield from self._of_op(value.op, upper=False)
        yield -(2**63)

    def upper(self, value: Value) -> Iterator[DimLike]:
        """Yield dims that `value` is at most."""
        high = self.ranges.get(of_result(value), (None, None))[1]
        if high is not None:
            yield high
        yield from self._known_of(value, -1)
        if value.op is not None:
            yield from self._of_op(value.op, upper=True)
        yield LARGEST_SIZE if value in self.sizes else 2**63 - 1

    def _known_of(self, value: Value, factor: int) -> Iterator[DimLike]:
        """Yield the rest of what is not negative and linear in `value`, with such a factor."""
        term = ((value,), factor)
        for known in (*self.assumed.linear(value, factor), *self.facts):
            # The first test alone tells most of them apart, and costs little.
            if isinstance(known, Dim) and term in known.terms:
                found, rest = known.parted(value)
                if found == factor:
                    yield rest

    def _of_op(self, op: Op, upper: bool) -> Iterator[DimLike]:
        name = op.name
        if name == "index":
            yield dim_of(op.operands[1]) - 1 if upper else 0
        elif name == "slice_bound":
            back = op.attributes["step"] < 0
            yield dim_of(op.operands[1]) - back if upper else -int(back)
        elif name == "slice_length":
            start, stop = map(dim_of, op.operands)
            if not upper:
                yield 0
                if op.attributes["step"] == 1:
                    yield stop - start
            elif op.attributes["step"] == 1:
                if self.nonnegative(start) and self.nonnegative(stop):
                    yield stop
        elif name in ("minimum", "maximum"):
            if upper == (name == "minimum"):
                yield from map(dim_of, op.operands)
        elif name == "remainder":
            divisor = dim_of(op.operands[1])
            if self.nonnegative(divisor - 1):
                yield divisor - 1 if upper else 0
        elif name == "floor_divide":
            dividend, divisor = map(dim_of, op.operands)
            if self.nonnegative(dividend) and self.nonnegative(divisor - 1):
                yield dividend if upper else 0
        elif name == "bitwise_and":
            for operand in op.operands:
                mask = _number(operand)
                if mask is not None and mask >= 0:
                    yield mask if upper else 0
        elif name in ("bitwise_or", "bitwise_xor"):
            if all(self.extreme(operand, upper=False) >= 0 for operand in op.operands):
                most = max(self.extreme(operand, upper=True) for operand in op.operands)
                yield (1 << most.bit_length()) - 1 if upper else 0
        elif name == "right_shift":
            if self.extreme(op.operands[0], upper=False) >= 0:
                yield self.extreme(op.operands[0], upper=True) if upper else 0
        elif name == "argreduce":
            array = op.operands[0].type
            yield array.dims[op.attributes["axis"]] - 1 if upper else 0  # type: ignore[union-attr]
        elif name == "cast":
            source = op.operands[0]
            if source.op is not None and _counts(source.op) and not upper:
                yield 0
            if isinstance(source.type, ScalarType) and source.type.dtype.kind in "biu":
                yield from self._of_integer(source, upper)

    def is_near(self, op: Op) -> bool:
        """Whether the dividend of a remainder is at most one divisor away from it."""
        dividend, divisor = map(dim_of, op.operands)
        ends = (divisor - 1, dividend + divisor, 2 * divisor - 1 - dividend)
        return all(map(self.nonnegative, ends))

    def _of_integer(self, value: Value, upper: bool) -> Iterator[int]:
        """Yield what the dtype of an integer says of it, and what a mask or divisor that is known does."""
        assert isinstance(value.type, ScalarType)
        dtype, op = value.type.dtype, value.op
        if dtype.kind == "b":
            yield int(upper)
            return
        if op is not None and op.name in ("bitwise_and", "remainder", "scalar_remainder"):
            number = _number(op.operands[1])
            if number is None and op.name == "bitwise_and":
                number = _number(op.operands[0])
            if number is not None and number > 0:
                yield (number - (op.name != "bitwise_and")) if upper else 0
        limits: Any = np.iinfo(dtype)
        yield int(limits.max if upper else limits.min)

    def end_of(self, dim: DimLike, upper: bool) -> int:
        """Return a number that a dim is at most, or at least."""
        return self._extreme_of_dim(dim, upper, _LOOKS, 2**63 - 1 if upper else -(2**63))

    def extreme(self, value: Value, upper: bool, depth: int = 4) -> int:
        """Return a number that a Python integer is at most, or at least."""
        number = _number(value)
        if number is not None:
            return number
        found = 2**63 - 1 if upper else -(2**63)
        if self._looking >= _LOOKS:
            return found
        self._looking += 1
        try:
            return self._extreme(value, upper, depth, found)
        finally:
            self._looking -= 1

    def _extreme(self, value: Value, upper: bool, depth: int, found: int) -> int:
        if value.op is not None and value.op.name == "cond" and depth:
            ways = [region.results for region in value.op.regions if region.results is not None]
            ends = [self.extreme(way[value.index], upper, depth - 1) for way in ways]
            return max(ends) if upper else min(ends)
        dim = dim_of(value)
        if depth and dim != Dim.of_value(value):
            found = self._extreme_of_dim(dim, upper, depth - 1, found)
        for bound in self.upper(value) if upper else self.lower(value):
            end = bound if isinstance(bound, int) else self._extreme_of_dim(bound, upper, depth - 1, found)
            found = min(found, end) if upper else max(found, end)
        return found

    def _extreme_of_dim(self, dim: DimLike, upper: bool, depth: int, otherwise: int) -> int:
        """Return a number that a sum of values is at most, or at least; `otherwise` where values are multiplied, or too much would be looked at."""
        if isinstance(dim, int):
            return dim
        if depth <= 0 or any(len(monomial) > 1 for monomial, _ in dim.terms):
            return otherwise
        total = 0
        for monomial, factor in dim.terms:
            total += factor * (self.extreme(monomial[0], upper == (factor > 0), depth - 1) if monomial else 1)
        return total

    def nonnegative(self, dim: DimLike, depth: int = _DEPTH) -> bool:
        """Whether `dim` is proved to be at least 0.

        The value made last is replaced by a bound of it, in the direction that makes the dim smaller, until a number is left.
        """
        if not isinstance(dim, Dim):
            return dim >= 0
        if not self.facts and self._is_refuted(dim):
            return False
        whole = not self._proofs and depth == _DEPTH and not self.facts
        if whole:
            # What was looked into in vain is asked again and again, mostly before more is known.
            known = len(self.assumptions), len(self.ranges), len(self.sizes)
            if known != self._known:
                self._known = known
                self._unproved.clear()
            elif dim in self._unproved:
                return False
        if not self._proofs:
            self._steps = 0
        self._steps += 1
        if self._steps > _STEPS or self._proofs > _NESTED or self._failed.get(dim, 0) >= depth:
            return False
        self._proofs += 1
        try:
            proved = self._prove(dim, depth)
        finally:
            self._proofs -= 1
            if not self._proofs:
                self._failed.clear()
        if not proved and self._proofs:
            self._failed[dim] = depth
        elif not proved and whole:
            self._unproved.add(dim)
        return proved

    def _is_refuted(self, dim: Dim) -> bool:
        """Whether a dim is negative on the call that is known: most ways to prove something lead to such, and need not be followed."""
        total = 0
        for monomial, factor in dim.terms:
            for value in monomial:
                number = self.sample(value)
                if number is None:
                    return False
                factor *= number
            total += factor
        return total < 0

    def _prove(self, dim: Dim, depth: int) -> bool:
        values = {value for monomial, _ in dim.terms for value in monomial}
        if dim.has_products and all(factor >= 0 for _, factor in dim.terms):
            # A sum of products of what is not negative.
            if all(self.nonnegative(Dim.of_value(value), depth - 1) for value in values):
                return True
        for value in sorted(values, key=_made_first, reverse=True) if len(values) > 1 else values:
            if self._steps > _STEPS:
                # Every way on would be made, of sums of many values, to be given up at once.
                return False
            factor, rest = dim.parted(value)
            if factor is None:
                continue
            if self._has_sign(factor, 1, depth):
                candidates = self.lower(value)
            elif self._has_sign(factor, -1, depth):
                candidates = self.upper(value)
            else:
                continue
            for bound in candidates:
                if self.nonnegative(rest + factor * bound, depth - 1):
                    return True
            scaled = self._without_quotient(dim, value, factor)
            if scaled is not None and self.nonnegative(scaled, depth - 1):
                return True
        return False

    def least(self, dim: DimLike, known: Callable[[Value], bool], depth: int = _DEPTH) -> Iterator[DimLike]:
        """Yield dims over `known` values alone that are negative wherever `dim` is."""
        unknown = [value for value in set(dim.values()) if not known(value)] if isinstance(dim, Dim) else []
        if not unknown:
            yield dim
            return
        value = max(unknown, key=lambda v: v.serial)
        assert isinstance(dim, Dim)
        factor, rest = dim.parted(value)
        if factor is None or not depth:
            return
        for sign, candidates in ((1, self.lower), (-1, self.upper)):
            if self._has_sign(factor, sign, depth):
                for bound in candidates(value):
                    yield from self.least(rest + factor * bound, known, depth - 1)
        scaled = self._without_quotient(dim, value, factor)
        if scaled is not None:
            yield from self.least(scaled, known, depth - 1)

    @staticmethod
    def _without_quotient(dim: Dim, value: Value, factor: DimLike) -> DimLike | None:
        """Return a dim that is negative wherever `dim` is, with the dividend in the place of a quotient by a known number; None where `value` is none."""
        if value.op is None or value.op.name != "floor_divide" or not isinstance(factor, int):
            return None
        dividend, divisor = map(dim_of, value.op.operands)
        if not isinstance(divisor, int) or divisor <= 0:
            return None
        # divisor*quotient lies in dividend - divisor + 1 .. dividend, and what is more than -1 is not negative.
        edge = dividend - (divisor - 1) if factor > 0 else dividend
        return (dim - factor * Dim.of_value(value)) * divisor + edge * factor + divisor - 1

    def _has_sign(self, factor: DimLike, sign: int, depth: int) -> bool:
        if isinstance(factor, int):
            return factor * sign > 0
        return self.nonnegative(factor * sign, depth - 1)
