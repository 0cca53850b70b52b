"""What classes and functions hold is guarded where it may be read, and put back where tracing stored into it."""

from __future__ import annotations

import copy
import enum
import types
import warnings
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.trace.guard import Guard
from transpile.runtime.trace.selves import Selves


def _held() -> type:
    class Base:
        rate = 2.0
        items = ["a"]  # noqa: RUF012
        table = np.arange(3.0)

        def method(self):
            return self.rate

    return type("Derived", (Base,), {"size": 3})


def _labels(found):
    return [(g.path.key, g.kind) if isinstance(g, Guard) else g for g in found]


def test_only_names_that_may_be_read_are_guarded():
    class_ = _held()
    selves = Selves(lambda module: module == "builtins")
    selves.note(class_)
    # What Python asks classes for by itself may be there later: all names are.
    whole = [("__dict__", "keys"), ("__mro__", "is"), ("__dict__", "keys")]
    assert _labels(selves.guards({"rate", "size", "method"}, set())) == [
        *whole,
        ("size", "equals"),
        ("rate", "equals"),
        ("method", "is"),
    ]
    *others, items, contents = selves.guards({"items"}, set())
    assert _labels(others) == whole
    assert (items.path.key, items.kind) == ("items", "is")
    assert (contents.path.key, contents.kind, contents.expected) == ("state", "equals", ("a",))


class Plain:
    pass


class Scaled:
    scale = 3.0
    moves = ((-1, 0), (0, 2))

    def apply(self, x):
        return x * self.scale


class Both(Plain, Scaled):
    pass


def applies(x):
    made = Both()
    total = 0.0
    for value in x:
        total += made.apply(value) + made.moves[int(value)][1]
    return total


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("holder", [Both, Plain])
@pytest.mark.parametrize(
    "name, thing", [("scale", 5.0), ("apply", lambda self, x: x + 1), ("moves", ((1, 1), (1, 1)))]
)
def test_what_classes_inherit_may_be_hidden_later(
    monkeypatch: pytest.MonkeyPatch, device: str, holder: type, name: str, thing: Any
) -> None:
    converted = transpile.convert(applies, strict=True, device=device)
    x = np.array([0.0, 1.0, 1.0])
    assert converted(x) == applies(x) == 10.0
    monkeypatch.setattr(holder, name, thing, raising=False)
    assert converted(x) == applies(x) != 10.0
    monkeypatch.undo()
    assert converted(x) == applies(x) == 10.0


def gives_what_it_holds(x):
    return Both().moves


def test_tuples_that_classes_hold_are_given_themselves() -> None:
    assert transpile.convert(gives_what_it_holds, strict=True)(1.0) is Scaled.moves


def test_names_that_were_asked_for_in_vain_are_guarded():
    def function():
        pass

    selves = Selves(lambda module: False)
    selves.note(function)
    assert _labels(selves.guards(set(), {"scale"})) == [("__dict__", "keys")]


def test_classes_of_libraries_are_left_alone():
    selves = Selves(lambda module: True)
    selves.note(_held())
    assert list(selves.guards({"rate"}, {"scale"})) == []


def test_what_was_stored_is_taken_back():
    class_ = _held()
    selves = Selves(lambda module: module == "builtins")
    selves.note(class_)
    class_.size = 5
    class_.added = 1
    class_.items.append("b")
    class_.table[0] = 7.0
    assert sorted(selves.restore()) == [
        "Derived.added",
        "Derived.size",
        "a list that a class or function holds",
        "a ndarray that a class or function holds",
    ]
    assert (class_.size, class_.items, class_.table[0]) == (3, ["a"], 0.0)
    assert not hasattr(class_, "added")
    assert selves.restore() == []


def event(mark: Any, step: int = 1) -> Any:
    def happens(x):
        return x + step

    if mark is not None:
        happens.terminal = mark  # type: ignore[attr-defined]
    return happens


def ask(function, x):
    mark = getattr(function, "terminal", None)
    return mark if mark is None else x * mark, hasattr(function, "terminal"), function(x)


@pytest.mark.filterwarnings(
    "ignore::transpile.runtime.errors.RetraceWarning", "ignore::transpile.runtime.errors.FallbackWarning"
)
def test_functions_of_one_code_differ_by_what_they_hold() -> None:
    """As events of solvers do."""
    converted = transpile.convert(ask, device="host")
    x = np.arange(3.0)
    for mark, step in (
        (None, 1),
        (2, 1),
        (3, 2),
        (2, 5),
        (None, 3),
        (True, 1),
        (1, 1),
        (0.5, 1),
        (-0.0, 1),
        (0.0, 1),
    ):
        function = event(mark, step)
        assert repr(converted(function, x)) == repr(ask(function, x))
    function.terminal = 7
    assert repr(converted(function, x)) == repr(ask(function, x))
    del function.terminal
    assert repr(converted(function, x)) == repr(ask(function, x))
    for array in (np.ones(3), np.zeros(3)):
        function = event(array)
        assert repr(converted(function, x)) == repr(ask(function, x))


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_a_converted_function_that_counts_its_calls_counts_them() -> None:
    def counts(x):
        counts.calls_made += 1
        counts.last = x
        return x * counts.calls_made

    plain, x = counts, np.arange(3.0)
    counts = transpile.convert(plain, device="host")
    counts.calls_made = 0
    for times in range(1, 5):
        assert repr(counts(x)) == repr(x * times)
        assert counts.calls_made == times and counts.last is x
    assert not hasattr(plain, "calls_made")


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("early", [False, True])
def test_what_a_program_stores_under_the_name_of_what_a_converted_function_has_is_its_own(
    early: bool,
) -> None:
    def counts(x):
        counts.calls += 1
        return x * counts.calls * counts.graph

    def made(x):
        counts.source = x
        return counts(x)

    plain, x = counts, np.arange(3.0)
    if early:
        plain.calls, plain.graph = 0, 2.0
    counts = transpile.convert(plain, device="host")
    if not early:
        counts.calls, counts.graph = 0, 2.0
    made = transpile.convert(made, device="host")
    for times in range(1, 5):
        assert repr(counts(x)) == repr(x * times * 2.0)
        assert counts.calls == times and callable(counts.source)
    counts.graph = 3.0
    assert repr(counts(x)) == repr(x * 5 * 3.0)
    assert repr(made(x)) == repr(x * 6 * 3.0) and counts.source is x


def test_names_of_what_a_converted_function_has_may_be_the_programs() -> None:
    def uses(x, thing):
        graph, calls = thing
        return x * graph + calls + len(uses.__name__)

    uses = transpile.convert(uses, device="host", strict=True)
    assert repr(uses(np.arange(3.0), (2, 3.0))) == repr(np.arange(3.0) * 2 + 7)


def test_a_function_of_a_library_that_counts_its_calls_counts_them() -> None:
    def counts(x):
        counted.calls_made += 1
        return x * counted.calls_made

    namespace = {"__name__": "scipy.tests"}
    counted = types.FunctionType(counts.__code__, namespace, "counts", None, counts.__closure__)
    counted.calls_made = 0

    def calls(function, x):
        return function(x)

    x = np.arange(3.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", transpile.FallbackWarning)
        converted = transpile.convert(calls, device="host")
        for times in range(1, 4):
            assert repr(converted(counted, x)) == repr(x * times)
            assert counted.calls_made == times


class Shared:
    """Its objects have what it holds until something is stored in them."""

    offset = np.arange(3.0)
    rate = 0.5


def adds(thing: Any, x: Any) -> Any:
    thing.offset += x
    thing.rate = thing.rate
    return thing.offset.sum()


@pytest.mark.parametrize("device", ["host", "cpu"])
def test_what_a_class_holds_is_stored_in_its_object(device: str) -> None:
    outcomes = []
    for function in (adds, transpile.convert(adds, strict=True, device=device)):
        first, second = Shared(), Shared()
        first.offset, first.rate = np.ones(3), 2.0
        before = Shared.offset.copy()
        results = [function(thing, 1.0) for thing in (first, second, first)]
        assert vars(second)["offset"] is Shared.offset
        outcomes.append(
            (results, first.offset.tolist(), (Shared.offset - before).tolist(), vars(second)["rate"])
        )
        Shared.offset = np.arange(3.0)
    assert outcomes[0] == outcomes[1]


class Falling:
    """Holds arrays and lists; what lies deeper in it must not change while tracing."""

    pull = np.array([0.0, -9.81])
    kernel = np.arange(9.0).reshape(3, 3)
    moves = [(0, 1), (1, 0)]  # noqa: RUF012
    grid = [[0, 0], [0, 0]]  # noqa: RUF012
    arrays = [np.zeros(2)]  # noqa: RUF012
    settings = types.SimpleNamespace(count=0)

    def __init__(self, speed):
        self.speed = speed

    def fall(self, dt):
        self.speed = self.speed + self.pull * dt


def falls(x, n):
    thing = Falling(np.zeros(2))
    for k in range(n):
        thing.fall(0.1 * k)
    thing.fall(x.sum())
    return thing.speed


def reads_at_places(x, n):
    total = 0.0
    for k in range(n):
        total += Falling(0).kernel[k % 3, 1] * x[0]
    return total


def moves(x, n):
    return sum(x[one] * n - other for one, other in Falling.moves)


def writes(x, n):
    Falling(0).pull[0] += n
    return Falling(0).pull * x[0]


def writes_what_is_handed_in(x, n):
    x[0] = n
    return Falling(0).pull * x[0] + x[1]


def appends(x, n):
    Falling.moves.append((n, n))
    return len(Falling.moves) + x[0]


def changes_a_list_in_a_list(x, n):
    Falling.grid[0][1] += n
    return Falling.grid[0][1] + x[0]


def changes_an_array_in_a_list(x, n):
    Falling.arrays[0][1] += n
    return Falling.arrays[0][1] + x[0]


def changes_an_object(x, n):
    Falling.settings.count += n
    return Falling.settings.count + x[0]


def by_name(x, n):
    held = getattr(Falling, "settings")  # noqa: B009
    held.count += n
    return held.count + x[0]


def gives_what_is_held(x, n):
    return Falling.moves, Falling.pull is Falling(0).pull


def gives_what_is_held_on_one_way(x, n):
    found = Falling.moves
    if n > 2:
        found = [(n, n)]
    return found, x[0]


def stores_what_is_held(x, n):
    thing = Falling(0)
    thing.moves = Falling.moves
    return thing.moves is Falling.moves, thing.moves


_HELD = {name: thing for name, thing in vars(Falling).items() if isinstance(thing, (np.ndarray, list))}


def _outcomes(function: Any) -> list[str]:
    """Call a function while the class changes in between, and return what it gives and what the class then holds."""
    for name, thing in _HELD.items():
        setattr(Falling, name, copy.deepcopy(thing))
    Falling.settings = types.SimpleNamespace(count=0)
    found = []
    for turn, n in enumerate((2, 3, 2, 4, 1)):
        if turn == 2:
            Falling.pull[0], Falling.kernel[1, 1], Falling.moves[0] = 7.0, 50.0, (2, 2)
        if turn == 3:
            Falling.pull, Falling.moves = np.array([1.0, 2.0]), [(1, 1)]
        x = Falling.pull if turn == 4 else np.arange(3.0)
        found.append(repr((function(x, n), x, Falling.settings, [getattr(Falling, name) for name in _HELD])))
    return found


def test_a_list_that_a_class_holds_is_returned_itself() -> None:
    for function in (gives_what_is_held, gives_what_is_held_on_one_way, stores_what_is_held):
        converted = transpile.convert(function)
        for n in (1, 3):
            given, expected = converted(np.arange(3.0), n), function(np.arange(3.0), n)
            assert [part is Falling.moves for part in given] == [part is Falling.moves for part in expected]


@pytest.mark.parametrize("function", [falls, reads_at_places, moves, gives_what_is_held_on_one_way])
def test_arrays_and_lists_that_classes_hold_are_read(function: Any) -> None:
    assert _outcomes(transpile.convert(function, strict=True)) == _outcomes(function)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "function",
    [
        writes, writes_what_is_handed_in, appends, changes_a_list_in_a_list, changes_an_array_in_a_list, changes_an_object,
        by_name,
    ],
)  # fmt: skip
def test_what_classes_hold_changes_once(function: Any) -> None:
    assert _outcomes(transpile.convert(function)) == _outcomes(function)


class Body(enum.Enum):
    EARTH = 1
    MOON = 2

    def __init__(self, mass: Any) -> None:
        self.mass = mass
        self.craters = [mass]

    def weight(self) -> Any:
        return self.mass * 2


class Kept(enum.Enum):
    LIST = [1]  # noqa: RUF012


def of_a_member(body: Any) -> Any:
    return body.mass + body.craters[0], body.weight()


def of_a_class(body: Any) -> Any:
    return [each.mass for each in Body] + [Body.EARTH.mass]


def of_a_value(body: Any) -> Any:
    return Kept.LIST.value[0]


def changed(body: Any) -> Any:
    body.mass = body.mass + 1
    return body.mass


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [of_a_member, of_a_class, of_a_value, changed])
def test_what_members_of_enumerations_hold_may_change(function: Any, device: str) -> None:
    converted = transpile.convert(function, device=device)
    for mass in (1, 2.5, 7, 7, 1):
        results = []
        for run in (function, converted):
            Body.EARTH.mass = mass
            Body.EARTH.craters[0] = Kept.LIST.value[0] = mass
            results.append((repr(run(Body.EARTH)), repr(Body.EARTH.mass)))
        assert results[0] == results[1]
