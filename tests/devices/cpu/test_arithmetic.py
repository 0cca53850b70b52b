"""Operators of lowered kernels mean what they mean to numba."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from numba import types

from .kernels import by_numba, lowered

NUMBERS = {
    types.boolean: [False, True],
    types.int8: [-128, -3, 0, 5, 127],
    types.uint8: [0, 7, 200, 255],
    types.int64: [-(2**31), -7, 0, 3, 2**31],
    types.uint64: [0, 3, 2**63 + 5],
    types.float32: [-1.5, -0.0, 0.1, np.inf, np.nan],
    types.float64: [-1.5, -0.0, 0.1, 1e300, np.inf, -np.nan],
    types.complex128: [1 - 2j, -0.0 + 0.5j, complex(np.inf, 1.0)],
}
NAMES = {str(kind): kind for kind in NUMBERS}
REAL = [kind for kind in NUMBERS if kind is not types.complex128]
INTEGERS = [types.boolean, types.int8, types.uint8, types.int64]


def agree(kinds: tuple[Any, ...], expressions: dict[str, Any]) -> None:
    """Compare both ways on all numbers of some types: expressions of x, y and z, and the types that they are of."""
    text = f"def kernel({', '.join('xyz'[: len(kinds)])}):\n    return 0, {', '.join(expressions)}"
    found = lowered(text, NAMES, kinds, types.Tuple([types.int64, *expressions.values()]))
    expected = by_numba(text, NAMES, kinds)
    for numbers in itertools.product(*(NUMBERS[kind] for kind in kinds)):
        given = [as_kind(kind, number) for kind, number in zip(kinds, numbers, strict=True)]
        for place, results in enumerate(zip(found(*given), expected(*given), strict=True)):
            bits = [np.asarray(result).tobytes() for result in results]
            assert bits[0] == bits[1], (list(expressions)[place - 1], kinds, numbers)


def as_kind(kind: Any, number: Any) -> Any:
    return np.dtype(str(kind).replace("boolean", "bool")).type(number)


def wide(*kinds: Any) -> Any:
    """Return the type in which integers of some types are computed."""
    unsigned = all(isinstance(kind, types.Integer) and not kind.signed for kind in kinds)
    return types.uint64 if unsigned else types.int64


@pytest.mark.parametrize("kind", REAL, ids=str)
def test_of_one_type(kind: Any) -> None:
    expressions = {"max(x, y)": kind, "min(x, y)": kind, "not x == y": types.boolean}
    comparisons = [f"x {operator} y" for operator in ("<", "<=", ">", ">=", "==", "!=")]
    expressions |= dict.fromkeys(comparisons, types.boolean)
    if isinstance(kind, types.Float):
        expressions |= dict.fromkeys(["-x", "abs(x)", "x + y", "x - y", "x * y", "x / y"], kind)
    elif isinstance(kind, types.Integer):
        expressions |= {"-x": wide(kind), "abs(x)": kind, "~x": wide(kind)}
    agree((kind, kind), expressions)


@pytest.mark.parametrize("kinds", list(itertools.combinations_with_replacement(INTEGERS, 2)), ids=str)
def test_integers(kinds: Any) -> None:
    expressions = dict.fromkeys(["x + y", "x - y", "x * y", "x < y", "x == y"], wide(*kinds))
    expressions |= dict.fromkeys(["x < y", "x == y"], types.boolean)
    if types.boolean not in kinds:
        expressions |= dict.fromkeys(["x & y", "x | y", "x ^ y"], wide(*kinds))
    elif kinds == (types.boolean, types.boolean):
        expressions |= dict.fromkeys(["x & y", "x | y", "x ^ y"], types.boolean)
    agree(kinds, expressions)


def test_a_float_beside_an_integer() -> None:
    expressions = dict.fromkeys(["x + y", "x - y", "x * y", "x / y"], types.float64)
    agree((types.float64, types.int64), expressions | {"x < y": types.boolean, "0.5 <= x < y": types.boolean})


def test_complex_numbers() -> None:
    expressions = dict.fromkeys(
        ["x + y", "x - y", "x * y", "-x", "complex(y.real, x.imag)"], types.complex128
    )
    expressions |= {
        "x.real": types.float64,
        "abs(x)": types.float64,
        "x == y": types.boolean,
        "x != y": types.boolean,
    }
    agree((types.complex128, types.complex128), expressions)


@pytest.mark.parametrize("kind", REAL, ids=str)
def test_conversions(kind: Any) -> None:
    targets = [types.float32, types.float64]
    if not isinstance(kind, types.Float):
        targets += [types.int8, types.uint8, types.int64, types.uint64]
    agree((kind,), {f"{target}(x)": target for target in targets})
