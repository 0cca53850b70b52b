"""The addresses of NumPy's own sorts, searches and products: of what calls them in kernels, a process that loads kernels has no use."""

from __future__ import annotations

from transpile.devices.loops.routines import routine

from . import symbols


def _resolve(rest: str) -> int | None:
    """Find the routine of ``sort_d``; ``t`` stands for truth values."""
    function, _, character = rest.rpartition("_")
    return routine(function, "?" if character == "t" else character)


symbols.provide("sorts", _resolve)
