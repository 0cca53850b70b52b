"""What is known of the dims of a graph, and what is assumed of them."""

from __future__ import annotations

from transpile.runtime.graph.bounds import LARGEST_SIZE, Bounds, dim_of
from transpile.runtime.graph.dim import Dim, DimLike, substitute, values_of
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.graph.types import INT
from transpile.runtime.ops.table import TABLE

# The signs of a difference for which a comparison holds.
_ORDERS = {
    "less": (-1,),
    "less_equal": (-1, 0),
    "equal": (0,),
    "not_equal": (-1, 1),
    "greater_equal": (0, 1),
    "greater": (1,),
}


class Assumptions:
    """Assumptions about the arguments of one graph, which the kernel checks before anything else."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.bounds = Bounds(graph.assumptions, sample=self._found)
        # The integers among the arguments, dims included, as they are on the call at hand.
        self.samples: dict[Value, int] = {}
        self._computed: dict[Value, int | None] = {}
        # What could not be speculated on where as much was known, and nothing besides; and how much that was.
        self._refused: set[Dim] = set()
        self._known = (0, 0, 0, 0, 0)
        self._equal: dict[Value, DimLike] = {}

    def normal(self, dim: DimLike) -> DimLike:
        """Return a dim with the equalities that are assumed applied."""
        if not self._equal or not isinstance(dim, Dim):
            return dim
        return substitute(
            dim,
            lambda value: self.normal(self._equal[value]) if value in self._equal else Dim.of_value(value),
        )

    def same(self, first: DimLike, second: DimLike) -> bool:
        """Whether two dims are known to be equal."""
        return first == second or self.normal(first) == self.normal(second)

    def of_arguments(self, dim: DimLike) -> bool:
        """Whether a dim is over the function's arguments alone, so that it can be assumed things of."""
        return all(value.owner is self.graph.block for value in values_of(dim))

    def assume_nonnegative(self, dim: DimLike) -> bool:
        """Whether `dim` is not negative: proved, or from now on assumed; the original runs a call where it is not so."""
        dim = self.normal(dim)
        if self.bounds.nonnegative(dim):
            return True
        if isinstance(dim, int) or not self.of_arguments(dim):
            return False
        sample = self.sample_of(dim)
        if sample is not None and sample < 0:
            self._leave_call()
        self.graph.assumptions.append(dim)
        return True

    def _leave_call(self) -> None:
        """Note that the call at hand is not one of those for which all holds that is assumed: the original runs it."""
        self.bounds.sample = lambda value: None

    def speculate(self, dim: DimLike) -> bool:
        """Whether `dim` is not negative: proved, or held by the arguments at hand and from now on assumed.

        A call where it is not so is traced anew.
        """
        dim = self.normal(dim)
        if self._is_refused(dim):
            return False
        if self.bounds.nonnegative(dim):
            return True
        for least in self.bounds.least(dim, lambda value: value in self.samples):
            if not isinstance(least, int):
                sample = least.substitute(self.samples.__getitem__)
                if isinstance(sample, int) and sample >= 0 and self._assume_within(least):
                    self.graph.assumptions.append(least)
                    return True
        if isinstance(dim, Dim) and not self.bounds.facts:
            self._refused.add(dim)
        return False

    def _is_refused(self, dim: DimLike) -> bool:
        """Whether a dim was speculated on in vain when no less was known: it is asked for again and again, turn by turn and index by index."""
        bounds, graph = self.bounds, self.graph
        known = (
            len(graph.assumptions), len(graph.equalities), len(bounds.ranges), len(bounds.sizes), len(self.samples)
        )  # fmt: skip
        if known != self._known:
            self._known = known
            self._refused.clear()
        return dim in self._refused and not bounds.facts

    def decide(self, value: Value) -> bool | None:
        """Return the truth of a comparison of dims for the arguments at hand, from now on assumed; None where it is not of arguments alone.

        A call where it is otherwise is traced anew.
        """
        op = value.op
        if op is not None and op.name == "constant":
            return bool(op.attributes["value"])
        if op is None or op.name not in _ORDERS or any(o.type != INT for o in op.operands):
            return None
        difference = self.normal(dim_of(op.operands[0]) - dim_of(op.operands[1]))
        if isinstance(difference, int):
            sample = difference
        elif all(v in self.samples for v in difference.values()):
            sample = difference.substitute(self.samples.__getitem__)  # type: ignore[assignment]
        else:
            return None
        sign = (sample > 0) - (sample < 0)
        truth = sign in _ORDERS[op.name]
        held = self.assume_equal(difference, 0) if sign == 0 else self.speculate(sign * difference - 1)
        return truth if held else None

    def sample_of(self, dim: DimLike) -> int | None:
        """Return what a dim is for the arguments at hand; None where more than integers among them decides on it."""
        found = [self._found(value) for value in values_of(dim)]
        if any(number is None for number in found):
            return None
        return substitute(dim, lambda value: self._found(value) or 0)  # type: ignore[return-value]

    def _found(self, value: Value) -> int | None:
        if value in self.samples:
            return self.samples[value]
        if value not in self._computed:
            self._computed[value] = self._compute(value)
        return self._computed[value]

    def _compute(self, value: Value) -> int | None:
        op = value.op
        if op is None or value.type != INT or any(operand.type != INT for operand in op.operands):
            return None
        operands = [self._found(operand) for operand in op.operands]
        evaluate = TABLE[op.name].evaluate
        if evaluate is None or TABLE[op.name].effect or any(operand is None for operand in operands):
            return None
        try:
            return int(evaluate(op.attributes, *operands))
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return None

    def _assume_within(self, dim: Dim) -> bool:
        """Assume of the numbers in a dim that it does not leave 64 bits; return whether that can be said."""
        if any(len(monomial) > 1 or abs(factor) > 8 for monomial, factor in dim.terms if monomial):
            return False
        for value in dim.values():
            if value not in self.bounds.sizes:
                if abs(self.samples[value]) > LARGEST_SIZE:
                    return False
                for limit in (LARGEST_SIZE - Dim.of_value(value), Dim.of_value(value) + LARGEST_SIZE):
                    if not self.bounds.nonnegative(limit):
                        self.graph.assumptions.append(limit)
        return True

    def are_unequal(self, first: DimLike, second: DimLike) -> bool:
        """Whether two dims over the function's arguments differ for those at hand."""
        difference = self.normal(first) - self.normal(second)
        if not isinstance(difference, Dim) or any(v not in self.samples for v in difference.values()):
            return False
        return substitute(difference, self.samples.__getitem__) != 0

    def assume_equal(self, first: DimLike, second: DimLike) -> bool:
        """Whether two dims are equal: known, or from now on assumed; the original runs a call where it is not so."""
        first, second = self.normal(first), self.normal(second)
        if first == second:
            return True
        difference = first - second
        if isinstance(difference, int) or not self.of_arguments(difference):
            return False
        for value in sorted(set(difference.values()), key=lambda v: -v.serial):
            factor = difference.coefficient(value)
            if factor in (1, -1):
                if self.sample_of(difference):
                    self._leave_call()
                rest = difference - factor * Dim.of_value(value)
                solution = -rest if factor == 1 else rest
                self._equal[value] = solution
                self.graph.equalities.append((value, solution))
                return True
        return False
