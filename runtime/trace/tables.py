"""Whether the dictionaries and sets that a function makes are tables, and slices pick elements, for a trace that is made anew. See Note [Tables]."""

from __future__ import annotations

from typing import Any

from transpile.runtime.arrays.hash_tables import NotATable
from transpile.runtime.arrays.recorder import Recorder

from .handed_tables import HandedSite

# Errors of those that are Python's own, which say less than what is wrong with tables.
_VAGUE = ("S130-value", "S131-specialise", "S133-unroll", "S160-grows", "S151-thing")
# So many items of one thing that was handed in may be dictionaries that are no tables before none of its items is taken for one.
_ALIKE = 4


class Tables:
    """What has been found out of the dictionaries and sets of a function."""

    def __init__(self) -> None:
        # Where those are made that are no tables; None where none are.
        self.others: set[Any] | None = None
        self._tried = False
        # Whether slices with steps of run time pick elements; None before that was tried. See Note [Steps of run time].
        self._picks: bool | None = None
        self._error: Exception | None = None
        # Where dictionaries are made that lack keys on some ways; None once that was tried in vain.
        self._lacking: set[Any] | None = set()
        # Whether lists and dictionaries that classes hold are followed as those that are handed in.
        self._follows_held = False

    def tell(self, record: Recorder) -> None:
        """Tell a recorder what is a table."""
        record.tables, record.may_make_tables = self.others, not self._tried
        record.lacking = self._lacking
        record.follows_held = self._follows_held
        record.picks_steps, record.may_pick_steps = self._picks is True, self._picks is None

    def note_lacking(self, site: Any) -> None:
        """Note that what is made at a place lacks keys on some ways."""
        assert self._lacking is not None
        self._lacking.add(site)

    def give_up_lacking(self) -> bool:
        """Have no dictionary lack keys any more; return whether that is something new."""
        if not self._lacking:
            return False
        self._lacking = None
        return True

    def leave_out(self, refused: NotATable) -> None:
        """Note that what is made, or was handed in, at a place is no table; nor, after some, are the other items of the same thing."""
        assert self.others is not None
        self.others.add(refused.site)
        if isinstance(refused.site, HandedSite) and refused.site.within:
            items = [
                site
                for site in self.others
                if isinstance(site, HandedSite) and site.within == refused.site.within
            ]
            if len(items) >= _ALIKE:
                self.others.add(refused.site.beside)

    def turn(self, record: Recorder, error: Exception | None = None) -> bool:
        """Make tables, or none any more, where an error may have to do with it; return whether that is something new."""
        if self.others is not None:
            self.others, self._error = None, error
            return True
        if self._tried or not record.makes_tables:
            return False
        self.others, self._tried = set(), True
        return True

    def turn_to_held(self, record: Recorder, specialised: dict[str, Any]) -> bool:
        """Have lists and dictionaries that classes hold be followed, where one was read, and what is in it not found by what is known; return whether that is something new."""
        if self._follows_held or not record.reads_held:
            return False
        self._follows_held = True
        specialised.clear()
        return True

    def turn_to_steps(self, record: Recorder, specialised: dict[str, Any]) -> bool:
        """Have slices with steps of run time pick elements, where one was asked for, or not any more; return whether that is something new."""
        if self._picks is False or (self._picks is None and not record.asks_steps):
            return False
        self._picks = self._picks is None
        # For the steps, perhaps.
        specialised.clear()
        return True

    def reason(self, error: Exception) -> Exception:
        """Return which of two errors to tell of: the one with tables, or the one without."""
        return self._error if self._error is not None and getattr(error, "code", "") in _VAGUE else error
