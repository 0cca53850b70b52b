"""What is known of the names of a random program while it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

# Kinds are a letter (b, i, f, c) and a number of axes, "list", "tuple", "text", "dict", "box", "pair", "function", or one that a family makes.
LETTERS = "bifc"


@dataclass
class Family:
    """A family of programs: templates, whose holes are those of idioms, by the kind that they give, and the program's text that they need."""

    # Expressions that make a value of a kind, those that give one otherwise, and statements.
    makes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    reads: Mapping[str, Sequence[str]] = field(default_factory=dict)
    writes: Sequence[str] = ()
    preamble: str = ""
    # What the preamble binds and calls may change, by name: attributes of modules and classes, too.
    names: Mapping[str, str] = field(default_factory=dict)
    kept: Sequence[str] = ()


class Families:
    """Several families, and the classes and functions of one program."""

    def __init__(self, families: Iterable[Family] = ()) -> None:
        self.makes: dict[str, list[str]] = {}
        self.reads: dict[str, list[str]] = {}
        self.writes: list[str] = []
        # The kinds of the fields of objects, by the kind of the object.
        self.fields: dict[str, dict[str, str]] = {}
        for family in families:
            self.add(family)

    def add(self, family: Family) -> None:
        """Add the templates of a family."""
        for own, new in ((self.makes, family.makes), (self.reads, family.reads)):
            for kind, templates in new.items():
                own.setdefault(kind, []).extend(templates)
        self.writes.extend(family.writes)


@dataclass
class Scope:
    """The names that are bound, with the kind that each last had, and what is not to be assigned. `box.total` is a name, too."""

    kinds: dict[str, str] = field(default_factory=dict)
    reserved: set[str] = field(default_factory=set)
    outer: Scope | None = None
    # Names of the module that the function assigns.
    shared: set[str] = field(default_factory=set)
    own_families: Families = field(default_factory=Families)

    @property
    def families(self) -> Families:
        """The families that the program is made of."""
        return self.outer.families if self.outer is not None else self.own_families

    def of(self, kinds: Iterable[str]) -> list[str]:
        """Return the names that have one of these kinds, those of functions around included."""
        wanted = set(kinds)
        found = [name for name, kind in self.kinds.items() if kind in wanted]
        if self.outer is not None:
            found += [name for name in self.outer.of(wanted) if name not in self.kinds]
        return found

    def bind(self, name: str, kind: str) -> None:
        """Note what a name has now, and of an object, its fields."""
        self.kinds[name] = kind
        for part, inner in self.families.fields.get(kind, {}).items():
            if name.count(".") < 2:
                self.bind(f"{name}.{part}", inner)

    def assignable(self) -> list[str]:
        """Return the names that a statement may bind anew."""
        return [name for name in self.kinds if name not in self.reserved]

    def local(self) -> list[str]:
        """Return the names of the function itself that a statement may bind anew."""
        return [name for name in self.assignable() if name.isidentifier() and name not in self.shared]
