"""Numbers that functions of Python's written in C give: kernels call these, where they need not fail."""

from __future__ import annotations

import ctypes
import operator
import platform
import sys
import types as python_types
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.program import Upcall
from transpile.runtime.graph.types import COMPLEX128, FLOAT64, INT64

from . import c_code, symbols
from .flags import keep_flags
from .lanes import named_intrinsic
from .python_symbols import FUNCTIONS
from .scalars import Scalars
from .toolkit import cgutils, ir, types
from .writer import Writer

# Note [Numbers of Python's functions]
# What a function of Python's makes of numbers, and what no other library makes of them bit for bit, is asked of that function. An upcall takes ten times
# as long as the function itself. So a kernel makes Python's numbers of its own, calls the function and takes its number out again. Where that fails, or gives
# something else, the upcall follows after all: a function of numbers may be called twice, and the second time its exception is raised.
#
# Powers of complex numbers are those of the interpreter's own function on two pairs of doubles, which needs no numbers of Python's, nor the interpreter's lock. It is asked where Python asks it,
# and may not have failed: of exponents that are no small integers, bases that are not 0, and with results that are finite.

_INT32, _INT64, _DOUBLE = ir.IntType(32), ir.IntType(64), ir.DoubleType()
_OBJECT = ir.IntType(8).as_pointer()

_NAMES = {function: name for name, function in FUNCTIONS.items()}
# Of a dtype: Python's class, what makes a number, and what takes one out.
_KINDS = {FLOAT64: "float", INT64: "int", COMPLEX128: "complex"}


class _Code:
    """Writes calls of Python's C interface."""

    def __init__(self, builder: Any) -> None:
        self.builder = builder

    def call(self, name: str, result: Any, *arguments: Any) -> Any:
        """Call a function of the interface."""
        kind = ir.FunctionType(result, [argument.type for argument in arguments])
        function = cgutils.get_or_insert_function(self.builder.module, kind, _bound(f"transpile_py_{name}"))
        return self.builder.call(function, arguments)

    def object(self, symbol: str) -> Any:
        """Return the address of an object."""
        name = _bound(f"transpile_{symbol}")
        known = self.builder.module.globals.get(name)
        if known is None:
            known = ir.GlobalVariable(self.builder.module, ir.IntType(8), name)
        return known

    def number(self, kind: Any, value: Any) -> Any:
        """Make a number of Python's."""
        if kind == types.float64:
            return self.call("PyFloat_FromDouble", _OBJECT, value)
        if kind == types.int64:
            return self.call("PyLong_FromLongLong", _OBJECT, value)
        parts = [self.builder.extract_value(value, place) for place in (0, 1)]
        return self.call("PyComplex_FromDoubles", _OBJECT, *parts)

    def taken(self, kind: Any, made: Any) -> tuple[Any, Any]:
        """Return the number that one of Python's is, and whether it is none after all."""
        builder = self.builder
        fits = ir.Constant(ir.IntType(1), 0)
        if kind == types.float64:
            return self.call("PyFloat_AsDouble", _DOUBLE, made), fits
        if kind == types.int64:
            over = cgutils.alloca_once(builder, _INT32)
            value = self.call("PyLong_AsLongLongAndOverflow", _INT64, made, over)
            return value, builder.icmp_signed("!=", builder.load(over), ir.Constant(_INT32, 0))
        value = ir.Constant(ir.LiteralStructType([_DOUBLE, _DOUBLE]), ir.Undefined)
        for place, part in enumerate(("Real", "Imag")):
            value = builder.insert_value(value, self.call(f"PyComplex_{part}AsDouble", _DOUBLE, made), place)
        return value, fits


def _bound(symbol: str) -> str:
    symbols.register([symbol])
    return symbol


def _calling(name: str, dtype: Any) -> Callable[..., Any]:
    """Return what defines the call of a function that gives a number of a dtype."""
    result = {FLOAT64: types.float64, INT64: types.int64, COMPLEX128: types.complex128}[dtype]

    def define(typing_context: Any, *arguments: Any) -> Any:
        kinds = [types.unliteral(argument) for argument in arguments]

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            code = _Code(builder)
            zero = ir.Constant(context.get_value_type(result), None)
            found = cgutils.alloca_once_value(builder, zero)
            failed = cgutils.alloca_once_value(builder, ir.Constant(ir.IntType(1), 1))
            room = cgutils.alloca_once(builder, ir.ArrayType(_OBJECT, len(kinds)))
            first = builder.bitcast(room, _OBJECT.as_pointer())
            null = ir.Constant(_OBJECT, None)

            def call() -> None:
                state = code.call("PyGILState_Ensure", _INT32)
                made = [code.number(kind, value) for kind, value in zip(kinds, values, strict=True)]
                there = ir.Constant(ir.IntType(1), 1)
                for place, number in enumerate(made):
                    builder.store(number, builder.gep(first, [ir.Constant(_INT64, place)]))
                    there = builder.and_(there, builder.icmp_unsigned("!=", number, null))
                with builder.if_then(there, likely=True):
                    count = ir.Constant(_INT64, len(kinds))
                    function = code.object(f"builtin_{name}")
                    given = code.call("PyObject_Vectorcall", _OBJECT, function, first, count, null)
                    with builder.if_then(builder.icmp_unsigned("!=", given, null), likely=True):
                        place = builder.gep(given, [ir.Constant(_INT64, c_code.TYPE)])
                        class_ = builder.load(builder.bitcast(place, _OBJECT.as_pointer()))
                        is_one = builder.icmp_unsigned("==", class_, code.object(f"class_{_KINDS[dtype]}"))
                        with builder.if_then(is_one, likely=True):
                            number, unfit = code.taken(result, given)
                            builder.store(number, found)
                            builder.store(unfit, failed)
                        code.call("Py_DecRef", ir.VoidType(), given)
                for number in made:
                    code.call("Py_DecRef", ir.VoidType(), number)
                with builder.if_then(builder.load(failed), likely=False):
                    code.call("PyErr_Clear", ir.VoidType())
                code.call("PyGILState_Release", ir.VoidType(), state)

            keep_flags(builder, call)
            pair = types.Tuple([result, types.boolean])
            return context.make_tuple(builder, pair, [builder.load(found), builder.load(failed)])

        return types.Tuple([result, types.boolean])(*kinds), generate

    return define


# What the interpreter raises a complex number to a power with, if it says so; how complex numbers are handed over is known of these machines.
_POWER = "_Py_c_pow"
_MACHINES = frozenset(("x86_64", "AMD64", "aarch64", "arm64"))
# Up to it integers are exponents for which Python multiplies.
_SMALL = 100.0


@cache
def _has_powers() -> bool:
    known = platform.machine() in _MACHINES and sys.platform != "win32" and hasattr(ctypes.pythonapi, _POWER)
    return known and sys.implementation.name == "cpython"


def _define_power(typing_context: Any, base: Any, exponent: Any) -> Any:
    kind = types.complex128

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        parts = [builder.extract_value(value, place) for value in values for place in (0, 1)]
        code, whole = _Code(builder), ir.LiteralStructType([_DOUBLE, _DOUBLE])
        zero = ir.Constant(_DOUBLE, 0.0)
        found = cgutils.alloca_once_value(builder, ir.Constant(whole, None))
        failed = cgutils.alloca_once_value(builder, ir.Constant(ir.IntType(1), 1))
        real, imaginary = parts[2:]
        large = builder.fcmp_unordered(
            ">", _intrinsic(builder, "llvm.fabs", real), ir.Constant(_DOUBLE, _SMALL)
        )
        broken = builder.fcmp_unordered("!=", real, _intrinsic(builder, "llvm.floor", real))
        is_other = builder.or_(builder.or_(large, broken), builder.fcmp_unordered("!=", imaginary, zero))
        is_base = builder.or_(
            builder.fcmp_unordered("!=", parts[0], zero), builder.fcmp_unordered("!=", parts[1], zero)
        )
        with builder.if_then(builder.and_(is_other, is_base), likely=True):
            power = keep_flags(builder, lambda: code.call(_POWER, whole, *parts))
            builder.store(power, found)
            most = ir.Constant(_DOUBLE, sys.float_info.max)
            finite = [
                builder.fcmp_ordered(
                    "<=", _intrinsic(builder, "llvm.fabs", builder.extract_value(power, place)), most
                )
                for place in (0, 1)
            ]
            builder.store(builder.not_(builder.and_(*finite)), failed)
        pair = types.Tuple([kind, types.boolean])
        return context.make_tuple(builder, pair, [builder.load(found), builder.load(failed)])

    return types.Tuple([kind, types.boolean])(kind, kind), generate


def _intrinsic(builder: Any, name: str, value: Any) -> Any:
    kind = ir.FunctionType(_DOUBLE, [_DOUBLE])
    return builder.call(builder.module.declare_intrinsic(name, [_DOUBLE], kind), [value])


complex_power = named_intrinsic(
    "complex_power",
    _define_power,
    ["base", "exponent"],
    "``complex_power(z, w)``: ``z ** w`` as Python computes it, and whether that is left to Python.",
)


@cache
def _callers(function: Any, dtype: Any, count: int) -> list[tuple[str, Any]]:
    """Return functions of kernels, with their names, that give the number a function of Python's makes of so many others, and whether they failed: the first that does not has it."""
    if function is operator.pow and dtype == COMPLEX128:
        return [*[("complex_power", complex_power)] * _has_powers(), *_callers(pow, dtype, count)]
    name = _NAMES.get(function)
    if name is None or dtype not in _KINDS:
        return []
    called = f"python_{name}_{count}"
    parameters = [f"x{place}" for place in range(count)]
    doc = f"``{called}``: what {name} gives, and whether it gives something else."
    return [(called, named_intrinsic(called, _calling(name, dtype), parameters, doc))]


class Numbers:
    """Prints calls of Python's functions of numbers; see Note [Numbers of Python's functions]."""

    def __init__(self, writer: Writer, scalars: Scalars) -> None:
        self.writer, self.scalars = writer, scalars

    @contextmanager
    def or_else(self, statement: Upcall) -> Iterator[None]:
        """Print a call, and what is printed meanwhile as what is done where it fails."""
        with ExitStack() as stack:
            for name, function in _functions(statement):
                failed = self.writer.new("failed")
                given = ", ".join(map(self.scalars.text, statement.site.operands))  # type: ignore[arg-type]
                found = f"{self.scalars.variable(statement.result)}, {failed}"  # type: ignore[arg-type]
                self.writer.line(f"{found} = {self.writer.use(name, function)}({given})")
                stack.enter_context(self.writer.block(f"if {failed}:"))
            yield


def _functions(statement: Upcall) -> list[tuple[str, Any]]:
    """Return what gives the number that is asked of Python, where it is one function of numbers of Python's."""
    function, result, operands = statement.function, statement.result, statement.site.operands
    if not isinstance(function, python_types.BuiltinFunctionType) or statement.gives is not None:
        return []
    kinds = [None if each is None or isinstance(each, Buffer) else each.type for each in (result, *operands)]
    if any(kind is None or not kind.weak or kind.dtype not in _KINDS for kind in kinds):  # type: ignore[union-attr]
        return []
    return _callers(function, kinds[0].dtype, len(operands))  # type: ignore[union-attr]
