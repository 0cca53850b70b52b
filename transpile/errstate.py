"""How NumPy is told to handle floating-point errors."""

from __future__ import annotations

from typing import Any

import numpy as np

# The state lies behind a context variable of NumPy's own; reading it is much faster than asking for its contents.
_state_of = getattr(getattr(np._core.umath, "_extobj_contextvar", None), "get", np.geterr)  # type: ignore[attr-defined]
_known: tuple[Any, bool] = (None, False)


def is_followed() -> bool:
    """Whether compiled code handles floating-point errors as NumPy is told to: not where they are raised, called, printed or logged."""
    global _known
    state = _state_of()
    if state is not _known[0]:
        _known = state, {"ignore", "warn"}.issuperset(np.geterr().values())
    return _known[1]
