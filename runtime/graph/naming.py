"""Gives every value of a graph a name of its own."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from .ir import Block, Graph, Value


def assign_names(graph: Graph) -> None:
    """Name every value: by the user's name where it has one, with a number where that is taken, else `t0`, `t1` and so on."""
    for value, name in names_of(graph).items():
        value.name = name


def names_of(graph: Graph) -> dict[Value, str]:
    """Return a name for every value, in the order in which the text form defines them; unique names are kept as they are."""
    names: dict[Value, str] = {}
    taken: dict[str, int] = {}
    for value in values_in(graph.block):
        base = value.name
        if not base.isidentifier():
            base = re.sub(r"\W+", "_", base.rstrip("0123456789")).strip("_")
        if not base.isidentifier() or keyword.iskeyword(base):
            base = "t"
            taken.setdefault(base, 0)
        count = taken.get(base)
        while count is not None and (f"t{count}" if base == "t" else f"{base}_{count}") in taken:
            count += 1
        name = base if count is None else f"{base}_{count}" if base != "t" else f"t{count}"
        taken[base] = 1 if count is None else count + 1
        taken.setdefault(name, 1)
        names[value] = name
    return names


def values_in(block: Block) -> Iterator[Value]:
    """Yield every value of a block: arguments, then op by op what its regions hold and its results."""
    yield from block.arguments
    for op in block.ops:
        for region in op.regions:
            yield from values_in(region)
        yield from op.results
