"""The conversion of functions, of which is kept on disk what it gives."""

from __future__ import annotations

from types import FunctionType

from transpile.converters import Conversion
from transpile.converters import convert as convert_syntax
from transpile.runtime.disk import Store, digest_of


class _Kept(Store):
    """Keeps conversions, by the code that makes them, too: that is read again only once it has changed."""

    digest_of = staticmethod(digest_of)


_KEPT = _Kept("code")


def convert(
    function: FunctionType,
    others: dict[str, FunctionType] | None = None,
    loops: frozenset[str] = frozenset(),
) -> Conversion:
    """Return a function rewritten, as in an earlier process where it is the same function."""
    return convert_syntax(function, others, _KEPT, loops)
