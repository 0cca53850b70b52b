"""Proves that a dim is not negative, from what is known of the values it is over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .dim import Dim, DimLike
from .ir import Block, Op, Value
from .types import BOOL, INT, INT64, ScalarType, element

_DEPTH = 12

# No array has as many elements along an axis, but for one without elements or with a stride of 0; kernels leave such a one to the original.
LARGEST_SIZE = 2**60


def dim_of(value: Value) -> DimLike:
    """Return the dim that a value of Python's type int is: sums, differences and products are seen through."""
    op = value.op
    if op is not None:
        if op.name == "constant":
            return int(op.attributes["value"])
        if op.name in ("add", "subtract", "multiply", "negative") and value.type == ScalarType(INT64, True):
            parts = [dim_of(operand) for operand in op.operands]
            if op.name == "add":
                return parts[0] + parts[1]
            if op.name == "subtract":
                return parts[0] - parts[1]
            return parts[0] * parts[1] if op.name == "multiply" else -parts[0]
    return Dim.of_value(value)


def _counts(op: Op) -> bool:
    """Whether an op adds up truths."""
    if op.name != "reduce" or op.attributes["ufunc"] != "add":
        return False
    ones = op.operands[0].op
    return ones is not None and ones.name == "cast" and element(ones.operands[0].type) == BOOL


class Bounds:
    """What is known of integer values: `ranges` of loop variables (both ends inclusive), dims of arguments, assumptions."""

    def __init__(self, assumptions: list[DimLike], sizes: Iterable[Value] = ()) -> None:
        self.assumptions = assumptions
        self.sizes = set(sizes)
        self.ranges: dict[Value, tuple[DimLike | None, DimLike | None]] = {}

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
        if op.name in ("for_loop", "while_loop") and op.regions[-1].results is not None:
            lead = 1 if op.name == "for_loop" else 0
            initial = op.operands[3 * lead :]
            arguments = op.regions[0].arguments[lead:]
            for first, argument, after in zip(initial, arguments, op.regions[-1].results, strict=True):
                if argument.type == INT:
                    self._note_growth(dim_of(first), argument, after)

    def _note_growth(self, first: DimLike, argument: Value, after: Value) -> None:
        """Note the bound that a carried number keeps which only ever grows, or shrinks, from turn to turn."""
        if self._changes(argument, after, 1):
            self.ranges[argument] = (first, None)
        elif self._changes(argument, after, -1):
            self.ranges[argument] = (None, first)

    def _changes(self, argument: Value, after: Value, sign: int) -> bool:
        """Whether a number at the end of a turn is at least, or with the sign -1 at most, what it was at its beginning."""
        if after.op is not None and after.op.name == "cond":
            ways = [region.results for region in after.op.regions if region.results is not None]
            return all(self._changes(argument, way[after.index], sign) for way in ways)
        return self.nonnegative((dim_of(after) - Dim.of_value(argument)) * sign)

    def lower(self, value: Value) -> Iterator[DimLike]:
        """Yield dims that `value` is at least."""
        low = self.ranges.get(value, (None, None))[0]
        if low is not None:
            yield low
        for assumption in self.assumptions:
            if isinstance(assumption, Dim) and assumption.coefficient(value) == 1:
                yield -(assumption - Dim.of_value(value))
        if value in self.sizes:
            yield 0
        if value.op is not None:
            yield from self._of_op(value.op, upper=False)
        yield -(2**63)

    def upper(self, value: Value) -> Iterator[DimLike]:
        """Yield dims that `value` is at most."""
        high = self.ranges.get(value, (None, None))[1]
        if high is not None:
            yield high
        for assumption in self.assumptions:
            if isinstance(assumption, Dim) and assumption.coefficient(value) == -1:
                yield assumption + Dim.of_value(value)
        if value.op is not None:
            yield from self._of_op(value.op, upper=True)
        yield LARGEST_SIZE if value in self.sizes else 2**63 - 1

    def _of_op(self, op: Op, upper: bool) -> Iterator[DimLike]:
        name = op.name
        if name == "index":
            yield dim_of(op.operands[1]) - 1 if upper else 0
        elif name == "slice_bound":
            back = op.attributes["step"] < 0
            yield dim_of(op.operands[1]) - back if upper else -int(back)
        elif name == "slice_length":
            if not upper:
                yield 0
            elif op.attributes["step"] == 1:
                start, stop = map(dim_of, op.operands)
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
                mask = dim_of(operand)
                if isinstance(mask, int) and mask >= 0:
                    yield mask if upper else 0
        elif name == "argreduce":
            array = op.operands[0].type
            yield array.dims[op.attributes["axis"]] - 1 if upper else 0  # type: ignore[union-attr]
        elif name == "cast" and not upper:
            source = op.operands[0]
            if isinstance(source.type, ScalarType) and source.type.dtype.kind in "ub":
                yield 0
            if source.op is not None and _counts(source.op):
                yield 0

    def nonnegative(self, dim: DimLike, depth: int = _DEPTH) -> bool:
        """Whether `dim` is proved to be at least 0.

        The value made last is replaced by a bound of it, in the direction that makes the dim smaller, until a number is left.
        """
        if not isinstance(dim, Dim):
            return dim >= 0
        if not depth:
            return False
        if any(len(monomial) > 1 for monomial, _ in dim.terms) and all(
            factor >= 0 for _, factor in dim.terms
        ):
            # A sum of products of what is not negative.
            if all(self.nonnegative(Dim.of_value(value), depth - 1) for value in set(dim.values())):
                return True
        for value in sorted(set(dim.values()), key=lambda v: -v.serial):
            factor = dim.coefficient(value)
            if factor is None:
                continue
            rest = dim - factor * Dim.of_value(value)
            if self._has_sign(factor, 1, depth):
                candidates = self.lower(value)
            elif self._has_sign(factor, -1, depth):
                candidates = self.upper(value)
            else:
                continue
            if any(self.nonnegative(rest + factor * bound, depth - 1) for bound in candidates):
                return True
            if value.op is not None and value.op.name == "floor_divide" and isinstance(factor, int):
                dividend, divisor = map(dim_of, value.op.operands)
                if isinstance(divisor, int) and divisor > 0:
                    # divisor*quotient lies in dividend - divisor + 1 .. dividend
                    edge = dividend - (divisor - 1) if factor > 0 else dividend
                    if self.nonnegative(rest * divisor + edge * factor, depth - 1):
                        return True
        return False

    def least(self, dim: DimLike, known: Callable[[Value], bool], depth: int = _DEPTH) -> Iterator[DimLike]:
        """Yield dims over `known` values alone that `dim` is at least."""
        unknown = [value for value in set(dim.values()) if not known(value)] if isinstance(dim, Dim) else []
        if not unknown:
            yield dim
            return
        value = max(unknown, key=lambda v: v.serial)
        assert isinstance(dim, Dim)
        factor = dim.coefficient(value)
        if factor is None or not depth:
            return
        for sign, candidates in ((1, self.lower), (-1, self.upper)):
            if self._has_sign(factor, sign, depth):
                for bound in candidates(value):
                    yield from self.least(
                        dim - factor * Dim.of_value(value) + factor * bound, known, depth - 1
                    )

    def _has_sign(self, factor: DimLike, sign: int, depth: int) -> bool:
        if isinstance(factor, int):
            return factor * sign > 0
        return self.nonnegative(factor * sign, depth - 1)
