"""What all tests of whole programs see to."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

# What only numba compiles. The list may only shrink.
LEFT_TO_NUMBA = {"Div of complex numbers"}


@pytest.fixture(autouse=True)
def all_kernels_are_lowered() -> Iterator[None]:
    """No kernel is left to numba, which takes four times as long, but for what is known."""
    before = len(_refused())
    yield
    assert set(_refused()[before:]) <= LEFT_TO_NUMBA


def _refused() -> list[str]:
    module = sys.modules.get("transpile.devices.cpu.machine_code")
    return module.refused if module is not None else []
