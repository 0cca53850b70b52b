"""Calls that look as if the user's program had made them."""

import functools
import sys
import warnings
from types import FrameType
from typing import Any

from transpile.runtime.frames import call_from
from transpile.runtime.positions import Position

OUTER: dict[str, Any] = {"__name__": "outer_module"}
INNER: dict[str, Any] = {"__name__": "inner_module"}
PLACES = [(Position("outer.py", "outer", 7), OUTER), (Position("inner.py", "Class.inner", 40), INNER)]


def callers() -> list[tuple[str, str, int]]:
    """Return where the two innermost callers stand."""
    found = []
    frame: FrameType | None = sys._getframe(1)
    for _ in range(2):
        assert frame is not None
        found.append((frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    return found


def test_callers_stand_where_they_are_said_to() -> None:
    assert call_from(PLACES, 2, callers) == [("inner.py", "inner", 40), ("outer.py", "outer", 7)]


def test_warnings_name_the_frame_that_they_are_asked_for() -> None:
    for level, (file, line) in ((1, ("inner.py", 40)), (2, ("outer.py", 7))):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call_from(PLACES, level, functools.partial(warnings.warn, "careful", UserWarning, level))
        (warning,) = caught
        assert (warning.filename, warning.lineno) == (file, line)


def test_a_warning_is_shown_once_for_each_place_by_default() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for line in (1, 1, 2):
            place = [(Position("file.py", "f", line), INNER)]
            call_from(place, 1, functools.partial(warnings.warn, "careful", UserWarning, 1))
    assert [warning.lineno for warning in caught] == [1, 2]
