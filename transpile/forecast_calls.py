"""What calls of NumPy's functions, of random generators and of built-in functions take, and what they give as far as that can be told."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from .forecast_values import (
    ARRAY,
    GUESS,
    NUMBERS,
    PICKED,
    SIZE,
    SIZED,
    UNKNOWN,
    Array,
    Guess,
    Stream,
    broadcast,
    dims_of,
    is_a,
    is_array,
    joined,
    made_of_shape,
    passing,
    product,
    range_of,
    width_of,
    width_of_type,
)

# What things take, in seconds: an item; a call of a function, and of one of NumPy's; and to draw one number, and more for each parameter.
ITEM, CALL, LIBRARY = 10e-9, 50e-9, 2.5e-6
_DRAW, _PARAMETER = 0.2e-6, 0.25e-6

# Where functions that draw random numbers are told how many.
_DRAWN = {
    **dict.fromkeys(("random", "standard_normal", "random_sample"), 0),
    **dict.fromkeys(("choice", "exponential", "poisson"), 1),
    **dict.fromkeys(("integers", "randint", "normal", "uniform"), 2),
}
# Those that draw one number where they are not.
_NUMBERS = frozenset(("rand", "randn", *_DRAWN)) - {"choice", "integers", "randint"}
_FILLED = frozenset(("zeros", "ones", "empty", "full"))
_SAME = frozenset(("zeros_like", "ones_like", "empty_like", "full_like", "copy", "array", "asarray"))
_SPLITTING = frozenset(("split", "array_split"))
# Where functions are told of what type elements are to be.
_TYPED = {**dict.fromkeys((*_FILLED, *_SAME, "astype"), 1), "full": 2, "full_like": 2}
_JOINING = frozenset(("concatenate", "stack", "hstack", "vstack", "column_stack", "append"))
# What gives as many items as the items of its arguments decide.
_COUNTED = frozenset(("bincount", "unique", "flatnonzero", "nonzero", "argwhere", "setdiff1d", "intersect1d"))
_REDUCING = frozenset(
    (
        "sum",
        "mean",
        "min",
        "max",
        "amin",
        "amax",
        "prod",
        "any",
        "all",
        "std",
        "var",
        "argmin",
        "argmax",
        "median",
        "norm",
    )
)
_SCALAR: dict[str, Callable[..., Any]] = {
    "len": len,
    "min": min,
    "max": max,
    "int": int,
    "abs": abs,
    "float": float,
    "round": round,
}


def items_of(value: Any) -> tuple[int | None, Any]:
    """Return how many items something has, where that is known, and one of them."""
    if is_a(value, Stream):
        return value.count, value.item
    if type(value) is range:
        return len(value), (value[len(value) // 2] if value else 0)
    if type(value) in (list, tuple):
        return len(value), (value[0] if value else UNKNOWN)
    if type(value) in SIZED:
        return len(value), UNKNOWN
    dims = dims_of(value) if is_array(value) else None
    if not dims:
        return None, UNKNOWN
    count = None if isinstance(dims[0], Guess) else dims[0]
    return count, Array(dims[1:], width_of(value)) if len(dims) > 1 else PICKED


def drawn(name: str, values: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """Return what a generator of random numbers gives."""
    if "size" in keywords:
        return made_of_shape(keywords["size"])
    if name in ("rand", "randn"):
        return Array(values) if values else UNKNOWN
    place = _DRAWN.get(name, len(values))
    return made_of_shape(values[place]) if place < len(values) else UNKNOWN


def builtin(name: str, values: Sequence[Any]) -> tuple[Any, float]:
    """Return what a call of a built-in function gives, and how many seconds it takes."""
    if name == "range":
        return range(*values) if all(type(value) is int for value in values) else UNKNOWN, CALL
    if name == "len":
        return items_of(values[0])[0] if values else UNKNOWN, CALL
    if name in ("int", "float") and len(values) == 1 and type(values[0]) is str:
        with contextlib.suppress(ValueError):
            return _SCALAR[name](values[0]), CALL
    if name in _SCALAR and values and all(type(value) in NUMBERS for value in values):
        return _SCALAR[name](*values), CALL
    counts = [items_of(value) for value in values]
    known = [count for count, _ in counts if count is not None]
    goes_through = name in ("sum", "min", "max", "sorted", "any", "all") and len(values) == 1
    seconds = CALL + goes_through * (known[0] if known else SIZE) * ITEM
    if name in ("enumerate", "zip", "reversed", "sorted", "list", "tuple", "map") and known:
        items = [item for _, item in counts]
        each = (UNKNOWN, *items) if name == "enumerate" else tuple(items) if name == "zip" else items[-1]
        return Stream(min(known), each), seconds
    return UNKNOWN, seconds


def library(name: str, values: Sequence[Any], keywords: dict[str, Any]) -> tuple[Any, float]:
    """Return what a call of one of NumPy's functions gives, and how many seconds it takes."""
    if name in ("dot", "matmul", "inner") and len(values) > 1:
        return product(dims_of(values[0]), dims_of(values[1])), ARRAY
    if name in _SPLITTING and len(values) > 1 and type(values[1]) is int and values[1] > 0:
        axis = keywords.get("axis", values[2] if len(values) > 2 else 0)
        return _split(values[0], values[1], axis), values[1] * ARRAY
    if name in ("solve", "lstsq") and len(values) > 1:
        return Array(dims_of(values[1]) or ()), LIBRARY
    if name in ("inv", "det", "eigh", "svd", "qr", "cholesky", "eig"):
        return Array(dims_of(values[0]) or ()) if values and name != "det" else UNKNOWN, LIBRARY
    if name in _REDUCING and values:
        return _reduced(values, keywords), LIBRARY + passing(values[0])
    made = _made(name, values, keywords)
    if made is None:
        found = drawn(name, values, keywords)
        is_one = found is UNKNOWN and name in _NUMBERS
        return found, _DRAW + _PARAMETER * (len(values) + len(keywords)) if is_one else LIBRARY
    if is_a(made, Array):
        made.width = _width(name, values, keywords)
    return made, (ARRAY if name in _FILLED | _SAME else LIBRARY) + passing(made)


def _width(name: str, values: Sequence[Any], keywords: dict[str, Any]) -> int:
    """Return how many bytes an element has of what a function makes."""
    place = _TYPED.get(name, len(values))
    asked = keywords.get("dtype", values[place] if place < len(values) else None)
    return width_of(*values) if asked is None else width_of_type(asked)


def _split(array: Any, count: int, axis: Any) -> Any:
    """Return what splitting an array into so many makes."""
    dims = list(Array(dims_of(array) or (GUESS,)).dims)
    if type(axis) is int and -len(dims) <= axis < len(dims):
        dims[axis] = type(dims[axis])(dims[axis] // count)
    return Stream(count, Array(dims, width_of(array)))


def _reduced(values: Sequence[Any], keywords: dict[str, Any]) -> Any:
    axis = keywords.get("axis", values[1] if len(values) > 1 else None)
    dims = dims_of(values[0]) or ()
    known = type(axis) is int and -len(dims) <= axis < len(dims)
    kept = (1,) if keywords.get("keepdims") is True else ()
    left = dims[:axis] + kept + dims[axis:][1:] if known else kept * len(dims)
    return Array(left, width_of(values[0])) if left else UNKNOWN


def _made(name: str, values: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """Return the array that a function makes, element by element; nothing where no array is handed in."""
    if name in _FILLED:
        return made_of_shape(values[0] if values else keywords.get("shape", UNKNOWN))
    if name in _COUNTED:
        return Array((UNKNOWN,))
    if name in ("diag", "diagonal") and values:
        dims = dims_of(values[0]) or (GUESS,)
        return Array((*dims[:-2], min(dims[-2:])) if len(dims) > 1 else dims * 2)
    if name in _JOINING and values:
        parts = values if name == "append" else values[0] if type(values[0]) in (tuple, list) else ()
        axis = keywords.get("axis", None if name == "append" else 0)
        return Array(joined(name, [dims_of(part) or () for part in parts], axis))
    if name in ("arange", "linspace", "eye", "identity"):
        return made_of_shape(range_of(name, values))
    known = [dims_of(value) or () for value in values[: 1 if name in _SAME else None] if dims_of(value)]
    return Array(broadcast(known)) if known else None
