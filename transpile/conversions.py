"""The conversion of functions, of which is kept on disk what it gives."""

from __future__ import annotations

from types import FunctionType

from transpile.converters import Conversion
from transpile.converters import convert as convert_syntax
from transpile.runtime.disk import Store

_KEPT = Store("code")


def convert(
    function: FunctionType,
    others: dict[str, FunctionType] | None = None,
    loops: frozenset[str] = frozenset(),
) -> Conversion:
    """Return a function rewritten, as in an earlier process where it is the same function."""
    return convert_syntax(function, others, _KEPT, loops)
