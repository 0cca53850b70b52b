"""What a loop on run-time values carries from turn to turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transpile.runtime.arrays.join import join
from transpile.runtime.arrays.references import holds_twice, storages_in
from transpile.runtime.arrays.structure import Known, Structure, structure_of
from transpile.runtime.arrays.undefined import Undefined
from transpile.runtime.arrays.values import bind_types, count_values, rebuild
from transpile.runtime.graph.ir import Value


class CarriedThing:
    """One thing that a loop carries: a name of the program, or a place in an object."""

    def __init__(self, label: str, initial: Any, place: tuple[int, Any] | None = None) -> None:
        self.label = label
        self.initial = initial
        self.place = place
        self.structure: Structure = (
            Known(initial) if isinstance(initial, Undefined) else structure_of(initial, widen=True)
        )
        self.frozen = False
        # What it is at the start of the turn being recorded, and at its end.
        self.before: Any = None
        self.after: Any = None
        # What a place holds where the test of a `while` has been evaluated.
        self.tested: Any = None

    def widen(self) -> bool:
        """Widen the structure to what the turn left; return whether it held already."""
        joined = join(
            self.structure, structure_of(self.after, widen=not isinstance(self.structure, Known)), self.label
        )
        storages = storages_in(self.after)
        if self.tested is not None:
            joined = join(joined, structure_of(self.tested, widen=True), self.label)
            storages |= storages_in(self.tested)
        frozen = self.frozen or any(s.frozen for s in storages)
        held = joined == self.structure and not (frozen and not self.frozen)
        self.structure, self.frozen = joined, frozen
        return held

    def holds_twice(self) -> bool:
        """Whether two arrays in it may be one, before or after a turn."""
        if count_values(self.structure) == 0:
            return False
        return any(map(holds_twice, (self.initial, self.after, self.tested)))

    def take(self, values: Sequence[Value]) -> Any:
        """Return the thing that `values` are, with arrays in memory of their own."""
        bind_types(self.structure, iter(values))
        thing = rebuild(self.structure, iter(values), self.label)
        if self.frozen:
            for storage in storages_in(thing):
                storage.frozen = True
        return thing
