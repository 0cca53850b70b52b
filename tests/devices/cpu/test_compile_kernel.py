"""A kernel is compiled once for what it is made of, and found again on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import transpile


def test_equal_functions_are_kept_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRANSPILE_CACHE_DIR", str(tmp_path))
    for dtype, count in ((np.float64, 1), (np.float64, 1), (np.float32, 2)):
        scale = transpile.convert(lambda x: x * 2 + 1, strict=True, device="cpu")
        assert scale(np.ones(3, dtype)).tolist() == [3, 3, 3]
        assert len(list(tmp_path.rglob("*.kernel"))) == count
