"""Conversions between number types as NumPy's casts make them, out of range too."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from typing import Any

from .lanes import Lane, named_intrinsic, value_lane
from .toolkit import parse_dtype, types

# Note [Casts]
# C leaves the conversion of a float to an integer type that does not hold it undefined, and LLVM makes it poison; but
# NumPy's users see the machine's answer. On x86-64 integers of 32 bits and less come from the 32-bit conversion, uint32
# and int64 from the 64-bit one, each giving its most negative number where the value does not fit, which is then cut to
# size; uint64 from 2**63 on is converted less 2**63. NumPy's vector code for contiguous arrays of float to uint32,
# alone, converts in 32 bits, with 2**31 subtracted from that value on: it differs where the value is below -2**31 or
# from 2**32 on, and is not imitated. Other machines saturate, in the same widths.

_X86 = platform.machine() in ("x86_64", "AMD64", "i686")


def float_to_int(x: Lane, width: int, signed: bool) -> Lane:
    """A float as an integer of any width: see Note [Casts]."""
    if width == 64 and not signed:
        large = x >= 2.0**63
        if not _X86:
            return _saturated(x, 64, signed=False)
        converted = _converted(large.where(x - 2.0**63, x), 64)
        return large.where(converted ^ -(2**63), converted).unsigned()
    wide = 64 if width == 64 or (width == 32 and not signed) else 32
    converted = _converted(x, wide) if _X86 else _saturated(x, wide, signed=True)
    return converted.to_int(width, signed)


def _converted(x: Lane, width: int) -> Lane:
    """The signed integer towards zero, or the most negative one where it does not fit."""
    bound = 2.0 ** (width - 1)
    # where -bound - 1 is a number of the type, what lies above it is cut to -bound
    lowest = x > -bound - 1 if width == 32 and x.is_double else x >= -bound
    held = lowest & (x < bound)
    integer = held.where(x, 0.0).truncated(width)
    return held.where(integer, -(2 ** (width - 1)))


def _saturated(x: Lane, width: int, signed: bool) -> Lane:
    """The integer towards zero, or the nearest bound; 0 for NaN."""
    low, high = (-(2.0 ** (width - 1)), 2.0 ** (width - 1)) if signed else (0.0, 2.0**width)
    held = (x > low) & (x < high)
    integer = held.where(x, 0.0).truncated(width, signed)
    least, most = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if signed else (0, -1)
    return (x <= low).where(integer.constant(least), (x >= high).where(integer.constant(most), integer))


def convert(x: Lane, target: Any) -> Lane:
    """A real number as another real numba type, as NumPy casts it."""
    if isinstance(target, types.Boolean):
        return x != 0
    if isinstance(target, types.Float):
        return x.to_float(single=target.bitwidth == 32)
    if x.is_float:
        return float_to_int(x, target.bitwidth, target.signed)
    return x.to_int(target.bitwidth, target.signed)


def _define_cast(typing_context: Any, value: Any, dtype: Any) -> Any:
    source, target = types.unliteral(value), parse_dtype(dtype)
    numbers = (types.Number, types.Boolean)
    if not (isinstance(source, numbers) and isinstance(target, numbers)):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        parts = [values[0]]
        part_type = source
        if isinstance(source, types.Complex):
            number = context.make_complex(builder, source, values[0])
            parts, part_type = [number.real, number.imag], source.underlying_float
        lanes = [value_lane(builder, part_type, part) for part in parts]
        if isinstance(target, types.Complex):
            result = context.make_complex(builder, target)
            floats = [convert(lane, target.underlying_float) for lane in lanes]
            result.real = floats[0].value
            result.imag = floats[1].value if len(floats) > 1 else floats[0].constant(0.0).value
            return result._getvalue()
        if isinstance(target, types.Boolean):
            truths = [lane != 0 for lane in lanes]
            return (truths[0] | truths[-1]).value
        return convert(lanes[0], target).value

    return target(source, dtype), generate


cast = named_intrinsic(
    "cast",
    _define_cast,
    ["value", "dtype"],
    "``cast(value, dtype)``: a number as NumPy's ``astype`` gives it; a complex one loses its imaginary part.",
)


def _define_bits(typing_context: Any, value: Any, dtype: Any) -> Any:
    source, target = types.unliteral(value), parse_dtype(dtype)
    if not all(isinstance(type_, (types.Integer, types.Float)) for type_ in (source, target)):
        return None

    def generate(context: Any, builder: Any, signature: Any, values: Sequence[Any]) -> Any:
        return builder.bitcast(values[0], context.get_value_type(target))

    return target(source, dtype), generate


bits = named_intrinsic(
    "bits",
    _define_bits,
    ["value", "dtype"],
    "``bits(value, dtype)``: the number that the bits of another are in a type of the same size.",
)
