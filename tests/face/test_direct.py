"""Calls that are served by machine code: what they give, and what they leave to Python."""

import gc
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

from transpile import convert, direct
from transpile.compare import difference
from transpile.compare import run as outcome
from transpile.devices.cpu import c_code

FACTOR = 2.0
HELD = np.arange(3.0)
LIMIT = 5

pytestmark = pytest.mark.skipif(not c_code.is_known(), reason="objects lie otherwise in memory")


def helper(x):
    return x + 1.0


def scales(x):
    return x * FACTOR


def several(x, y, k):
    z = helper(x) * y
    return z, {"sum": z.sum(), "next": k + 1}, [x.size > 3], (z[0] > 1, np.float32(z[0]))


def writes(x, y):
    x += y
    x[0] = 1.0


def writes_and_raises(x):
    x[0] = 1.0
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError(f"{x[i]} in place {i}")
    return x.sum()


def selects(x):
    kept = x[x > 0]
    return kept, kept * 2, np.flatnonzero(x)


def makes(n, m):
    return np.zeros((n, m + 1)), np.ones((m, n), order="F"), n * m


def counts(x):
    total = np.zeros(3, np.int8)
    for value in x:
        total[value] += 1
    return total


def divides(x, y):
    return x / y


def prints(x):
    print("sum", x.sum())
    return x * 2


def turned(x):
    return x.T + 1


def in_place(x):
    x *= 2.0
    x += 1.0


class Box:
    pass


def gives_back(x, y, box):
    x *= y
    return x, [y, x, HELD], {"box": box, "sum": x.sum()}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Have every trace served by machine code from the start, where a warning is none but a warning."""
    monkeypatch.setattr(direct, "OFTEN", 0)
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def compare(expected, found):
    """Fail where two calls left behind other things."""
    assert not difference(expected, found)


def converted(function, *examples):
    """Return a function converted, with machine code for calls like the one given."""
    found = convert(function, strict=True)
    found(*examples)
    assert found.calls.direct is not None
    return found


def served(function):
    return function.calls.direct.hits


X = np.array([1.0, -2.0, 0.0, 4.0])


@pytest.mark.parametrize(
    "function, arguments",
    [
        (scales, (X,)),
        (several, (X, X[::-1].copy(), 7)),
        (several, (X, X.copy(), -(2**62))),
        (writes, (X, X[::-1].copy())),
        (selects, (X,)),
        (selects, (-abs(X),)),
        (makes, (3, 4)),
        (makes, (0, 0)),
        (counts, (np.array([0, 2, 2]),)),
        (turned, (np.arange(6.0).reshape(2, 3),)),
        (in_place, (X,)),
        (writes_and_raises, (abs(X),)),
    ],
)
def test_machine_code_gives_what_python_gives(function, arguments):
    found = convert(function, strict=True)
    for _ in range(4):
        compare(outcome(function, arguments), outcome(found, arguments))
    assert found.calls.direct is not None


def test_what_is_handed_in_is_given_back_itself():
    box, x, y = Box(), X.copy(), X + 1
    found = converted(gives_back, x, y, box)
    # What builds results in Python is not asked.
    found.calls.entries[0].build = lambda results, handed: pytest.fail("it is")
    found.calls.renew()
    counts = [sys.getrefcount(thing) for thing in (x, y, box, HELD)]
    for _ in range(3):
        expected = gives_back(x.copy(), y, box)
        first, (second, third, held), others = found(x, y, box)
        assert first is x and second is y and third is x and held is HELD and others["box"] is box
        assert x.tolist() == expected[0].tolist() and others["sum"] == expected[2]["sum"]
    assert served(found) == 3
    del first, second, third, held, others, expected
    assert counts == [sys.getrefcount(thing) for thing in (x, y, box, HELD)]


def test_calls_of_other_things_are_left_to_others():
    found = converted(scales, X)
    for x in (X[::2], X.astype(np.float32), np.arange(3), np.ones(1), X.reshape(2, 2), np.float64(3.0)):
        compare(outcome(scales, (x,)), outcome(found, (x,)))


def test_integers_beyond_the_range_are_left_to_python():
    found = convert(several)
    found(X, X.copy(), 1)
    found(X, X.copy(), 1)
    with pytest.warns(match="S120"):
        assert found(X, X.copy(), 2**70)[1]["next"] == 2**70 + 1


def test_what_globals_hold_is_looked_at(monkeypatch):
    found = converted(scales, X)
    assert found(X).tolist() == (2 * X).tolist() and served(found) == 1
    # Of the same type: what is there is fed.
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert found(X).tolist() == (3 * X).tolist() and served(found) == 2
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert found(X).tolist() == (3 * X).tolist()


def test_functions_that_are_put_in_the_place_of_others_are_noticed(monkeypatch):
    found = converted(several, X, X.copy(), 1)
    other = {"helper": lambda x: x - 1.0}
    monkeypatch.setitem(globals(), "helper", other["helper"])
    compare(outcome(several, (X, X.copy(), 1)), outcome(found, (X, X.copy(), 1)))


def test_code_of_functions_that_is_changed_is_noticed(monkeypatch):
    found = converted(several, X, X.copy(), 1)
    monkeypatch.setattr(helper, "__code__", (lambda x: x * 5.0).__code__)
    compare(outcome(several, (X, X.copy(), 1)), outcome(found, (X, X.copy(), 1)))


def test_functions_of_numpy_that_are_replaced_are_noticed(monkeypatch):
    found = converted(makes, 2, 3)
    monkeypatch.setattr(np, "zeros", np.ones)
    compare(outcome(makes, (2, 3)), outcome(convert(makes), (2, 3)))
    compare(outcome(makes, (2, 3)), outcome(found, (2, 3)))


def test_arrays_that_share_memory_are_left_to_others():
    found = converted(writes, X.copy(), X.copy())
    x, y = X.copy(), X.copy()
    before = served(found)
    writes(x, x)
    plain = convert(writes)
    plain(y, y)
    assert x.tolist() == y.tolist()
    x = np.arange(9.0)
    y = x.copy()
    writes(x[:8], x[1:])
    plain(y[:8], y[1:])
    assert x.tolist() == y.tolist() and served(found) == before


def test_errors_are_those_of_python_and_what_was_written_stays():
    found = converted(writes_and_raises, abs(X))
    for x in (X, abs(X), -abs(X)):
        compare(outcome(writes_and_raises, (x,)), outcome(found, (x,)))


def test_what_was_written_is_taken_back_where_the_original_runs_the_call():
    found = converted(in_place, X.copy())
    x, y = np.array([1e308, 1.0]), np.array([1e308, 1.0])
    with warnings.catch_warnings(record=True) as plain:
        warnings.simplefilter("always")
        in_place(x)
    with warnings.catch_warnings(record=True) as ours:
        warnings.simplefilter("always")
        found(y)
    assert [str(w.message) for w in ours] == [str(w.message) for w in plain]
    assert x.tolist() == y.tolist()


def test_warnings_are_those_of_numpy():
    found = converted(divides, X, abs(X) + 1)
    for mode in ("always", "error", "default"):
        for y in (X, abs(X) + 1):
            with warnings.catch_warnings():
                warnings.simplefilter(mode)
                compare(outcome(divides, (X, y)), outcome(found, (X, y)))


def test_what_numpy_is_told_of_errors_is_heeded():
    found = converted(divides, X, abs(X) + 1)
    with np.errstate(all="ignore"):
        assert np.isnan(found(X, X)[2])
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        convert(divides)(X, X)


def test_output_is_printed_in_order(capsys):
    found = convert(prints, strict=True)
    for _ in range(3):
        found(X)
    assert capsys.readouterr().out == "sum 3.0\n" * 3


def test_nothing_is_kept_of_what_a_call_is_given_and_gives():
    for function, arguments in (
        (selects, (X.copy(),)),
        (several, (X.copy(), X.copy(), 10**9)),
        (writes, (X.copy(), X + 1)),
    ):
        found = converted(function, *arguments)
        gc.collect()
        counts_before = (
            [sys.getrefcount(a) for a in arguments],
            sys.getrefcount(None),
            sys.getrefcount(X.dtype),
        )
        for _ in range(1000):
            found(*arguments)
        gc.collect()
        assert served(found) >= 1000
        counts_after = (
            [sys.getrefcount(a) for a in arguments],
            sys.getrefcount(None),
            sys.getrefcount(X.dtype),
        )
        assert counts_after[0] == counts_before[0]
        assert all(abs(a - b) < 100 for a, b in zip(counts_after[1:], counts_before[1:], strict=True))


def test_arrays_that_are_given_own_their_memory_and_can_be_written():
    found = converted(selects, X)
    first, second, places = found(X)
    assert first.flags.owndata and first.base is None and first.flags.writeable
    kept = first.copy(), second.copy(), places.copy()
    found(X + 1)
    assert all(np.array_equal(a, b) for a, b in zip((first, second, places), kept, strict=True))


def test_converted_functions_are_collected():
    found = convert(lambda x: x * 2, strict=True)
    found(X)
    found(X)
    calls = weakref.ref(found.calls)
    assert found.calls.direct is not None
    del found
    gc.collect()
    assert calls() is None


def test_calls_in_several_threads():
    found = converted(selects, X)
    expected = [a.tolist() for a in selects(X)]
    wrong = []

    def work():
        for _ in range(500):
            if [a.tolist() for a in found(X)] != expected:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_calls_are_counted():
    found = converted(scales, X)
    for _ in range(5):
        found(X)
    counted = found.cache_info().hits, found.calls.entries[0].hits
    assert counted == (5, 6)
    found.calls.renew()
    assert counted == (found.cache_info().hits, found.calls.entries[0].hits)


def test_debuggers_see_the_original():
    found = converted(scales, X)
    lines = []
    sys.settrace(lambda frame, event, value: lines.append(frame.f_code.co_name) or None)
    try:
        found(X)
    finally:
        sys.settrace(None)
    assert "scales" in lines and served(found) == 0


def test_machine_code_is_made_where_a_trace_is_often_asked_for(monkeypatch):
    monkeypatch.setattr(direct, "OFTEN", 200)
    found = convert(scales, strict=True)
    for _ in range(150):
        found(X)
    assert found.calls.direct is None
    for _ in range(150):
        found(X)
    assert found.calls.direct is not None and found.calls.entries[0].hits == 300
