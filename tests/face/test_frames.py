"""Functions whose frames matter."""

import inspect
import sys
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.calls import Calls
from transpile.frames import counts_frames, is_watched, looks_at_frames


def gets_frame():
    return sys._getframe(1)


def gets_stack():
    return inspect.stack()


def stacks_arrays(x):
    return np.stack([x, x])


def warns_its_caller():
    warnings.warn("careful", stacklevel=2)


def warns():
    warnings.warn("careful")  # noqa: B028 (it is what is tested)


@pytest.mark.parametrize(
    "function, looks, counts",
    [
        (gets_frame, True, True),
        (gets_stack, True, True),
        (stacks_arrays, False, False),
        (warns_its_caller, False, True),
        (warns, False, False),
    ],
)
def test_what_looks_at_frames_is_known_by_the_names_it_uses(function, looks, counts):
    assert (looks_at_frames(function.__code__), counts_frames(function.__code__)) == (looks, counts)


def test_lines_are_watched_while_something_follows_them():
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        watched = is_watched()
    finally:
        sys.settrace(before)
    assert watched and is_watched() == (before is not None)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="monitoring is of 3.12")
def test_tools_that_monitor_lines_watch_them():
    tool = sys.monitoring.COVERAGE_ID
    sys.monitoring.use_tool_id(tool, "test")
    try:
        assert is_watched()
    finally:
        sys.monitoring.free_tool_id(tool)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="monitoring is of 3.12")
def test_profilers_watch_where_they_follow_lines():
    tool, events = sys.monitoring.PROFILER_ID, sys.monitoring.events
    sys.monitoring.use_tool_id(tool, "test")
    try:
        sys.monitoring.set_events(tool, events.PY_START)
        assert not is_watched()
        sys.monitoring.set_events(tool, events.LINE)
        assert is_watched()
    finally:
        sys.monitoring.set_events(tool, 0)
        sys.monitoring.free_tool_id(tool)


def warns_two_up(things):
    warnings.warn("careful", stacklevel=3)
    return {thing + 1 for thing in things.tolist()}


def calls_it(function, things):
    return function(things)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("adaptive", ["0", "1"])
def test_callers_are_counted_where_a_function_runs_as_plain_python(monkeypatch, adaptive):
    monkeypatch.setattr(Calls, "chooses", adaptive == "1")
    converted = convert(warns_two_up)
    for _ in range(300):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", ".*plain Python.*")
            calls_it(converted, np.ones(2))
            line = inspect.currentframe().f_lineno - 1
        (warning,) = found
        assert (warning.filename, warning.lineno) == (__file__, line)
