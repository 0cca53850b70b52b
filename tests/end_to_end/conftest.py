"""What all tests of whole programs see to."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def all_kernels_are_lowered() -> Iterator[None]:
    """No kernel is left to numba, which takes four times as long."""
    before = len(_refused())
    yield
    assert _refused()[before:] == []


def _refused() -> list[str]:
    module = sys.modules.get("transpile.devices.cpu.machine_code")
    return module.refused if module is not None else []
