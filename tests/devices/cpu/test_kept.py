"""Kernels that are kept on disk are loaded again, and compiled anew where they are damaged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
import numpy as np
import transpile

def f(x, y):
    return x * y + 1

converted = transpile.convert(f, strict=True)
assert converted(np.ones(3), np.ones(3)).tolist() == [2.0, 2.0, 2.0]
print("numba.np.arraymath" in sys.modules)
"""


def run(folder: Path) -> str:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    environment = {"TRANSPILE_CACHE_DIR": str(folder / "kernels"), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, str(program)]
    return subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout


def stored(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (folder / "kernels").rglob("*.nb[ic]")}


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:99], lambda b: bytes([*b[:-9], *[7] * 9])])
def test_damaged_files_are_made_anew(tmp_path, suffix, damage):
    run(tmp_path)
    before = stored(tmp_path)
    (file,) = (tmp_path / "kernels").rglob(f"*.{suffix}")
    file.write_bytes(damage(file.read_bytes()))
    run(tmp_path)
    assert stored(tmp_path).keys() == before.keys()
    assert stored(tmp_path)[file.name] != damage(before[file.name])


def test_kernels_are_kept(tmp_path):
    run(tmp_path)
    before = stored(tmp_path)
    assert len(before) == 2
    run(tmp_path)
    assert stored(tmp_path) == before


def test_neither_making_nor_loading_a_kernel_loads_all_that_numba_knows(tmp_path):
    assert run(tmp_path) == "False\n"
    assert run(tmp_path) == "False\n"


def test_a_folder_that_cannot_be_written_does_without(tmp_path):
    (tmp_path / "kernels").write_text("a file")
    run(tmp_path)
