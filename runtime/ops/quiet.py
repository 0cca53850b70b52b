"""The ops on numbers of which NumPy never warns, whatever the numbers, and which leave the processor's floating-point flags alone."""

from __future__ import annotations

from .elementwise import COMPARISONS

QUIET = COMPARISONS | frozenset(
    (
        "select", "logical_and", "logical_or", "logical_xor", "logical_not", "bitwise_and", "bitwise_or", "bitwise_xor",
        "invert", "isnan", "isfinite", "isinf", "signbit", "maximum", "minimum", "fmax", "fmin", "positive", "copysign", "conjugate",
        "floor", "ceil", "trunc", "rint", "fabs", "real", "imaginary", "complex_of", "bits",
    )
)  # fmt: skip
