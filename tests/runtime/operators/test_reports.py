"""Where NumPy's own Python warns, the original does: once, and of the user's line."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import convert


def few(x: Any) -> Any:
    return np.cov(x[:, :1])


def printed_before(x: Any) -> Any:
    print("few")
    return np.corrcoef(x[:, :1]).shape


def deprecated(x: Any) -> Any:
    return np.row_stack([x, x])  # type: ignore[attr-defined]


def enough(x: Any) -> Any:
    return np.cov(x), np.corrcoef(x)


def told(function: Callable[..., Any]) -> tuple[list[tuple[Any, ...]], Any]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = function(np.array([[1.0, 2.5, 3.0], [2.0, 0.5, 1.0]]))
    return [(w.category, str(w.message), w.filename, w.lineno) for w in seen], found


@pytest.mark.parametrize("device", ["host", "cpu"])
# NumPy 2.5 has no such function any more.
@pytest.mark.parametrize(
    "function",
    [few, printed_before, enough, *[deprecated] * hasattr(np, "row_stack")],
    ids=lambda f: f.__name__,
)
def test_warnings_of_numpys_own_python_are_given_once(
    function: Callable[..., Any], device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected, result = told(function)
    out = capsys.readouterr().out
    converted = convert(function, strict=True, device=device)
    for _ in range(2):
        found, other = told(converted)
        assert found == expected and np.array_equal(np.asarray(result), np.asarray(other), equal_nan=True)
        assert capsys.readouterr().out == out
