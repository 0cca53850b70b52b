"""Functions in parts: their loops compiled by themselves, all else the original, and nothing different to be seen."""

from __future__ import annotations

import asyncio
import gc
import inspect
import linecache
import sys
import threading
import traceback
import types
import warnings
import weakref
import zlib
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from transpile import FallbackWarning, StagingError, TranspileError, convert, report
from transpile import calls as calls_module
from transpile import units as units_module
from transpile.calls import Calls
from transpile.estimate import CompileTimes
from transpile.hook import HookedCalls
from transpile.parts import Parts, parts_of
from transpile.trial import Trial

from ..end_to_end.comparison import call, compare, differences
from ..fuzz.choices import Dice
from ..fuzz.execution import World
from ..fuzz.programs import program as random_program
from .unit_programs import (
    METHODS,
    PROGRAMS,
    X,
    loop_between_unknown_calls,
    loops_within_a_loop_that_is_not_compiled,
    unknown,
)


def in_parts(function: Callable[..., Any], device: str = "host") -> Parts:
    """Part a function that might be compiled whole, too."""
    assert isinstance(function, types.FunctionType)
    parts = parts_of(Calls(function, strict=False, device=device, warns=False))
    assert parts is not None
    return parts


def compiled(parts: Parts) -> int:
    """How many pieces were compiled."""
    return sum(bool(unit.entries) for unit in parts.units)


@pytest.fixture(autouse=True)
def without_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units_module, "_PATIENCE", 0.0)
    monkeypatch.setattr(units_module, "_SHORTEST", 0.0)


@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_do_what_the_function_does(name: str) -> None:
    function, arguments, count = PROGRAMS[name]
    original = METHODS.get(name, function)
    calls = Calls(original, strict=False, device="host", warns=False)  # type: ignore[arg-type]
    parts = parts_of(calls)
    expected = call(original, arguments)
    assert (parts is None and count == 0) or parts is not None
    if parts is not None:
        for _ in range(2):
            compare(expected, call(parts.function, arguments))
        calls.parts = parts
        assert compiled(parts) >= count, report.explain(calls)


@pytest.mark.parametrize("name", ["loops_within_a_loop_that_is_not_compiled", "return_from_a_loop"])
def test_units_run_as_machine_code(name: str) -> None:
    function, arguments, count = PROGRAMS[name]
    parts = in_parts(function, "cpu")
    expected = call(function, arguments)
    for _ in range(2):
        compare(expected, call(parts.function, arguments))
    assert compiled(parts) == count


async def waits(x, n):
    await asyncio.sleep(0)
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    async for more in waits_between(x):
        total += more
    return total


async def waits_between(x):
    for k in range(3):
        for i in range(len(x)):
            x[i] += k
        yield x.sum()


def test_loops_of_coroutines_are_compiled_and_they_stay_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = asyncio.run(waits(X.copy(), 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        function = convert(waits, device="host")
        generator = convert(waits_between, device="host")
    monkeypatch.setitem(globals(), "waits_between", generator)
    assert inspect.iscoroutinefunction(function) and inspect.isasyncgenfunction(generator)
    assert asyncio.run(function(X.copy(), 3)) == expected
    assert any(unit.entries for unit in function.calls.parts.units)
    assert any(unit.entries for unit in generator.calls.parts.units)


def generates(x, n):
    """A generator."""
    for k in range(n):
        total = 0.0
        for i in range(len(x)):
            total += x[i] * k
        sent = yield total
        if sent:
            x[0] = sent
    return n


def test_loops_of_a_generator_are_compiled_and_it_stays_one() -> None:
    with pytest.warns(FallbackWarning, match="generates runs as plain Python, but for loops in it: .S270"):
        function = convert(generates, device="host")
    assert function.__doc__ == "A generator."

    def run(generate):
        x = np.arange(4.0)
        made = generate(x, 4)
        return type(made), next(made), next(made), made.send(9.0), list(made), x.tolist()

    assert run(function) == run(generates)
    assert function.__code__.co_flags == generates.__code__.co_flags
    assert any(unit.entries for unit in function.calls.parts.units)


def test_generator_outlasts_the_function_and_its_traces() -> None:
    x = np.arange(4.0)
    expected = list(generates(x, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        alone = convert(generates, device="host")(x, 4)
        function = convert(generates, device="host")
    made = function(x, 4)
    found, others = [next(alone)], [next(made)]
    gc.collect()
    function.cache_clear()
    assert function.__code__.co_flags == generates.__code__.co_flags
    assert found + list(alone) == expected and others + list(made) == expected
    assert list(function(x, 4)) == expected


def test_closures_see_their_own_variables() -> None:
    def make(scale):
        def scaled(x):
            unknown()
            total = 0.0
            for i in range(len(x)):
                total += x[i] * scale
            return total, unknown()

        def change(value):
            nonlocal scale
            scale = value

        return scaled, change

    (one, change), (other, _) = make(2.0), make(3.0)
    parts = [in_parts(each) for each in (one, other)]
    assert [each.function(X)[0] for each in parts] == [one(X)[0], other(X)[0]]
    change(5.0)
    assert parts[0].function(X) == one(X)
    assert [compiled(each) for each in parts] == [1, 1]


def test_error_in_a_loop_points_to_the_line_of_the_user() -> None:
    function, arguments, _ = PROGRAMS["writes_before_an_error_that_leaves"]
    parts = in_parts(function, "cpu")
    x = arguments[0].copy()
    with pytest.raises(IndexError) as caught:
        parts.function(x, 20)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.line, last.name) == ("x[i] += 1", function.__name__)
    assert x.tolist() == (arguments[0] + 1).tolist()


def test_explain_shows_pieces_with_their_lines_and_reasons() -> None:
    function = convert(loops_within_a_loop_that_is_not_compiled, device="host")
    calls = function.calls
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        calls.fall_back([X], StagingError("S142-unknown", "for a test"))
        function(X.copy())
    text = function.explain()
    assert "for i in range(len(x)):" in text and "compiled whole for host" in text
    assert "runs as plain Python: [S142-unknown] for a test" in text
    assert "result = unit_" in function.source() and "ops.for_loop(" in function.source()


def test_strict_does_not_part() -> None:
    function = convert(generates, strict=True)
    with pytest.raises(TranspileError):
        function(X, 2)
    assert function.calls.parts is None


def test_warning_is_given_once_for_each_place() -> None:
    def places(x, queue):
        for i in range(2):
            queue.append(x[i])
        return len(queue)

    function = convert(places, device="host")
    with pytest.warns(FallbackWarning) as given:
        for _ in range(3):
            function(X, deque())
    assert len({str(each.message) for each in given}) == len(given)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function(X, deque())


def helper(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i]
    return total


def test_callees_are_converted_until_they_are_bound_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompileTimes, "expected", lambda self, graph: 0.0)

    def calls_helper(x):
        unknown()
        return helper(x)

    parts = in_parts(calls_helper)
    assert parts.function(X) == helper(X)
    (stand_in,) = parts._stand_ins
    assert stand_in is not None and stand_in.calls.entries
    monkeypatch.setitem(globals(), "helper", lambda x: "other")
    assert parts.function(X) == "other"


def test_functions_of_modules_are_converted_where_they_are_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CompileTimes, "expected", lambda self, graph: 0.0)

    module = types.ModuleType("tools")
    module.helper = helper  # type: ignore[attr-defined]
    monkeypatch.setitem(globals(), "tools", module)

    def calls_helper(x):
        unknown()
        return tools.helper(x)  # type: ignore[name-defined]  # noqa: F821

    parts = in_parts(calls_helper)
    assert parts.function(X) == helper(X)
    (stand_in,) = parts._stand_ins
    assert stand_in is not None and stand_in.calls.entries
    module.helper = lambda x: "other"  # type: ignore[attr-defined]
    assert parts.function(X) == "other"


def test_functions_settle_while_threads_call_them() -> None:
    def works(x, queue):
        unknown()
        total = 0.0
        for i in range(len(x)):
            total += x[i]
        queue.append(total)
        return total

    function = convert(works, device="host")
    expected = works(X, deque())
    wrong = []

    def work():
        for _ in range(300):
            queue: deque[float] = deque()
            if function(X, queue) != expected or list(queue) != [expected]:
                wrong.append(queue)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong


def test_random_programs_in_parts_do_what_they_did() -> None:
    tried = 0
    for number in range(60):
        text = random_program(Dice(number))
        plain, other = World(text), World(text)
        parts = parts_of(Calls(other.function, strict=False, device="host", warns=False))  # type: ignore[arg-type]
        if parts is None:
            continue
        other.function = parts.function
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for make in plain.space["CALLS"]:
                expected = plain.call(plain.arguments(make.__name__))(True)
                found = other.call(other.arguments(make.__name__))(True)
                assert not differences(expected, found, make.__name__)
                tried += any(unit.entries for unit in parts.units)
    assert tried


def test_units_that_wait_for_arrays_in_vain_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units_module, "_UNWANTED", 3)
    monkeypatch.setattr(CompileTimes, "expected", lambda times, graph: 0.0)
    calls = HookedCalls(loop_between_unknown_calls, device="host", listed=False)
    parts = parts_of(calls)
    assert parts is not None
    expected = loop_between_unknown_calls([1.0, 2.0])
    for _ in range(4):
        assert parts.function([1.0, 2.0]) == expected
    assert not compiled(parts) and not any(unit.link.live for unit in parts.units if unit._unwanted)
    other = parts_of(calls)
    assert other is not None
    assert other.function(X) == loop_between_unknown_calls(X) and compiled(other)


def test_units_of_what_nobody_asked_for_are_compiled_once_its_calls_have_earned_that(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CompileTimes, "earned", lambda times, graph: 100.0)
    # However long this process has waited for others.
    monkeypatch.setattr("transpile.losses._All.share", 1.0)
    calls = HookedCalls(loop_between_unknown_calls, device="host", listed=False)
    parts = parts_of(calls)
    assert parts is not None
    expected = loop_between_unknown_calls(X)
    assert parts.function(X) == expected and not compiled(parts)
    misses = [unit.misses for unit in parts.units]
    assert parts.function(X) == expected and [unit.misses for unit in parts.units] == misses
    monkeypatch.setattr(calls.losses, "_taken", lambda: 1000.0)
    for unit in parts.units:
        # Nor is it looked whether they have at every call.
        unit._next_look = 0.0
    assert parts.function(X) == expected and compiled(parts)


@pytest.mark.parametrize(("setting", "served"), [("_LEFT", True), ("_LEFT_ALL", False)])
def test_function_whose_traces_rarely_hold_is_parted(
    setting: str, served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls_module, setting, 3)

    def grows(x, n):
        product = 1
        for _ in range(n):
            product *= 1000
        total = 0.0
        for i in range(len(x)):
            total += x[i]
        return product, total

    function = convert(grows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        if served:
            assert function(X, 3) == grows(X, 3)
        for _ in range(8):
            assert function(X, 30) == grows(X, 30)
    assert not function.calls.entries and function.calls.failures
    assert any(unit.entries for unit in function.calls.parts.units)


def test_loops_that_take_no_time_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units_module, "_PATIENCE", 1e-5)
    monkeypatch.setattr(units_module, "_SHORTEST", 1.0)
    function, arguments, _ = PROGRAMS["break_out_of_a_loop_that_stays"]
    parts = in_parts(function)
    for _ in range(50):
        compare(call(function, arguments), call(parts.function, arguments))
    inner = parts.units[-1]
    assert not inner.link.live and inner.broken is not None and inner.broken.code == "S264-short"


def gives_up(x, queue):
    for i in range(2):
        queue.append(x[i])
    return len(queue)


def test_function_that_is_given_up_becomes_the_original_and_comes_back() -> None:
    function = convert(gives_up)
    assert function.__code__ is not gives_up.__code__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for _ in range(500):
            assert function(X, deque()) == 2
    assert function.__code__ is gives_up.__code__
    function.cache_clear()
    assert function.__code__ is not gives_up.__code__
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert function(X, [1]) == 3


def looks(x):
    return sys._getframe(0).f_code.co_name, x


def test_name_of_the_frame_is_the_functions() -> None:
    with pytest.warns(FallbackWarning, match="S268-frames"):
        function = convert(looks)
    assert function(1) == ("looks", 1)
    assert function.__code__ is looks.__code__


def test_functions_are_collected_with_all_that_was_made_of_them() -> None:
    def make():
        def again(x, n):
            unknown()
            total = 0.0
            for i in range(len(x)):
                total += x[i]
            return total if n == 0 else again(x, n - 1)

        again = convert(again, device="host")  # type: ignore[assignment]
        again.calls.fall_back([X, 1], StagingError("S142-unknown", "for a test"))  # type: ignore[attr-defined]
        again(X, 2)
        assert again.calls.parts is not None  # type: ignore[attr-defined]
        return weakref.ref(again)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        made = make()
    gc.collect()
    assert made() is None


def test_callees_that_are_of_no_module_are_called() -> None:
    text = "def g(x):\n    for i in range(len(x)):\n        x[i] += 1\n    return x\n\ndef f(x):\n    return g(x), WeakSet([g])\n"
    file = "<functions of no module>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": None, "WeakSet": weakref.WeakSet}
    exec(compile(text, file, "exec"), space)
    assert space["g"].__module__ is None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert convert(space["f"])([1])[0] == [2]


def many_things_after_a_call(x, things):
    name = unknown(1)
    total = 0.0
    for factor, shift in things:
        total += (x * factor + shift).sum()
    return total, name


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
def test_a_piece_without_a_loop_left_is_not_compiled_where_that_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    things = [(1.0, 2), (2, 0.5), (3, 1)] * 10
    monkeypatch.setattr(units_module, "_LARGE", 100)
    converted = convert(many_things_after_a_call, device="host")
    assert converted(X, things) == many_things_after_a_call(X, things)
    assert "S319" in converted.explain()


class Account:
    def __init__(self, balance):
        self.balance = balance


def interest(accounts, years):
    unknown(1)
    for _ in range(years):
        for account in accounts:
            account.balance *= 1.02
    return sum(account.balance for account in accounts)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("years, compiles", [(1, False), (3000, True)])
def test_a_piece_that_does_little_with_many_things_is_not_compiled(years: int, compiles: bool) -> None:
    converted = convert(interest)
    ours, plain = ([Account(float(k)) for k in range(50)] for _ in range(2))
    assert converted(ours, years) == interest(plain, years)
    assert [account.balance for account in ours] == [account.balance for account in plain]
    assert any(unit.entries for unit in converted.calls.parts.units) is compiles
    assert ("S264" in converted.explain()) is not compiles


def bordered(table, turns):
    unknown(1)
    for _ in range(turns):
        for i in range(len(table)):
            table[i][0] += i
    return table


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize("turns, compiles", [(1, False), (200, True)])
def test_a_piece_that_does_less_than_its_lists_take_to_be_handed_in_is_not_compiled(
    turns: int, compiles: bool
) -> None:
    converted = convert(bordered)
    ours, plain = ([[k] * 80 for k in range(80)] for _ in range(2))
    assert converted(ours, turns) == bordered(plain, turns)
    assert any(unit.entries for unit in converted.calls.parts.units) is compiles
    assert ("S264" in converted.explain()) is not compiles


def tabled(x, tables):
    total = 0.0
    for k in tables:
        unknown(k)
        for i in range(len(x)):
            total += x[i] * len(str(k))
    return total


@pytest.mark.filterwarnings(
    "ignore::transpile.FallbackWarning", "ignore::transpile.runtime.errors.RetraceWarning"
)
def test_a_piece_that_is_traced_over_and_over_is_so_now_and_then_only() -> None:
    converted = convert(tabled, device="host")
    assert converted(X, list(range(30))) == tabled(X, list(range(30)))
    (unit,) = (unit for unit in converted.calls.parts.units if unit.entries)
    assert unit.misses < 15


def filled(places, x):
    unknown(places)
    used = 0
    for i in range(len(places)):
        if places[i] is None:
            places[i] = x[used]
            used += 1
    return places


@pytest.mark.filterwarnings(
    "ignore::transpile.FallbackWarning", "ignore::transpile.runtime.errors.RetraceWarning"
)
def test_items_that_are_others_each_time_are_one_reason_to_trace_over_and_over() -> None:
    converted = convert(filled, device="host")
    # Each time, others of the items are None.
    generator = np.random.default_rng(0)
    for _ in range(40):
        places = [None if chosen else 7 for chosen in generator.integers(0, 2, 7)]
        assert converted(places.copy(), X) == filled(places.copy(), X)
        for unit in converted.calls.parts.units:
            unit.pace = 1e6
    (unit,) = (unit for unit in converted.calls.parts.units if unit.entries)
    assert unit.misses < 18


def refused_inside(x, names):
    total = 0.0
    for i in range(len(x)):
        for j in range(3):
            total += x[i] * j
            for _ in range(2):
                total += zlib.crc32(str(names).encode()) % 3
        for j in range(4):
            total -= x[i] * j
    return total


def test_pieces_with_a_line_that_is_refused_wherever_it_stands_are_not_tried_one_by_one() -> None:
    calls = Calls(refused_inside, strict=False, device="host", warns=False)
    expected = refused_inside(X, "name")
    for _ in range(3):
        assert calls(X, "name") == expected
    assert calls.parts is not None and "S142-unknown" in [error.code for error in calls.failures.values()]
    line = refused_inside.__code__.co_firstlineno + 6
    held = [unit.piece.first_line <= line <= unit.piece.last_line for unit in calls.parts.units]
    assert sum(held) >= 2 and not all(held)
    for unit, holds in zip(calls.parts.units, held, strict=True):
        assert unit.link.live is not holds and (unit.misses > 0) is not holds


def test_the_way_is_taken_that_is_faster_turn_by_turn() -> None:
    for ours, plain, expected in (
        (1.0, 2.0, "ours"),
        (2.0, 1.0, "plain"),
        (1.0, 1.1, "ours"),
        (1.1, 1.0, "ours"),
    ):
        trial, now = Trial(before=plain), 0.0
        for _ in range(100):
            goes_plain = trial.begin(now)
            if trial.verdict:
                break
            now += plain if goes_plain else ours
        assert trial.verdict == expected


def test_turns_that_were_much_longer_in_plain_python_are_not_tried_there() -> None:
    trial = Trial(before=3.0)
    ways = [trial.begin(float(now)) for now in range(20)]
    assert trial.verdict == "ours" and not any(ways)


def test_turns_in_which_something_else_was_done_do_not_count() -> None:
    trial = Trial(before=3.0)
    for now in range(20):
        trial.begin(float(now))
        trial.leave_out()
    assert not trial.verdict


def test_what_is_faster_as_plain_python_is_looked_at_again_once_it_takes_much_longer() -> None:
    trial, now = Trial(before=1e-4), 0.0
    while trial.verdict != "plain":
        now += 1e-4 if trial.begin(now) else 1e-3
    # One that takes long comes now and then.
    taken = [1e-4] * 50 + [1e-3, 1e-4, 1e-3, 1e-3, 1e-3]
    rests = [trial.rests(now + sum(taken[: place + 1])) for place in range(len(taken))]
    assert rests == [True] * 54 + [False]


def middles(x, size):
    found, window = [], []
    for i in range(len(x) - size):
        for j in range(size):
            window.append(x[i + j])
        unknown(window.sort())
        found.append(window[size // 2])
        window = []
    return found


@pytest.mark.filterwarnings(
    "ignore::transpile.FallbackWarning", "ignore::transpile.runtime.errors.RetraceWarning"
)
def test_a_loop_that_is_faster_as_plain_python_is_left_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(units_module, "_PATIENCE", 1e-4)
    monkeypatch.setattr(Calls, "chooses", True)
    x = np.random.default_rng(0).random(300)
    converted = convert(middles)
    for _ in range(6):
        assert converted(x, 3) == middles(x, 3)
    tried = [unit for unit in converted.calls.parts.units if unit.entries]
    assert tried and all(unit._trial.verdict == "plain" for unit in tried), converted.explain()
    served = [unit.hits for unit in tried]
    converted(x, 3)
    assert [unit.hits for unit in tried] == served
