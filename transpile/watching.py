"""Traces that show of floating-point errors where they are, in the place of those whose calls have met some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .calls import Calls
    from .entry import Entry


def watching(calls: Calls, entry: Entry, values: Sequence[Any]) -> Entry | None:
    """Have calls that a trace serves, of which some meet floating-point errors, served by one that shows where these are, and return it, if there can be one."""
    from .making import at_once
    from .tiers import begin, is_tiered

    tiered = is_tiered(calls)
    with at_once(not tiered) as makes:
        if not makes:
            return None
        try:
            found = calls.traced(values, watched=True)
            if tiered:
                begin(calls, values, found, entry)
                return None
            watched = calls.compiled(values, found)
        except Exception:
            return None
        calls.entries = [watched if other is entry else other for other in calls.entries]
        calls.renew()
    return watched
