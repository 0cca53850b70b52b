"""The expressions that the interpreter computes are those of the op table, to the type and the bit."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from transpile.devices.host.expressions import Words, expression
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import FLOAT, INT, PYBOOL, ScalarType, Type, strong
from transpile.runtime.ops.elementwise import OPERATORS, SCALAR_OPERATORS
from transpile.runtime.ops.table import TABLE

from .conftest import bits

INTEGERS = [0, 1, -1, 2, 7, 127, -128, 2**31 - 1, -(2**31), 2**53 + 1, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 1.5, -2.5, 3.0, 1e-310, 1e300, -1e300, float("inf"), float("-inf"), float("nan")]
COMPLEXES = [complex(a, b) for a in FLOATS[:5] for b in (0.0, -0.0, 2.0)]
PYTHON: list[tuple[Type, Sequence[Any]]] = [
    (INT, INTEGERS),
    (FLOAT, FLOATS),
    (PYBOOL, [False, True]),
    (ScalarType(np.dtype(complex), True), COMPLEXES),
]


def numbers(dtype: np.dtype[Any]) -> list[Any]:
    """Return numbers of a dtype, those at the ends of its range among them."""
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        return [dtype.type(n) for n in INTEGERS if ends.min <= n <= ends.max] + [dtype.type(ends.max)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = {"b": [False, True], "f": FLOATS, "c": COMPLEXES}[dtype.kind]
        return [dtype.type(number) for number in made]


DTYPES = [np.dtype(name) for name in ("?", "i1", "u1", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")]
STRONG: list[tuple[Type, Sequence[Any]]] = [(strong(dtype), numbers(dtype)) for dtype in DTYPES]


def outcome(compute: Callable[[], Any]) -> Any:
    """Return what is computed, or the error, and how often NumPy warns."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = bits(compute())
        except Exception as error:
            result = type(error), str(error)
    return result, len(warned)


def check(name: str, types: Sequence[Type], cases: Sequence[Sequence[Any]], **attributes: Any) -> None:
    """Compare the expression for an op with what the table computes."""
    operands = tuple(Value(type_, f"x{place}") for place, type_ in enumerate(types))
    try:
        made = TABLE[name].types(types, attributes)
    except TypeError:
        return
    op = Op(name, operands, made, attributes)
    words = Words({operand: operand.name for operand in operands})
    text = expression(op, words)
    compute = eval(f"lambda {', '.join(words.all(operands))}: {text}", dict(words.bound))
    evaluate = TABLE[name].evaluate
    assert evaluate is not None
    for values in cases:
        expected = outcome(lambda values=values: evaluate(attributes, *values))
        found = outcome(lambda values=values: compute(*values))
        assert found == expected, (text, values)


@pytest.mark.parametrize("name", [*OPERATORS, *(f"scalar_{name}" for name in SCALAR_OPERATORS)])
def test_operators_on_numbers(name: str) -> None:
    count = TABLE[name.removeprefix("scalar_")].numpy.nin
    kinds = PYTHON if not name.startswith("scalar_") else []
    if "shift" in name:
        kinds = [(INT, [0, 1, 5, 70]), kinds[2]]
    if name == "power":
        kinds = [(INT, [0, 1, -1, 2, 7]), *kinds[1:]]
    for taken in itertools.product(kinds, repeat=count):
        check(name, [type_ for type_, _ in taken], list(itertools.product(*(values for _, values in taken))))
    for type_, values in STRONG:
        some = values[-1:] + values[:-1]
        check(name, [type_] * count, list(zip(*[values, some][:count], strict=True)))
        check(name, [type_] * count, list(itertools.product(values[:9], repeat=count)))
        if count == 2:
            check(name, [type_, INT], [(value, 1) for value in values])
            check(name, [FLOAT, type_], [(0.5, value) for value in values])


@pytest.mark.parametrize("target", DTYPES, ids=str)
def test_casts_to_scalars_of_numpy(target: np.dtype[Any]) -> None:
    for type_, values in PYTHON + STRONG:
        check("cast", [type_], [(value,) for value in values], dtype=target)


@pytest.mark.parametrize(
    "target", [type_.dtype for type_, _ in PYTHON if isinstance(type_, ScalarType)], ids=str
)
def test_casts_to_numbers_of_python(target: np.dtype[Any]) -> None:
    for type_, values in PYTHON + STRONG:
        check("cast", [type_], [(value,) for value in values], dtype=target, weak=True)


def test_choices_and_places() -> None:
    check("select", [PYBOOL, INT, INT], [(True, 1, 2), (False, 1, 2)])
    check("select", [strong(np.dtype(bool)), FLOAT, FLOAT], [(np.True_, 1.0, 2.0), (np.False_, 1.0, 2.0)])
    check("index", [INT, INT], list(itertools.product(range(-4, 5), range(4))), axis=1)
    check("math", [FLOAT], [(0.5,), (4.0,)], function="sqrt")
    for type_, values in STRONG:
        check("real", [type_], [(value,) for value in values])
        check("imaginary", [type_], [(value,) for value in values])


def test_smaller_and_larger_of_two_numbers_of_python_is_one_of_python() -> None:
    one, other = Value(INT, "one"), Value(INT, "other")
    words = Words({one: "one", other: "other"})
    for name, expected in (("minimum", 2), ("maximum", 3)):
        op = Op(name, (one, other), (INT,))
        found = eval(expression(op, words), {"one_": 2, "other_": 3})
        assert (found, type(found)) == (expected, int)
