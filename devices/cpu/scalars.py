"""Expressions of scalars as text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.expression import Apply, Constant, Element, Expression, Gather, Position
from transpile.runtime.graph.dim import Dim, DimLike
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import BOOL, COMPLEX128, FLOAT64, INT64, DType, ScalarType
from transpile.runtime.ops.elementwise import SCALAR_OPERATORS
from transpile.runtime.ops.table import TABLE

from . import casts, errors, fast_loops, floats, halves, inner_loops, integers, mathematics, ranges
from .python_operators import python_operator
from .toolkit import types
from .writer import Writer


class Scalars:
    """Writes expressions."""

    def __init__(self, writer: Writer, fast: bool = False) -> None:
        self.writer = writer
        # Whether results within the bounds of `accuracy="fast"` will do.
        self.fast = fast

    def text(self, expression: Expression) -> str:
        """Return the text of an expression; compound parts stand in parentheses."""
        if isinstance(expression, Constant):
            return self.constant(expression.value, expression.type)
        if isinstance(expression, Variable):
            return self.variable(expression.value)
        if isinstance(expression, Position):
            return self.dim(expression.dim)
        if isinstance(expression, Element):
            return self.loaded(self.element(expression), expression.type.dtype)
        if isinstance(expression, Gather):
            return self.gather(expression)
        return self.apply(expression)

    def gather(self, expression: Gather) -> str:
        """Return the text of an element at places that are first put into variables."""
        for value, place in expression.places:
            self.writer.line(f"{self.variable(value)} = {self.text(place)}")
        return self.text(expression.element)

    def variable(self, value: Value) -> str:
        """Return the name of a scalar's variable."""
        return self.writer.name(value, value.name)

    def buffer(self, buffer: Buffer) -> str:
        """Return the name of a buffer's variable."""
        return self.writer.name(buffer, buffer.name)

    def element(self, element: Element) -> str:
        """Return the text of an element."""
        return f"{self.buffer(element.buffer)}[{', '.join(map(self.place, element.indices)) or '()'}]"

    def loaded(self, text: str, dtype: DType) -> str:
        """Return the text of a number of a dtype that lies in memory."""
        return f"{self.use(halves.from_half)}({text})" if dtype == halves.HALF else text

    def stored(self, text: str, dtype: DType) -> str:
        """Return the text of a number of a dtype as it is stored."""
        return f"{self.use(halves.to_half)}({text})" if dtype == halves.HALF else text

    def place(self, index: DimLike) -> str:
        """Return the text of an index, which is never negative: numba is told so, for LLVM to vectorise, where that does not show."""
        text = self.dim(index)
        shows = not isinstance(index, Dim) or (
            len(set(index.values())) <= 1 and all(factor >= 0 for _, factor in index.terms)
        )
        return text if shows else f"{self.use(types.uintp, 'uintp')}({text})"

    def dim(self, dim: DimLike) -> str:
        """Return the text of a dim."""
        if not isinstance(dim, Dim):
            return str(dim)
        text = ""
        # The sign of a first negative term is easier to read in the middle.
        for monomial, factor in sorted(dim.terms, key=lambda term: term[1] < 0):
            sign = (" - " if text else "-") if factor < 0 else " + " if text else ""
            parts = [str(abs(factor))] * (abs(factor) != 1 or not monomial) + [
                self.variable(value) for value in monomial
            ]
            text += sign + " * ".join(parts)
        return text

    def inner(self, expression: Expression) -> str:
        """Return the text of an expression, in parentheses where it has parts."""
        text = self.text(expression)
        simple = text.isidentifier() or (
            isinstance(expression, (Element, Constant)) and not text.startswith("-")
        )
        return text if simple or _is_call(text) else f"({text})"

    def use(self, helper: Any, name: str = "") -> str:
        """Return the name of a helper."""
        return self.writer.use(name or helper.__name__, helper)

    def dtype(self, dtype: DType) -> str:
        """Return the name of the type of elements of a dtype."""
        return self.writer.use("boolean" if dtype == BOOL else str(dtype), halves.stored(dtype))

    def constant(self, number: Any, type_: ScalarType) -> str:
        """Return the text of a number of a type."""
        dtype = type_.dtype
        if dtype == BOOL:
            return str(bool(number))
        if dtype == INT64:
            # The most negative number has no literal.
            return str(int(number)) if number != -(2**63) else f"({-(2**63) + 1} - 1)"
        if dtype == FLOAT64:
            return self.float(float(number))
        if dtype.kind in "iu":
            return f"{self.dtype(dtype)}({int(number)})"
        if dtype == halves.HALF:
            return self.constant(np.float32(dtype.type(number)), _SINGLE)
        if dtype.kind == "f":
            return f"{self.dtype(dtype)}({self.float(float(number))})"
        parts = f"{self.float(float(number.real))}, {self.float(float(number.imag))}"
        return f"{self.dtype(dtype)}({self.use(complex, 'complex_number')}({parts}))"

    def float(self, number: float) -> str:
        """Return the text of a float."""
        if math.isnan(number):
            # numba's own minus is a subtraction, which leaves the sign of NaN.
            negative = math.copysign(1.0, number) < 0
            return self.writer.use("minus_nan", -math.nan) if negative else self.writer.use("nan", math.nan)
        if math.isinf(number):
            return ("-" if number < 0 else "") + self.writer.use("inf", math.inf)
        return repr(number)

    # -- ops ---------------------------------------------------------------------------------------------------

    def apply(self, expression: Apply) -> str:
        """Return the text of an op."""
        name, operands, type_ = expression.name, expression.operands, expression.type
        special: Callable[[Scalars, Apply], str] | None = _SPECIAL.get(name)
        if special is not None:
            return special(self, expression)
        if name in ("multiply", "divide") and type_.dtype.kind == "f":
            others = [operand for operand in operands[name == "divide" :] if not _is_minus_one(operand)]
            if len(others) < (2 if name == "multiply" else 1):
                return f"{self.use(floats.turned)}({self.text([*others, operands[0]][0])})"
        if name == "subtract" and type_.dtype.kind == "f" and _is_minus_zero(operands[0]):
            return f"{self.use(floats.turned)}({self.text(operands[1])})"
        if all(operand.type.weak for operand in operands) and type_.weak:
            return python_operator(self, expression)
        inline = self.inline(expression)
        if inline is not None:
            return inline
        return self.loop(expression)

    def inline(self, expression: Apply) -> str | None:
        """Return the text of an op that the machine has; None where NumPy's inner loop must be called."""
        if expression.name in integers.SHIFTS:
            helper = self.use(integers.SHIFTS[expression.name])
            return f"{helper}({', '.join(map(self.text, expression.operands))})"
        template = _template(expression)
        if template is None:
            return None
        wrapping = integers.WRAPPING.get(expression.name)
        if wrapping is not None and expression.type.dtype == INT64:
            # Shorter integers are computed in 64 bits, and cut off.
            return f"{self.use(wrapping)}({', '.join(map(self.text, expression.operands))})"
        for function, helper in ranges.MACHINE.items():
            if template.startswith(function + "("):
                # The program may have another thing by that name.
                template = self.use(helper, function) + template.removeprefix(function)
        text = template.format(*map(self.inner, expression.operands))
        result = expression.type.dtype
        if result == halves.HALF and expression.name not in _EXACT:
            return f"{self.use(halves.rounded)}({text})"
        if result.kind in "iu" and result != INT64:
            return f"{self.dtype(result)}({text})"
        return text

    def loop(self, expression: Apply) -> str:
        """Return the text of a call of NumPy's inner loop on scalars."""
        function, outputs = scalar_loop(expression)
        arguments = ", ".join(self.stored(self.text(o), o.type.dtype) for o in expression.operands)
        text = f"{self.use(function, 'scalar' + loop_name(expression).removeprefix('np'))}({arguments})"
        text = f"{text}[{dict(expression.attributes)['output']}]" if outputs > 1 else text
        return self.loaded(text, expression.type.dtype)

    def block_loop(self, expression: Apply) -> str:
        """Return the name of the inner loop for an op on blocks."""
        ufunc, wanted, name = TABLE[expression.name].numpy, signature_of(expression), loop_name(expression)
        found = fast_loops.find(ufunc, wanted) if self.fast else None
        if found is None or not fast_loops.is_fast(found):
            return self.use(inner_loops.loop(ufunc, wanted), name)
        return self.use(inner_loops.loop_of(found), "fast" + name.removeprefix("np"))

    def cast(self, expression: Apply) -> str:
        """Return the text of a cast."""
        (operand,) = expression.operands
        source, target = operand.type.dtype, expression.type.dtype
        if source == target:
            return self.text(operand)
        if isinstance(operand, Constant):
            with np.errstate(all="ignore"):
                return self.constant(np.asarray(operand.value).astype(target)[()], expression.type)
        if target == halves.HALF:
            wide = FLOAT64 if source in (FLOAT64, COMPLEX128) else _SINGLE.dtype
            text = (
                self.text(operand)
                if source == wide
                else self.cast(Apply("cast", (operand,), ScalarType(wide)))
            )
            text = f"{self.use(halves.odd)}({text})" if wide == FLOAT64 else text
            return f"{self.use(halves.rounded)}({text})"
        if source == halves.HALF and target == _SINGLE.dtype:
            return self.text(operand)
        if source.kind in "biu" and target.kind in "iu":
            return f"{self.dtype(target)}({self.text(operand)})"
        return f"{self.use(casts.cast)}({self.text(operand)}, {self.dtype(target)})"

    def bits(self, expression: Apply) -> str:
        """Return the text of the number that the bits of another are."""
        (operand,) = expression.operands
        source, target = operand.type.dtype, expression.type.dtype
        number = self.stored(self.text(operand), source)
        number = number if source == halves.HALF else f"{self.dtype(source)}({number})"
        return self.loaded(f"{self.use(casts.bits)}({number}, {self.dtype(target)})", target)

    def select(self, expression: Apply) -> str:
        """Return the text of a choice between two numbers, both of which are computed."""
        return f"{self.use(ranges.select)}({', '.join(map(self.text, expression.operands))})"

    def scalar_operator(self, expression: Apply) -> str:
        """Return the text of a NumPy scalar's own operator."""
        name = expression.name.removeprefix("scalar_")
        dtype = expression.operands[0].type.dtype
        helper: Any = None
        if dtype.kind == "f":
            power = floats.power if dtype == FLOAT64 else floats.power_single
            helper = {
                "power": power,
                "floor_divide": floats.npy_float_floor_divide,
                "remainder": floats.npy_float_remainder,
            }[name]
            if (
                power is floats.power
                and helper is power
                and expression.operands[1] == Constant(np.float64(2.0), expression.operands[1].type)
            ):
                return f"{self.use(floats.square_power)}({self.text(expression.operands[0])})"
        elif name == "multiply":
            return "{} * {}".format(*map(self.inner, expression.operands))
        elif name in floats.COMPLEX_COMPARISONS:
            parts = [
                f"{self.inner(operand)}.{part}"
                for operand in expression.operands
                for part in ("real", "imag")
            ]
            return f"{self.use(floats.COMPLEX_COMPARISONS[name])}({', '.join(parts)})"
        elif name == "absolute":
            both = (Apply(part, expression.operands, expression.type) for part in ("real", "imaginary"))
            return self.loop(Apply("hypot", tuple(both), expression.type))
        elif dtype.kind in "iu" and name != "power":
            helper = {"floor_divide": integers.npy_floor_divide, "remainder": integers.npy_remainder}[name]
        if helper is None:
            return self.loop(Apply(name, expression.operands, expression.type))
        text = f"{self.use(helper)}({', '.join(map(self.text, expression.operands))})"
        return f"{self.use(halves.rounded)}({text})" if dtype == halves.HALF else text

    def helper_call(self, expression: Apply) -> str:
        """Return the text of an op that one helper computes."""
        helper, options = _CALLS[expression.name]
        attributes = dict(expression.attributes)
        arguments = [*map(self.text, expression.operands), *(str(attributes[option]) for option in options)]
        return f"{self.use(helper)}({', '.join(arguments)})"

    def math(self, expression: Apply) -> str:
        """Return the text of a function of Python's math module, or of whether it fails."""
        pair = mathematics.math_function(dict(expression.attributes)["function"])
        arguments = ", ".join(map(self.text, expression.operands))
        call = f"{self.use(pair, 'math_' + dict(expression.attributes)['function'])}({arguments})"
        return f"{call}[0]" if expression.name == "math" else f"{call}[1] != 0"

    def float_errors(self, expression: Apply) -> str:
        """Return the text of what finds the errors of an op."""
        operands = expression.operands
        name = dict(expression.attributes)["of"]
        helper = self.use(errors.float_errors(name, len(operands) - 1), f"errors{len(operands)}_{name}")
        return f"{helper}({', '.join(map(self.text, operands))})"

    def leaves_floats(self, expression: Apply) -> str:
        """Return the text of whether Python's power of two floats is no float."""
        return f"{self.use(floats.python_power)}({', '.join(map(self.text, expression.operands))})[1] != 0"


_SINGLE = ScalarType(np.dtype(np.float32))
# What gives a float16 of one without rounding.
_EXACT = frozenset(
    ("absolute", "fabs", "negative", "positive", "conjugate", "floor", "ceil", "trunc", "rint", "sign")
)
_EXTREMES = frozenset(("maximum", "minimum"))
_CALLS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "slice_bound": (ranges.slice_bound, ("step",)),
    "slice_length": (ranges.slice_length, ("step",)),
    "room_for": (ranges.room_for, ()),
    "leaves_int64": (ranges.leaves_int64, ()),
    "arange_length": (ranges.arange_length, ()),
    "make_complex": (complex, ()),
}
_SPECIAL: dict[str, Callable[[Scalars, Apply], str]] = {
    "cast": Scalars.cast,
    "bits": Scalars.bits,
    "select": Scalars.select,
    "float_errors": Scalars.float_errors,
    "math": Scalars.math,
    "math_fails": Scalars.math,
    "power_leaves_floats": Scalars.leaves_floats,
    **{f"scalar_{name}": Scalars.scalar_operator for name in SCALAR_OPERATORS},
    **dict.fromkeys(_CALLS, Scalars.helper_call),
}


def _is_minus_one(operand: Expression) -> bool:
    """Whether an operand is -1, converted or not."""
    if isinstance(operand, Apply) and operand.name == "cast":
        (operand,) = operand.operands
    return isinstance(operand, Constant) and bool(operand.value == -1)


def _is_minus_zero(operand: Expression) -> bool:
    """Whether an operand is -0.0."""
    return (
        isinstance(operand, Constant) and bool(operand.value == 0) and math.copysign(1.0, operand.value) < 0
    )


def signature_of(expression: Apply) -> str:
    """Return NumPy's signature for the loop of an op: "dd->d"."""
    ufunc = TABLE[expression.name].numpy
    inputs = tuple(operand.type.dtype for operand in expression.operands)
    loop = ufunc.resolve_dtypes((*inputs, *[None] * ufunc.nout))
    return "".join(d.char for d in loop[: ufunc.nin]) + "->" + "".join(d.char for d in loop[ufunc.nin :])


def scalar_loop(expression: Apply) -> tuple[Any, int]:
    """Return NumPy's inner loop for an op, on scalars, and how many results it has."""
    ufunc = TABLE[expression.name].numpy
    return inner_loops.scalar(ufunc, signature_of(expression)), ufunc.nout


def loop_name(expression: Apply) -> str:
    """Return the name of the loop of an op in the text of a kernel."""
    return f"np_{expression.name}_{signature_of(expression).replace('->', '_').replace('?', 't')}"


def _template(expression: Apply) -> str | None:
    """Return the expression that a machine has for an op, None where it has none: for int64 beside uint64 there is none."""
    first, *others = (operand.type.dtype for operand in expression.operands)
    if any(other.kind != first.kind for other in others):
        return None
    if expression.name in _EXTREMES and first.kind == "f" and not _is_known_extreme(first):
        return None
    return TABLE[expression.name].cpu.get(first.kind)


def _is_known_extreme(dtype: DType) -> bool:
    """Whether it is known which of two zeros or NaN is the larger one, to NumPy: of float16 it is another one."""
    return dtype != halves.HALF and ranges.extremes_are_known()


def is_inline(expression: Apply) -> bool:
    """Whether an op on elements is an expression of its own, not a call of NumPy's inner loop."""
    known = expression.name in _SPECIAL or expression.name in integers.SHIFTS
    if known or all(operand.type.weak for operand in expression.operands):
        return True
    return _template(expression) is not None


def _is_call(text: str) -> bool:
    """Whether a text is one call or subscript as a whole."""
    depth = 0
    head = text.split("(", 1)[0].split("[", 1)[0]
    if not head.isidentifier():
        return False
    for place, character in enumerate(text):
        depth += character in "([" or -(character in ")]")
        if depth == 0 and character in ")]" and place < len(text) - 1 and text[place + 1] not in "[(":
            return False
    return depth == 0
