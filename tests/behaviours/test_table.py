"""All behaviours have tests, and most of them compile whole."""

from __future__ import annotations

import importlib
from pathlib import Path

from .harness import Behaviour, Behaviours

COUNT = 214
# How many compile whole: may only grow.
WHOLE = 196


def declared() -> dict[int, list[Behaviour]]:
    """Return what is declared for each behaviour, in all files."""
    table: dict[int, list[Behaviour]] = {}
    for file in sorted(Path(__file__).parent.glob("test_*.py")):
        found = getattr(importlib.import_module(f".{file.stem}", __package__), "behaviours", None)
        if isinstance(found, Behaviours):
            for behaviour in found:
                table.setdefault(behaviour.number, []).append(behaviour)
    return table


def test_every_behaviour_has_a_test() -> None:
    assert sorted(declared()) == list(range(1, COUNT + 1))


def test_behaviours_that_compile_whole_do_not_become_fewer() -> None:
    table = declared()
    rest = {
        number: sorted({code for b in table[number] for code in b.gaps | b.gaps_on_cpu}) for number in table
    }
    whole = [number for number, codes in rest.items() if not codes]
    print(
        f"{len(whole)} of {COUNT} compile whole; the rest: { ({n: c for n, c in sorted(rest.items()) if c}) }"
    )
    assert len(whole) >= WHOLE
