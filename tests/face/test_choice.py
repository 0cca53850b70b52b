"""Calls go the plain way where that was measured to be faster, or where there is nothing to compile."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from transpile import choice as choices
from transpile import convert, estimate
from transpile.calls import Calls
from transpile.choice import Choice, elements, extent
from transpile.estimate import is_long

MICROSECOND = 1000


@pytest.fixture(autouse=True)
def chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Calls, "chooses", True)


def add_one(x):
    return x + 1


def total(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
    return s


def hypotenuse(a, b):
    return math.sqrt(a * a + b * b)


def count(words):
    found = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return found


def joined(rows):
    s = 0.0
    for row in rows:
        s = s + row
    return s


STEPS = tuple(range(1, 60))


def waves(n):
    x = np.arange(n) * 0.5
    y = x[:, None] + x
    for k in STEPS:
        y = y * 0.5 + x * k
    return y


class Holder:
    def __init__(self, x):
        self.x = x


def call_often(function, *arguments, times=40):
    for _ in range(times):
        function(*arguments)


def test_what_is_faster_plain_runs_so_and_says_so(monkeypatch):
    monkeypatch.setattr(choices, "_CLEARLY", 0.0)
    function = convert(add_one)
    call_often(function, np.zeros(3))
    hits = function.calls.entries[0].hits
    assert function(np.zeros(3)).tolist() == [1.0, 1.0, 1.0]
    assert function.calls.entries[0].hits == hits
    assert (
        "x: float64[:], of size 2 to 7\n    left to plain Python: measured faster there" in function.explain()
    )
    assert "measured faster" in function.explain(np.zeros(3))


def test_what_is_short_is_measured_by_machine_code():
    function = convert(add_one)
    x = np.zeros(3)
    function(x)
    known, hits = function.calls.choices, function.calls.hits
    choice = known.of((x,))
    choice.verdict, choice.plain = "plain", MICROSECOND
    known._decided(choice, (x,))
    assert choice.straight and choice.verdict == "" and choice.plain > MICROSECOND
    assert function(x).tolist() == [1.0, 1.0, 1.0]
    assert function(x + 0.5).tolist() == [1.5, 1.5, 1.5]
    with pytest.raises(TypeError):
        function([1.0])
    choice.verdict = "ours"
    known._decided(choice, (x,))
    assert function.calls.hits == hits + 2


def test_what_machine_code_that_is_measured_does_not_serve_goes_another_way():
    def smoothed(x, steps):
        for _ in range(steps):
            x[1:-1] = x[2:] + x[:-2]
        return x

    function = convert(smoothed)
    given = np.ones((4, 4)), 3
    function(*given)
    known = function.calls.choices
    choice = known.of(given)
    choice.verdict, choice.plain = "plain", MICROSECOND
    known._decided(choice, given)
    assert choice.straight
    for rows in (5, 4, 3, 2, 1, 0):
        x = np.arange(4.0 * rows).reshape(rows, 4)
        known.of((x, 3)).straight = True
        assert np.array_equal(function(x.copy(), 3), smoothed(x, 3))


def test_what_is_not_short_is_not(monkeypatch):
    monkeypatch.setattr(choices, "_CLEARLY", 0.0)
    monkeypatch.setattr(choices, "_SHORT", 0)
    function = convert(add_one)
    call_often(function, np.zeros(3))
    assert not function.calls.choices.of((np.zeros(3),)).straight
    assert "measured faster" in function.explain(np.zeros(3))


def test_what_is_faster_compiled_stays_compiled_and_goes_straight():
    function = convert(total)
    x = np.ones(3000)
    call_often(function, x)
    (entry,) = function.calls.entries
    hits = entry.hits
    assert hits >= 30
    assert function(x) == 3000.0
    assert entry.hits == hits + 1
    assert function.calls.entrance is not function.calls
    assert "left to plain Python" not in function.explain()


def test_other_sizes_are_measured_anew():
    function = convert(total)
    call_often(function, np.ones(3000))
    call_often(function, np.ones(2))
    assert "of size 2 to 7" in function.explain()
    (entry,) = function.calls.entries
    hits = entry.hits
    assert function(np.ones(5000)) == 5000.0
    assert entry.hits == hits + 1


@pytest.mark.parametrize("function, arguments", [(hypotenuse, (3.0, 4.0)), (count, (["a", "b", "a"],))])
def test_what_leaves_nothing_to_compile_is_not_compiled(function, arguments):
    converted = convert(function)
    expected = function(*arguments)
    assert converted(*arguments) == expected
    assert not converted.calls.entries and not converted.calls.failures
    assert "left to plain Python: there is nothing in it to compile" in converted.explain()
    call_often(converted, *arguments, times=350)
    assert converted.__code__ is converted.python_function.__code__
    assert converted(*arguments) == expected
    converted.cache_clear()
    assert converted.__code__ is not converted.python_function.__code__


def test_what_does_little_with_many_things_is_not_compiled():
    function = convert(joined)
    small, large = [np.ones(3)] * 120, [np.ones(3000)] * 120
    assert function(small).tolist() == [120.0] * 3
    assert "left to plain Python: it does little with many things" in function.explain()
    assert not function.calls.entries
    assert is_long(function.graph([np.ones(3) for _ in range(120)]))
    assert not is_long(function.graph([np.ones(3) for _ in range(20)]))
    assert elements([large, {"x": np.ones(4)}, Holder(np.ones(5)), 3], depth=3) == 360_009


def test_what_makes_large_arrays_does_not_do_little():
    function = convert(waves)
    assert np.array_equal(function(9), waves(9))
    assert "left to plain Python: it does little with many things" in function.explain()
    assert not function.calls.entries
    assert np.array_equal(function(200), waves(200))
    assert len(function.calls.entries) == 1


def test_what_does_little_with_many_things_is_compiled_once_its_calls_have_taken_long(monkeypatch):
    monkeypatch.setattr(choices, "_EARNED", 1)
    function = convert(joined)
    rows = [np.ones(3)] * 120
    for _ in range(3):
        assert function(rows).tolist() == [120.0] * 3
    assert len(function.calls.entries) == 1


def stepped(x, n):
    y = x * 2
    for _ in range(n):
        x = x + y
        y = y * 0.5 - x
        x = x * 0.25
    return x


def stepped_until(x, limit):
    while x[0] < limit:
        x = (x + 1) * 1.5
    return x


def test_nobody_waits_for_a_compiler_whose_call_takes_little(monkeypatch):
    monkeypatch.setattr(estimate, "_SLOW", 3)
    function = convert(stepped)
    expected = stepped(np.ones(5), 3).tolist()
    assert function(np.ones(5), 3).tolist() == expected
    assert not function.calls.entries
    assert "left to plain Python: it takes little time, and would take long to compile" in function.explain()
    monkeypatch.setattr(choices, "_EARNED", 1)
    function = convert(stepped)
    for _ in range(3):
        assert function(np.ones(5), 3).tolist() == expected
    assert len(function.calls.entries) == 1


def test_it_is_waited_for_a_compiler_where_a_call_takes_long_or_may_do_so(monkeypatch):
    monkeypatch.setattr(estimate, "_SLOW", 3)
    function = convert(stepped)
    function(np.ones(50_000), 200)
    assert len(function.calls.entries) == 1
    function = convert(stepped_until)
    assert function(np.ones(3), 9.0).tolist() == stepped_until(np.ones(3), 9.0).tolist()
    assert len(function.calls.entries) == 1


def test_strict_compiles_whatever_it_is():
    function = convert(hypotenuse, strict=True)
    assert function(3.0, 4.0) == 5.0
    call_often(function, 3.0, 4.0)
    assert function.calls.entries[0].hits == 41


def test_kinds_of_which_there_is_nothing_to_compile_do_not_stop_others():
    function = convert(add_one)
    call_often(function, 1, times=300)
    assert function(np.ones(2)).tolist() == [2.0, 2.0]
    assert function(1) == 2


def test_long_calls_are_tried_but_once():
    choice = Choice((float,), 0)
    choice.note(False, 100 * MICROSECOND)
    choice.note(True, 5000 * MICROSECOND)
    assert choice.verdict == "ours"


def test_short_calls_are_tried_several_times():
    choice = Choice((float,), 0)
    choice.note(False, 5 * MICROSECOND)
    choice.note(True, 50 * MICROSECOND)
    assert choice.verdict == ""
    for _ in range(4):
        choice.note(True, MICROSECOND)
    assert choice.verdict == "plain"
    assert choice.why == "measured faster there (1 µs instead of 5 µs)"


def test_as_many_calls_are_compared_of_either_way():
    choice = Choice((float,), 0)
    for _ in range(8):
        choice.note(False, MICROSECOND)
    for _ in range(5):
        choice.note(True, 3 * MICROSECOND)
        choice.note(False, 9 * MICROSECOND)
    assert choice.verdict == "plain"


def test_nearly_as_fast_is_not_enough():
    choice = Choice((float,), 0)
    choice.note(False, 10 * MICROSECOND)
    for _ in range(5):
        choice.note(True, 9 * MICROSECOND)
    assert choice.verdict == "ours"


def test_calls_that_have_become_long_are_decided_anew():
    known = convert(count).calls.choices
    choice = known.of((["a"],))
    choice.verdict, choice.plain, choice.plain_count = "plain", MICROSECOND, 3
    for _ in range(2):
        known.note_long(choice, 10**12)
        assert choice.verdict == "plain"
    known.note_long(choice, 10**12)
    assert choice.verdict == ""
    assert choice.limit > 50 * MICROSECOND


def test_calls_that_are_interrupted_now_and_then_stay_as_they_are():
    known = convert(count).calls.choices
    choice = known.of((["a"],))
    choice.verdict, choice.plain, choice.plain_count = "plain", MICROSECOND, 3
    for _ in range(10):
        known.note_long(choice, 1)
    assert choice.verdict == "plain"


def summed(numbers):
    s = 0
    for number in numbers:
        s = s + number
    return s


def test_what_takes_a_while_is_tried_plain_after_many_calls(monkeypatch):
    monkeypatch.setattr(choices, "_AT_ONCE", 0)
    monkeypatch.setattr(choices, "_IN_TIME", 10**12)
    monkeypatch.setattr(choices, "_CLEARLY", 1e9)
    # As where nothing tells how often loops turn.
    monkeypatch.setattr(choices, "sure_seconds", lambda *given: None)
    function = convert(summed)
    call_often(function, [1] * 90, times=100)
    (choice,) = function.calls.choices._known.values()
    assert (choice.plain_count, choice.verdict) == (0, "")
    call_often(function, [1] * 90, times=30)
    assert choice.verdict == "ours" and choice.plain_count


def test_pieces_are_tried_plain_where_that_takes_no_longer_than_calls_do():
    known = convert(summed).calls.choices
    choice = known.of(([1],))
    choice.ours, choice.ours_count = 1000 * MICROSECOND, 8
    known._calls.entry_for = lambda values: None
    for seconds, may_try in ((None, False), (7e-3, True), (9e-3, False)):
        known._calls.parts = SimpleNamespace(plain_seconds=seconds)
        assert known._may_try(choice, ([1],)) is may_try
    known._calls.parts = SimpleNamespace(plain_seconds=0.0)
    choice.ours = 10**9
    assert not known._may_try(choice, ([1],))


def test_sizes_of_arguments():
    assert [extent(value) for value in (np.ones((2, 3)), -5, "abc", [1, 2], 2.5, None)] == [6, 5, 3, 2, 0, 0]
    bounds = [(Choice((), size).least, Choice((), size).beyond) for size in range(3)]
    assert bounds == [(0, 2), (2, 8), (8, 32)]


def test_it_can_be_switched_off(monkeypatch):
    monkeypatch.setattr(Calls, "chooses", False)
    assert convert(add_one).calls.choices is None


def copied(count, x, y):
    for k in range(count):
        y[2 * k] = x[3 * k]


def test_what_does_less_than_it_is_handed_is_tried_as_plain_python():
    function = convert(copied)
    given = 100, [float(k) for k in range(60_000)], [0.0] * 60_000
    call_often(function, *given, times=20)
    choice = function.calls.choices.of(given)
    assert choice.plain_count and choice.verdict == "plain"
    # Turns that run time counts may be many.
    function = convert(until)
    call_often(function, np.ones(3), 10_000_000, times=20)
    assert not function.calls.choices.of((np.ones(3), 10_000_000)).plain_count


def until(x, most):
    count = 0
    while count < most:
        count += 2
        x[count % 3] += count
    return count
