"""Files that a call writes by their paths: what was there before, so that it can be put back."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import Any

from transpile.runtime.errors import Deoptimise

# How many bytes are kept for one call: the original runs one that would write over more.
_MOST = 1 << 28


class WrittenFiles:
    """The files that a call has written."""

    def __init__(self) -> None:
        self._left = _MOST

    def restoring(self, path: Any) -> Callable[[], object]:
        """Return what makes the file at a path what it is now, or removes it if there is none. Raises Deoptimise where that could not be done."""
        place = os.path.abspath(os.fspath(path))
        try:
            status = os.stat(place)
        except OSError:
            return lambda: _remove(place)
        if not stat.S_ISREG(status.st_mode) or status.st_size > self._left:
            raise Deoptimise("large files, or a device, are written over")
        try:
            with open(place, "rb") as file:
                before = file.read()
        except OSError:
            raise Deoptimise("a file that cannot be read is written over") from None
        self._left -= len(before)

        def restore() -> None:
            with open(place, "wb") as file:
                file.write(before)

        return restore


def _remove(place: str) -> None:
    if os.path.exists(place):
        os.unlink(place)
