"""Modules that are converted as they are imported."""

import ast
import importlib
import inspect
import itertools
import pickle
import sys
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.extending import register_jitable

import transpile
from transpile import hook, hooked_calls, losses, turns
from transpile.budget import Budget
from transpile.calls import Calls
from transpile.estimate import CompileTimes
from transpile.forecast import Foreseen
from transpile.runtime.errors import FallbackWarning

numbers = itertools.count()

NOTING = """
import functools

KNOWN = {}


def noting(function):
    KNOWN[function] = function.__name__
    function.mark = 1
    return function


@noting
def total(x):
    s = 0.0
    for v in x:
        s += v
    return s


@functools.singledispatch
def as_float(thing):
    return float(thing)


@as_float.register(list)
def _(thing):
    return float(thing[0])


def wrapped(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) + 1

    return inner


@wrapped
def twice(x):
    return x * 2
"""


COUNTING = """
class Counter:
    made = 0


def inner(v):
    inner.calls += 1
    Counter.made += 1
    return v * 2.0


inner.calls = 0


def total(x):
    s = 0.0
    for v in x:
        s += v
    return inner(s)


def counted():
    return inner.calls, Counter.made
"""


@pytest.fixture
def budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Converts at once what has a loop and is handed an array, as where a file is asked for, and little time to compile."""
    monkeypatch.setattr(hook, "_budget", None)
    monkeypatch.setattr(hooked_calls, "_TIMES", 0.0)
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    monkeypatch.setattr(CompileTimes, "expected", lambda self, graph: 0.0)
    monkeypatch.setattr(CompileTimes, "foreseen", lambda self, trace: 0.0)


@pytest.fixture
def package(write_package: Callable[[str], Path], budget: None) -> Iterator[types.ModuleType]:
    name = f"hooked_{next(numbers)}"
    folder = str(write_package(name))
    sys.path.insert(0, folder)
    try:
        with hook.installed(name):
            yield importlib.import_module(name)
    finally:
        sys.path.remove(folder)
        for module in [m for m in sys.modules if m.partition(".")[0] == name]:
            del sys.modules[module]


def calls_of(function: types.FunctionType) -> hooked_calls.HookedCalls:
    return next(calls for calls in hook.offered if calls.function is function.python_function)  # type: ignore[attr-defined]


def test_function_with_a_loop_is_converted_by_its_first_call_with_an_array(package: types.ModuleType) -> None:
    calls = calls_of(package.total)
    assert package.total(np.arange(5.0)) == 10.0
    assert len(calls.entries) == 1
    assert package.total(np.arange(7.0), 1.0) == 22.0
    assert calls.hits == 1


def test_function_with_a_loop_is_converted_whatever_it_is_handed(package: types.ModuleType) -> None:
    assert package.total([1, 2, 3]) == 6.0
    assert len(calls_of(package.total).entries) == 1


def test_function_without_a_loop_waits_until_it_has_taken_long(
    package: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = calls_of(package.sums.no_loop)
    x = np.ones(3)
    monkeypatch.setattr(hooked_calls, "_TIMES", 1e6)
    package.sums.no_loop(x)
    assert not calls.entries
    monkeypatch.setattr(hooked_calls, "_TIMES", 0.0)
    package.sums.no_loop(x)
    assert package.sums.no_loop(x).tolist() == [2.0, 2.0, 2.0]
    assert len(calls.entries) == 1


def test_function_whose_calls_take_no_time_is_left_alone_in_the_end(
    package: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooked_calls, "_TIMES", 1e6)
    monkeypatch.setattr(hooked_calls, "_ENOUGH", 5)
    monkeypatch.setattr(hooked_calls, "_NOTHING", 1.0)
    function = package.sums.no_loop
    calls_of(function)._enough = 5
    for _ in range(5):
        assert function(1) == 2
    assert function.__code__ is function.python_function.__code__
    assert function(2) == 3


def test_function_that_took_long_at_first_is_looked_at_again(
    package: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooked_calls, "_TIMES", 1e6)
    monkeypatch.setattr(hooked_calls, "_ENOUGH", 5)
    monkeypatch.setattr(hooked_calls, "_MOST_UNSEEN", 1)
    monkeypatch.setattr(hooked_calls, "_NOTHING", 0.0)
    function = package.sums.no_loop
    calls_of(function)._enough = 5
    for _ in range(5):
        function(1)
    assert function.__code__ is not function.python_function.__code__
    monkeypatch.setattr(hooked_calls, "_NOTHING", 1.0)
    for _ in range(5):
        function(1)
    assert function.__code__ is function.python_function.__code__


def test_of_short_calls_one_of_many_is_seen_and_counts_for_all(
    package: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooked_calls, "_TIMES", 1e6)
    monkeypatch.setattr(hooked_calls, "_SEEN", 1.0)
    monkeypatch.setattr(hooked_calls, "_NOTHING", 0.0)
    function = package.sums.no_loop
    calls = calls_of(function)
    calls._enough = 10
    for _ in range(10):
        function(1)
    assert calls._every == 64
    seen = []
    monkeypatch.setattr(calls, "plain", lambda x: seen.append(x) or x + 1)
    for count in range(640):
        assert function(count) == count + 1
    assert seen == list(range(63, 640, 64))
    assert calls._calls == 650


def test_every_call_is_seen_again_once_one_is_compiled(
    package: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooked_calls, "_TIMES", 1e6)
    monkeypatch.setattr(hooked_calls, "_SEEN", 1.0)
    monkeypatch.setattr(hooked_calls, "_NOTHING", 0.0)
    function = package.sums.no_loop
    calls = calls_of(function)
    calls._enough = 10
    x = np.ones(3)
    for _ in range(10):
        function(x)
    assert calls._every == 64
    monkeypatch.setattr(hooked_calls, "_TIMES", 0.0)
    monkeypatch.setattr(hooked_calls.HookedCalls, "_pays", lambda calls: True)
    monkeypatch.setattr(hooked_calls.HookedCalls, "pays", lambda calls, values, graph: True)
    for _ in range(200):
        assert function(x).tolist() == [2.0, 2.0, 2.0]
    assert calls._every == 1 and calls.hits > 60


def test_arrays_are_seen_within_containers_and_objects() -> None:
    class Holder:
        def __init__(self, thing):
            self.thing = thing

    class Slots:
        __slots__ = ("thing",)

    x = np.ones(2)
    assert all(map(turns.holds_array, (x, [x], (1, [x]), Holder(x), [Holder(x)])))
    assert not any(map(turns.holds_array, (1, "a", None, [1], Holder(1), Slots(), Holder, {"a": 1})))


def test_what_was_stored_while_importing_is_the_converted_function(package: types.ModuleType) -> None:
    assert package.sums.TABLE["total"] is package.total is package.sums.total


def test_decorated_function_is_converted_with_its_decorator(package: types.ModuleType) -> None:
    assert package.weighted(np.arange(3.0), np.arange(3.0)) == 5.0
    assert package.weighted.__name__ == "weighted"


def test_methods_of_all_kinds_are_converted(package: types.ModuleType) -> None:
    line = package.shapes.Line.of(4)
    assert line.length() == 3.0
    assert len(calls_of(package.shapes.Line.length).entries) == 1
    assert line.largest == 3.0
    assert len(calls_of(inspect.getattr_static(package.shapes.Line, "largest").fget).entries) == 1
    assert package.shapes.Line.mean(np.arange(3.0)) == 1.0
    assert len(line) == 4


def test_what_cannot_be_converted_runs_as_it_was_and_is_reported(package: types.ModuleType) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert package.sums.unconvertible(np.zeros(2)).tolist() == [1.0, 1.0]
    assert calls_of(package.sums.unconvertible).broken is not None
    assert "runs as plain Python: [C017-frame]" in hook.report()


def test_loops_of_functions_that_cannot_be_converted_are_compiled(package: types.ModuleType) -> None:
    x = np.arange(5.0)
    mixed = package.sums.mixed
    assert [mixed(x), mixed(x)] == [mixed.python_function(x)] * 2
    units = calls_of(mixed).parts.units  # type: ignore[union-attr]
    assert any(unit.entries for unit in units)
    assert mixed([1, 2]) == (3.0, mixed(x)[1])
    assert "for i in range(len(x)):" in hook.report() or "total = 0.0" in hook.report()


def test_functions_that_need_their_own_frame_are_left_alone(package: types.ModuleType) -> None:
    assert package.sums.caller() == inspect.currentframe().f_code.co_name  # type: ignore[union-attr]
    assert list(package.sums.numbers(3)) == [0, 1, 2]
    assert inspect.isgeneratorfunction(package.sums.numbers)


def test_stacking_arrays_is_not_looking_at_the_stack() -> None:
    def stacks(x):
        return np.stack([x, x])

    def looks():
        return inspect.stack()

    assert hasattr(hook.offer(stacks), "python_function")  # type: ignore[arg-type]
    assert not hasattr(hook.offer(looks), "python_function")  # type: ignore[arg-type]


def test_a_function_of_a_package_that_resizes_what_it_was_handed_is_left_alone() -> None:
    def resizes(x):
        x.resize(3)
        for k in range(3):
            x[k] += k

    assert not hasattr(hook.offer(resizes, Budget()), "python_function")  # type: ignore[arg-type]
    assert hasattr(hook.offer(resizes), "python_function")  # type: ignore[arg-type]


def test_a_function_that_a_decorator_has_noted_is_the_one_that_the_module_has(tmp_path: Path) -> None:
    name = f"noting_{next(numbers)}"
    (tmp_path / f"{name}.py").write_text(NOTING)
    sys.path.insert(0, str(tmp_path))
    try:
        with hook.installed(name):
            module = importlib.import_module(name)
    finally:
        sys.path.remove(str(tmp_path))
    assert module.KNOWN[module.total] == "total" and module.total.mark == 1
    assert module.total(np.ones(3)) == 3.0
    assert list(inspect.signature(module.total).parameters) == ["x"]
    assert module.as_float("3") == 3.0 and module.as_float([1]) == 1.0
    assert module.twice(2) == 5
    assert module.twice.__wrapped__.__name__ == "twice"


def test_a_module_with_the_name_of_one_of_a_library_is_followed_as_any_other(
    tmp_path: Path, budget: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tabnanny.py").write_text(COUNTING)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "tabnanny", raising=False)
    with hook.installed("tabnanny"):
        module = importlib.import_module("tabnanny")
    monkeypatch.delitem(sys.modules, "tabnanny")
    for count in range(1, 4):
        assert module.total(np.arange(4.0)) == 12.0
        assert module.counted() == (count, count)


def test_numba_compiles_a_function_that_is_converted() -> None:
    @transpile.convert
    def inner(x):
        return x + 1

    @numba.njit
    def outer(x):
        return inner(x) * 2

    register_jitable(inner)
    assert outer(2) == 6


def test_converted_functions_look_as_they_did(package: types.ModuleType) -> None:
    total = package.total
    assert str(inspect.signature(total)) == "(x, start: 'float' = 0.0) -> 'float'"
    assert total.__doc__ == "Adds up." and total.__qualname__ == "total"
    assert inspect.getsource(total).startswith("def total(x, start")
    assert inspect.getsourcelines(total)[1] == 8
    assert pickle.loads(pickle.dumps(total)) is total
    assert isinstance(total, types.FunctionType)


def test_errors_point_to_the_line_in_the_file(package: types.ModuleType) -> None:
    with pytest.raises(IndexError) as caught:
        package.sums.fails(np.zeros(3), 5)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.line) == (package.sums.__file__, "y = x[i]")
    assert caught.value.__context__ is None


def test_excluded_modules_stay_as_they_are() -> None:
    found = hook.Hook(["a.b.*", "c"], exclude=["c.slow"])
    assert found.matches("a.b.x") and found.matches("c") and found.matches("c.d.e")
    assert not any(map(found.matches, ("a", "a.b", "cc", "c.slow", "c.slow.deep")))


def test_hook_says_which_modules_were_imported_before(package: types.ModuleType) -> None:
    with pytest.warns(FallbackWarning, match=rf"{package.__name__}, .*imported before"):
        hook.uninstall(hook.install(package.__name__))


def test_module_is_compiled_once_and_again_when_it_changes(
    write_package: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"hooked_{next(numbers)}"
    path = write_package(name) / name / "sums.py"
    compiled = []
    parse = ast.parse
    monkeypatch.setattr(ast, "parse", lambda source, *args: compiled.append(args) or parse(source, *args))

    def loaded() -> types.ModuleType:
        module = types.ModuleType("sums")
        hook.execute(module, path.read_bytes(), str(path), hook.offer)
        return module

    first, second = loaded(), loaded()
    assert compiled.count((str(path),)) == 1
    assert second.total is not first.total and second.total(np.arange(4.0)) == 6.0
    assert second.total.python_function.__code__ == first.total.python_function.__code__
    assert not hasattr(second, "__transpile_offer__")
    path.write_text(path.read_text() + "\n\ndef added():\n    return 1\n")
    assert loaded().added() == 1 and compiled.count((str(path),)) == 2


def test_uninstalled_hook_leaves_imports_alone(
    write_package: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"plain_{next(numbers)}"
    monkeypatch.syspath_prepend(write_package(name))
    hook.uninstall(hook.install(name))
    assert not hasattr(importlib.import_module(name).total, "python_function")


class Cell:
    def __init__(self, value: float) -> None:
        self.value = value
        self.row = np.arange(3.0)


def total_of(cell: Cell) -> float:
    total = 0.0
    for k in range(3):
        total += cell.value * cell.row[k]
    return total


def test_objects_that_do_not_tell_how_much_there_is_to_do_are_not_traced_over_and_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = hooked_calls.HookedCalls(total_of, listed=False)
    calls._hot = True
    traced = []
    monkeypatch.setattr(calls, "traced", lambda values: traced.append(values) or Calls.traced(calls, values))
    for k in range(10):
        assert calls(Cell(k)) == total_of(Cell(k))
    assert len(traced) <= 1
    assert not calls.entries


def test_calls_wait_without_a_look_at_them_where_none_may_be_traced_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("transpile.calls._PAUSE", 1e6)
    calls = hooked_calls.HookedCalls(product, listed=False, budget=Budget())
    calls._hot = True
    made = []
    monkeypatch.setattr(Calls, "_make", lambda self, values: made.append(values))
    for _ in range(5):
        for size in (3, 2):
            assert (calls(np.ones((size, size)), np.ones((size, size))) == size + 1.0).all()
    assert len(made) == 1
    # One with more to do is looked at.
    calls(np.ones((9, 9)), np.ones((9, 9)))
    assert len(made) == 2


def test_it_is_asked_now_and_then_whether_calls_have_taken_long(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = hooked_calls.HookedCalls(product, listed=False, budget=Budget())
    asked = []
    monkeypatch.setattr(calls, "_has_taken_long", lambda values: asked.append(calls._taken))
    calls._taken = 1e6
    for _ in range(20):
        calls(np.ones((2, 2)), np.ones((2, 2)))
    assert len(asked) == 1
    calls._taken = 2e6
    calls(np.ones((2, 2)), np.ones((2, 2)))
    assert len(asked) == 2


def test_report_is_silent_of_functions_that_were_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses.Losses, "are_too_many", True)
    calls = hooked_calls.HookedCalls(product, listed=False, budget=Budget())
    monkeypatch.setattr(hook, "offered", [calls])
    assert hook.report() == ""
    calls(np.ones((2, 2)), np.ones((2, 2)))
    assert "product" in hook.report()


def longest(things):
    found = []
    for thing in things:
        found = thing if len(thing) > len(found) else found
    return found


def test_short_calls_are_looked_at_for_arrays_now_and_then() -> None:
    calls = hooked_calls.HookedCalls(longest, listed=False)
    for _ in range(2000):
        assert calls([[1]]) == [1]
    assert not calls._hot
    # One of them may have waited for a processor.
    assert 0.002 <= calls._looked < 0.5 + calls._taken / 50
    # Once that is a small share of what the calls have taken, each is looked at.
    calls._taken = max(5.0, 300 * calls._looked)
    before = calls._looked
    assert calls([[1]]) == [1] and calls._looked > before


def one_after_the_other(x):
    total = 0.0
    for i in range(len(x)):
        for j in range(len(x)):
            total += x[i] * x[j]
    return total


def test_the_first_call_is_looked_at_where_it_promises_to_take_long_or_after_others_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    short = hooked_calls.HookedCalls(one_after_the_other, device="host", listed=False)
    x = np.ones(10)
    assert short(x) == 100.0
    assert not short.misses and "a trace pays after" in short.postponed
    assert short(np.ones(50)) == 2500.0
    assert not short.misses
    # As if it had been called for a while.
    monkeypatch.setattr(losses.ALL, "_began", losses.ALL._began - 60.0)
    monkeypatch.setattr(losses._All, "share", 1.0)
    short._taken = 5.0
    assert short(x) == short(x) == 100.0
    assert short.misses == 1
    long = hooked_calls.HookedCalls(one_after_the_other, device="host", listed=False)
    assert long(np.ones(3000)) == 9e6
    assert long.misses == 1


def test_no_trace_is_made_before_compiling_what_it_finds_may_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    monkeypatch.setattr(losses.ALL, "_began", losses.ALL._began - 600.0)
    monkeypatch.setattr(losses._All, "share", 1.0)
    monkeypatch.setattr(CompileTimes, "foreseen", lambda self, trace: 5.0)
    x = np.ones(10)
    for taken, count, traced in ((15.0, 1000, False), (25.0, 1000, True), (15.0, 2, True)):
        calls = hooked_calls.HookedCalls(one_after_the_other, device="host", listed=False)
        calls._plain = calls._taken = taken
        calls._calls = count
        assert calls(x) == calls(x) == 100.0
        assert bool(calls.misses) == traced, (taken, count)


def test_calls_within_calls_that_are_not_seen_take_no_longer_than_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    everything = losses._All()
    monkeypatch.setattr(hooked_calls, "ALL", everything)
    calls = hooked_calls.HookedCalls(one_after_the_other, device="host", listed=False)
    calls._every = 64
    calls._asked = 0.0
    for _ in range(20):
        calls(np.ones(300))
    assert 0.0 < calls._taken <= everything.ran
    assert calls._plain_seconds() <= everything.ran < calls._plain


def test_calls_that_no_trace_serves_are_not_looked_at_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = hooked_calls.HookedCalls(one_after_the_other, device="host", listed=False, eager=True)
    monkeypatch.setattr(CompileTimes, "expected", lambda self, graph: 100.0)
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    x = np.ones(3)
    assert calls(x) == 9.0 and calls.pauses
    looked = []
    monkeypatch.setattr(calls, "ours", lambda values: looked.append(values) or Calls.ours(calls, values))
    assert calls(x) == 9.0 and not looked
    # One with much more to do is.
    assert calls(np.ones(30)) == 900.0 and len(looked) == 1


def product(x, y):
    return x @ y + 1.0


def test_time_that_passes_in_libraries_does_not_earn_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "_FREE_ALL", 1e6)
    x = np.ones((3, 3))
    for count, compiled in ((10, False), (10**9, True)):
        calls = hooked_calls.HookedCalls(product, device="host", listed=False)
        calls._hot, calls._taken, calls._calls = True, 1000.0, count
        assert (calls(x, x) == 4.0).all()
        assert bool(calls.entries) == compiled
        assert calls._due >= 2000.0 or compiled


def test_more_has_to_be_promised_where_a_trace_takes_longer(
    package: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = calls_of(package.sums.total)
    calls.budget = None
    traced: list[object] = []
    monkeypatch.setattr(calls, "_make", traced.append)
    monkeypatch.setattr(hooked_calls, "_TIMES", 10.0)
    for seconds, trace, is_risked in ((9.0, 1.0, False), (20.0, 1.0, True), (4.5, 0.1, True)):
        calls._hot = False
        found = Foreseen(seconds, trace)
        monkeypatch.setattr(hooked_calls, "foreseen", lambda function, values, found=found: found)
        package.sums.total(np.ones(4))
        assert bool(traced) is is_risked
        traced.clear()
