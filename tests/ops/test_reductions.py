"""Reductions by every ufunc, over all axes, on all dtypes and in every layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .agreement import DEVICES, agree, convert, disagreement, function_of, outcome
from .operands import DTYPES, LAYOUTS, numbers

AXES: list[Any] = [None, 0, 1, -1, (0, 1), (1, 0), ()]
UFUNCS = (
    "add", "multiply", "maximum", "minimum", "fmax", "fmin",
    "logical_and", "logical_or", "bitwise_and", "bitwise_or", "bitwise_xor",
)  # fmt: skip
NAMES = ("sum", "prod", "min", "max", "any", "all", "mean", "argmin", "argmax", "std")


def all_reductions(axis: Any, names: list[str], methods: list[str]) -> Callable[[Any], list[Any]]:
    """Return a function that reduces an array by several ufuncs and methods."""
    ufuncs = [getattr(np, name) for name in names]
    functions = [getattr(np, name) for name in methods]

    def apply(x: Any) -> list[Any]:
        reduced = [ufunc.reduce(x, axis=axis) for ufunc in ufuncs]
        return reduced + [function(x, axis=axis) for function in functions]

    return apply


def fitting(x: Any, axis: Any) -> Callable[[Any], list[Any]]:
    """Return a function of the reductions that NumPy has for this array."""

    def gives(name: str, reduced: Any) -> bool:
        return outcome(lambda y: reduced(y, axis=axis), [x])[0] == "gives"

    names = [name for name in UFUNCS if gives(name, getattr(np, name).reduce)]
    return all_reductions(axis, names, [name for name in NAMES if gives(name, getattr(np, name))])


def tamed(dtype: np.dtype[Any]) -> Any:
    """Return numbers whose order in a sum shows: extreme ones would hide it. Zeros of both signs are left out of extremes."""
    if dtype.kind in "fc":
        rng = np.random.default_rng(7)
        values = rng.standard_normal(2000) * 10.0 ** rng.uniform(-3, 3, 2000)
        return (values + 1j * values[::-1] if dtype.kind == "c" else values).astype(dtype)
    return np.resize(numbers(dtype), 2000)


# Along the first axis, integers of all sizes are of the same code on the CPU.
CASES = [
    (dtype, axis, device)
    for dtype in DTYPES
    for axis in (None, 0, 1)
    for device in DEVICES
    if device != "cpu" or axis != 0 or dtype.char in "blefdD"
]


@pytest.mark.parametrize(("dtype", "axis", "device"), CASES, ids=str)
def test_reductions_of_a_dtype(dtype: np.dtype[Any], axis: Any, device: str) -> None:
    x = tamed(dtype)[:1900].reshape(19, 100)
    agree(fitting(x, axis), lambda: [x.copy()], device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "efdD"], ids=str)
def test_reductions_of_special_numbers(dtype: np.dtype[Any], device: str) -> None:
    """NaN, infinities and denormal numbers, one beside others at a time."""
    special = [x for x in numbers(dtype)[: 40 if dtype.kind == "c" else None] if x != 0]
    rows = [np.array([1.5, x, 2.5, y], dtype) for x in special[-8:] for y in special[-8:]]
    x = np.array(rows)
    agree(fitting(x, 1), lambda: [x.copy()], device)


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout not in ("0-d",)])
@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "dib"], ids=str)
def test_reductions_of_a_layout_interpreted(dtype: np.dtype[Any], layout: str) -> None:
    for axis in AXES:
        x = LAYOUTS[layout](tamed(dtype))
        if _fits(axis, x.ndim):
            agree(fitting(x, axis), lambda: [LAYOUTS[layout](tamed(dtype))], "host")


@pytest.mark.parametrize("layout", [layout for layout in LAYOUTS if layout not in ("0-d",)])
@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "dh"], ids=str)
def test_reductions_of_a_layout_compiled(dtype: np.dtype[Any], layout: str) -> None:
    """Float sums, whose order shows, over all axes; the other reductions where they differ most."""
    x = LAYOUTS[layout](tamed(dtype))
    axes = [axis for axis in (None, 0, 1, 2, (0, 2), (0, 1)) if _fits(axis, x.ndim)]

    def apply(x: Any) -> list[Any]:
        return [np.sum(x, axis=axis) for axis in axes] + [np.mean(x, axis=0), np.prod(x), np.any(x, axis=-1)]

    def extremes(x: Any) -> list[Any]:
        return [x.max(axis=-1), x.min(), np.argmax(x, axis=0), np.argmin(x)]

    makes = lambda: [LAYOUTS[layout](tamed(dtype))]  # noqa: E731
    agree(apply, makes, "cpu")
    if x.size:
        agree(extremes, makes, "cpu")


def _fits(axis: Any, rank: int) -> bool:
    axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
    return all(a < rank for a in axes)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    "options", ["keepdims=True", "initial=3", "dtype=np.float32", "dtype=np.int64", "where=x > 0"]
)
@pytest.mark.parametrize("name", ["sum", "prod", "max"])
def test_options_of_reductions(name: str, options: str, device: str) -> None:
    if name == "max" and "dtype" in options:
        options = "keepdims=True, initial=2"
    if name == "max" and "where" in options:
        options += ", initial=-9"
    # Float sums that begin elsewhere, or leave elements out, are refused: their order is not kept.
    inexact = name == "max" or not {"initial", "where"} & {
        option.split("=")[0] for option in options.split(", ")
    }
    x = tamed(np.dtype(float if inexact else int))[:300].reshape(20, 15)
    agree(
        function_of(f"np.{name}(x, axis=1, {options}), np.{name}(x, {options})", "x"),
        lambda: [x.copy()],
        device,
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_extremes_of_nothing_are_numpys_error(shape: tuple[int, ...], name: str, device: str) -> None:
    function = getattr(np, name)

    def apply(x: Any) -> Any:
        return function(x)

    text = disagreement(apply, convert(apply, device), lambda: [np.zeros(shape)])
    assert not text, text
