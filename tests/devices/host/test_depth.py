"""What is nested too deeply for Python's compiler is left to the original."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_a_chain_of_very_many_branches_falls_back_with_a_reason(device: str, tmp_path: Path) -> None:
    lines = ["def f(x, k):", "    if k == 0:", "        x[0] = 1"]
    for number in range(1, 102):
        lines += [f"    elif k == {number}:", f"        x[0] = {number}"]
    file = tmp_path / "chain.py"
    file.write_text("\n".join(lines) + "\n")
    names: dict[str, Any] = {}
    exec(compile(file.read_text(), str(file), "exec"), names)
    x = np.zeros(3)
    converted = transpile.convert(names["f"], device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        converted(x, 7)
    assert [error.code for error in converted.calls.failures.values()] == ["S269-too-deep"]
    assert x.tolist() == [7, 0, 0]
