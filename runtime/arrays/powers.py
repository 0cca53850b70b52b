"""Powers that NumPy refuses, or computes in ways that sizes decide."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import (
    BOOL,
    ArrayType,
    dims_of,
    element,
)
from transpile.runtime.ops.table import TABLE

from .numbers import lift, not_negative
from .recorder import recorder


def check_repeats(values: Sequence[Value]) -> None:
    """Refuse a float power whose exponent stays the same along the innermost axis and changes along another.

    NumPy squares and takes roots where a whole run has the exponent 2 or 0.5; whether such an exponent reaches it as a run or
    through a buffer depends on sizes.
    """
    (type_,) = TABLE["power"].types([value.type for value in values], {})
    own = dims_of(values[1].type)
    if isinstance(type_, ArrayType) and any(dim != 1 for dim in own):
        innermost = type_.axes[-1] - len(type_.dims)
        if type_.dims[innermost] != 1 and (-innermost > len(own) or own[innermost] == 1):
            recorder().unstageable(
                "S124-power",
                "an exponent repeats along the innermost axis, where sizes decide how NumPy computes the power",
                "loop over the exponents",
            )


def check_exponent(values: Sequence[Value]) -> None:
    """Make sure that an integer is raised to no negative power, which NumPy refuses."""
    record = recorder()
    exponent = values[1]
    if not_negative(exponent):
        return
    negative = record.emit("less", exponent, lift(element(exponent.type).type(0)))
    if not any(isinstance(value.type, ArrayType) for value in values):
        record.raise_if(negative, lambda: ValueError("Integers to negative integer powers are not allowed."))
        return
    # How far an array is written by then is for NumPy to say.
    if isinstance(negative.type, ArrayType):
        axes = tuple(range(len(negative.type.dims)))
        negative = record.emit("reduce", negative, ufunc="logical_or", axes=axes, dtype=BOOL)
    record.deoptimise_if(negative, "an integer is raised to a negative power")
