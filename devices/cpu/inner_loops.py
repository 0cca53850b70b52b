"""NumPy's own inner loops, callable from kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from threading import RLock
from typing import Any

import numpy as np

from .flags import keep_raised, raised_by
from .lanes import named_intrinsic
from .toolkit import cgutils, from_dtype, ir, types
from .ufunc_loops import Loop, clears_flags, depends_on_layout, find, may_raise, named, signature, symbol

__all__ = [
    "Loop",
    "clears_flags",
    "depends_on_layout",
    "find",
    "flagged_loop_of",
    "loop",
    "loop_of",
    "may_raise",
    "named",
    "scalar",
    "scalar_of",
    "signature",
    "symbol",
]

_lock = RLock()


def _once(make: Callable[[Loop], Any]) -> Callable[[Loop], Any]:
    """``make`` called once for each loop, whichever threads ask."""
    made = cache(make)

    def ask(found: Loop) -> Any:
        with _lock:
            return made(found)

    ask.__doc__ = make.__doc__
    return ask


def loop(ufunc: np.ufunc, wanted: str) -> Any:
    """A ufunc's inner loop as a function for kernels, or None.

    Elementwise, ``loop(count, array0, offset0, step0, array1, offset1, step1, ...)`` over inputs, then outputs: the
    operand's first element lies ``offset`` bytes behind the first of its array, the next ``step`` bytes further. A
    generalised ufunc takes its core dimensions after the count, in order of their first mention in the signature, and
    at the end the byte steps of each operand's core dimensions. With the output as first operand as well, both with
    step 0, a loop of two inputs reduces. Nothing is checked; the arrays' dtypes do not matter.
    """
    found = find(ufunc, wanted)
    return loop_of(found) if found else None


@_once
def loop_of(found: Loop) -> Any:
    """The function for kernels that calls an inner loop on arrays."""
    return _loop_of(found, False)


@_once
def flagged_loop_of(found: Loop) -> Any:
    """The same, which returns the floating-point errors that the loop has met, and leaves the flags as they were."""
    return _loop_of(found, True)


def _loop_of(found: Loop, tells: bool) -> Any:
    cores = [f"core_step{k}" for k in range(sum(len(operand) for operand in found.operands))]
    names = ["count", *found.dimensions]
    for k in range(len(found.operands)):
        names += [f"array{k}", f"offset{k}", f"step{k}"]
    arrays = range(1 + len(found.dimensions), 1 + len(found.dimensions) + 3 * len(found.operands), 3)

    def define(typing_context: Any, *arguments: Any) -> Any:
        if not all(isinstance(arguments[k], types.Array) for k in arrays):
            return None
        result = types.int64 if tells else types.void
        signature = result(*(a if k in arrays else types.intp for k, a in enumerate(arguments)))

        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            dimensions = values[: arrays.start]
            pointers = []
            for k in arrays:
                data = context.make_array(signature.args[k])(context, builder, values[k]).data
                pointers.append(builder.gep(builder.bitcast(data, _BYTES), [values[k + 1]]))
            steps = [values[k + 2] for k in arrays] + list(values[arrays.stop :])
            if tells:
                return raised_by(builder, lambda: _call(builder, found, pointers, dimensions, steps, False))
            _call(builder, found, pointers, dimensions, steps)
            return context.get_dummy_value()

        return signature, generate

    return named_intrinsic(f"{found.symbol}_told" if tells else found.symbol, define, [*names, *cores])


def scalar(ufunc: np.ufunc, wanted: str) -> Any:
    """A ufunc's inner loop as a function of scalars for kernels, ``y = f(x)`` or ``q, r = f(x, y)``, or None.

    The bits are those of the ufunc called on scalars. Half-precision scalars are uint16, as their storage is.
    """
    found = find(ufunc, wanted)
    return scalar_of(found) if found and not found.dimensions else None


@_once
def scalar_of(found: Loop) -> Any:
    """The function for kernels that calls an elementwise inner loop on scalars."""
    inputs = [_scalar_type(c) for c in found.inputs]
    outputs = [_scalar_type(c) for c in found.outputs]
    result = outputs[0] if len(outputs) == 1 else types.Tuple(outputs)

    def define(typing_context: Any, *arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
            slots = []
            for scalar_type in [*inputs, *outputs]:
                slots.append(cgutils.alloca_once(builder, context.get_data_type(scalar_type)))
            for scalar_type, value, slot in zip(inputs, values, slots):
                context.pack_value(builder, scalar_type, value, slot)
            one, zero = ir.Constant(_INTP, 1), ir.Constant(_INTP, 0)
            pointers = [builder.bitcast(slot, _BYTES) for slot in slots]
            sizes = [ir.Constant(_INTP, context.get_abi_sizeof(context.get_data_type(t))) for t in outputs]
            _call(builder, found, pointers, [one], [zero] * len(inputs) + sizes)
            found_values = [
                context.unpack_value(builder, scalar_type, slot)
                for scalar_type, slot in zip(outputs, slots[len(inputs) :])
            ]
            if len(outputs) == 1:
                return found_values[0]
            return context.make_tuple(builder, result, found_values)

        return result(*inputs), generate

    return named_intrinsic(f"{found.symbol}_scalar", define, [f"x{k}" for k in range(len(inputs))])


_INTP = ir.IntType(8 * np.dtype(np.intp).itemsize)
_BYTES = ir.IntType(8).as_pointer()
_FUNCTION = ir.FunctionType(
    ir.VoidType(), [_BYTES.as_pointer(), _INTP.as_pointer(), _INTP.as_pointer(), _BYTES]
)
_CELL = ir.LiteralStructType([_FUNCTION.as_pointer(), _BYTES])


def _call(
    builder: Any,
    found: Loop,
    pointers: Sequence[Any],
    dimensions: Sequence[Any],
    steps: Sequence[Any],
    keeps: bool = True,
) -> None:
    """Emit a call of a loop, which keeps the flags that are raised."""

    def table(values: Sequence[Any], element: Any) -> Any:
        slots = cgutils.alloca_once(builder, ir.ArrayType(element, len(values)))
        for k, value in enumerate(values):
            builder.store(value, cgutils.gep_inbounds(builder, slots, 0, k))
        return cgutils.gep_inbounds(builder, slots, 0, 0)

    cell = _global_cell(builder.module, found.symbol)
    function = builder.load(cgutils.gep_inbounds(builder, cell, 0, 0))
    data = builder.load(cgutils.gep_inbounds(builder, cell, 0, 1))
    operands = [table(pointers, _BYTES), table(dimensions, _INTP), table(steps, _INTP), data]
    if keeps and clears_flags(found):
        keep_raised(builder, lambda: builder.call(function, operands))
    else:
        builder.call(function, operands)


def _global_cell(module: Any, name: str) -> Any:
    if name in module.globals:
        return module.globals[name]
    cell = ir.GlobalVariable(module, _CELL, name)
    cell.linkage = "external"
    return cell


def _scalar_type(character: str) -> Any:
    return types.uint16 if character == "e" else from_dtype(np.dtype(character))
