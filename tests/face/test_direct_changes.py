"""Calls that are served by machine code, where what they depend on changes between them, or while they run."""

import gc
import os
import signal
import sys
import threading
import types
import warnings

import numpy as np
import pytest

from transpile import convert
from transpile.devices.cpu import c_code

from .test_direct import at_once, converted, served  # noqa: F401

pytestmark = pytest.mark.skipif(not c_code.is_known(), reason="objects lie otherwise in memory")

X = np.array([1.0, -2.0, 0.0, 4.0])
FACTOR = 2.5
CALLED = []


class Plain:
    pass


class Double(Plain):
    pass


KIND = Plain()


def scales(x):
    return x * FACTOR


def asks(x):
    return x * 2 if isinstance(KIND, Double) else x * 3


def sums(x):
    total, size = x.sum(), x.size + 1
    return total, [total], size, (size,)


def selects(x):
    kept = x[x > 0]
    return kept, kept * 2


def divides(x, y):
    return x / y


class Rebinds:
    """Puts another number in the place of a global when it is collected, and others where the first one was."""

    def __init__(self):
        self.own = self

    def __del__(self):
        globals()["FACTOR"] = float("7.5")
        CALLED.extend(float(f"{number}.125") for number in range(100, 150))


def test_a_global_may_be_put_elsewhere_by_what_is_collected_within_a_call(monkeypatch):
    monkeypatch.setitem(globals(), "FACTOR", 1.5)
    found = converted(scales, np.ones(3))
    thresholds = gc.get_threshold()
    seen = set()
    gc.disable()
    try:
        for _ in range(10):
            globals()["FACTOR"] = float("2.5")
            CALLED.clear()
            Rebinds()
            gc.set_threshold(1)
            gc.enable()
            result = found(X)
            gc.disable()
            seen.add(float(result[0]))
            gc.collect()
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()
    assert served(found) and seen <= {2.5, 7.5}


def test_numbers_of_globals_are_held_and_given_back(monkeypatch):
    monkeypatch.setitem(globals(), "FACTOR", float("3.25"))
    found = converted(scales, X)
    before = sys.getrefcount(FACTOR)
    for _ in range(1000):
        found(X)
    assert served(found) == 1000 and sys.getrefcount(FACTOR) == before


def test_objects_that_become_of_another_class_are_noticed(monkeypatch):
    monkeypatch.setitem(globals(), "KIND", Plain())
    found = converted(asks, X)
    assert found(X).tolist() == (X * 3).tolist() and served(found) == 1
    KIND.__class__ = Double
    assert found(X).tolist() == (X * 2).tolist()


def test_a_number_that_is_returned_twice_is_one_object():
    found = converted(sums, X)
    total, (again,), size, (other,) = found(X)
    assert total is again and size is other and served(found) == 1
    before = sys.getrefcount(None)
    kept = [found(X) for _ in range(10)]
    # Each of its own: two places, and what asks.
    assert all(sys.getrefcount(row[0]) == 3 for row in kept)
    assert abs(sys.getrefcount(None) - before) < 10


class Stop(BaseException):
    pass


def draws(count):
    total = 0.0
    for _ in range(count):
        total += np.random.random()
    return total


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_an_interrupt_leaves_no_lock_held_and_the_next_call_is_served():
    def stop(number, frame):
        raise Stop

    found = converted(draws, 10)
    found(10)
    before = found.cache_info().hits
    lock = np.random.mtrand._rand._bit_generator.lock
    old = signal.signal(signal.SIGALRM, stop)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, 0.03)
            with pytest.raises(Stop):
                found(50_000_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    free = []
    thread = threading.Thread(target=lambda: free.append(lock.acquire(blocking=False) and not lock.release()))
    thread.start()
    thread.join()
    assert free == [True]
    np.random.seed(1)
    expected = draws(10)
    np.random.seed(1)
    assert found(10) == expected and found.cache_info().hits == before + 1
    assert not found.calls.direct._words[:2].any()


class Finds(dict):
    def __getitem__(self, name):
        return 5.0 if name == "WEIGHT" else dict.__getitem__(self, name)


def weighs(x):
    return x * WEIGHT  # noqa: F821


def test_globals_that_find_by_a_method_are_left_to_it():
    namespace = Finds(WEIGHT=3.0, __builtins__=__builtins__, __name__="finds")
    found = convert(types.FunctionType(weighs.__code__, namespace))
    for _ in range(5):
        assert found(X).tolist() == (X * 5.0).tolist()


def _store(value):
    global FACTOR
    FACTOR = value


WAYS = {
    "statement": _store,
    "item": lambda value: globals().__setitem__("FACTOR", value),
    "update": lambda value: globals().update(FACTOR=value),
    "attribute": lambda value: setattr(sys.modules[__name__], "FACTOR", value),
    "merged": lambda value: globals().__ior__({"FACTOR": value}),
    "anew": lambda value: (globals().pop("FACTOR"), globals().setdefault("FACTOR", value)),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_store_a_global_is_noticed(way, monkeypatch):
    monkeypatch.setitem(globals(), "FACTOR", 2.5)
    found = converted(scales, X)
    store = WAYS[way]
    # Python does it in other ways, too, once it has done so often.
    for number in range(100):
        store(number + 0.5)
        assert found(X)[0] == number + 0.5
        assert found(X)[0] == number + 0.5
    assert served(found) == 200


def test_a_global_that_is_gone_is_an_error_and_serves_again_when_it_is_back(monkeypatch):
    monkeypatch.setitem(globals(), "FACTOR", 2.5)
    found = converted(scales, X)
    for _ in range(3):
        value = globals().pop("FACTOR")
        with pytest.raises(NameError, match="FACTOR"):
            convert(scales)(X)
        with pytest.raises(NameError, match="FACTOR"):
            found.calls.direct.function(X) if found.calls.direct else scales(X)
        globals()["FACTOR"] = value
        assert found(X)[0] == 2.5


class Shape(np.ndarray):
    pass


@pytest.mark.parametrize(
    "arguments",
    [
        (X.view(Shape), X), (X, X.astype(">f8")), (X, X[None]), (X, None), (X, True), (X, 2**70), (X, -(2**63)),
        (X, np.float32(2.0)), (X, np.ones(1)), (X, np.zeros(0)), (X[::-1], X), (X, np.ma.masked_array(X)), (X, "two"),
        (X.tolist(), X), (np.asfortranarray(np.ones((4, 4))), X),
    ],
)  # fmt: skip
def test_other_arguments_are_left_to_others(arguments, monkeypatch):
    found = converted(divides, X, abs(X) + 1)
    monkeypatch.setattr(found.calls, "strict", False)
    direct, outcomes = found.calls.direct, []
    for function in (divides, direct.function):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                result = function(*arguments)
                outcomes.append((type(result), result.dtype, result.tolist()))
            except Exception as error:
                outcomes.append((type(error), str(error)))
    assert repr(outcomes[0]) == repr(outcomes[1]) and direct.hits == 0


def test_an_array_that_cannot_be_written_any_more_is_left_to_others():
    found = convert(_fills, strict=True)
    x = X.copy()
    found(x)
    found(x)
    assert served(found) == 1
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        _fills(x)
    with pytest.raises(ValueError, match="read-only"):
        found(x)


def _fills(x):
    x[:] = 1.0


def test_wrong_numbers_of_arguments_and_names_are_those_of_python():
    found = converted(divides, X, abs(X) + 1)
    for given, named in (((), {}), ((X,), {}), ((X, X, X), {}), ((X,), {"z": X}), ((X,), {"x": X})):
        with pytest.raises(TypeError) as plain:
            divides(*given, **named)
        with pytest.raises(TypeError) as ours:
            found(*given, **named)
        assert str(ours.value) == str(plain.value)
    assert found(y=abs(X) + 1, x=X).tolist() == (X / (abs(X) + 1)).tolist() and served(found) == 1


def test_traces_forgotten_in_the_middle_of_calls():
    found = converted(selects, X)
    expected = [a.tolist() for a in selects(X)]
    wrong, done = [], threading.Event()

    def work():
        while not done.is_set():
            if [a.tolist() for a in found(X)] != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(10):
        found.calls.renew()
        gc.collect()
    found.cache_clear()
    found(X)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no processes are forked here")
def test_a_child_of_a_process_that_is_in_a_call_takes_the_ordinary_way():
    found = converted(selects, X)
    direct = found.calls.direct
    # As if another thread were in the kernel.
    direct._words[0] = 1
    before = served(found)
    assert [a.tolist() for a in found(X)] == [a.tolist() for a in selects(X)] and served(found) == before
    direct._words[0] = 0
    found(X)
    assert served(found) == before + 1


def test_filters_of_warnings_that_are_changed_in_place_are_heeded():
    found = converted(adds, X.copy(), X)
    big = np.array([1e308, 1.0, 1.0, 1.0])
    with warnings.catch_warnings():
        warnings.filters.insert(0, ("error", None, RuntimeWarning, None, 0))
        outcomes = []
        for function in (adds, found):
            x = big.copy()
            with pytest.raises(RuntimeWarning, match="overflow"):
                function(x, big)
            outcomes.append(x.tolist())
    assert outcomes[0] == outcomes[1]


def adds(x, y):
    x += y


def test_what_numpy_is_told_in_another_context_is_heeded():
    found = converted(divides, X, X + 5)
    results = []

    def work():
        with np.errstate(all="raise"):
            try:
                results.append(found(X, X))
            except FloatingPointError as error:
                results.append(str(error))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results == ["invalid value encountered in divide"]
    assert found(X, X + 5).tolist() == (X / (X + 5)).tolist()


def test_a_profiler_may_begin_and_end_meanwhile():
    found = converted(scales, X)
    before = found(X).tolist()
    events = []
    sys.setprofile(lambda frame, event, value: events.append(event))
    try:
        assert found(X).tolist() == before
    finally:
        sys.setprofile(None)
    assert found(X).tolist() == before and events
