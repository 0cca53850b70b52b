"""The trace cache: behaviours 191 to 205."""

from __future__ import annotations

import gc
import importlib.util
import os
import subprocess
import sys
import textwrap
import threading
import weakref

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import RetraceWarning

from ..end_to_end.comparison import call, compare
from .harness import DEVICES, Behaviour, Behaviours, check, name_of, on_each

behaviours = Behaviours()

SCALE = 2.0
TABLE = np.array([1.0, 2.0, 3.0])
NAMES = {"a": 1, "b": 2.5}


def misaligned(n):
    raw = np.zeros(n * 8 + 1, np.uint8)
    array = raw[1:].view(np.float64)
    array[...] = np.arange(n)
    return array


def read_only(n):
    array = np.arange(n * 1.0)
    array.flags.writeable = False
    return array


def norm(x):
    total = 0.0
    for value in x:
        total += value * value
    return total**0.5


@behaviours.test(191, "new sizes need no new trace")
@pytest.mark.parametrize("device", DEVICES)
def test_new_sizes_need_no_new_trace(device: str) -> None:
    converted = transpile.convert(norm, strict=True, device=device)
    for n in (3, 2, 0, 7, 100):
        assert converted(np.arange(n * 1.0)) == norm(np.arange(n * 1.0))
    assert converted.cache_info().currsize == 1
    assert converted.cache_info().misses == 1


@behaviours(
    192,
    "dtypes, ranks and layouts",
    lambda: (np.arange(3.0),),
    lambda: (np.arange(3),),
    lambda: (np.arange(3, dtype=np.float32),),
    lambda: (np.arange(3) > 1,),
    lambda: (np.arange(3.0) * 1j,),
    lambda: (np.arange(6.0).reshape(2, 3),),
    lambda: (np.asfortranarray(np.arange(6.0).reshape(2, 3)),),
    lambda: (np.arange(12.0).reshape(2, 6)[:, ::2],),
    lambda: (np.arange(6.0)[::-1],),
    lambda: (np.arange(24.0).reshape(2, 3, 4).transpose(1, 2, 0),),
    lambda: (np.broadcast_to(np.arange(3.0), (2, 3)),),
    lambda: (read_only(4),),
    lambda: (np.array(2.0),),
)
def any_layout(x):
    y = x + x
    return y, y.sum(), x.T, x.copy()


@behaviours(
    192,
    "an array that is not aligned",
    lambda: (misaligned(3),),
    lambda: (misaligned(1),),
    gaps="S297-unaligned",
)
def any_alignment(x):
    return x * 2


@behaviours(
    193,
    "1, True and 1.0 are different",
    *on_each(1, True, 1.0, 1 + 0j, np.int64(1), np.True_, np.float64(1), np.int8(1)),
)
def kinds(x):
    return x + x, x * 2, x / 2, np.array([x])


@behaviours(193, "1, True and 1.0 are different where they must be known", *on_each(0, False, 1, True))
def known_kinds(x):
    rows = [10, 20]
    return np.sum(np.ones((2, 3)), axis=x if type(x) is int else 1), rows[x]


@behaviours.test(194, "NaN is the same as NaN")
@pytest.mark.parametrize("device", DEVICES)
def test_nan_does_not_trace_anew(device: str) -> None:
    converted = transpile.convert(formats, strict=True, device=device)
    for _ in range(3):
        for value in (float("nan"), np.float64("nan"), 0.0, -0.0):
            assert converted(value) == formats(value)
    assert converted.cache_info().misses == 4


def formats(x):
    # The value must be known while tracing.
    return {x: 1}[x] if x == x else 0


def scaled(x):
    return x * SCALE + TABLE[: len(x)] + NAMES["b"]


@behaviours.test(195, "a global is changed between calls")
@pytest.mark.parametrize("device", DEVICES)
def test_globals_change_between_calls(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    converted = transpile.convert(scaled, strict=True, device=device)
    x = np.ones(2)

    def same() -> None:
        np.testing.assert_array_equal(converted(x), scaled(x))

    same()
    for name, thing in (("SCALE", 3.0), ("SCALE", 5), ("TABLE", np.ones(4)), ("TABLE", np.arange(4))):
        monkeypatch.setitem(globals(), name, thing)
        same()
    TABLE[0] = 50
    same()
    monkeypatch.setitem(NAMES, "b", 7)
    same()
    monkeypatch.setitem(globals(), "NAMES", {"b": 8, "c": 9})
    same()
    monkeypatch.setitem(globals(), "SCALE", 2.0)
    assert converted.cache_info().hits + converted.cache_info().misses == 8


def closing():
    factor = 2.0
    offset = np.ones(2)

    def apply(x):
        return x * factor + offset

    def change(new_factor, new_offset):
        nonlocal factor, offset
        factor, offset = new_factor, new_offset

    return apply, change


@behaviours.test(196, "a closure's cell is changed")
@pytest.mark.parametrize("device", DEVICES)
def test_cells_change_between_calls(device: str) -> None:
    plain, change = closing()
    converted = transpile.convert(plain, strict=True, device=device)
    x = np.arange(2.0)
    for factor, offset in (
        (3.0, np.ones(2)),
        (3.5, np.zeros(2)),
        (2, np.zeros(2)),
        (2, 1.5),
        (True, np.ones(2)),
    ):
        change(factor, offset)
        np.testing.assert_array_equal(converted(x), plain(x))


class Model:
    """Holds numbers, an array and a way of working."""

    mode = "up"

    def __init__(self, rate, weights):
        self.rate = rate
        self.weights = weights

    def step(self, x):
        if self.mode == "up":
            return x + self.rate * self.weights
        return x - self.rate * self.weights


def moved(model, x):
    return model.step(x)


@behaviours.test(197, "an attribute is changed")
@pytest.mark.parametrize("device", DEVICES)
def test_attributes_change_between_calls(device: str) -> None:
    converted = transpile.convert(moved, strict=True, device=device)
    model = Model(0.5, np.ones(3))
    x = np.arange(3.0)

    def same() -> None:
        np.testing.assert_array_equal(converted(model, x), moved(model, x))

    same()
    model.rate = 0.25
    same()
    model.rate = 2
    same()
    model.weights = np.arange(3.0)
    same()
    model.weights[1] = 10
    same()
    model.mode = "down"
    same()
    del model.mode
    same()
    model.step = lambda x: x * 100
    same()


def first_two(one, other):
    return one.rate * 10 + other.rate


@behaviours.test(197, "two arguments are one object, or two")
@pytest.mark.parametrize("device", DEVICES)
def test_one_object_or_two(device: str) -> None:
    converted = transpile.convert(first_two, strict=True, device=device)
    one, other = Model(1.0, None), Model(2.0, None)
    for pair in ((one, one), (one, other), (other, one), (other, other)):
        assert converted(*pair) == first_two(*pair)


def apply_to(function, x):
    return function(x) * 2


@behaviours.test(198, "a bound method that is handed in is not kept")
@pytest.mark.parametrize("device", DEVICES)
def test_bound_methods_are_not_kept(device: str) -> None:
    converted = transpile.convert(apply_to, strict=True, device=device)
    x = np.ones(3)
    models = [Model(0.5, np.ones(3)), Model(1.5, np.zeros(3))]
    for model in models:
        for _ in range(2):
            np.testing.assert_array_equal(converted(model.step, x), apply_to(model.step, x))
    assert converted.cache_info().misses == 1
    known = [weakref.ref(model) for model in models]
    del model, models
    gc.collect()
    assert [one() for one in known] == [None, None]


@behaviours.test(199, "objects that are handed in are not kept")
@pytest.mark.parametrize("device", DEVICES)
def test_temporary_objects_are_not_kept(device: str) -> None:
    converted = transpile.convert(moved, strict=True, device=device)
    x = np.ones(3)
    kept = []
    for rate in (0.5, 1.5, 2.5):
        model = Model(rate, np.ones(3))
        np.testing.assert_array_equal(converted(model, x), moved(model, x))
        kept.append(weakref.ref(model))
        kept.append(weakref.ref(model.weights))
    del model
    gc.collect()
    assert [one() for one in kept] == [None] * 6
    assert converted.cache_info().misses == 1


@behaviours.test(199, "functions that are made for a call are not kept")
@pytest.mark.parametrize("device", DEVICES)
def test_temporary_functions_are_not_kept(device: str) -> None:
    converted = transpile.convert(apply_to, strict=True, device=device)
    x = np.ones(3)
    kept = []
    for factor in range(3):

        def function(y, factor=factor):
            return y * factor

        kept.append(weakref.ref(function))
        np.testing.assert_array_equal(converted(function, x), apply_to(function, x))
    del function
    gc.collect()
    assert [one() for one in kept] == [None] * 3
    assert converted.cache_info().misses == 1


def fibonacci(n, x):
    return x if n < 2 else fibonacci(n - 1, x) + fibonacci(n - 2, x)


@behaviours.test(200, "threads call for the first time at once")
@pytest.mark.parametrize("device", DEVICES)
def test_threads_call_at_once(device: str) -> None:
    converted = transpile.convert(norm, strict=True, device=device)
    start = threading.Barrier(4)
    found = [None] * 4
    given = [np.arange(5.0), np.arange(7.0), np.arange(5), np.ones(3)]

    def run(place: int) -> None:
        start.wait()
        for _ in range(20):
            found[place] = converted(given[place])

    threads = [threading.Thread(target=run, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [norm(x) for x in given]
    assert converted.cache_info().currsize == 2
    assert converted.cache_info().misses == 2


class Calling:
    """Text that calls a function when it is made."""

    def __init__(self, function):
        self.function = function

    def write(self, text):
        if text.strip():
            self.function(np.ones(int(float(text))))

    def flush(self):
        pass


def prints_size(x):
    print(len(x) - 1.0)
    return len(x)


@behaviours.test(200, "a function is called while it runs")
@pytest.mark.parametrize("device", DEVICES)
def test_functions_are_reentrant(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    converted = transpile.convert(prints_size, strict=True, device=device)
    sizes = []

    def again(x):
        sizes.append(len(x))
        if len(x):
            converted(x)

    monkeypatch.setattr(sys, "stdout", Calling(again))
    assert converted(np.ones(4)) == 4
    assert sizes == [3, 2, 1, 0]


def known_number(x, k):
    return x + np.zeros((2, 40))[:, :40].sum(axis=k % 2)[0] + len(str(k))


@behaviours.test(201, "there are only so many traces, and the oldest that serve least go")
def test_the_number_of_traces_is_bound() -> None:
    converted = transpile.convert(known_number, strict=True, device="host")
    converted.calls.pace = 0.0
    with pytest.warns(RetraceWarning, match="k keeps changing: k is 8, not 7") as caught:
        for k in range(45):
            assert converted(1.5, k) == known_number(1.5, k)
            assert converted(1.5, 0) == known_number(1.5, 0)
    assert len(caught) == 1
    info = converted.cache_info()
    assert info.currsize == info.maxsize == 32
    # What came last, and what is called often, is still there.
    assert info.misses == 45
    assert converted(1.5, 44) == known_number(1.5, 44)
    assert converted(1.5, 0) == known_number(1.5, 0)
    assert converted.cache_info().misses == 45


@behaviours.test(201, "where traces do not last, most calls run as plain Python")
def test_traces_are_not_made_all_the_time() -> None:
    converted = transpile.convert(known_number, strict=True, device="host")
    converted.calls.pace = 1e6
    with pytest.warns(RetraceWarning):
        for k in range(100):
            assert converted(1.5, k) == known_number(1.5, k)
    assert converted.cache_info().misses == 33


@behaviours.test(202, "a miss names the argument and the reason")
def test_a_miss_names_argument_and_reason() -> None:
    converted = transpile.convert(scaled_by, strict=True, device="host")
    x = np.ones(3)
    converted(x, 2.0)
    for arguments, words in (
        ((x.astype(np.float32), 2.0), ("x", "float32", "float64")),
        ((np.ones((2, 2)), 2.0), ("x", "2", "1")),
        ((x, 2), ("k", "int", "float")),
        ((np.ones(1), 2.0), ("x", "1")),
    ):
        text = converted.explain_miss(*arguments)
        assert all(word in text for word in words), text
    assert "serves" in converted.explain_miss(x, 3.0)


def scaled_by(x, k):
    return x * k


MAIN = """
import sys
import transpile
import {callee}

def main(n):
    return {callee}.step(n) + 1

converted = transpile.convert(main, strict=True)
print(converted(3))
"""


@behaviours.test(203, "code that is edited is compiled anew, that of modules that are called too")
def test_edited_code_is_compiled_anew(tmp_path) -> None:
    found = []
    for constant in (10, 20, 10):
        (tmp_path / "callee_of_main.py").write_text(f"def step(n):\n    return n * {constant}\n")
        (tmp_path / "main.py").write_text(textwrap.dedent(MAIN.format(callee="callee_of_main")))
        environment = {
            **os.environ,
            "TRANSPILE_CACHE_DIR": str(tmp_path / "cache"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [sys.executable, str(tmp_path / "main.py")],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        )
        found.append(int(done.stdout))
    assert found == [31, 61, 31]


@behaviours.test(203, "a module that is loaded anew runs its new code")
@pytest.mark.parametrize("device", DEVICES)
def test_reloaded_modules_run_their_new_code(device: str, tmp_path) -> None:
    path = tmp_path / "edited_module.py"
    found = []
    for constant in (10, 200):
        path.write_text(f"def step(n):\n    return n * {constant}\n")
        importlib.invalidate_caches()
        spec = importlib.util.spec_from_file_location("edited_module", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found.append(transpile.convert(module.step, strict=True, device=device)(3))
    assert found == [30, 600]


def in_order(a, b=2.0, *, c=3.0, **rest):
    return a - b + 10 * c + sum(rest.values())


@behaviours.test(204, "the order of keywords does not matter")
@pytest.mark.parametrize("device", DEVICES)
def test_keywords_in_any_order(device: str) -> None:
    converted = transpile.convert(in_order, strict=True, device=device)
    assert converted(a=1.0, b=2.5, c=4.0) == converted(c=4.0, b=2.5, a=1.0) == in_order(1.0, 2.5, c=4.0)
    assert converted.cache_info().misses == 1
    assert converted(1.0, d=1.0, e=2.0) == converted(1.0, e=2.0, d=1.0) == in_order(1.0, d=1.0, e=2.0)


def appended(x, found=[]):  # noqa: B006 (what is tested)
    found.append(x)
    return x * 2


def shifted(x, by=np.array([1.0, 2.0]), rates={"slow": 0.5}):  # noqa: B006, B008 (what is tested)
    return x + by * rates["slow"]


@behaviours.test(205, "defaults that change are read on every call")
@pytest.mark.parametrize("device", DEVICES)
def test_defaults_that_change(device: str) -> None:
    converted = transpile.convert(shifted, strict=True, device=device)
    array, rates = shifted.__defaults__
    x = np.ones(2)
    for value, rate in ((1.0, 0.5), (5.0, 0.5), (5.0, 2.5)):
        array[0], rates["slow"] = value, rate
        np.testing.assert_array_equal(converted(x), shifted(x))
    assert converted.cache_info().misses == 1


@behaviours.test(205, "a list that is a default grows, and needs no new trace")
@pytest.mark.parametrize("device", DEVICES)
def test_a_default_list_grows(device: str) -> None:
    converted = transpile.convert(appended, strict=True, device=device)
    before = list(appended.__defaults__[0])
    try:
        found = [converted(1.5), appended(2.5), converted(3.5), converted(4.5)]
        assert found == [3.0, 5.0, 7.0, 9.0]
        assert appended.__defaults__[0] == [*before, 1.5, 2.5, 3.5, 4.5]
        assert list(map(type, appended.__defaults__[0])) == [float] * (len(before) + 4)
        assert converted.cache_info().misses == 1
    finally:
        appended.__defaults__[0][:] = before


@behaviours.test(205, "defaults of a converted function that another one calls are given anew")
@pytest.mark.parametrize("device", DEVICES)
def test_defaults_of_a_converted_callee(device: str) -> None:
    @transpile.convert(strict=True, device=device)
    def scaled(x, by=2.0, *, more=0.5):
        return x * by + more

    def around(x, function):
        return function(x) + scaled(x, 1.0)

    converted = transpile.convert(around, strict=True, device=device)
    x = np.arange(3.0)
    for by, more in ((2.0, 0.5), (3.0, 0.5), (3, x), (2.0, 1)):
        scaled.__defaults__, scaled.__kwdefaults__ = (by,), {"more": more}
        for _ in range(2):
            np.testing.assert_array_equal(converted(x, scaled), around(x, scaled))
    scaled.__defaults__ = None
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'by'"):
        transpile.convert(around, device=device)(x, scaled)


@behaviours.test(205, "what functions and classes tell of themselves is given anew")
@pytest.mark.parametrize("device", DEVICES)
def test_names_and_texts_given_anew(device: str) -> None:
    class Kind:
        """A kind."""

    def named(name):
        def double(x):
            return x * 2

        double.__name__ = name
        return double

    def told(x, function):
        own = function.__name__, function.__doc__, function.__defaults__
        return function(x), *own, Kind.__name__, Kind.__qualname__, Kind.__doc__, f"{double.__name__}"

    double = named("double")
    converted = transpile.convert(told, strict=True, device=device)

    def check() -> None:
        for function in (double, named("one"), named("other")):
            assert converted(1.5, function) == told(1.5, function)

    check()
    double.__name__, double.__doc__, double.__defaults__ = "twice", "Twice as much.", (1,)
    check()
    Kind.__name__, Kind.__qualname__, Kind.__doc__ = "Sort", "a.Sort", "A sort."
    check()


def remembers(history, x):
    y = x * 2
    history.append(y)
    history.extend([x, None, "end"])
    return history, y, isinstance(history, list)


def looks_back(history, x):
    history.append(x)
    return len(history)


@behaviours.test(205, "a list that is handed in is appended to")
@pytest.mark.parametrize("device", DEVICES)
def test_a_list_is_appended_to(device: str) -> None:
    converted = transpile.convert(remembers, strict=True, device=device)
    history, kept = [1], []
    for k in range(3):
        x = np.full(2, k * 1.0)
        kept += [x * 2, x, None, "end"]
        given, y, is_list = converted(history, x)
        assert given is history
        assert history[-4] is y
        assert history[-3] is x
        assert is_list is True
    assert repr(history) == repr([1, *kept])
    assert converted.cache_info().misses == 1


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_list_of_numbers_that_grows_and_is_looked_into_needs_no_trace_for_every_length() -> None:
    converted = transpile.convert(looks_back, device="host")
    history = []
    assert [converted(history, 1.5) for _ in range(20)] == [*range(1, 21)]
    assert history == [1.5] * 20
    # One where it is empty, one where it is taken for what it holds, and one for all others.
    assert converted.cache_info().misses == 3
    assert converted(["one"], 1.5) == 2 and "S202-container" in str(converted.calls.failures)


@behaviours.test(191, "plain and converted agree when calls alternate")
@pytest.mark.parametrize("device", DEVICES)
def test_alternating_calls(device: str) -> None:
    converted = transpile.convert(norm, strict=True, device=device)
    for _ in range(3):
        for x in (np.arange(3.0), np.arange(3), np.ones((2, 2))[0], np.arange(6.0)[::2]):
            compare(call(norm, (x,)), call(converted, (x,)))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
