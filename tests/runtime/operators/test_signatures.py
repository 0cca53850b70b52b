"""What stands for functions takes what these take."""

import inspect
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.arrays.functions import FUNCTIONS

from ...end_to_end.comparison import call, compare

# Arguments that no program is known to give, and functions of many arguments that look at them by themselves.
UNUSED = {"self", "ndmax", "_nil", "memo", "kwds"}
ITSELF = {"permutation", "shuffle", "_GeneratorContextManager"}


def parameters(function: Any) -> dict[str, inspect.Parameter]:
    try:
        return dict(inspect.signature(function).parameters)
    except (ValueError, TypeError):
        return {}


def test_arguments_have_the_names_that_they_may_be_given_by() -> None:
    missing = []
    for function, implementation in FUNCTIONS.items():
        taken = parameters(implementation)
        if any(p.kind is p.VAR_KEYWORD for p in taken.values()) or not taken:
            continue
        for name, parameter in parameters(function).items():
            by_name = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
            if by_name and name not in taken and name not in UNUSED and function.__name__ not in ITSELF:
                missing.append(f"{function.__module__}.{function.__name__}: {name}")
    assert not missing


def by_name(x: Any, n: Any) -> Any:
    text = f"{n}"
    return (
        round(number=n, ndigits=1), pow(base=n, exp=2), np.nansum(x, where=x > 1), np.nanmax(x, initial=3.0),
        np.nanmin(x, where=x > 1, initial=5.0), np.nanprod(a=x, initial=2.0), float(text), int(text),
        int("101", base=2) + n, str(object=n),
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
def test_arguments_are_given_by_name(device: str) -> None:
    converted = transpile.convert(by_name, device=device)
    for x in (np.array([1.0, np.nan, 2.5]), np.array([3.0, 2.0])):
        assert str(converted(x, 3)) == str(by_name(x, 3))
    assert {error.code for error in converted.calls.failures.values()} <= {"S232-text", "S243-initial"}


def with_a_base(n: Any, base: Any) -> Any:
    return int(n, base)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("n", [3, 2.5, np.int8(3), True])
def test_numbers_are_made_integers_to_no_base(n: Any) -> None:
    for base in (2, 2.0):
        compare(call(with_a_base, (n, base)), call(transpile.convert(with_a_base, device="host"), (n, base)))
