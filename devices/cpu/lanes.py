"""Small functions for kernels, written over LLVM values with Python's operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .intrinsic import Intrinsic
from .symbols import c_symbol
from .toolkit import cgutils, ir, types

# Note [Lanes]
# An njit helper costs a compilation of its own in every process. These helpers are intrinsics: a Python function over
# ``Lane`` values writes a handful of LLVM instructions into the kernel, branch-free where it can, so that loops around
# it still become vector code. Nothing is contracted or reassociated. Integer operators are those of two's complement;
# ``/`` and ``%`` on integers are not offered because LLVM leaves their edge cases undefined.

Formula = Callable[..., Any]


class Lane:
    """One LLVM number of a fixed type; Python numbers among the operands become constants of that type."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, builder: Any, value: Any, signed: bool = True) -> None:
        self.builder, self.value, self.signed = builder, value, signed

    @property
    def type(self) -> Any:
        return self.value.type

    @property
    def single(self) -> Any:
        """The type of one number: lanes may be vectors."""
        return self.type.element if isinstance(self.type, ir.VectorType) else self.type

    @property
    def is_float(self) -> bool:
        return isinstance(self.single, (ir.FloatType, ir.DoubleType))

    @property
    def is_double(self) -> bool:
        return isinstance(self.single, ir.DoubleType)

    def shaped(self, type_: Any) -> Any:
        """A type, or vectors of it where this lane is one."""
        return ir.VectorType(type_, self.type.count) if isinstance(self.type, ir.VectorType) else type_

    def like(self, value: Any) -> Lane:
        """A lane of the same signedness around an LLVM value."""
        return Lane(self.builder, value, self.signed)

    def constant(self, number: float) -> Lane:
        """A constant of this lane's type."""
        return self.like(ir.Constant(self.type, float(number) if self.is_float else int(number)))

    def _other(self, other: Any) -> Any:
        return other.value if isinstance(other, Lane) else self.constant(other).value

    def _apply(self, name: str, other: Any, reverse: bool = False) -> Lane:
        method = getattr(self.builder, ("f" if self.is_float else "") + name)
        operands = (self._other(other), self.value) if reverse else (self.value, self._other(other))
        return self.like(method(*operands))

    def __add__(self, other: Any) -> Lane:
        return self._apply("add", other)

    def __radd__(self, other: Any) -> Lane:
        return self._apply("add", other, reverse=True)

    def __sub__(self, other: Any) -> Lane:
        return self._apply("sub", other)

    def __rsub__(self, other: Any) -> Lane:
        return self._apply("sub", other, reverse=True)

    def __mul__(self, other: Any) -> Lane:
        return self._apply("mul", other)

    def __rmul__(self, other: Any) -> Lane:
        return self._apply("mul", other, reverse=True)

    def __truediv__(self, other: Any) -> Lane:
        return self.like(self.builder.fdiv(self.value, self._other(other)))

    def __neg__(self) -> Lane:
        return self.like(self.builder.fneg(self.value)) if self.is_float else self.constant(0) - self

    def __invert__(self) -> Lane:
        return self.like(self.builder.not_(self.value))

    def __and__(self, other: Any) -> Lane:
        return self.like(self.builder.and_(self.value, self._other(other)))

    def __or__(self, other: Any) -> Lane:
        return self.like(self.builder.or_(self.value, self._other(other)))

    def __xor__(self, other: Any) -> Lane:
        return self.like(self.builder.xor(self.value, self._other(other)))

    def __lshift__(self, other: Any) -> Lane:
        return self.like(self.builder.shl(self.value, self._other(other)))

    def __rshift__(self, other: Any) -> Lane:
        shift = self.builder.ashr if self.signed else self.builder.lshr
        return self.like(shift(self.value, self._other(other)))

    def _compare(self, operator: str, other: Any) -> Lane:
        if self.is_float:
            compare = self.builder.fcmp_unordered if operator == "!=" else self.builder.fcmp_ordered
        else:
            compare = self.builder.icmp_signed if self.signed else self.builder.icmp_unsigned
        return Lane(self.builder, compare(operator, self.value, self._other(other)))

    def __lt__(self, other: Any) -> Lane:
        return self._compare("<", other)

    def __le__(self, other: Any) -> Lane:
        return self._compare("<=", other)

    def __gt__(self, other: Any) -> Lane:
        return self._compare(">", other)

    def __ge__(self, other: Any) -> Lane:
        return self._compare(">=", other)

    def __eq__(self, other: Any) -> Lane:  # type: ignore[override]
        return self._compare("==", other)

    def __ne__(self, other: Any) -> Lane:  # type: ignore[override]
        return self._compare("!=", other)

    def where(self, then: Lane, otherwise: Any) -> Lane:
        """``then`` where this truth value holds, else ``otherwise``; both are evaluated."""
        return then.like(self.builder.select(self.value, then.value, then._other(otherwise)))

    def bits(self) -> Lane:
        """A float's bits as an unsigned integer, or an integer's as the float of its width."""
        width = 64 if self.is_double else 32
        target = (
            ir.IntType(width)
            if self.is_float
            else {64: ir.DoubleType(), 32: ir.FloatType()}[self.single.width]
        )
        return Lane(self.builder, self.builder.bitcast(self.value, self.shaped(target)), signed=False)

    def unsigned(self) -> Lane:
        """The same bits, compared and shifted as unsigned."""
        return Lane(self.builder, self.value, signed=False)

    def to_int(self, width: int, signed: bool = True) -> Lane:
        """An integer of another width: truncated, or extended by its sign where it has one."""
        target = ir.IntType(width)
        if self.type.width >= width:
            value = self.builder.trunc(self.value, target) if self.type.width > width else self.value
        else:
            extend = self.builder.sext if self.signed and self.type.width > 1 else self.builder.zext
            value = extend(self.value, target)
        return Lane(self.builder, value, signed)

    def truncated(self, width: int, signed: bool = True) -> Lane:
        """A float towards zero; undefined where the integer type does not hold it."""
        convert = self.builder.fptosi if signed else self.builder.fptoui
        return Lane(self.builder, convert(self.value, ir.IntType(width)), signed)

    def to_float(self, single: bool = False) -> Lane:
        """The nearest double, or float, ties to even."""
        target = self.shaped(ir.FloatType() if single else ir.DoubleType())
        if not self.is_float:
            convert = self.builder.sitofp if self.signed and self.single.width > 1 else self.builder.uitofp
        elif self.type == target:
            return self
        else:
            convert = self.builder.fptrunc if single else self.builder.fpext
        return Lane(self.builder, convert(self.value, target))

    def intrinsic(self, name: str, *others: Any) -> Lane:
        """The LLVM intrinsic ``name`` of this lane and ``others`` of its type."""
        kind = ir.FunctionType(self.type, [self.type] * (1 + len(others)))
        if isinstance(self.type, ir.VectorType):
            whole = f"{name}.v{self.type.count}{self.single.intrinsic_name}"
            function = cgutils.get_or_insert_function(self.builder.module, kind, whole)
        else:
            function = self.builder.module.declare_intrinsic(name, [self.type], kind)
        return self.like(self.builder.call(function, [self.value, *(self._other(o) for o in others)]))

    def leading_zeros(self) -> Lane:
        return self.like(self.builder.ctlz(self.value, ir.Constant(ir.IntType(1), 0)))

    def overflowing(self, operation: str, other: Any) -> tuple[Lane, Lane]:
        """Result and overflow of ``add``, ``sub`` or ``mul`` in this lane's signedness."""
        kind = "s" if self.signed else "u"
        pair = getattr(self.builder, f"{kind}{operation}_with_overflow")(self.value, self._other(other))
        return self.like(self.builder.extract_value(pair, 0)), self.like(self.builder.extract_value(pair, 1))

    def call(self, name: str, *others: Any) -> Lane:
        """A function of the C library from lanes of this type to one of them, which LLVM must not know."""
        kind = ir.FunctionType(self.type, [self.type] * (1 + len(others)))
        function = cgutils.get_or_insert_function(self.builder.module, kind, c_symbol(name))
        return self.like(self.builder.call(function, [self.value, *(self._other(o) for o in others)]))

    def is_nan(self) -> Lane:
        return self != self

    def is_finite(self) -> Lane:
        return self.magnitude() < float("inf")

    def magnitude(self) -> Lane:
        return self.intrinsic("llvm.fabs")

    def copysign(self, sign: Any) -> Lane:
        return self.intrinsic("llvm.copysign", sign)

    def branch(self, likely: Callable[[], Lane], unlikely: Callable[[], Lane]) -> Lane:
        """``likely()`` where this truth value holds, else ``unlikely()``; only one is evaluated."""
        builder = self.builder
        with builder.if_else(self.value, likely=True) as (if_true, if_false):
            with if_true:
                first = likely()
                first_block = builder.block
            with if_false:
                second = unlikely()
                second_block = builder.block
        phi = builder.phi(first.type)
        phi.add_incoming(first.value, first_block)
        phi.add_incoming(second.value, second_block)
        return first.like(phi)


def value_lane(builder: Any, numba_type: Any, value: Any) -> Lane:
    """The lane of a numba scalar."""
    return Lane(builder, value, getattr(numba_type, "signed", numba_type is not types.boolean))


def helper(declaration: str) -> Callable[[Formula], Any]:
    """Make a formula over lanes a function for kernels, typed as ``"int64, int64 -> int64, boolean"``.

    Arguments are converted to their types as numba does; those said to be ``same`` must be of one type, and several
    results are a tuple.
    """
    left, right = ([name.strip() for name in part.split(",")] for part in declaration.split("->"))

    def make(formula: Formula) -> Any:
        def define(typing_context: Any, *arguments: Any) -> Any:
            if not all(isinstance(a, (types.Number, types.Boolean)) for a in arguments):
                return None
            same = {types.unliteral(a) for a, name in zip(arguments, left) if name == "same"}
            if len(same) > 1:
                return None
            known = {"same": next(iter(same), None)}
            inputs, outputs = (
                [known.get(name) or getattr(types, name) for name in names] for names in (left, right)
            )
            result = outputs[0] if len(outputs) == 1 else types.Tuple(outputs)

            def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
                found = formula(*(value_lane(builder, t, v) for t, v in zip(inputs, values)))
                if len(outputs) == 1:
                    return found.value
                return context.make_tuple(builder, result, [lane.value for lane in found])

            return result(*inputs), generate

        code = formula.__code__
        parameters = code.co_varnames[: code.co_argcount]
        return named_intrinsic(formula.__name__, define, parameters, formula.__doc__)

    return make


def named_intrinsic(
    name: str, define: Callable[..., Any], parameters: Sequence[str], doc: str | None = None
) -> Any:
    """The intrinsic ``define``, which takes exactly ``parameters``."""
    return Intrinsic(define, name, parameters, doc)
