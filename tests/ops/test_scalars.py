"""Python's operators on NumPy scalars and Python numbers: their own rules, not those of the ufuncs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from .agreement import DEVICES, convert, disagreement, function_of, outcome
from .operands import DTYPES, numbers

BINARY = ("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=")
COMPARISONS = BINARY[-6:]
UNARY = ("-{}", "+{}", "abs({})", "~{}", "not({})", "bool({})")
PYTHON: dict[str, list[Any]] = {
    "bool": [0, 1],
    "int": [0, 1, -1, 2, 3, -3, 7, 63, 64, 2**31, 2**53 + 1, 2**62, -(2**63), 2**63 - 1],
    "float": [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 3.0, 1e308, 5e-324, 2.0**53, 2.0**63, np.inf, -np.inf, np.nan],
    "complex": [0j, 1j, -1 + 0j, complex(-0.0, 0.5), complex(2.5, -3.0), complex(1e300, 1e300), complex(np.inf, 1.0)],
}  # fmt: skip


def of_every_operator(first: Any, second: Any) -> list[str]:
    """Return the operators that two such numbers have, if not of all values."""
    return [sign for sign in BINARY if _has(of_operators([sign]), first, second)]


def of_operators(signs: Iterable[str], bools: Sequence[bool] = (False, False)) -> Callable[..., Any]:
    """Return a function that applies several operators to the same two numbers; `bools` says which are truths, made of integers."""
    first, second = (f"({name} == 1)" if made else name for name, made in zip("ab", bools, strict=True))
    return function_of(f"[{', '.join(f'{first} {sign} {second}' for sign in signs)}]", "a, b")


def of_one(forms: Iterable[str]) -> Callable[..., Any]:
    """Return a function that applies several operators to the same number."""
    return function_of(f"[{', '.join(form.format('a') for form in forms)}]", "a")


def _has(function: Callable[..., Any], *operands: Any) -> bool:
    kind, result = outcome(function, operands)
    return kind == "gives" or result[0] is not TypeError


def check_all(function: Callable[..., Any], operands: list[tuple[Any, ...]], device: str) -> None:
    """Check a function on all these operands, of which one kernel serves most."""
    converted = convert(function, device)
    wrong = []
    for some in operands:
        text = disagreement(function, converted, lambda: some)  # noqa: B023
        wrong += [f"{some!r}: {text}"] if text else []
    assert not wrong, f"{len(wrong)} of {len(operands)} differ:\n" + "\n".join(wrong[:5])
    assert converted.cache_info().currsize <= 1
    calls = converted.calls
    assert calls.broken is None and not calls.failures
    assert not calls.entries or calls.entries[0].hits, "the original ran every call"


def check_pairs(function: Callable[..., Any], firsts: list[Any], seconds: list[Any], device: str) -> None:
    """Check a function of two numbers on all pairs."""
    check_all(function, list(itertools.product(firsts, seconds)), device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_operators_of_a_numpy_scalar_of_each_dtype(dtype: np.dtype[Any], device: str) -> None:
    values = list(numbers(dtype))[:: 4 if dtype.kind == "c" else 1]
    names = of_every_operator(values[0], values[1])
    # A negative exponent of integers is an error, which would leave nothing to see of the others.
    check_pairs(of_operators(s for s in names if s != "**" or dtype.kind != "i"), values, values, device)
    if dtype.kind == "i":
        check_pairs(of_operators(["**"]), values, values, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_operators_of_one_numpy_scalar(dtype: np.dtype[Any], device: str) -> None:
    values = list(numbers(dtype))
    forms = [form for form in UNARY if _has(of_one([form]), values[0])]
    check_all(of_one(forms), [(value,) for value in values], device)


@pytest.mark.parametrize("first", DTYPES, ids=str)
def test_operators_of_two_dtypes_interpreted(first: np.dtype[Any]) -> None:
    for second in DTYPES:
        one, other = list(numbers(first))[1:12:2], list(numbers(second))[:14:2]
        integers = first.kind in "biu" and second.kind in "biu"
        names = [s for s in of_every_operator(one[0], other[0]) if s != "**" or not integers]
        check_pairs(of_operators(names), one, other, "host")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("python", PYTHON)
@pytest.mark.parametrize("dtype", [np.dtype(c) for c in "?bBlLfdD"], ids=str)
def test_operators_of_a_numpy_scalar_and_a_python_number(
    dtype: np.dtype[Any], python: str, device: str
) -> None:
    step = {"c": 20, "b": 1}.get(dtype.kind, 2)
    values, others = (
        list(numbers(dtype))[::step],
        [n for n in PYTHON[python] if python != "int" or abs(n) < 100],
    )
    for swapped in (False, True):
        example = (values[1], bool(others[1]) if python == "bool" else others[1])
        names = of_every_operator(*reversed(example)) if swapped else of_every_operator(*example)
        bools = (python == "bool" and swapped, python == "bool" and not swapped)
        # A Python integer that does not fit is an error of the arithmetic ones; comparisons take all.
        fail = [n for n in names if python == "int" and dtype.kind in "biu" and n not in COMPARISONS]
        groups = (
            [n for n in names if n not in fail],
            [n for n in fail if n != "**"],
            ["**"] * ("**" in fail),
        )
        for group in filter(None, groups):
            check_pairs(
                of_operators(group, bools), *((others, values) if swapped else (values, others)), device
            )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("first", "second"), list(itertools.product(PYTHON, PYTHON)))
def test_operators_of_python_numbers(first: str, second: str, device: str) -> None:
    """Each failing operator has a kernel of its own; the others share one."""
    bools = (first == "bool", second == "bool")
    examples = [
        bool(PYTHON[kind][1]) if made else PYTHON[kind][1]
        for kind, made in zip((first, second), bools, strict=True)
    ]
    names = of_every_operator(*examples)
    fail = [sign for sign in names if sign in ["/", "//", "%", "**", "<<", ">>", "+", "-", "*"]]
    for group in filter(None, ([sign for sign in names if sign not in fail], *([sign] for sign in fail))):
        # Numbers of millions of digits would take Python too long.
        few = group[0] in ("<<", "**") and second in ("bool", "int")
        others = [b for b in PYTHON[second] if not few or abs(b) < 70]
        check_pairs(of_operators(group, bools), PYTHON[first], others, device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", [kind for kind in PYTHON if kind != "bool"])
def test_operators_of_one_python_number(kind: str, device: str) -> None:
    forms = [form for form in UNARY if _has(of_one([form]), PYTHON[kind][0])]
    check_all(of_one(forms), [(number,) for number in PYTHON[kind]], device)
