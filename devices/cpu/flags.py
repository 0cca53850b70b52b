"""Floating-point status flags, cleared and read in kernels."""

from __future__ import annotations

import platform
import sys
from collections.abc import Sequence
from typing import Any

from .lanes import named_intrinsic
from .masks import ALL, DIVIDE, INVALID, OVERFLOW, UNDERFLOW, X86
from .symbols import c_symbol
from .toolkit import cgutils, ir, llvm, types

# Note [Status flags]
# The processor's sticky flags say what NumPy warns of. They are cleared in front of a nest and read behind it. LLVM takes
# floating-point operations to have no side effect: a loop that stores its results cannot be moved across the two
# places, but a scalar computed between them may be; ``settled`` pins it. The flags are NumPy's: 1 divide by zero,
# 2 overflow, 4 underflow, 8 invalid. Some of NumPy's inner loops clear all of them (``clears_flags``): what was raised
# before the call of one is raised again after it.

_INT = ir.IntType(32)
_INT16, _INT64 = ir.IntType(16), ir.IntType(64)
# Whether there are two units with flags, of which kernels use one, and libraries perhaps the other: both are read, as the C library does, at once.
_HAS_BOTH = platform.machine() in ("x86_64", "AMD64") and sys.platform != "win32"
_CLEAR, _TEST = c_symbol("feclearexcept"), c_symbol("fetestexcept")
_GET, _SET = c_symbol("fegetexceptflag"), c_symbol("fesetexceptflag")
_RAISE = c_symbol("feraiseexcept")
if _HAS_BOTH:
    # For the instructions that read them.
    llvm.initialize_native_asmparser()


def _call(builder: Any, name: str, mask: Any) -> Any:
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_INT, [_INT]), name)
    return builder.call(function, [ir.Constant(_INT, mask) if isinstance(mask, int) else mask])


def _raised(builder: Any) -> Any:
    """Return which of the processor's flags are raised; no store to memory passes it."""
    if not _HAS_BOTH:
        return _call(builder, _TEST, ALL)
    place = cgutils.alloca_once(builder, _INT)
    kind = ir.FunctionType(_INT16, [place.type])
    read = ir.InlineAsm(kind, "stmxcsr ($1); fnstsw %ax", "={ax},r,~{memory}", side_effect=True)
    old = builder.zext(builder.call(read, [place]), _INT)
    return builder.and_(builder.or_(builder.load(place), old), ir.Constant(_INT, ALL))


def _clear(builder: Any) -> None:
    """Clear the flags, where one is raised: mostly, none is, and to clear them takes as long as a short call."""
    raised = _raised(builder)
    with builder.if_then(builder.icmp_signed("!=", raised, ir.Constant(_INT, 0)), likely=False):
        _call(builder, _CLEAR, ALL)


def _define_clear(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        _clear(builder)
        return context.get_dummy_value()

    return types.void(), generate


def _define_test(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        return _told(builder, _raised(builder))

    return types.int64(), generate


def _told(builder: Any, raised: Any) -> Any:
    """Return NumPy's flags for the processor's."""
    found = ir.Constant(_INT64, 0)
    for ours, theirs in ((1, DIVIDE), (2, OVERFLOW), (4, UNDERFLOW), (8, INVALID)):
        bit = builder.icmp_signed("!=", builder.and_(raised, ir.Constant(_INT, theirs)), ir.Constant(_INT, 0))
        found = builder.or_(found, builder.select(bit, ir.Constant(_INT64, ours), ir.Constant(_INT64, 0)))
    return found


def _pinned(builder: Any, value: Any) -> Any:
    """Return a number after a place that no computation of it passes."""
    if isinstance(value.type, ir.IntType):
        wide = builder.zext(value, _INT64) if value.type.width < 64 else value
        pinned = ir.InlineAsm(ir.FunctionType(_INT64, [_INT64]), "", "=r,0", side_effect=True)
        found = builder.call(pinned, [wide])
        return builder.trunc(found, value.type) if value.type.width < 64 else found
    register = "x" if X86 else "w"
    kind = ir.FunctionType(value.type, [value.type])
    return builder.call(ir.InlineAsm(kind, "", f"={register},0", side_effect=True), [value])


def _define_settled(typing_context: Any, x: Any) -> Any:
    if not isinstance(x, (types.Number, types.Boolean)):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        if not isinstance(x, types.Complex):
            return _pinned(builder, values[0])
        number = context.make_complex(builder, x, values[0])
        number.real, number.imag = _pinned(builder, number.real), _pinned(builder, number.imag)
        return number._getvalue()

    return x(x), generate


clear_fp_flags = named_intrinsic(
    "clear_fp_flags", _define_clear, [], "``clear_fp_flags()``: clear the four flags that NumPy looks at."
)
test_fp_flags = named_intrinsic(
    "test_fp_flags", _define_test, [], "``test_fp_flags()``: the flags raised since, in NumPy's numbering."
)
settled = named_intrinsic(
    "settled", _define_settled, ["x"], "``settled(x)``: ``x``, computed before any call that follows."
)


def move_state(builder: Any, instruction: str, slot: Any) -> None:
    """Store the state of an x86's vector unit with its flags ("stmxcsr"), or have it as it was stored ("ldmxcsr")."""
    pointer = builder.bitcast(slot, ir.IntType(8).as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [pointer.type])
    builder.call(
        cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.sse.{instruction}"), [pointer]
    )


def keep_flags(builder: Any, emit: Any) -> Any:
    """Emit what ``emit`` emits, and afterwards put the flags back as they were before."""
    if X86:
        control = cgutils.alloca_once(builder, _INT)
        move_state(builder, "stmxcsr", control)
        if _HAS_BOTH:
            # What the other unit has raised would be lost where libraries clear the flags of both.
            builder.store(builder.or_(builder.load(control), _raised(builder)), control)
        result = emit()
        move_state(builder, "ldmxcsr", control)
        return result
    state = cgutils.alloca_once(builder, _INT64)
    pointer = builder.bitcast(state, ir.IntType(8).as_pointer())
    kind = ir.FunctionType(_INT, [pointer.type, _INT])
    for name in (_GET, _SET):
        function = cgutils.get_or_insert_function(builder.module, kind, name)
        builder.call(function, [pointer, ir.Constant(_INT, ALL)])
        if name == _GET:
            result = emit()
    return result


def _raise(builder: Any, raised: Any) -> None:
    """Raise flags of the processor's, in the unit that kernels compute with: the C library raises some in the other one."""
    if not _HAS_BOTH:
        _call(builder, _RAISE, raised)
        return
    control = cgutils.alloca_once(builder, _INT)
    move_state(builder, "stmxcsr", control)
    builder.store(builder.or_(builder.load(control), raised), control)
    move_state(builder, "ldmxcsr", control)


def raised_by(builder: Any, emit: Any) -> Any:
    """Emit what ``emit`` emits, and return which flags that has raised; afterwards those are raised that were before."""
    before = _raised(builder)
    _clear(builder)
    emit()
    found = _told(builder, _raised(builder))
    _clear(builder)
    with builder.if_then(builder.icmp_signed("!=", before, ir.Constant(_INT, 0)), likely=False):
        _raise(builder, before)
    return found


def keep_raised(builder: Any, emit: Any) -> None:
    """Emit what ``emit`` emits, which may clear the flags, and afterwards raise those again that were raised before."""
    raised = _raised(builder)
    emit()
    with builder.if_then(builder.icmp_signed("!=", raised, ir.Constant(_INT, 0)), likely=False):
        _raise(builder, raised)
