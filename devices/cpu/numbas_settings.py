"""What numba is told by those who run it, and which it is: without numba itself, which takes longer to load than a kernel that is kept."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

# Where numba reads settings, in the folder of the process, behind those of the environment; and which of these tell of the processor.
_FILE = Path(".numba_config.yaml")
_TARGET = ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX")


def version() -> str:
    """Return what tells one numba from another."""
    spec = importlib.util.find_spec("numba") if "numba" not in sys.modules else sys.modules["numba"].__spec__
    if spec is not None and spec.origin is not None:
        try:
            return Path(spec.origin).with_name("_version.py").read_text()
        except (OSError, UnicodeDecodeError):
            pass
    import numba

    return str(numba.__version__)


def told() -> str:
    """Return what somebody has said of the processor that code is for."""
    given = {name: os.environ.get(name) for name in _TARGET}
    return f"{given} {_FILE.read_text(errors='replace') if _FILE.is_file() else ''}"


def threads() -> int:
    """Return how many threads numba would have."""
    if "numba" in sys.modules or "NUMBA_NUM_THREADS" in os.environ or _FILE.is_file():
        settings: Any = importlib.import_module("numba.core.config")
        return int(settings.NUMBA_NUM_THREADS)
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1
