"""Applies laws that hold to the bit.

Before:
    graph known:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        steps: int = scalar('steps')
        t0: int = 0
        t1: int = 1
        t2: float = 1.0
        t3: bool = True
        s_2: float, k_1: int = for i in range(t0, steps, t1) with s = t2, k = n:
            t4: float = multiply(s, t2)
            t5: float = if t3:
                t6: float = add(t4, t4)
                yield t6
            else:
                yield t4
            yield t5, k
        t7: int = subtract(k_1, t0)
        return s_2, t7
After:
    graph known:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        steps: int = scalar('steps')
        t0: int = 0
        t1: int = 1
        t2: float = 1.0
        t3: bool = True
        s_2: float = for i in range(t0, steps, t1) with s = t2:
            t6: float = add(s, s)
            yield t6
        return s_2, n

A law that does not hold for NaN, infinities and -0.0 is none: `x + 0.0` is 0.0 for -0.0, and `x - x` is NaN for an infinity. A law gives a value of the op's very type, and
does not put one array in the place of another that is updated or returned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.graph.bounds import dim_of
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import BOOL, FLOAT64, INT, INT64, PYBOOL, ArrayType, ScalarType, element
from transpile.runtime.ops.elementwise import COMPARISONS
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .dce import keep_results
from .hazards import is_harmless
from .rewriter import Rewriter
from .sharing import Sharing

# A law gives the value that an op's result is, or None.
Law = Callable[["Simplifier", Op], Value | None]

# A polynomial with more terms is not worked out.
_TERMS = 8
# A branch with more ops stays one.
_BRANCH = 4


def simplify(graph: Graph) -> Graph:
    """Apply the laws once, in program order, in place, and return the graph."""
    return Simplifier(graph).run()


class Simplifier(Rewriter):
    """Applies laws in program order."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.sharing = Sharing(graph)
        self._dims: dict[Value, DimLike] = {}
        # How often something may have been written by now, and when each view was taken.
        self.writes = 0
        self.taken: dict[Value, int] = {}

    # -- what is known -----------------------------------------------------------------------------------------

    def dim(self, value: Value) -> DimLike:
        """Return the polynomial that a Python integer is."""
        if value not in self._dims:
            op = value.op
            if op is None or op.name not in _POLYNOMIALS or not all(o.type == INT for o in op.operands):
                self._dims[value] = (
                    dim_of(value) if op is not None and op.name == "constant" else Dim.of_value(value)
                )
            else:
                found = _POLYNOMIALS[op.name](*map(self.dim, op.operands))
                long = isinstance(found, Dim) and len(found.terms) > _TERMS
                self._dims[value] = Dim.of_value(value) if long else found
        return self._dims[value]

    def fresh(self, value: Value) -> bool:
        """Whether nothing was written since a view was taken: its base is what it was."""
        return self.taken.get(value) == self.writes

    # -- walking -----------------------------------------------------------------------------------------------

    def enter_region(self, region: Block) -> None:
        self.writes += 1

    def leave_region(self, region: Block) -> None:
        self.writes += 1

    def visit(self, op: Op) -> bool:
        if op.name in ("view", "reshape"):
            self.taken[op.result] = self.writes
        elif TABLE[op.name].writes is not None:
            self.writes += 1
        elif op.name == "cond":
            return not self.take_branch(op)
        elif op.name in ("for_loop", "while_loop"):
            self.capture_invariants(op)
            return not self.skip_loop(op)
        elif op.name in ("raise_if", "deoptimise_if"):
            return number(op.operands[0]) is None or bool(number(op.operands[0]))
        for law in LAWS.get(op.name, ()):
            new = law(self, op)
            if new is not None and self.fits(op.result, new):
                self.replace(op.result, new)
                return False
        return True

    def fits(self, old: Value, new: Value) -> bool:
        """Whether a value can stand for another one."""
        if old.type != new.type or not self.can_replace(old, new):
            return False
        if not isinstance(old.type, ArrayType):
            return True
        return not self.sharing.is_owned(old) and not self.sharing.is_owned(new)

    # -- branches and loops ------------------------------------------------------------------------------------

    def take_branch(self, op: Op) -> bool:
        """Put the region of a branch whose test is known in its place; return whether that was possible."""
        test = number(op.operands[0])
        if test is None:
            return False
        region = op.regions[0 if test else 1]
        if region.results is None:
            return False
        if not all(self.can_replace(old, new) for old, new in zip(op.results, region.results, strict=True)):
            return False
        for inner in list(region.ops):
            self.rewrite(inner)
        for old, new in zip(op.results, region.results, strict=True):
            self.replace(old, self.value(new))
        return True

    def skip_loop(self, op: Op) -> bool:
        """Leave out a loop that never turns; return whether it is one."""
        if op.name == "while_loop":
            return False
        start, stop, step = map(self.dim, op.operands[:3])
        if not isinstance(step, int) or not step:
            return False
        left = stop - start if step > 0 else start - stop
        initial = op.operands[3:]
        if not isinstance(left, int) or left > 0 or not all(map(self.can_replace, op.results, initial)):
            return False
        for result, value in zip(op.results, initial, strict=True):
            self.replace(result, value)
        return True

    def capture_invariants(self, op: Op) -> None:
        """Have a loop see from outside what it carries but never changes."""
        count = len(op.results)
        arguments = op.regions[0].arguments[len(op.regions[0].arguments) - count :]
        kept: list[int] = []
        for place, (argument, result) in enumerate(zip(arguments, op.results, strict=True)):
            initial = op.operands[len(op.operands) - count + place]
            after = [region.results[place - count] for region in op.regions if region.results is not None]
            held = all(value is argument for value in after) and place != op.attributes["until"]
            # A size goes before the arrays that have it: the types agree once it is replaced.
            held = held and self.type_of(argument) == initial.type
            if held and self.can_replace(argument, initial) and self.can_replace(result, initial):
                self.replace(argument, initial)
                self.replace(result, initial)
            else:
                kept.append(place)
        keep_results(op, kept)

    def leave(self, op: Op) -> None:
        if op.name != "cond":
            return
        ways = [region.results for region in op.regions if region.results is not None]
        for place, result in enumerate(op.results):
            first = ways[0][place]
            if all(way[place] is first for way in ways) and first.block not in op.regions:
                if self.type_of(result) == first.type and self.can_replace(result, first):
                    self.replace(result, first)
            elif len(ways) == 2 and equal_constants(first, ways[1][place]):
                self._replace_after(op, result, first)
        if len(ways) == 2:
            self.choose(op)

    def _replace_after(self, op: Op, result: Value, known: Value) -> None:
        assert known.op is not None
        constant = self.constant(op, known.op.attributes["value"], known.type)
        if self.can_replace(result, constant):
            self.replace(result, constant)
        else:
            self._ops.pop()

    def choose(self, op: Op) -> None:
        """Turn a branch that only chooses among scalars, each of which can be computed in any case, into selects."""
        inner = [o for region in op.regions for o in region.ops]
        few = len([o for o in inner if o.name != "constant"]) <= _BRANCH
        if not few or not all(map(is_harmless, inner)):
            return
        if not all(isinstance(result.type, ScalarType) for result in op.results):
            return
        (test,) = op.operands
        place = next(p for p in range(len(self._ops) - 1, -1, -1) if self._ops[p] is op)
        after = self._ops[place + 1 :]
        del self._ops[place:]
        for moved in inner:
            moved.block = self._block
            self._ops.append(moved)
        first, second = (region.results or () for region in op.regions)
        for result, a, b in zip(op.results, first, second, strict=True):
            if result not in self._replaced:
                chosen = self.emit(op, "select", (test, a, b), result.type)
                chosen.name = result.name
                self.replace(result, chosen)
        self._ops += after
        self.changed = True


def number(value: Value) -> Any:
    """Return the number that a constant is, None for any other value."""
    return value.op.attributes["value"] if value.op is not None and value.op.name == "constant" else None


def equal_constants(first: Value, second: Value) -> bool:
    """Whether two values are constants of the same type and bits."""
    one, other = number(first), number(second)
    if one is None or other is None or first.type != second.type or type(one) is not type(other):
        return False
    return np.asarray(one).tobytes() == np.asarray(other).tobytes() and np.asarray(one).dtype != object


# -- laws ------------------------------------------------------------------------------------------------------


def polynomial(pass_: Simplifier, op: Op) -> Value | None:
    """n + 1 - 1 -> n    n - n -> 0    n * 1 -> n    (Python's integers)."""
    if op.result.type != INT:
        return None
    known = pass_.dim(op.result)
    if isinstance(known, Dim):
        ((values, factor), *rest) = known.terms
        return (
            values[0]
            if not rest and len(values) == 1 and factor == 1 and values[0] is not op.result
            else None
        )
    if op.result in pass_.sizes or not -(2**63) <= known < 2**63:
        return None
    return pass_.constant(op, known, INT)


def neutral(right: float, either: bool = False, kinds: str = "iu", negative: bool = False) -> Law:
    """x op right -> x, and right op x -> x if `either`, for dtypes of the `kinds`; a zero must have the sign that `negative` says."""

    def is_it(value: Value) -> bool:
        known = number(value)
        if known is None or known != right or element(value.type).kind == "c":
            return False
        return math.copysign(1.0, known) == (-1.0 if negative else 1.0)

    def law(pass_: Simplifier, op: Op) -> Value | None:
        a, b = op.operands
        if element(op.result.type).kind not in kinds:
            return None
        return a if is_it(b) else b if either and is_it(a) else None

    return law


def idempotent(pass_: Simplifier, op: Op) -> Value | None:
    """x op x -> x."""
    return op.operands[0] if op.operands[0] is op.operands[1] else None


def double_negation(pass_: Simplifier, op: Op) -> Value | None:
    """not not x -> x."""
    made = op.operands[0].op
    return (
        made.operands[0]
        if made is not None and made.name == op.name and op.result.type == ScalarType(BOOL)
        else None
    )


def cast_back(pass_: Simplifier, op: Op) -> Value | None:
    """cast(x) -> x for x's own type    cast(cast(x)) -> x where the way there keeps all numbers."""
    (operand,) = op.operands
    if operand.type == op.result.type:
        return operand
    made = operand.op
    if made is None or made.name != "cast":
        return None
    if isinstance(operand.type, ArrayType):
        # Another user of an array has it stored, which costs more than the cast.
        return None
    there, source = element(operand.type), element(made.operands[0].type)
    keeps = np.can_cast(source, there) and (source.kind == there.kind or source.kind == "b")
    return made.operands[0] if keeps else None


def python_comparison(pass_: Simplifier, op: Op) -> Value | None:
    """bool(float64(a) < float64(b)) -> a < b for Python's numbers, which compare as NumPy's do if both are of one kind."""
    made = op.operands[0].op
    if made is None or made.name not in COMPARISONS or op.result.type != PYBOOL:
        return None
    numbers = [python_number(pass_, op, operand) for operand in made.operands]
    if any(found is None for found in numbers) or element(made.operands[0].type) != element(
        made.operands[1].type
    ):
        return None
    return pass_.emit(op, made.name, [found for found in numbers if found is not None], PYBOOL)


def python_number(pass_: Simplifier, op: Op, value: Value) -> Value | None:
    """Return the Python number that a NumPy scalar was made of."""
    made, type_ = value.op, value.type
    if made is None or not isinstance(type_, ScalarType) or type_.weak or type_.dtype not in (INT64, FLOAT64):
        return None
    own = ScalarType(type_.dtype, True)
    if made.name == "cast" and made.operands[0].type == own:
        return made.operands[0]
    return pass_.constant(op, own.python(number(value)), own) if made.name == "constant" else None


def selected(pass_: Simplifier, op: Op) -> Value | None:
    """select(t, x, x) -> x    select(True, x, y) -> x    select(t, True, False) -> t."""
    test, a, b = op.operands
    known = number(test)
    if known is not None:
        return a if known else b
    if a is b or equal_constants(a, b):
        return a
    if element(op.result.type) == BOOL and number(a) is not None and number(b) is not None:
        return test if number(a) else None
    return None


def compared_choice(pass_: Simplifier, op: Op) -> Value | None:
    """select(t, 0, 1) == 0 -> t    select(t, 0, 1) == 1 -> t == False    (Python's integers)."""
    choice, known = op.operands
    made = choice.op
    if made is None or made.name != "select" or made.operands[0].type != PYBOOL or number(known) is None:
        return None
    test, a, b = made.operands
    if choice.type != INT or known.type != INT or number(a) is None or number(b) is None:
        return None
    first, second = number(a) == number(known), number(b) == number(known)
    if op.name == "not_equal":
        first, second = not first, not second
    if first == second:
        return pass_.constant(op, first, PYBOOL)
    return test if first else pass_.emit(op, "equal", (test, pass_.constant(op, False, PYBOOL)), PYBOOL)


def compared_truth(pass_: Simplifier, op: Op) -> Value | None:
    """t == True -> t    t != False -> t    (truths)."""
    a, b = op.operands
    wanted = op.name == "equal"
    truths = element(a.type) == BOOL and element(b.type) == BOOL
    return a if truths and number(b) is not None and bool(number(b)) == wanted else None


def written_element(pass_: Simplifier, op: Op) -> Value | None:
    """update(x[i], v)[i] -> v    fill(v)[i] -> v."""
    made = op.operands[0].op
    if made is None:
        return None
    if made.name == "fill":
        return made.operands[0]
    return (
        made.operands[1]
        if made.name == "update" and made.attributes["view"] == op.attributes["view"]
        else None
    )


def view_of_view(pass_: Simplifier, op: Op) -> Value | None:
    """x[1:][2:] -> x[3:]    x[:] -> x."""
    (base,) = op.operands
    view = op.attributes["view"]
    if view.is_identity:
        return base
    made = base.op
    if made is None or made.name != "view" or not pass_.fresh(base):
        return None
    if made.operands[0].op is not None and TABLE[made.operands[0].op.name].family == "elementwise":
        # It may be computed where this one user wants it: for two users it is stored.
        return None
    whole: View = made.attributes["view"].then(view)
    source, type_ = made.operands[0].type, op.result.type
    assert isinstance(source, ArrayType) and isinstance(type_, ArrayType)
    if whole.order(source.axes) == type_.axes:
        op.operands = made.operands
        op.attributes["view"] = whole
        pass_.changed = True
    return None


def reshape_of_reshape(pass_: Simplifier, op: Op) -> Value | None:
    """reshape(reshape(x)) -> reshape(x)    reshape(x) -> x for x's own dims in C order."""
    made = op.operands[0].op
    if made is not None and made.name == "reshape" and pass_.fresh(made.result):
        op.operands = made.operands
        pass_.changed = True
    return op.operands[0]


def _add(a: DimLike, b: DimLike) -> DimLike:
    return a + b


def _subtract(a: DimLike, b: DimLike) -> DimLike:
    return a - b


def _multiply(a: DimLike, b: DimLike) -> DimLike:
    return a * b


def _negative(a: DimLike) -> DimLike:
    return -a


_POLYNOMIALS: dict[str, Callable[..., DimLike]] = {
    "add": _add,
    "subtract": _subtract,
    "multiply": _multiply,
    "negative": _negative,
}

LAWS: dict[str, Sequence[Law]] = {
    # x + -0.0 -> x    x - 0.0 -> x    x * 1.0 -> x    x / 1.0 -> x
    "add": (polynomial, neutral(0, either=True), neutral(0.0, either=True, kinds="f", negative=True)),
    "subtract": (polynomial, neutral(0, kinds="iuf")),
    "multiply": (polynomial, neutral(1, either=True, kinds="iuf")),
    "divide": (neutral(1, kinds="f"),),
    "floor_divide": (neutral(1),),
    "negative": (polynomial,),
    "bitwise_or": (neutral(0, either=True, kinds="biu"), idempotent),
    "bitwise_xor": (neutral(0, either=True, kinds="biu"),),
    "bitwise_and": (neutral(True, either=True, kinds="b"), idempotent),
    "left_shift": (neutral(0),),
    "right_shift": (neutral(0),),
    "maximum": (idempotent,),
    "minimum": (idempotent,),
    "logical_not": (double_negation,),
    "cast": (cast_back, python_comparison),
    "select": (selected,),
    "equal": (compared_choice, compared_truth),
    "not_equal": (compared_choice, compared_truth),
    "load": (written_element,),
    "view": (view_of_view,),
    "reshape": (reshape_of_reshape,),
}
