"""Files that a call writes by their paths: what was there before, so that it can be put back."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Any

from .scalars import Deoptimise

# Files that are larger are not kept: the original runs a call that would write over one.
_MOST = 1 << 26


def restoring(path: Any) -> Callable[[], object]:
    """Return what makes the file at a path what it is now, or removes it if there is none. Raises Deoptimise where that could not be done."""
    place = os.path.abspath(os.fspath(path))
    try:
        status = os.stat(place)
    except OSError:
        return lambda: _remove(place)
    if not stat.S_ISREG(status.st_mode) or status.st_size > _MOST:
        raise Deoptimise("a large file, or a device, is written over")
    try:
        with open(place, "rb") as file:
            before = file.read()
    except OSError:
        raise Deoptimise("a file that cannot be read is written over") from None

    def restore() -> None:
        with open(place, "wb") as file:
            file.write(before)

    return restore


def _remove(place: str) -> None:
    if os.path.exists(place):
        os.unlink(place)
