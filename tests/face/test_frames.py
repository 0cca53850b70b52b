"""Functions whose frames matter."""

import inspect
import sys
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.calls import Calls
from transpile.frames import counts_frames, counts_references, is_watched, looks_at_frames


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


def resizes(x, n):
    x.resize(n)
    return x


def resizes_all(*arrays):
    arrays[0].resize(9)
    return arrays[0]


def counts(x):
    return sys.getrefcount(x) - sys.getrefcount(object())


def resizes_its_own(n):
    x = np.ones(n)
    x.resize(n + 1, refcheck=False)
    return np.resize(x, 3)


@pytest.mark.parametrize(
    "function, counts", [(resizes, True), (resizes_all, True), (counts, True), (resizes_its_own, False)]
)
def test_what_depends_on_references_is_known_by_its_code(function, counts):
    assert counts_references(function.__code__) == counts


def test_an_array_that_nobody_else_has_is_resized_in_the_callers_place() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        resized, resized_all, counted = map(convert, (resizes, resizes_all, counts))
    for _ in range(3):
        # Not in what is asserted, which pytest keeps.
        found, longer = resized(np.ones(2), 4), resized_all(np.ones(2))
        seen, expected = counted(np.ones(2)), counts(np.ones(2))
        assert (found.tolist(), longer.shape, seen) == ([1, 1, 0, 0], (9,), expected)
        x = np.ones(2)
        with pytest.raises(ValueError, match="cannot resize an array that references or is referenced"):
            resized(x, 4)
    assert "all calls\n    runs as plain Python: [S268-frames]" in resized.explain()


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
