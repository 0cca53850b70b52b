"""Every elementwise ufunc, on all its dtypes and in every layout, interpreted and compiled against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile.runtime.graph.types import ArrayType, ScalarType
from transpile.runtime.ops.table import TABLE
from transpile.runtime.trace.guard import ArrayKey

from .agreement import DEVICES, agree, convert, disagreement, moving, outcome
from .operands import DTYPES, FAMILIES, PAIRS, Array, numbers, pairs, tuples

UFUNCS: list[np.ufunc] = [op.numpy for op in TABLE.values() if op.family == "elementwise" and op.numpy]
# What is compiled in one function: compiling takes a time for each function and one for each op.
GROUP = 16
# In every layout compiled: ops of the machine, NumPy's loops, loops that look at how operands lie, several results.
IN_LAYOUTS: dict[str, dict[int, list[np.ufunc]]] = {
    "d": {
        1: [np.sqrt, np.exp, np.arctan, np.isinf, np.modf],
        2: [np.subtract, np.power, np.arctan2, np.maximum],
    },
    "b": {1: [np.negative, np.sign], 2: [np.multiply, np.floor_divide, np.less]},
    "F": {1: [np.square, np.absolute], 2: [np.multiply, np.divide]},
}


def group_of(ufuncs: list[np.ufunc]) -> Callable[..., list[Any]]:
    """Return a function that applies several ufuncs to the same operands."""

    def apply(*operands: Any) -> list[Any]:
        return [ufunc(*operands) for ufunc in ufuncs]

    return apply


def of_arity(count: int) -> list[np.ufunc]:
    """Return the ufuncs of so many operands."""
    return [ufunc for ufunc in UFUNCS if ufunc.nin == count]


def accepted(ufuncs: list[np.ufunc], operands: list[Any]) -> list[np.ufunc]:
    """Return the ufuncs that NumPy applies to such operands without an error, to numbers that kernels know."""

    def works(ufunc: np.ufunc) -> bool:
        kind, result = outcome(ufunc, operands)
        parts = result if isinstance(result, tuple) else (result,)
        return kind == "gives" and all(np.asarray(part).dtype.char in "?bBhHiIlLefdFD" for part in parts)

    return [ufunc for ufunc in ufuncs if works(ufunc)]


def tame(ufuncs: list[np.ufunc], operands: list[Array]) -> list[tuple[list[np.ufunc], list[Array]]]:
    """Return ufuncs with their operands: powers of integers have small exponents that are not negative, which is an error."""
    if len(operands) != 2 or any(o.dtype.kind not in "iu" for o in operands) or np.power not in ufuncs:
        return [(ufuncs, operands)]
    base, exponent = operands
    small = np.minimum(np.maximum(exponent, exponent.dtype.type(0)), exponent.dtype.type(70))
    return [([u for u in ufuncs if u is not np.power], operands), ([np.power], [base, small])]


def check(ufuncs: list[np.ufunc], operands: list[Any], device: str) -> None:
    """Check ufuncs on the same operands, some at a time."""
    kept = accepted(ufuncs, operands)
    for first in range(0, len(kept), GROUP):
        agree(
            group_of(kept[first : first + GROUP]), lambda: [_again(operand) for operand in operands], device
        )


def _again(operand: Any) -> Any:
    return operand.copy() if isinstance(operand, np.ndarray) else operand


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("count", (1, 2, 3))
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_all_ufuncs_of_a_dtype(dtype: np.dtype[Any], count: int, device: str) -> None:
    for ufuncs, operands in tame(of_arity(count), tuples((dtype,) * count)):
        check(ufuncs, operands, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_what_numpy_refuses_is_refused_alike(dtype: np.dtype[Any], device: str) -> None:
    """Nothing is compiled for these: NumPy's own error comes while tracing."""
    for ufunc in UFUNCS:
        operands = [numbers(dtype)] * ufunc.nin
        expected = outcome(ufunc, operands)
        if expected[0] == "raises":
            text = disagreement(group_of([ufunc]), convert(group_of([ufunc]), device), lambda: operands)  # noqa: B023
            assert not text, text


@pytest.mark.parametrize("first", DTYPES, ids=str)
def test_mixed_dtypes_interpreted(first: np.dtype[Any]) -> None:
    for second in DTYPES:
        for ufuncs, operands in tame(of_arity(2), tuples((first, second))):
            check(ufuncs, operands, "host")


@pytest.mark.parametrize("first", DTYPES, ids=str)
def test_mixed_dtypes_compiled(first: np.dtype[Any]) -> None:
    """One kernel for a dtype beside all others: each op takes its turn."""
    pairs_ = [tuples((first, second)) for second in DTYPES if second != first]
    chosen: list[tuple[np.ufunc, Array, Array]] = []
    for turn, operands in enumerate(pairs_):
        fitting = accepted(of_arity(2), operands)
        start = (turn + DTYPES.index(first)) * 3
        for ufunc in (fitting * 2)[start % len(fitting) :][:2]:
            chosen.append((ufunc, *operands))

    def apply(*operands: Any) -> list[Any]:
        return [ufunc(*operands[2 * k : 2 * k + 2]) for k, (ufunc, *_) in enumerate(chosen)]

    agree(apply, lambda: [part.copy() for _, *both in chosen for part in both], "cpu")


@pytest.mark.parametrize("layout", pairs())
@pytest.mark.parametrize("dtype", FAMILIES, ids=str)
def test_all_ufuncs_in_a_layout_interpreted(dtype: np.dtype[Any], layout: str) -> None:
    for count in (1, 2, 3):
        for ufuncs, flat in tame(of_arity(count), tuples((dtype,) * count)):
            check_layout(ufuncs, flat, layout, "host")


@pytest.mark.parametrize("layout", pairs())
@pytest.mark.parametrize("dtype", FAMILIES, ids=str)
def test_ufuncs_in_a_layout_compiled(dtype: np.dtype[Any], layout: str) -> None:
    for count, ufuncs in IN_LAYOUTS[dtype.char].items():
        if count == 2 or layout not in PAIRS:
            check_layout(ufuncs, tuples((dtype,) * count), layout, "cpu")


def check_layout(ufuncs: list[np.ufunc], flat: list[Array], layout: str, device: str) -> None:
    """Check ufuncs on operands in a layout."""

    makers = (*pairs()[layout], pairs()[layout][0])

    def make() -> list[Any]:
        return [maker(values) for maker, values in zip(makers, flat, strict=False)]

    kept = accepted(ufuncs, make())
    agree(group_of(kept), make, device)


# The graph has no op of a Python number beside others: tracing casts it to the loop's dtype.
@pytest.mark.parametrize(
    "layout", [layout for layout in pairs() if not {"Python", "stretched"} & set(layout.split())]
)
@pytest.mark.parametrize("dtype", FAMILIES, ids=str)
def test_the_type_rule_says_what_evaluate_gives(dtype: np.dtype[Any], layout: str) -> None:
    for ufunc in UFUNCS:
        op = TABLE[ufunc.__name__]
        makers = (*pairs()[layout], pairs()[layout][0])[: ufunc.nin]
        operands = [maker(values) for maker, values in zip(makers, tuples((dtype,) * ufunc.nin), strict=True)]
        if not accepted([ufunc], operands):
            continue
        with np.errstate(all="ignore"):
            result = op.evaluate({}, *operands)  # type: ignore[misc]
        results = result if isinstance(result, tuple) else (result,)
        for said, found in zip(op.types([type_of(o) for o in operands], {}), results, strict=True):
            assert_type(said, found)


def type_of(operand: Any) -> ArrayType | ScalarType:
    """Return the graph's type of an operand."""
    if isinstance(operand, np.ndarray):
        return ArrayType(operand.dtype, operand.shape, ArrayKey.of(operand).order)
    python = type(operand) in (bool, int, float, complex)
    return ScalarType(np.asarray(operand).dtype, weak=python)


def assert_type(said: Any, found: Any) -> None:
    """Check that a value is of the type that a rule gives: an array in the right order, where its strides say something."""
    if isinstance(found, np.ndarray):
        assert (said.dtype, said.dims) == (found.dtype, found.shape)
        fresh = np.empty([said.dims[axis] for axis in said.axes], said.dtype).transpose(np.argsort(said.axes))
        assert not found.size or moving(fresh) == moving(found)
    else:
        assert said == ScalarType(found.dtype)
