"""State and effects: behaviours 155 to 167."""

from __future__ import annotations

import io
import logging
import random
import time
import warnings

import numpy as np
import pytest

import transpile

from . import asserting
from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()

COUNT = 0
SEEN = 0
LAST = None
LOGGER = logging.getLogger("transpile.tests.behaviours")
WORDS = ["one", "two"]


# -- prints -------------------------------------------------------------------------------------------------------


@behaviours(155, "a print happens once per call", *sizes())
def prints(x):
    print("x is", x)
    print("x", "two", sep="-", end=";\n")
    return x


@behaviours(155, "prints keep their order", *sizes())
def prints_in_order(x):
    print("first")
    y = x + 1
    print("second", y)
    print("third", x, flush=True)
    return y


@behaviours(155, "text is of the values that it was made of", (np.zeros(2),), (np.ones(3, np.float32),))
def text_before_writes(x):
    whole, first = f"{x}", f"{x[0]} %s" % x[1]
    x[0] = 5
    x[1] = 6
    print(whole, first, "{} and {:.1f}".format(x[0], x[1]), sep=" | ")
    print(", ".join([f"{x[0]}", "end"]))
    return str(x[0]) + repr(x), format(x[1], ".2f")


@behaviours(156, "a print inside a loop", (0,), (3,))
def prints_in_loop(n):
    total = 0
    for i in range(n):
        print("turn", i, total)
        total += i
    print("total", total)
    return total


@behaviours(156, "a print inside a branch", *on_each(2.0, -2.0, np.float64(1)))
def prints_in_branch(x):
    if x > 0:
        print("positive", x)
    else:
        print("negative")
    return x


@behaviours(156, "a print inside a branch of a loop on a test", (10, 3), (0, 3), (27, 4))
def prints_in_branch_of_while(n, k):
    turns = 0
    while n > 0:
        if n % k == 0:
            print(f"{n} is a multiple of {k}")
        n //= 2
        turns += 1
    return turns


@behaviours(156, "an integer is made of a float after a print", *on_each(2.5, -1e3, np.float64(7), 1e300))
def prints_and_cuts(x):
    print("begins")
    return int(x * 3)


@behaviours(156, "an integer leaves 64 bits after a print", (3, 5), (3, 50), (-2, 100))
def prints_and_grows(x, n):
    total = 1
    for _ in range(n):
        total *= x
        print(total)
    return total


def grows(x, n):
    time.sleep(0.0)
    total = 1
    for _ in range(n):
        total *= x
    return total


@behaviours.test(
    156, "an integer that leaves 64 bits after what cannot be done anew raises, and names the line"
)
@pytest.mark.parametrize("device", ("cpu",))
def test_integers_that_leave_64_bits_too_late(device: str) -> None:
    converted = transpile.convert(grows, strict=True, device=device)
    assert converted(3, 5) == 243
    with pytest.raises(OverflowError, match=rf"test_effects.py:{grows.__code__.co_firstlineno + 4}: "):
        converted(3, 50)


@behaviours.test(156, "a float that is no integer raises as in Python after a print")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("value,error", [(float("nan"), ValueError), (float("-inf"), OverflowError)])
def test_floats_that_are_no_integers(device: str, value: float, error: type) -> None:
    converted = transpile.convert(prints_and_cuts, strict=True, device=device)
    with pytest.raises(error) as caught:
        converted(value)
    assert caught.traceback[-1].lineno == prints_and_cuts.__code__.co_firstlineno + 2
    with pytest.raises(error, match=str(caught.value)):
        prints_and_cuts(value)


@behaviours(156, "a print in a loop over an array", *arrays())
def prints_elements(x):
    for value in x:
        print(f"{value:.3f} {value!r}")
        x[0] = 5.0


# -- lists and dictionaries ---------------------------------------------------------------------------------------


@behaviours(157, "a list is appended to in a loop and stacked", (np.ones(3), 4), (np.array([2.5]), 1))
def stacks(x, n):
    rows = []
    for _ in range(n):
        x = x * 2
        rows.append(x)
    return np.stack(rows)


@behaviours(157, "numbers are appended and become an array", (0,), (1,), (5,))
def appends_numbers(n):
    found = []
    for i in range(n):
        found.append(i * 0.5)
    return np.array(found)


@behaviours(158, "a dictionary is updated and read", *sizes())
def counts(x):
    totals = {"sum": x * 0, "count": 0}
    for _ in range(3):
        totals["sum"] = totals["sum"] + x
        totals["count"] += 1
    totals.update(last=x)
    return totals["sum"] / totals["count"], totals, totals.get("none", 7), "sum" in totals


@behaviours(158, "a dictionary is updated in a branch", *on_each(1.0, -1.0))
def counts_in_branch(x):
    totals = {"up": 0, "down": 0}
    if x > 0:
        totals["up"] += 1
    else:
        totals["down"] -= 1
    return totals


# -- state that outlives the call ---------------------------------------------------------------------------------


class Counter:
    """Counts calls."""

    def __init__(self) -> None:
        self.n = 0
        self.total = 0.0
        self.last = None

    def step(self, x):
        self.n += 1
        self.total += x
        return self.n * x


@behaviours(159, "a counter in an attribute", *[(Counter(), x) for x in (3, -2.5, np.float64(2))])
def counts_calls(counter, x):
    counter.n += 1
    counter.total = counter.total + x
    return counter.n


@behaviours(159, "a counter in an attribute, by a method", *[(Counter(), x) for x in (3, -2.5)])
def counts_calls_by_method(counter, x):
    first = counter.step(x)
    return first + counter.step(x), counter.n


@behaviours(159, "a counter in an attribute, in a loop and a branch", (Counter(), 5), (Counter(), 0))
def counts_turns(counter, n):
    for i in range(n):
        if i % 2:
            counter.n += 1
        counter.total += 0.5
    return counter.n


@behaviours(159, "an array is stored in an attribute", *[(Counter(), x) for x in (np.ones(3), np.zeros(0))])
def stores_array(counter, x):
    counter.last = x
    counter.n += 1
    y = x * 2
    counter.twice = y
    return y


@behaviours(159, "an attribute is stored, then the call fails", (Counter(), 0), (Counter(), 2))
def stores_and_fails(counter, k):
    counter.n += 1
    return 10 // k


@behaviours(159, "an attribute is stored among prints", (Counter(), 4))
def stores_and_prints(counter, n):
    for i in range(n):
        counter.n += i
        print(counter.n)
    return counter.n


@behaviours(
    159, "two names of one object", lambda: (lambda c: (c, c))(Counter()), lambda: (Counter(), Counter())
)
def stores_through_two_names(one, other):
    one.n += 1
    other.n += 10
    return one.n, other.n


@behaviours(160, "a global counter", (3,), (-2.5,), state=("COUNT",))
def counts_globally(x):
    global COUNT
    COUNT += 1
    return COUNT * x


@behaviours(160, "a global counter in a loop and a branch", (5,), (0,), state=("COUNT", "SEEN"))
def counts_globally_in_loop(n):
    global COUNT, SEEN
    for i in range(n):
        if i > 2:
            COUNT += i
        SEEN = COUNT
    return SEEN


def bump(x):
    global COUNT
    COUNT += x
    return COUNT


@behaviours(160, "a global counter of a function that is called", (3,), (4,), state=("COUNT",))
def counts_by_callee(x):
    return bump(x) + bump(x) + COUNT


@behaviours(160, "an array becomes a global", *arrays(), state=("LAST",))
def remembers(x):
    global LAST
    LAST = x
    return x + 1


# -- warnings and logging -----------------------------------------------------------------------------------------


@behaviours(161, "a warning comes once per call", *sizes())
def warns(x):
    warnings.warn("careful", stacklevel=1)
    return x


@behaviours(161, "a warning with a category and a text of run time", *on_each(3, -2.5))
def warns_of_value(x):
    if x < 0:
        warnings.warn(f"{x} is negative", UserWarning, stacklevel=2)
    return abs(x)


@behaviours(161, "warnings in a loop", (3,), (0,))
def warns_in_loop(n):
    for i in range(n):
        warnings.warn(f"turn {i}", stacklevel=1)
    return n


class Kept(logging.Handler):
    """Keeps records."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[tuple[object, ...]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(
            (record.levelname, record.getMessage(), record.funcName, record.lineno, record.pathname)
        )


def logs(x, n):
    LOGGER.info("begins with %s", x)
    for i in range(n):
        if i % 2:
            LOGGER.warning("turn %d: %.2f", i, x * i)
    return x * n


def warns_where(x):
    warnings.warn(f"here {x}", UserWarning, stacklevel=1)
    warnings.warn("there", UserWarning, stacklevel=2)
    return x


@behaviours.test(161, "log records come once per call, with the user's line")
@pytest.mark.parametrize("device", DEVICES)
def test_records_come_once_per_call_with_the_line(device: str) -> None:
    converted = transpile.convert(logs, strict=True, device=device)
    LOGGER.setLevel(logging.INFO)
    LOGGER.propagate = False
    kept = {}
    for name, function in (("plain", logs), ("converted", converted)):
        handler = Kept()
        LOGGER.addHandler(handler)
        try:
            for arguments in ((1.5, 4), (2.5, 3), (0.0, 0)):
                function(*arguments)
        finally:
            LOGGER.removeHandler(handler)
        kept[name] = handler.records
    assert len(kept["plain"]) == 6
    assert kept["converted"] == kept["plain"]
    assert converted.calls.entries[0].hits == 3


@behaviours.test(161, "warnings name the user's line, or the caller's")
@pytest.mark.parametrize("device", DEVICES)
def test_warnings_name_the_line(device: str) -> None:
    converted = transpile.convert(warns_where, strict=True, device=device)
    found = []
    for function in (warns_where, converted):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function(2.5)
        found.append([(str(w.message), w.filename, w.lineno) for w in caught])
    assert found[0] == found[1]
    assert len(found[0]) == 2


@behaviours.test(161, "a warning that is an error leaves the function")
@pytest.mark.parametrize("device", DEVICES)
def test_a_warning_can_be_an_error(device: str) -> None:
    converted = transpile.convert(warns_in_loop, strict=True, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="turn 0"):
            converted(3)


# -- assertions and exceptions ------------------------------------------------------------------------------------


behaviours(
    162, "an assertion passes or fails, and its message is made only then", *on_each(3, -2.5, np.float64(1))
)(asserting.asserts)
behaviours(162, "an assertion in a loop", (3,), (8,), (0,))(asserting.asserts_in_loop)


class Trouble(Exception):
    """An error with more than a message."""

    def __init__(self, place, value):
        super().__init__(f"{value} at {place}")
        self.place = place
        self.value = value


class Plain(ValueError):
    """An error."""


@behaviours(
    163, "an exception of the user's is raised with arguments", *on_each(np.array([1.0, -2.0]), np.ones(2))
)
def raises(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise Plain("negative", i, x[i])
    return x


@behaviours(163, "an exception with a constructor is raised", *on_each(np.array([1.0, -2.0]), np.ones(2)))
def raises_trouble(x):
    for i in range(len(x)):
        x[i] += 1
        if x[i] < 0:
            raise Trouble(i, x[i])
    return x


@behaviours(163, "an exception from another", *on_each(2, 0))
def raises_from(x):
    print("begins")
    if x == 0:
        raise Plain("zero") from KeyError("inner")
    return x


@behaviours(164, "ZeroDivisionError is caught", *on_each(2, 0, 0.0))
def catches_division(x):
    try:
        y = 1 / x
    except ZeroDivisionError as error:
        print("caught", error)
        y = -1.0
    return y


@behaviours(164, "IndexError of an array is caught", (np.ones(3), 1), (np.ones(3), 3), (np.zeros(0), 0))
def catches_index(x, i):
    try:
        x[i] = 2.0
        y = x[i]
    except IndexError:
        y = -1.0
    return y


@behaviours(
    164, "an error of an inner function is caught in a loop", (np.array([1.0, -2.0, 3.0]),), (np.ones(2),)
)
def catches_trouble(x):
    bad = 0
    for i in range(len(x)):
        try:
            if x[i] < 0:
                raise Plain(i)
            x[i] = 0
        except Plain:
            bad += 1
    return bad


@behaviours(165, "errstate around a division", *on_each(np.array([1.0, 0.0]), np.zeros(1), np.zeros(0)))
def divides_silently(x):
    with np.errstate(divide="ignore", invalid="ignore"):
        y = 1 / x
    return y


@behaviours(165, "errstate that raises", *on_each(np.array([1.0, 0.0]), np.ones(2)), gaps="S273-errstate")
def divides_loudly(x):
    with np.errstate(divide="raise"):
        return 1 / x


# -- files --------------------------------------------------------------------------------------------------------


def writes_lines(file, x):
    file.write("begins\n")
    for i in range(len(x)):
        file.write(f"{i}: {x[i]:.2f}\n")
        if x[i] < 0:
            print("negative", i, file=file)
    file.write(str(len(x)))


@behaviours.test(166, "files are written in order")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("real", (False, True))
def test_files_are_written_in_order(device: str, real: bool, tmp_path) -> None:
    converted = transpile.convert(writes_lines, strict=True, device=device)
    texts = []
    for name, function in (("plain", writes_lines), ("converted", converted)):
        for x in (np.array([1.0, -2.0, 3.0]), np.zeros(0)):
            if real:
                path = tmp_path / name
                with path.open("w") as file:
                    function(file, x)
                texts.append(path.read_text())
            else:
                memory = io.StringIO()
                function(memory, x)
                texts.append(memory.getvalue())
    assert texts[:2] == texts[2:]
    assert texts[0].count("\n") == 5
    (entry,) = converted.calls.entries
    assert entry.hits == 2


@behaviours.test(166, "a file that is closed raises at the user's line")
@pytest.mark.parametrize("device", DEVICES)
def test_a_closed_file_raises(device: str) -> None:
    converted = transpile.convert(writes_lines, strict=True, device=device)
    memory = io.StringIO()
    memory.close()
    with pytest.raises(ValueError, match="I/O operation on closed file") as caught:
        converted(memory, np.ones(2))
    assert caught.traceback[-1].lineno == writes_lines.__code__.co_firstlineno


# -- random numbers -----------------------------------------------------------------------------------------------


def draws(rng, n):
    x = rng.random(n)
    y = rng.normal(2.0, 0.5, size=(n, 2))
    total = 0.0
    for i in range(n):
        if rng.random() < 0.5:
            total += x[i]
        else:
            total -= rng.standard_normal()
    k = rng.integers(0, 10)
    return x, y, total, k, rng.integers(5, size=n), rng.uniform(-1, 1), rng.exponential(2.0, n)


def draws_globally(n):
    np.random.seed(n)
    x = np.random.rand(n, 2)
    y = np.random.normal(size=n)
    total = 0
    for _ in range(n):
        total += np.random.randint(0, 5)
        if np.random.random() < 0.3:
            y[0] = np.random.uniform(1.0, 2.0)
    return x, y, total, np.random.randn(), np.random.randn(n), np.random.standard_normal((2, n))


def draws_from_seed(seed, n):
    rng = np.random.default_rng(seed)
    walk = np.zeros(n)
    for i in range(1, n):
        walk[i] = walk[i - 1] + rng.normal()
    return walk, rng.permutation(n), rng.choice(n)


def shuffles(rng, x):
    rng.shuffle(x)
    return x.sum()


def draws_from_python(n):
    random.seed(n)
    total = 0.0
    for _ in range(n):
        total += random.random() + random.gauss(0.0, 1.0) + random.uniform(2, 3) + random.randint(1, 6)
    return total


def numbers(n):
    return (np.random.default_rng(n), n)


def positions(n):
    return (np.random.default_rng(n), np.arange(n * 1.0))


@behaviours.test(167, "generators of random numbers give NumPy's sequence")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function,make", [(draws, numbers), (shuffles, positions)])
def test_generators_give_the_sequence(device: str, function, make) -> None:
    from ..end_to_end.comparison import differences

    converted = transpile.convert(function, strict=True, device=device)
    for n in (5, 1, 8):
        plain, other = make(n), make(n)
        for _ in range(2):
            assert not differences(function(*plain), converted(*other))
        assert not differences(plain[1], other[1])
        assert plain[0].bit_generator.state == other[0].bit_generator.state
    assert sum(entry.hits for entry in converted.calls.entries) == 6


@behaviours(167, "the global generator gives NumPy's sequence", (4,), (1,))
def draws_globally_(n):
    return draws_globally(n)


@behaviours(167, "a generator is made of a seed", (4, 6), (1, 1))
def draws_from_seed_(seed, n):
    return draws_from_seed(seed, n)


@behaviours(167, "Python's own generator gives its sequence", (4,), (0,))
def draws_from_python_(n):
    return draws_from_python(n)


@behaviours.test(167, "the global generators are left as NumPy and Python leave them")
@pytest.mark.parametrize("device", DEVICES)
def test_the_global_state_is_left_the_same(device: str) -> None:
    for function in (draws_globally_, draws_from_python_):
        converted = transpile.convert(function, strict=True, device=device)
        after = []
        for each in (function, converted):
            np.random.seed(1)
            random.seed(1)
            each(3)
            after.append((np.random.random(), random.random()))
        assert after[0] == after[1]


@behaviours(161, "the clock goes on", (3,))
def times(n):
    begin = time.perf_counter()
    for _ in range(n):
        end = time.perf_counter()
    return end >= begin


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
