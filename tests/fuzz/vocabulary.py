"""The numbers, dtypes, operators and functions that random programs are written with."""

from __future__ import annotations

INTEGERS = ["0", "1", "2", "3", "-1", "5", "7", "-4", "100", "255", "128", "-129", "65536", "2147483647"]
LARGE = ["2**31", "2**53 + 1", "2**62", "2**63 - 1", "-2**63", "2**63", "2**64", "10**25"]
FLOATS = ["0.0", "1.0", "0.5", "-1.5", "2.0", "-0.0", "0.1", "3.25", "1e-3", "1e10", "1e308", "1e-320"]
ODD_FLOATS = ["float('nan')", "float('inf')", "-float('inf')"]
TEXTS = ["'a'", "''", "'ab\\n'", "'x = '"]
DTYPES = {
    "b": ["bool"],
    "i": [
        *["np.int64"] * 6,
        *["np.int32"] * 3,
        "np.int8",
        "np.uint8",
        "np.int16",
        "np.uint16",
        "np.uint32",
        "np.uint64",
    ],
    "f": ["np.float64", "np.float32", "float"],
    "c": ["np.complex128", "np.complex64", "complex"],
}
ERRORS = [
    "ZeroDivisionError",
    "IndexError",
    "ValueError",
    "(IndexError, ValueError)",
    "Exception",
    "OverflowError",
    "TypeError",
    "Wrong",
]
# What a float that does not fit becomes as uint32 depends on where in the array it stands.
UNDEFINED = ("uint32", "int32")
ARITHMETIC = ["+", "-", "*"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
# Functions of one array, by the letter of what they give.
UNARY = {
    "f": [
        "np.sqrt", "np.exp", "np.sin", "np.abs", "np.floor", "np.tanh", "np.negative", "np.square", "np.sign", "np.log1p",
        "np.ceil", "np.rint", "np.cumsum", "np.reciprocal", "np.deg2rad", "np.sort", "np.log",
    ],
    "i": ["np.abs", "np.negative", "np.square", "np.sign", "np.cumsum", "np.invert", "np.positive", "np.sort", "np.argsort"],
    "b": ["np.logical_not", "np.invert"],
    "c": ["np.conj", "np.square", "np.negative", "np.cumsum"],
}  # fmt: skip
BINARY = {
    "f": [
        "np.minimum",
        "np.maximum",
        "np.arctan2",
        "np.hypot",
        "np.copysign",
        "np.fmod",
        "np.add",
        "np.multiply",
    ],
    "i": ["np.minimum", "np.maximum", "np.add", "np.bitwise_xor", "np.subtract", "np.multiply", "np.gcd"],
    "b": ["np.logical_and", "np.logical_or", "np.logical_xor"],
    "c": ["np.add", "np.multiply"],
}
REDUCTIONS = {
    "f": ["sum", "mean", "max", "min", "prod", "std", "var"],
    "i": ["sum", "max", "min", "prod", "argmax", "argmin"],
    "b": ["any", "all"],
    "c": ["sum", "prod", "mean"],
}
