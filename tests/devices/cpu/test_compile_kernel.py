"""A kernel is compiled once for a text and its types, and found again on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import transpile
from transpile.devices.cpu import compile_kernel


def test_the_folder_of_kernels_is_what_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    assert compile_kernel.cache_folder() == tmp_path
    monkeypatch.delenv("TRANSPILE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compile_kernel.cache_folder() == tmp_path / "transpile"


def test_modules_that_are_left_out_of_the_digest_exist() -> None:
    folder = Path(compile_kernel.__file__).parent
    assert {path.stem for path in folder.glob("*.py")} > compile_kernel._APART


def test_equal_texts_are_kept_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    for dtype, count in ((np.float64, 1), (np.float64, 1), (np.float32, 2)):
        scale = transpile.convert(lambda x: x * 2 + 1, strict=True, device="cpu")
        assert scale(np.ones(3, dtype)).tolist() == [3, 3, 3]
        assert len(list(tmp_path.rglob("*.py"))) == count
