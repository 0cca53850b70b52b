"""Settings of the tests of devices.cpu, made before numba is imported."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
os.environ.setdefault("NUMBA_CACHE_DIR", str(ROOT / ".cache" / "numba"))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20240229)


@pytest.fixture
def run_script(tmp_path: Path) -> Callable[[str], str]:
    """Runs a script in a fresh process, each time from the same file and with the same cache of kernels."""

    def run(source: str) -> str:
        script = tmp_path / "script.py"
        if not script.exists() or script.read_text() != source:
            script.write_text(source)
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "kernels"), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def same_bits() -> Callable[[object, object], None]:
    """Checks that two arrays or scalars have one dtype, one shape and the same bytes."""

    def check(found: object, expected: object) -> None:
        a, b = np.asarray(found), np.asarray(expected)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.tobytes() != b.tobytes():
            rows = [np.frombuffer(x.tobytes(), np.uint8).reshape(x.size, x.itemsize) for x in (a, b)]
            wrong = np.flatnonzero((rows[0] != rows[1]).any(axis=1))
            shown = [(int(k), a.ravel()[k], b.ravel()[k]) for k in wrong[:5]]
            raise AssertionError(f"{wrong.size} of {a.size} elements differ, such as {shown}")

    return check
