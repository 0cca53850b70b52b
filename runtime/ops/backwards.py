"""Ufuncs whose loops go another way, and round otherwise, where memory runs backwards."""

from __future__ import annotations

# Ufuncs that round otherwise what lies backwards, with the types of their loops.
BACKWARDS = {
    **dict.fromkeys(("exp", "log"), "d"),
    **dict.fromkeys(
        (
            "tan", "exp2", "expm1", "log2", "log10", "log1p", "cbrt", "sinh", "cosh", "arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh",
            "arctan2", "power",
        ),
        "fd",
    ),
    "absolute": "FD",
    **dict.fromkeys(("multiply", "square"), "F"),
}  # fmt: skip


def rounds_backwards(name: str, kind: str) -> bool:
    """Whether a ufunc's loop of a type, NumPy's character for that, rounds otherwise what lies backwards."""
    return kind in BACKWARDS.get(name, "")
