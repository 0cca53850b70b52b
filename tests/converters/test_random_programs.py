"""Random programs do, step by step, what they did."""

import dataclasses
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

from transpile.converters import convert
from transpile.runtime.errors import ConversionError

from .eager import EagerOps
from .outcomes import module, outcome, without_columns
from .programs import programs

pytestmark = pytest.mark.slow


class Stop(Exception):
    """Ends a program that runs for too long."""


def run(function, a, b, file):
    """Gives all that can be seen of a run, the order of events included."""
    seen = []
    turns = iter(range(60))

    def see(value):
        seen.append(value)
        return value

    def turn():
        if next(turns, None) is None:
            raise Stop
        seen.append("turn")
        return True

    return outcome(lambda x, y: function(x, y, see, turn), (a, b), file), seen


def visible(seen):
    """Gives an outcome but for columns: once CPython has specialised a read, it reports the instruction before."""
    if seen.failure is not None and seen.failure.kind is UnboundLocalError:
        return dataclasses.replace(seen, failure=dataclasses.replace(seen.failure, place=()))
    return without_columns(seen)


counts = Counter()


@settings(
    derandomize=True, max_examples=300, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(programs)
def test_random_programs_do_what_they_did(text):
    try:
        function = module(text).f
    except SyntaxError:
        # A comprehension that assigns its own target.
        return
    file = function.__code__.co_filename
    try:
        other = convert(function).bind(EagerOps())
    except ConversionError as error:
        counts[error.code] += 1
        assert error.code in ("C016-nonlocal", "C032-walrus", "C031-late-binding-in-comprehension"), error
        return
    counts["converted"] += 1
    for a, b in ((0, 1), (2, -1), (3, 3)):
        expected, expected_events = run(function, a, b, file)
        found, found_events = run(other, a, b, file)
        assert found_events == expected_events, convert(function).source()
        assert visible(found) == visible(expected), convert(function).source()


def test_most_random_programs_are_converted():
    if counts:
        assert counts["converted"] > counts.total() // 2, counts
