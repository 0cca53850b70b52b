"""Text of run-time values is made where the program makes it: what it cannot show raises there, whether the text is used or not."""

# ruff: noqa: F841, UP031, UP032

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile

NAN = float("nan")


def unused(x):
    text = "%d" % x
    return x + 1


def after_a_write(x, out):
    out[0] = 1
    text = "%d of %s" % (x, out)
    out[1] = 2
    return x


def handled(x):
    try:
        text = "%d" % x
    except (ValueError, OverflowError):
        return -1.0
    return x


def in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        total += x / (n - k - 2) if n - k != 2 else x
        text = f"{k}: {total:6.2f} {'%i' % total}"
        print(text)
    return total


def letter(n):
    return "%c" % n


def wide(n, x):
    return "%*d|%.*f" % (n, n, n, x)


def of_a_float(x):
    text = "{:d}".format(x)
    return x


def of_an_array(a):
    text = f"{a:.2f}"
    return a.sum()


def with_a_width(x, n):
    text = f"{x:{n}.2f}"
    return x


def joined(x):
    text = ", ".join([str(x), "%d" % x])
    return x


def joined_one_by_one(x, n):
    texts = (f"{n + k:d}" for k in range(3))
    first = next(texts)
    print("; ".join("%d" % (x * k) for k in range(1, 3)), first, "-".join(texts), "".join(texts))
    return ["".join(str(k * y) for k in range(2)) for y in (n, x)]


def plain(x, n, a):
    print("%d %s %5.2f %r %e" % (n, a, x, x, n), "{:>8d} {:g}".format(n, x), f"{n:04d} {x!r:>20} {a}")
    return x


def bar(n, m):
    for k in range(n + 1):
        print("[" + "#" * k + (n - k) * "." + "]" * m, end="\r")
    return "-" * n


def of_text(x, n):
    text = f"{x:.2f}".rjust(12) + str(x).ljust(n, "*") + f" {n} ".strip().zfill(4) + repr(x).upper()
    print(text.replace(".", ","), text.title())
    return text


def filled_by_two(x, n):
    text = str(x).center(n, "**")
    return x


CALLS = [
    (of_text, (1.5, 9)),
    (of_text, (np.float32(1e-10), -9)),
    (filled_by_two, (1.5, 9)),
    (bar, (4, np.int64(2))),
    (bar, (2, np.int8(-1))),
    (bar, (2, True)),
    (unused, (1.5,)),
    (unused, (NAN,)),
    (unused, (np.float32(np.inf),)),
    (after_a_write, (2.5, np.zeros(2))),
    (after_a_write, (NAN, np.zeros(2))),
    (handled, (1.5,)),
    (handled, (NAN,)),
    (in_a_loop, (1.5, 5)),
    (in_a_loop, (NAN, 5)),
    (letter, (65,)),
    (letter, (-1,)),
    (wide, (3, 1.25)),
    (wide, (-3, 1.25)),
    (of_a_float, (1.5,)),
    (of_an_array, (np.ones(2),)),
    (with_a_width, (1.5, 8)),
    (with_a_width, (1.5, -8)),
    (joined, (2.5,)),
    (joined, (NAN,)),
    (joined_one_by_one, (2.5, 7)),
    (joined_one_by_one, (NAN, 7)),
    (plain, (1.5, 3, np.arange(2))),
]


def outcome(function: Callable[..., Any], given: tuple[Any, ...], capsys: Any) -> tuple[str, ...]:
    arguments = tuple(thing.copy() if isinstance(thing, np.ndarray) else thing for thing in given)
    try:
        found = repr(function(*arguments))
    except Exception as error:
        found = repr(error)
    return (found, repr(arguments), capsys.readouterr().out)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    ("function", "given"), CALLS, ids=[f"{call.__name__}-{given[0]!r}" for call, given in CALLS]
)
def test_text_fails_where_the_original_does(
    function: Callable[..., Any], given: tuple[Any, ...], device: str, capsys: pytest.CaptureFixture[str]
) -> None:
    converted = transpile.convert(function, device=device)
    assert outcome(converted, given, capsys) == outcome(function, given, capsys)


def test_text_that_cannot_fail_is_made_where_it_is_needed() -> None:
    """Nothing is called of Python for text that is not used."""
    assert "host_call" not in str(transpile.convert(in_a_field).graph(1.5, 3))
    assert "host_call" in str(transpile.convert(unused).graph(1.5))


def test_what_is_joined_may_come_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    converted = transpile.convert(joined_one_by_one, strict=True, device="host")
    assert outcome(converted, (2.5, 7), capsys) == outcome(joined_one_by_one, (2.5, 7), capsys)


def by_a_float(x):
    return "#" * x


def test_text_is_not_repeated_by_floats() -> None:
    with pytest.raises(TypeError, match="can't multiply sequence by non-int of type 'float'"):
        transpile.convert(by_a_float, device="host")(1.5)


def in_a_field(x, n):
    text = f"{x:.3f} {n:d} {x!r}" + "%5.1f %d %s" % (x, n, x) + "{:e}".format(n) + str(n)
    return x + 1


def in_bases(n):
    return bin(n), oct(n), hex(n), [hex(n * k) for k in range(3)], bin(n)[2:].count("1")


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "n", [10, -3, 0, True, np.int8(-7), np.uint64(2**63), 2.5, np.float32(1), np.bool_(True)]
)
def test_digits_in_other_bases(n, capsys: pytest.CaptureFixture[str]) -> None:
    converted = transpile.convert(in_bases, device="host")
    assert outcome(converted, (n,), capsys) == outcome(in_bases, (n,), capsys)


def in_hexadecimal(n):
    return bin(n), oct(-n), hex(n + 1)


def test_digits_in_other_bases_are_made_of_what_run_time_gives() -> None:
    converted = transpile.convert(in_hexadecimal, strict=True, device="host")
    assert [converted(n) for n in (10, -3, 255)] == [in_hexadecimal(n) for n in (10, -3, 255)]


def joined_of_no_text(x):
    try:
        return x, "".join(map(abs, [x[1]]))
    except TypeError as error:
        return x, str(error)


def joined_of_pairs(x):
    try:
        return x, "".join(enumerate([x[1]]))
    except TypeError as error:
        return x, str(error)


def joined_before_more(x):
    items = [f"{number:.2f}" for number in x[:2]]
    text = ",".join(items)
    items.append("more")
    return x, text, len(items)


def character_of_a_truth(x):
    try:
        return x, chr(x[1] > 0), chr(bool(x[1] > 0))
    except TypeError as error:
        return x, str(error)


def where_it_is_written(x):
    try:
        return x, OrderedDict(a=x[1]).__module__
    except AttributeError as error:
        return x, str(error)


@pytest.mark.filterwarnings("ignore::transpile.FallbackWarning")
@pytest.mark.parametrize(
    "function",
    [joined_of_no_text, joined_of_pairs, joined_before_more, character_of_a_truth, where_it_is_written],
)
def test_what_has_no_text_is_handled_where_the_program_handles_it(function):
    x = np.array([0.5, 65.0, 3.0])
    converted = transpile.convert(function, device="host")
    assert repr(converted(x)) == repr(function(x))
