"""Lists whose length run time gives, unpacked into as many names as the program writes (`u, v, w = edges[i]`)."""

from __future__ import annotations

import dis
import sys
from typing import Any

from .numbers import raise_if

_UNPACKS, _EXTENDS = dis.opmap["UNPACK_SEQUENCE"], dis.opmap["EXTENDED_ARG"]


def names_waiting() -> int | None:
    """Return into how many names the statement unpacks which asks the caller for its items; None where something else asks."""
    frame = sys._getframe(2)
    place, text = frame.f_lasti, frame.f_code.co_code
    is_wide = place >= 2 and text[place - 2] == _EXTENDS
    return text[place + 1] if text[place] == _UNPACKS and not is_wide else None


def check_length(length: Any, count: int) -> None:
    """Raise what Python raises where there are not as many items as names."""
    raise_if(length > count, lambda: ValueError(f"too many values to unpack (expected {count})"))
    raise_if(length < count, lambda found: _too_few(count, found), length)


def _too_few(count: int, found: Any) -> ValueError:
    return ValueError(f"not enough values to unpack (expected {count}, got {found})")
