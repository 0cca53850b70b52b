"""Gives every value of a graph a name of its own."""

from __future__ import annotations

import keyword
from collections.abc import Iterator

from .ir import Block, Graph, Value


def assign_names(graph: Graph) -> None:
    """Name every value: by the user's name where it has one, with a number where that is taken, else `t0`, `t1` and so on."""
    taken: dict[str, int] = {}
    for value in _values(graph.block):
        base = value.name.rstrip("0123456789").rstrip("_") if not value.name.isidentifier() else value.name
        if not base or keyword.iskeyword(base):
            base = "t"
            taken.setdefault(base, 0)
        count = taken.get(base)
        while count is not None and f"{base}_{count}" in taken:
            count += 1
        name = base if count is None else f"{base}_{count}" if base != "t" else f"t{count}"
        taken[base] = 1 if count is None else count + 1
        taken.setdefault(name, 1)
        value.name = name


def _values(block: Block) -> Iterator[Value]:
    yield from block.arguments
    for op in block.ops:
        for region in op.regions:
            yield from _values(region)
        yield from op.results
