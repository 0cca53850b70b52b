"""Dictionaries of integers that were handed in, which run-time keys are looked up in."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from transpile.runtime.arrays.hash_keys import as_taken, is_key
from transpile.runtime.arrays.hash_tables import HashedDict, NotATable
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.operators.heap import contents_of

from .path import Path

# Note [Dictionaries handed in]
# A dictionary that was handed in has the keys that it has: the trace is for these. Where one of run time is looked up, the trace is made anew with a hash
# table in its place, as for dictionaries that the function makes: see Note [Tables]. It is the caller's own: where it changes, is returned or stored, it
# is Python's own again.


class HandedSite(NamedTuple):
    """Where a dictionary lies that was handed in, and what it is an item of, if it is one."""

    path: str
    within: str

    @property
    def beside(self) -> HandedSite:
        """All items of the same."""
        return HandedSite("", self.within)


class HandedTable(HashedDict):
    """The table of a dictionary that was handed in."""

    def _own_again(self, *_: Any, **__: Any) -> NoReturn:
        raise NotATable(self.site, "a dictionary that was handed in changes, or leaves")

    __setitem__ = __delitem__ = pop = popitem = clear = update = setdefault = leave = _own_again

    def copy(self) -> HashedDict:
        """Return a dictionary of the function's own."""
        made = super().copy()
        made.__class__ = HashedDict
        return made


def handed_table(record: Recorder, path: Path, items: dict[Any, Any]) -> HandedTable | None:
    """Return what stands for a dictionary that was handed in, if it is a table."""
    if not items or not all(map(is_key, map(as_taken, items))):
        return None
    record.makes_tables = True
    site: Any = HandedSite(str(path), str(path.base) if path.kind == "item" else "")
    if record.tables is None or not record.tables.isdisjoint((site, site.beside)):
        return None
    with record.region(record.graph_frame):
        made = HandedTable(site, items)
        if not made.held.is_staged:
            return None
    for thing in (made, made.entries, made.held, made.slots):
        record.arrived.append((thing, contents_of(thing)))
    return made
