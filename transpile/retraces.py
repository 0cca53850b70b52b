"""Traces that are made over and over for one reason."""

from __future__ import annotations

import re
import types
import warnings
from collections import Counter
from typing import TYPE_CHECKING

from transpile.runtime.errors import RetraceWarning

if TYPE_CHECKING:
    from transpile.runtime.cache.miss import Miss

# Kinds of guards on things that a program may go on changing without end.
_ENDLESS = frozenset(("equals", "is", "length", "keys", "dim"))
# Traces that are made for one reason, before there are many.
_MANY = 8
# Which item of a list or tuple is another one is no reason of its own.
_ITEM = re.compile(r"\[\d+\]")


class Retraces:
    """How often traces were made because of a value, and the kind of what is asked of it."""

    def __init__(self) -> None:
        self._reasons: Counter[tuple[str, str]] = Counter()

    def are_many(self, miss: Miss) -> bool:
        """Note why one more trace is made; tell whether there are many by now, once for each reason."""
        if miss.kind not in _ENDLESS:
            return False
        reason = _ITEM.sub("[]", miss.path), miss.kind
        self._reasons[reason] += 1
        return self._reasons[reason] == _MANY

    @property
    def go_on(self) -> bool:
        """Whether there are many for one reason."""
        return max(self._reasons.values(), default=0) >= _MANY


def warn_of_retracing(title: str, function: types.FunctionType, miss: Miss) -> None:
    """Warn that a function is traced over and over, and why."""
    text = (
        f"{title} is traced over and over, because {miss.path} keeps changing: {miss.text}. "
        "Each trace takes the time of a compilation; explain_miss() says more"
    )
    code = function.__code__
    warnings.warn_explicit(text, RetraceWarning, code.co_filename, code.co_firstlineno, function.__module__)
