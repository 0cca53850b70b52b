"""Schedules reductions: which ones a kernel does itself, and which NumPy does, because only run time tells in what order."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import BOOL, INT, PYBOOL, ArrayType, ScalarType, dims_of

from .buffer import Buffer, Variable
from .collapse import Collapser
from .expression import Apply, Constant, Element, Expression, IndexFunction, Position, moved
from .numpy_call import call_numpy, viewed
from .statement import If, Let, Reduction
from .windows import sum_window

if TYPE_CHECKING:
    from .scheduler import Scheduler

# Note [Orders of reductions]
# The bits of a float sum depend on which elements make a run of NumPy's inner loop, and so on the strides of its operand (docs/reductions.md). A
# kernel adds up by itself where tracing knows the runs: the axes from slow to fast, and of those that are reduced and vary fastest, that a
# single step crosses them all. All else is NumPy's, on a view with the strides that the operand has in NumPy.
#
# A kept axis that turns out to have length 1 lets its neighbours make one run: where that can happen, the kernel asks.
#
# An extreme is the same in every order unless it is a zero: which of 0.0 and -0.0 it is, is asked of NumPy where there is any -0.0. Magnitudes are in
# the order of their bits as integers, with NaN above all: the largest of them is an integer's, which any loop finds that goes over them.
EXTREMES = frozenset(("maximum", "minimum", "fmax", "fmin"))
# Ops on floats that never give -0.0.
_UNSIGNED = frozenset(("absolute", "fabs", "square", "exp", "exp2"))
# Of these, those that clear the sign of NaN, too.
_MAGNITUDES = frozenset(("absolute", "fabs"))


class Reducer:
    """Schedules one reduction."""

    def __init__(self, scheduler: Scheduler, op: Op) -> None:
        self.scheduler = scheduler
        self.op = op
        self.operand = op.operands[0]
        type_ = self.operand.type
        assert isinstance(type_, ArrayType)
        self.type = type_
        self.axes: tuple[int, ...] = op.attributes["axes"]
        self.ufunc: str = op.attributes["ufunc"]
        self.dtype = op.attributes["dtype"]
        self.converted = self.dtype != type_.dtype and not self.ufunc.startswith("logical")
        self.base, self.view = viewed(scheduler, self.operand)
        # The axes that count, from slowest to fastest.
        self.order = self.window_order() or [axis for axis in type_.axes if type_.dims[axis] != 1]

    def run(self) -> None:
        """Schedule the reduction."""
        op = self.op
        target: Value | Buffer = self.scheduler.result_target(op)
        inexact = self.dtype.kind in "fc"
        if inexact and not self.is_aligned():
            # NumPy copies what it takes, some thousand elements at a time.
            call_numpy(self.scheduler, self.op, target)
        elif self.is_free():
            self.by_kernel(target, self.fastest())
        elif inexact and self.ufunc in EXTREMES:
            self.extreme(target)
        elif inexact and not self.is_known():
            if not sum_window(self, target):
                call_numpy(self.scheduler, self.op, target)
        elif inexact and self.is_ordered():
            self.sum(target)
        else:
            self.by_kernel(target, self.fastest())

    # -- what is known -----------------------------------------------------------------------------------------

    def fastest(self) -> int:
        """Return how many of the axes that vary fastest are reduced."""
        count = 0
        while count < len(self.order) and self.order[-1 - count] in self.axes:
            count += 1
        return count

    def is_free(self) -> bool:
        """Whether the order does not matter, as the program is content with the accuracy of any: of sums of floats."""
        fast = self.scheduler.graph.accuracy == "fast"
        return fast and self.ufunc == "add" and self.dtype.kind == "f" and not self.is_half()

    def is_half(self) -> bool:
        """Whether NumPy computes in float32 along a run, and rounds at its end."""
        return bool(self.dtype == np.float16)

    def is_aligned(self) -> bool:
        """Whether the operand lies at addresses that fit its dtype."""
        return self.scheduler.is_aligned(self.operand)

    def is_ordered(self) -> bool:
        """Whether the result depends on which elements make a run of NumPy's inner loop."""
        return self.ufunc == "add" or self.is_half()

    def is_known(self) -> bool:
        """Whether it is known in which order, and in what runs, NumPy takes the elements."""
        if self.dtype.kind == "c" and self.ufunc != "add":
            return False
        if len(self.order) < 2:
            return True
        if not self.is_sorted():
            return False
        return not self.is_ordered() or self.fastest() < 2 or (not self.converted and self.is_one_run())

    def is_sorted(self) -> bool:
        """Whether the axes are in the order in which NumPy's iterator sorts them."""
        seen: set[int] = set()
        steps, turned = 0, False
        last = -1
        for _, terms in self.view.axes:
            moving = {axis for axis, _ in terms if self.type.dims[axis] != 1}
            if moving & seen or (len(moving) > 1 and not self.is_packed()):
                return False
            seen |= moving
            # Where two strides may be equal, or one 0, the order is that of the axes themselves.
            turned |= any(axis < last for axis in moving)
            last = max([last, *moving])
            steps += any(abs(step) > 1 for axis, step in terms if axis in moving)
        return len(seen) == len(self.order) and (self.is_packed() or not (steps or turned))

    def window_order(self) -> list[int]:
        """Return the axes that count, from slowest to fastest, where several move along one axis of the array, as those of windows do; none where each has its own.

        NumPy sorts them by their strides, and leaves those that are equal in the order of the axes.
        """
        base = self.base.type
        assert isinstance(base, ArrayType)
        dims = self.type.dims
        moving = [[t for t in self.view.axes[place][1] if dims[t[0]] != 1] for place in base.axes]
        if all(len(terms) < 2 for terms in moving):
            return []
        return [axis for terms in moving for axis, _ in sorted(terms, key=lambda t: (-abs(t[1]), t[0]))]

    def is_packed(self) -> bool:
        """Whether the array that is viewed has no gaps."""
        array = self.scheduler.arrays[self.base]
        if isinstance(array, IndexFunction):
            return True
        buffer = array.buffer
        return buffer.layout != "A" or (buffer.order is not None and buffer.source in ("local", "output"))

    def is_one_run(self) -> bool:
        """Whether a single step crosses all the axes that are reduced and vary fastest."""
        if not self.is_packed():
            return False
        strides: dict[int, DimLike] = {}
        total: DimLike = 1
        base = self.base.type
        assert isinstance(base, ArrayType)
        for place in reversed(base.axes):
            for axis, step in self.view.axes[place][1]:
                strides[axis] = total * step
            total = total * base.dims[place]
        group = self.order[len(self.order) - self.fastest() :]
        return all(strides[a] == strides[b] * self.type.dims[b] for a, b in itertools.pairwise(group))

    def merging(self) -> list[DimLike]:
        """Return the lengths, not known now, that are all 1 where NumPy makes longer runs than the axes say."""
        rest = self.order[: len(self.order) - self.fastest()]
        kept: list[DimLike] = []
        while rest and rest[-1] not in self.axes:
            kept.append(self.type.dims[rest.pop()])
        return kept if rest and not any(map(self.is_long, kept)) else []

    def is_long(self, dim: DimLike) -> bool:
        """Whether a length is known not to be 1, as those of arguments' axes are that tracing found longer."""
        bounds = self.scheduler.bounds
        return (
            not isinstance(dim, Dim)
            or any(dim == Dim.of_value(size) for size in bounds.sizes)
            or bounds.nonnegative(dim - 2)
        )

    # -- ways --------------------------------------------------------------------------------------------------

    def sum(self, target: Value | Buffer) -> None:
        """Schedule a sum by the kernel, or by NumPy where lengths at run time change the order."""
        lengths = self.merging()
        if not lengths:
            self.by_kernel(target, self.fastest())
            return
        tests = [Apply("equal", (Position(dim, INT), Constant(1, INT)), PYBOOL) for dim in lengths]
        test = functools.reduce(lambda one, two: Apply("bitwise_and", (one, two), PYBOOL), tests)
        with self.scheduler.nested() as then:
            call_numpy(self.scheduler, self.op, target)
        with self.scheduler.nested() as otherwise:
            self.by_kernel(target, self.fastest())
        self.scheduler.body.append(If(test, then, otherwise, self.op.location))

    def extreme(self, target: Value | Buffer) -> None:
        """Schedule an extreme by the kernel, and by NumPy where it comes out zero."""
        if self.dtype.kind == "c" or self.converted:
            call_numpy(self.scheduler, self.op, target, warns=False)
            return
        if self.largest_magnitude(target):
            return
        scheduler = self.scheduler
        array = scheduler.arrays[self.operand]
        run = self.fastest()
        expression = self.by_kernel(
            target,
            run
            if not isinstance(array, IndexFunction) and self.is_sorted() and self.is_one_run()
            else min(run, 1),
        )
        if isinstance(expression, Apply) and expression.name in _UNSIGNED:
            return
        zeros: Expression
        if isinstance(target, Value):
            zeros = self.is_zero(Variable(target))
        else:
            loops = scheduler.indices(dims_of(self.op.result.type))
            zeros = self.any(loops, self.is_zero(_element(target, loops)), "zeros")
        with scheduler.nested() as then:
            with scheduler.nested() as unsure:
                call_numpy(scheduler, self.op, target, warns=False)
            # Of all numbers, -0.0 alone has these bits.
            integer = np.dtype(f"i{self.dtype.itemsize}")
            least = Constant(np.iinfo(integer).min, ScalarType(integer))
            loops = scheduler.indices(self.type.dims)
            operand = scheduler.arrays[self.operand]
            element = _at_ones(operand.at(tuple(Dim.of_value(index) for index, _ in loops)), loops)
            bits = Apply("bits", (element,), ScalarType(integer))
            negative = Apply("equal", (bits, least), ScalarType(BOOL))
            then.append(If(self.any(loops, negative, "negative"), unsure, [], self.op.location))
        scheduler.body.append(If(zeros, then, [], self.op.location))

    def largest_magnitude(self, target: Value | Buffer) -> bool:
        """Schedule the largest of all magnitudes by their bits; return whether that is what is asked for."""
        if self.ufunc != "maximum" or self.is_half() or not isinstance(target, Value):
            return False
        bits = ScalarType(np.dtype(f"i{self.dtype.itemsize}"))
        number = Value(bits, self.scheduler.name("bits"))
        reduction = self.reduction(number, self.fastest())
        expression = reduction.expression
        if not is_magnitude(expression):
            return False
        keys = Apply("bits", (expression,), bits, (("dtype", bits.dtype),))
        found = Apply("bits", (Variable(number),), ScalarType(self.dtype), (("dtype", self.dtype),))
        self.scheduler.body += [
            replace(reduction, expression=keys),
            Let(target, found, self.op.location),
        ]
        return True

    def is_zero(self, expression: Expression) -> Expression:
        """Return whether a number is 0, of either sign."""
        zero = Constant(self.dtype.type(0), ScalarType(self.dtype))
        return Apply("equal", (expression, zero), ScalarType(BOOL))

    def any(self, loops: Sequence[tuple[Value, DimLike]], test: Expression, name: str) -> Expression:
        """Schedule the search for a turn of loops for which a test holds; return whether there is one."""
        scheduler = self.scheduler
        found = Value(ScalarType(BOOL), scheduler.name(name))
        looked = [loop for loop in loops if loop[1] != 1]
        scheduler.body.append(
            Reduction(
                "logical_or",
                looked,
                {v for v, _ in looked},
                found,
                test,
                False,
                len(looked),
                self.op.location,
            )
        )
        return Variable(found)

    def by_kernel(self, target: Value | Buffer, run: int) -> Expression:
        """Schedule a reduction by the kernel; return what it reduces."""
        several = self.ufunc == "add" and self.dtype.kind in "fc" and run > 1 and not self.is_free()
        if several or (self.is_half() and run and not self.converted):
            # NumPy adds up all the elements of several axes as one run, as they lie in memory.
            found = self.of_one_loop(target, run)
            if found is not None:
                return found
            self.scheduler.addressed(self.operand)
        reduction = self.reduction(target, run)
        self.scheduler.body.append(reduction)
        return reduction.expression

    def of_one_loop(self, target: Value | Buffer, run: int) -> Expression | None:
        """Schedule the sum of what is computed of arrays that one loop crosses without a gap; return what it sums, None where that cannot be done."""
        array = self.scheduler.arrays[self.operand]
        if (
            self.is_half()
            or self.operand is not self.base
            or self.type.order
            or not isinstance(array, IndexFunction)
        ):
            return None
        collapser = Collapser(dict(self.scheduler.graph.equalities), self.scheduler.name)
        *before, reduction = collapser.statement(self.reduction(target, run), {})
        if not before or not isinstance(reduction, Reduction) or reduction.run > 1:
            # What is computed of no array at all may be of any size: NumPy has no memory for it, and says so.
            return None
        self.scheduler.body += [*before, reduction]
        return reduction.expression

    def reduction(self, target: Value | Buffer, run: int) -> Reduction:
        """Return the reduction of what the operand has at every index."""
        loops = self.scheduler.indices(self.type.dims)
        expression = self.scheduler.arrays[self.operand].at(tuple(Dim.of_value(index) for index, _ in loops))
        if self.converted:
            expression = Apply("cast", (expression,), ScalarType(self.dtype), (("dtype", self.dtype),))
        expression = _at_ones(expression, loops)
        kept = [loop for axis, loop in enumerate(loops) if axis not in self.axes]
        place = target if isinstance(target, Value) else _element(target, kept)
        order = [loops[axis] for axis in self.order]
        reduced = {loops[axis][0] for axis in self.axes}
        return Reduction(
            self.ufunc,
            order,
            reduced,
            place,
            expression,
            self.converted,
            run,
            self.op.location,
            self.is_free(),
        )


def is_magnitude(expression: Expression) -> bool:
    """Whether an expression is the magnitude of a real number, whose sign is cleared even where it is NaN."""
    return (
        isinstance(expression, Apply)
        and expression.name in _MAGNITUDES
        and expression.operands[0].type.dtype.kind == "f"
    )


def _element(buffer: Buffer, loops: Sequence[tuple[Value, DimLike]]) -> Element:
    """Return the element of a buffer at the variables of loops."""
    indices = tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
    return Element(buffer, indices, ScalarType(buffer.dtype))


def _at_ones(expression: Expression, loops: Sequence[tuple[Value, DimLike]]) -> Expression:
    """Return an expression with the variables of loops of one turn replaced by 0."""
    ones = {index for index, dim in loops if dim == 1}
    return (
        moved(expression, lambda value: 0 if value in ones else Dim.of_value(value)) if ones else expression
    )
