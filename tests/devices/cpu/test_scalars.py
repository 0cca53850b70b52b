"""The expressions that kernels compute of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import transpile


def sqrt(x: Any, floor: Any) -> Any:
    return np.sqrt(x) + np.floor(floor) + np.ceil(x)


def nested(sqrt: Any, ceil: Any) -> Any:
    return np.sqrt(sqrt) + np.ceil(ceil)


@pytest.mark.parametrize("function", [sqrt, nested])
def test_a_program_may_name_its_own_things_as_the_machine_does_its_functions(function: Any) -> None:
    x, y = np.array([1.5, 4.0]), np.array([2.5, -0.5])
    assert np.array_equal(transpile.convert(function, strict=True)(x, y), function(x, y))
