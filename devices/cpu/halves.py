"""Numbers of float16: two bytes in memory, a float32 while kernels compute with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from transpile.runtime.graph.types import DType

from .lanes import Lane, helper
from .toolkit import from_dtype, ir, types

# Note [Halves]
# NumPy's loops for float16 convert to float32, compute, and round the result, and so does a kernel: a float16 is held as the float32 of the same
# value, and each result is rounded to a float16 at once. In memory it is an unsigned integer of 16 bits, as numba knows no arrays of float16. What
# has no expression of its own goes through NumPy's own loops of float16, as for other types. Sums and products are NumPy's loops on what lies in memory: they
# compute in float32 all along a run, and round at its end.
#
# A float64 becomes a float16 by one rounding: first to a float32 whose last bit is set where something is lost, of which the second rounding can
# then not make a tie.

HALF = np.dtype(np.float16)
_HALF = ir.HalfType()


def stored(dtype: DType) -> Any:
    """Return numba's type of the elements of arrays of a dtype."""
    return types.uint16 if dtype == HALF else from_dtype(dtype)


def held(dtype: DType) -> Any:
    """Return numba's type of a number of a dtype that is computed with."""
    return types.float32 if dtype == HALF else from_dtype(dtype)


@helper("uint16 -> float32")
def from_half(bits: Lane) -> Lane:
    """The float16 of these bits, as a float32."""
    half = bits.builder.bitcast(bits.value, _HALF)
    return Lane(bits.builder, bits.builder.fpext(half, ir.FloatType()))


@helper("float32 -> uint16")
def to_half(x: Lane) -> Lane:
    """The bits of the nearest float16."""
    half = x.builder.fptrunc(x.value, _HALF)
    return Lane(x.builder, x.builder.bitcast(half, ir.IntType(16)), signed=False)


@helper("float32 -> float32")
def rounded(x: Lane) -> Lane:
    """The nearest float16, as a float32."""
    half = x.builder.fptrunc(x.value, _HALF)
    return x.like(x.builder.fpext(half, ir.FloatType()))


@helper("float64 -> float32")
def odd(x: Lane) -> Lane:
    """A float32 towards zero, with the last bit set where it is not the number itself."""
    near = x.to_float(single=True)
    back = near.to_float()
    bits = near.bits()
    short = (back.magnitude() > x.magnitude()).where(bits - 1, bits)
    exact = (back == x) | x.is_nan()
    return exact.where(near, (short | 1).bits())
