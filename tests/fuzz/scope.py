"""What is known of the names of a random program while it is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

# Kinds are a letter (b, i, f, c) and a number of axes, "list", "tuple", "text", "dict", "box", "pair" or "function".
LETTERS = "bifc"


@dataclass
class Scope:
    """The names that are bound, with the kind that each last had, and what is not to be assigned."""

    kinds: dict[str, str] = field(default_factory=dict)
    reserved: set[str] = field(default_factory=set)
    outer: Scope | None = None
    # Names of the function around that may be assigned here.
    shared: set[str] = field(default_factory=set)

    def of(self, kinds: Iterable[str]) -> list[str]:
        """Return the names that have one of these kinds, those of functions around included."""
        wanted = set(kinds)
        found = [name for name, kind in self.kinds.items() if kind in wanted]
        if self.outer is not None:
            found += [name for name in self.outer.of(wanted) if name not in self.kinds]
        return found

    def assignable(self) -> list[str]:
        """Return the names that a statement may bind anew."""
        return [name for name in self.kinds if name not in self.reserved]
