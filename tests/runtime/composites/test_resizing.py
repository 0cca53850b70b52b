"""`ndarray.resize` changes in place what it changes in NumPy, and refuses what NumPy refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.runtime.errors import FallbackWarning, StagingError

from .agreement import agree, function_of

CASES = [
    "x = np.ones(a)\nx.resize(a + 2, refcheck=False)\nreturn x, x.base is None, x.flags.owndata",
    "x = np.ones(a)\nx.resize(2, refcheck=False)\nx[0] = 4\nreturn x",
    "x = np.ones((a, 2))\ny = x\nx.resize((3, a), refcheck=False)\ny[0] = 5\nreturn x, y, y is x",
    "x = np.arange(a)\nx.resize(a, refcheck=False)\nx.resize(2, a, refcheck=False)\nx.resize((a * 2 + 1,), refcheck=0)\nreturn x",
    "s = 0\nfor i in range(a):\n    x = np.ones(i + 1)\n    x.resize(i + 3, refcheck=False)\n    x[-1] = i\n    s += x.sum()\nreturn s",
    "x = np.zeros(0)\nx.resize((a, a), refcheck=False)\nx[1] = 3\nreturn x",
    "x = np.ones(a, np.complex64)\nx.resize(a - 1, refcheck=False)\nx.resize(a + 1, refcheck=False)\nreturn x",
    "x = np.ones(a)\ny = x[1:]\ntry:\n    y.resize(9)\nexcept ValueError as e:\n    return str(e), x",
    "x = np.ones(a)\nf = x.flags\nx.resize(a + 1, refcheck=False)\nreturn f.c_contiguous, x",
]


@pytest.mark.parametrize("body", CASES)
def test_arrays_of_the_functions_own_are_resized(body: str) -> None:
    for size in (5, 3, 2):
        agree(body, size)


@pytest.mark.parametrize(
    "body",
    [
        "x = np.ones(a)\nx.resize(a + 2)\nreturn x",
        "x = np.ones(a)\ny = x[1:]\nx.resize(a + 2, refcheck=False)\nreturn x",
        "x = np.ones(a)\nm = x.data\nx.resize(a + 2, refcheck=False)\nreturn x",
        "x = np.ones(a)\nfor i in range(a):\n    x.resize(i + 2, refcheck=False)\nreturn x",
        "x = np.linspace(0, 1, a)\nx.resize(a + 2, refcheck=False)\nreturn x",
    ],
)
def test_what_references_decide_is_left_to_python(body: str) -> None:
    with pytest.raises(StagingError):
        convert(function_of(body, "a"), strict=True, device="host")(4)


def test_the_callers_own_array_is_resized_by_numpy() -> None:
    def resizes(x: Any) -> Any:
        y = x
        y.resize(6, refcheck=False)
        return y

    given = np.arange(4.0)
    with pytest.warns(FallbackWarning, match="S170-method"):
        assert convert(resizes)(given) is given
    assert given.tolist() == [0, 1, 2, 3, 0, 0]
