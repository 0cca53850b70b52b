"""What the standard says of elementwise functions: the dtypes that they take and give, and special values."""

from .names import ALL_DTYPES, COMPLEX, FLOATS, INTEGERS, NUMBERS, REAL_FLOATS, REALS

inf, nan = float("inf"), float("nan")
pi = 3.141592653589793

# The dtypes that a function takes, by the number of its operands; and what it gives, where that is not what it takes.
DOMAINS: dict[str, tuple[int, list[str]]] = {
    **dict.fromkeys(("acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2",
                     "reciprocal", "sin", "sinh", "sqrt", "tan", "tanh"), (1, FLOATS)),
    **dict.fromkeys(("abs", "negative", "positive", "round", "sign", "square", "conj", "real", "isfinite", "isinf", "isnan"), (1, NUMBERS)),
    **dict.fromkeys(("ceil", "floor", "trunc"), (1, REALS)),
    "imag": (1, COMPLEX), "signbit": (1, REAL_FLOATS), "bitwise_invert": (1, ["bool", *INTEGERS]), "logical_not": (1, ["bool"]),
    **dict.fromkeys(("add", "subtract", "multiply", "pow"), (2, NUMBERS)),
    "divide": (2, FLOATS),
    **dict.fromkeys(("floor_divide", "remainder", "maximum", "minimum", "less", "less_equal", "greater", "greater_equal"), (2, REALS)),
    **dict.fromkeys(("equal", "not_equal"), (2, ALL_DTYPES)),
    **dict.fromkeys(("atan2", "copysign", "hypot", "logaddexp", "nextafter"), (2, REAL_FLOATS)),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), (2, ["bool", *INTEGERS])),
    **dict.fromkeys(("bitwise_left_shift", "bitwise_right_shift"), (2, INTEGERS)),
    **dict.fromkeys(("logical_and", "logical_or", "logical_xor"), (2, ["bool"])),
    "clip": (3, REALS),
}  # fmt: skip
TRUTHS = frozenset(
    ("isfinite", "isinf", "isnan", "signbit", "logical_not", "logical_and", "logical_or", "logical_xor", "less", "less_equal",
     "greater", "greater_equal", "equal", "not_equal")
)  # fmt: skip
# What gives the parts of complex numbers, or their size.
REAL_OF = frozenset(("abs", "real", "imag"))


def gives(name: str, dtype: str) -> str:
    """Returns the dtype of what a function gives of operands of one dtype."""
    if name in TRUTHS:
        return "bool"
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype) if name in REAL_OF else dtype


def promoted(one: str, other: str) -> str | None:
    """Returns the dtype of two, by the standard's table; None where it has none."""
    if one == other:
        return one
    kinds = {dtype.rstrip("0123456789") for dtype in (one, other)}
    bits = {
        dtype.rstrip("0123456789"): int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz") or 0)
        for dtype in sorted((one, other), key=len)
    }
    largest = max(int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz") or 0) for dtype in (one, other))
    if kinds == {"int", "uint"}:
        wanted = bits["int"] if bits["int"] > bits["uint"] else 2 * bits["uint"]
        return f"int{wanted}" if wanted <= 64 else None
    if kinds == {"float", "complex"}:
        return f"complex{max(bits['complex'], 2 * bits['float'])}"
    return f"{kinds.pop()}{largest}" if len(kinds) == 1 else None


# What a function gives of floats that are out of the ordinary: operands, then the result.
SPECIAL: dict[str, list[tuple[float, ...]]] = {
    "abs": [(nan, nan), (-0.0, 0.0), (inf, inf), (-inf, inf)],
    "acos": [(nan, nan), (1.5, nan), (-1.5, nan), (1.0, 0.0)],
    "acosh": [(nan, nan), (0.5, nan), (1.0, 0.0), (inf, inf)],
    "asin": [(nan, nan), (1.5, nan), (-1.5, nan), (0.0, 0.0), (-0.0, -0.0)],
    "asinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "atan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, pi / 2), (-inf, -pi / 2)],
    "atanh": [(nan, nan), (-1.5, nan), (1.5, nan), (-1.0, -inf), (1.0, inf), (0.0, 0.0), (-0.0, -0.0)],
    "ceil": [(nan, nan), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (-0.5, -0.0), (1.2, 2.0)],
    "cos": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan)],
    "cosh": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, inf)],
    "exp": [(nan, nan), (0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0)],
    "expm1": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0)],
    "floor": [(nan, nan), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (-0.5, -1.0)],
    "isfinite": [(nan, False), (inf, False), (-inf, False), (1.0, True)],
    "isinf": [(nan, False), (inf, True), (-inf, True), (1.0, False)],
    "isnan": [(nan, True), (inf, False), (1.0, False)],
    "log": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log10": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "log1p": [(nan, nan), (-2.0, nan), (-1.0, -inf), (-0.0, -0.0), (0.0, 0.0), (inf, inf)],
    "log2": [(nan, nan), (-1.0, nan), (0.0, -inf), (-0.0, -inf), (1.0, 0.0), (inf, inf)],
    "negative": [(nan, nan), (0.0, -0.0), (-0.0, 0.0), (inf, -inf)],
    "positive": [(nan, nan), (-0.0, -0.0), (inf, inf)],
    "reciprocal": [(nan, nan), (0.0, inf), (-0.0, -inf), (inf, 0.0), (-inf, -0.0)],
    "round": [(nan, nan), (inf, inf), (-0.0, -0.0), (0.5, 0.0), (1.5, 2.0), (2.5, 2.0), (-0.5, -0.0)],
    "sign": [(nan, nan), (-3.0, -1.0), (0.0, 0.0), (-0.0, 0.0), (inf, 1.0)],
    "signbit": [(0.0, False), (-0.0, True), (inf, False), (-inf, True), (nan, False), (-nan, True)],
    "sin": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "sinh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf)],
    "sqrt": [(nan, nan), (-1.0, nan), (0.0, 0.0), (-0.0, -0.0), (inf, inf)],
    "square": [(nan, nan), (-inf, inf), (-0.0, 0.0)],
    "tan": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan)],
    "tanh": [(nan, nan), (0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0)],
    "trunc": [(nan, nan), (inf, inf), (-inf, -inf), (0.0, 0.0), (-0.0, -0.0), (-0.5, -0.0), (1.9, 1.0)],
    "add": [(nan, 1.0, nan), (1.0, nan, nan), (inf, -inf, nan), (inf, inf, inf), (inf, 1.0, inf), (-0.0, -0.0, -0.0), (-0.0, 0.0, 0.0), (2.0, -2.0, 0.0)],
    "atan2": [
        (nan, 1.0, nan), (1.0, nan, nan), (1.0, 0.0, pi / 2), (1.0, -0.0, pi / 2), (0.0, 1.0, 0.0), (0.0, 0.0, 0.0), (0.0, -0.0, pi), (0.0, -1.0, pi), (-0.0, 1.0, -0.0),
        (-0.0, 0.0, -0.0), (-0.0, -0.0, -pi), (-0.0, -1.0, -pi), (-1.0, 0.0, -pi / 2), (1.0, inf, 0.0), (1.0, -inf, pi), (-1.0, inf, -0.0), (-1.0, -inf, -pi),
        (inf, 1.0, pi / 2), (-inf, 1.0, -pi / 2), (inf, inf, pi / 4), (inf, -inf, 3 * pi / 4), (-inf, inf, -pi / 4), (-inf, -inf, -3 * pi / 4),
    ],
    "copysign": [(1.0, -0.0, -1.0), (-1.0, 0.0, 1.0), (nan, -1.0, nan), (0.0, -2.0, -0.0)],
    "divide": [
        (nan, 1.0, nan), (inf, inf, nan), (0.0, 0.0, nan), (0.0, -0.0, nan), (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (0.0, -1.0, -0.0), (1.0, 0.0, inf), (1.0, -0.0, -inf),
        (-1.0, 0.0, -inf), (inf, 1.0, inf), (inf, -1.0, -inf), (-inf, 1.0, -inf), (1.0, inf, 0.0), (1.0, -inf, -0.0), (-1.0, inf, -0.0),
    ],
    "equal": [(nan, nan, False), (nan, 1.0, False), (inf, inf, True), (-inf, inf, False), (-0.0, 0.0, True)],
    "floor_divide": [
        (nan, 1.0, nan), (inf, inf, nan), (0.0, 0.0, nan), (0.0, 1.0, 0.0), (-0.0, 1.0, -0.0), (-0.0, -1.0, 0.0), (1.0, 0.0, inf), (-1.0, 0.0, -inf), (inf, 1.0, inf), (1.0, inf, 0.0),
        (1.0, -inf, -1.0), (-1.0, inf, -1.0), (-1.0, -inf, 0.0),
    ],
    "greater": [(nan, 1.0, False), (1.0, nan, False), (inf, 1.0, True), (0.0, -0.0, False)],
    "greater_equal": [(nan, nan, False), (inf, inf, True), (0.0, -0.0, True), (-inf, 1.0, False)],
    "hypot": [(inf, nan, inf), (nan, -inf, inf), (nan, 1.0, nan), (0.0, -0.0, 0.0), (inf, 1.0, inf)],
    "less": [(nan, 1.0, False), (1.0, inf, True), (-0.0, 0.0, False)],
    "less_equal": [(nan, nan, False), (-inf, -inf, True), (1.0, nan, False)],
    "logaddexp": [(nan, 1.0, nan), (1.0, nan, nan), (inf, 1.0, inf), (-inf, inf, inf)],
    "maximum": [(nan, 1.0, nan), (1.0, nan, nan), (1.0, inf, inf), (-inf, 1.0, 1.0)],
    "minimum": [(nan, 1.0, nan), (1.0, nan, nan), (1.0, inf, 1.0), (-inf, 1.0, -inf)],
    "multiply": [(nan, 1.0, nan), (inf, 0.0, nan), (-inf, -0.0, nan), (inf, -2.0, -inf), (-inf, -inf, inf), (-0.0, 2.0, -0.0)],
    "nextafter": [(nan, 1.0, nan), (1.0, nan, nan), (0.0, -0.0, -0.0), (-0.0, 0.0, 0.0), (inf, inf, inf)],
    "not_equal": [(nan, nan, True), (inf, inf, False), (-0.0, 0.0, False)],
    "pow": [
        (1.0, nan, 1.0), (nan, 0.0, 1.0), (nan, -0.0, 1.0), (nan, 2.0, nan), (2.0, inf, inf), (-2.0, -inf, 0.0), (0.5, inf, 0.0), (0.5, -inf, inf), (inf, 1.0, inf), (inf, -1.0, 0.0),
        (-inf, 3.0, -inf), (-inf, 2.0, inf), (-inf, -3.0, -0.0), (-inf, -2.0, 0.0), (0.0, 2.0, 0.0), (0.0, -2.0, inf), (-0.0, 3.0, -0.0), (-0.0, 2.0, 0.0), (-0.0, -3.0, -inf),
        (-0.0, -2.0, inf), (-8.0, 1 / 3, nan), (1.0, inf, 1.0), (-1.0, inf, 1.0),
    ],
    "remainder": [
        (nan, 1.0, nan), (inf, 1.0, nan), (-inf, inf, nan), (0.0, 0.0, nan), (1.0, 0.0, nan), (0.0, 1.0, 0.0), (-0.0, 1.0, 0.0), (0.0, -1.0, -0.0), (-0.0, -1.0, -0.0),
        (1.0, inf, 1.0), (1.0, -inf, -inf), (-1.0, inf, inf), (-1.0, -inf, -1.0), (5.0, -3.0, -1.0), (-5.0, 3.0, 1.0), (6.0, -3.0, -0.0),
    ],
    "subtract": [(inf, inf, nan), (-0.0, 0.0, -0.0), (0.0, 0.0, 0.0), (nan, 1.0, nan), (1.0, inf, -inf)],
    "clip": [(nan, 0.0, 1.0, nan), (inf, 0.0, 1.0, 1.0), (-inf, 0.0, 1.0, 0.0), (0.5, nan, 1.0, nan), (0.5, 0.0, nan, nan)],
}  # fmt: skip

# The same of integers and truths.
EXACT: dict[str, list[tuple[int, ...]]] = {
    "bitwise_and": [(12, 10, 8), (-1, 5, 5)],
    "bitwise_or": [(12, 10, 14), (-1, 5, -1)],
    "bitwise_xor": [(12, 10, 6), (-1, 5, -6)],
    "bitwise_invert": [(0, -1), (5, -6)],
    "bitwise_left_shift": [(1, 3, 8), (-1, 1, -2)],
    "bitwise_right_shift": [(-8, 1, -4), (8, 3, 1)],
    "floor_divide": [(7, 2, 3), (-7, 2, -4), (7, -2, -4)],
    "remainder": [(7, 2, 1), (-7, 2, 1), (7, -2, -1)],
    "pow": [(2, 10, 1024), (-3, 3, -27), (0, 0, 1)],
    "sign": [(-4, -1), (0, 0), (9, 1)],
    "abs": [(-4, 4), (3, 3)],
    "logical_and": [(True, True, True), (True, False, False)],
    "logical_or": [(False, True, True), (False, False, False)],
    "logical_xor": [(True, True, False), (True, False, True)],
    "logical_not": [(True, False), (False, True)],
    "clip": [(5, 0, 3, 3), (-5, 0, 3, 0), (2, 0, 3, 2)],
}

# And of complex numbers.
OF_COMPLEX: dict[str, list[tuple[complex, ...]]] = {
    "abs": [(3 + 4j, 5), (complex(inf, nan), inf), (complex(nan, -inf), inf)],
    "conj": [(1 + 2j, 1 - 2j), (complex(1, -0.0), complex(1, 0.0))],
    "real": [(1 + 2j, 1)],
    "imag": [(1 + 2j, 2)],
    "sign": [(3 + 4j, 0.6 + 0.8j), (0j, 0j), (complex(nan, 1), complex(nan, nan))],
    "sqrt": [(complex(0.0, 0.0), 0j), (complex(1, inf), complex(inf, inf)), (complex(-4, 0), 2j)],
    "exp": [(0j, 1 + 0j), (complex(-inf, 1.0), 0j)],
    "square": [(1 + 1j, 2j)],
    "isfinite": [(complex(1, inf), False), (complex(nan, 1), False), (1j, True)],
    "isinf": [(complex(nan, inf), True), (1j, False)],
    "isnan": [(complex(nan, inf), True), (1j, False)],
    "round": [(1.5 + 2.5j, 2 + 2j)],
    "equal": [(complex(nan, 0), complex(nan, 0), False), (1j, 1j, True)],
    "multiply": [(1j, 1j, -1)],
    "divide": [(1, 1j, -1j)],
    "reciprocal": [(2j, -0.5j)],
}
