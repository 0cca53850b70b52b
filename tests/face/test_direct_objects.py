"""Calls that are served by machine code, of what objects, lists and dictionaries hold that a call is handed."""

import gc
import sys
import warnings

import numpy as np
import pytest

from transpile.devices.cpu import c_code
from transpile.runtime.errors import StagingError

from .test_direct import at_once, converted, served  # noqa: F401
from .test_direct_parts import same

pytestmark = pytest.mark.skipif(not c_code.is_known(), reason="objects lie otherwise in memory")

X = np.array([1.0, -2.0, 0.0, 4.0])
TABLE = np.array([0.5, 1.5, 2.5, 3.5])


class Body:
    def __init__(self, x, mass=2.0, count=3):
        self.x, self.mass, self.count = x, mass, count
        self.inner = None

    def energy(self, v):
        return self.mass * (v * v).sum() + self.x[: self.count].sum()

    def step(self, v):
        for i in range(self.count):
            self.x[i] += v[i]
        self.mass = self.mass * 0.5
        self.count += 1
        return self

    def move(self, v):
        self.x = self.x + v


class Slots:
    __slots__ = ("k", "x")

    def __init__(self, x, k=2):
        self.x, self.k = x, k

    def scaled(self):
        return self.x * self.k


def nested(body, v):
    return body.inner.x + v, body.inner.count


def of_list(rows, k):
    return rows[0] + rows[1] * k


def of_dictionary(state, v):
    return state["x"] * state["k"] + v, state["k"]


def of_keys(state):
    total = 0.0
    for key in state:
        total = total * 2 + state[key].sum()
    return total


def of_table(v):
    return v * TABLE


COUNT = 3


def of_count(v):
    return np.zeros((COUNT, len(v))) + v


def keyword(v, *, k=3):
    return v * k


def kept(v):
    return keyword(v)


def divides(body, v):
    return v / body.mass


def stores(state, v):
    state["x"] = v * 2.0
    return state


def returns(v, k):
    v[0] = k
    return v


def closed():
    inner = X * 2

    def of_cell(v):
        return v + inner

    return of_cell


def body():
    made = Body(X + 1)
    made.inner = Body(X.copy(), 1.0, 2)
    return made


CALLS = [
    (Body.energy, lambda: (body(), X)),
    (Body.step, lambda: (body(), X)),
    (Body.move, lambda: (body(), X)),
    (Slots.scaled, lambda: (Slots(X.copy()),)),
    (nested, lambda: (body(), X)),
    (of_list, lambda: ([X, X + 1], 2)),
    (of_dictionary, lambda: ({"x": X, "k": 2}, X + 1)),
    (of_keys, lambda: ({"a": X, "b": X * 3},)),
    (of_table, lambda: (X,)),
    (kept, lambda: (X,)),
    (of_count, lambda: (X,)),
    (divides, lambda: (body(), X)),
    (stores, lambda: ({"x": X, "k": 2}, X)),
    (returns, lambda: (X.copy(), 3.0)),
    (closed(), lambda: (X,)),
]


@pytest.mark.parametrize("function, make", CALLS)
def test_what_is_handed_in_is_looked_into_by_machine_code(function, make):
    found = converted(function, *make())
    for _ in range(3):
        arguments, others = make(), make()
        expected, result = function(*others), found(*arguments)
        assert told(result) == told(expected) and told(arguments) == told(others)
        assert (result is arguments[0]) == (expected is others[0])
    assert served(found) == 3


def told(thing, depth=4):
    """Return all that lies in a thing, as text."""
    if depth and (isinstance(thing, Body) or (hasattr(thing, "__slots__") and isinstance(thing, Slots))):
        names = vars(thing) if isinstance(thing, Body) else Slots.__slots__
        return f"{type(thing)} {[(name, told(getattr(thing, name), depth - 1)) for name in names]}"
    if isinstance(thing, dict):
        return f"{[(key, told(value, depth - 1)) for key, value in thing.items()]}"
    if isinstance(thing, (list, tuple)):
        return f"{type(thing)}{[told(item, depth - 1) for item in thing]}"
    return f"{type(thing)} {thing!r}"


@pytest.mark.parametrize(
    "change",
    [
        lambda made: setattr(made, "x", X[::2].copy()),
        lambda made: setattr(made, "x", X[::-1]),
        lambda made: setattr(made, "x", X.astype(int)),
        lambda made: setattr(made, "mass", 3),
        lambda made: setattr(made, "count", 2**70),
        lambda made: setattr(made, "count", -1),
        lambda made: setattr(made, "count", True),
        lambda made: setattr(made, "other", 1),
        lambda made: delattr(made, "mass"),
        lambda made: delattr(made, "x"),
        lambda made: setattr(made, "__class__", type("Other", (Body,), {"mass": property(lambda self: 5.0)})),
    ],
)
def test_other_attributes_are_left_to_others(change):
    found = converted(Body.energy, body(), X)
    made, other = body(), body()
    change(made), change(other)
    result, expected = outcome_of(found, made), outcome_of(Body.energy, other)
    assert result == expected or result[0] is StagingError
    same(Body.energy, found, body(), X)


def outcome_of(function, made):
    try:
        return told(function(made, X))
    except Exception as error:
        return type(error), str(error)


def test_a_class_that_gets_a_property_is_asked_for_it():
    class Changing:
        def __init__(self):
            self.k = 2.0

        def scaled(self, v):
            return v * self.k

    found = converted(Changing.scaled, Changing(), X)
    made = Changing()
    assert (found(made, X) == X * 2).all() and served(found) == 1
    Changing.k = property(lambda self: 7.0)
    assert (found(made, X) == X * 7).all()
    Changing.k = property(lambda self: (_ for _ in ()).throw(KeyError("gone")))
    with pytest.raises(KeyError, match="gone"):
        found(made, X)


@pytest.mark.parametrize(
    "state",
    [
        {"k": 2, "x": X}, {"x": X, "k": 2, "z": 1}, {"x": X}, {"x": X, "k": 2.0}, {"x": X, "k": 2**70},
        {"x": [1.0, 2.0, 3.0, 4.0], "k": 2}, [X, 2], {"x": X[:1], "k": 2}, {1: X, "k": 2}, {},
    ],
)  # fmt: skip
def test_other_dictionaries_are_left_to_others(state):
    found = converted(of_dictionary, {"x": X, "k": 2}, X + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(of_dictionary, found, state, X + 1)


@pytest.mark.parametrize("rows", [[X], [X, X, X], (X, X + 1), [X + 1, X], [X, 2.0], [], [X, X[::-1]]])
def test_other_lists_are_left_to_others(rows):
    found = converted(of_list, [X, X + 1], 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(of_list, found, rows, 2)


def test_a_global_that_says_how_large_a_result_is_may_change(monkeypatch):
    found = converted(of_count, X)
    for count in (3, 5, 0, 1, 2**40, True, 2.0, 3):
        monkeypatch.setitem(globals(), "COUNT", count)
        same(of_count, found, X)


def test_keys_in_another_order_are_run_through_in_that():
    found = converted(of_keys, {"a": X, "b": X * 3})
    same(of_keys, found, {"b": X, "a": X * 3})
    same(of_keys, found, {"".join(("a", "")): X, "b": X})


def test_a_global_array_that_is_replaced_or_written_is_seen(monkeypatch):
    found = converted(of_table, X)
    same(of_table, found, X)
    TABLE[0] += 1
    same(of_table, found, X)
    monkeypatch.setitem(globals(), "TABLE", TABLE * 2)
    same(of_table, found, X)
    assert served(found) == 3
    monkeypatch.setitem(globals(), "TABLE", TABLE.astype(int))
    same(of_table, found, X)


def test_arrays_that_lie_beside_each_other_are_served_and_those_that_overlap_are_not():
    def adds(x, y):
        for i in range(len(x)):
            x[i] += y[i]

    found = converted(adds, X.copy(), X)
    memory = np.arange(8.0)
    found(memory[:4], memory[4:])
    found(memory[4:], memory[:4])
    assert memory.tolist() == [4, 6, 8, 10, 8, 11, 14, 17] and served(found) == 2
    one = np.arange(8.0)
    with pytest.raises(StagingError, match="share memory"):
        found(one[1:], one[:-1])
    assert (one == np.arange(8.0)).all() and served(found) == 2


def test_nothing_is_kept_of_what_is_looked_into():
    found = converted(Body.step, body(), X)
    listed = converted(of_list, [X, X + 1], 2)
    state = converted(of_dictionary, {"x": X, "k": 2}, X + 1)
    made, rows, kept_state = body(), [X + 2, X + 3], {"x": X + 4, "k": 2}
    counted = [made, made.x, rows, *rows, kept_state, kept_state["x"], X]
    for warm in (True, False):
        before = [sys.getrefcount(thing) for thing in counted]
        for _ in range(50):
            made.count = 2
            found(made, X)
            listed(rows, 2)
            state(kept_state, X)
            # Others have to run it.
            listed([rows[0], 2.0], 2)
            listed(rows, 2.5)
        gc.collect()
        assert warm or [sys.getrefcount(thing) for thing in counted] == before


def test_errors_and_warnings_are_those_of_python():
    found = converted(divides, body(), X)
    zero = body()
    zero.mass = 0.0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = found(zero, X)
    assert np.isnan(result[2]) and {str(w.message) for w in caught} == {
        "divide by zero encountered in divide", "invalid value encountered in divide",
    }  # fmt: skip
    short = converted(Body.step, body(), X)
    made = body()
    made.count = 9
    with pytest.raises(IndexError, match="out of bounds"):
        short(made, X)
    assert made.count == 9 and made.mass == 2.0 and (made.x[:4] == X + 1 + X).all()
