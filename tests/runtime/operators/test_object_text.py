"""The text of objects that a function makes is what their classes write, as often as they are asked."""

import dataclasses
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transpile
from transpile.runtime.errors import FallbackWarning

X = np.arange(3.0)
ASKED: list[str] = []


class Shown:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __str__(self) -> str:
        ASKED[0] += "s"
        return f"shown {self.value}"

    def __repr__(self) -> str:
        ASKED[0] += "r"
        return f"<{self.value!r}>"

    def __format__(self, specification: str) -> str:
        ASKED[0] += "f"
        return f"{specification}:{self.value}"


class Represented:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"Represented({self.value})"


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 2
    hidden: Any = dataclasses.field(default=3, repr=False)


class Silent:
    def __str__(self) -> Any:
        return 5  # noqa: PLE0307 (that is the error)


def texts(x):
    return (
        str(Shown(1)),
        repr(Shown(x[1])),
        f"{Shown(2)} {Shown(x.sum()):>3} {Shown(3)!s}",
        ASKED[0],
    )


def unused(x):
    str(Shown(1))
    repr(Shown(2))
    return x * len(ASKED[0])


def printed(x):
    print(Shown(1), Shown(x[2]), Represented(3), Point(x[1]))
    return ASKED[0]


def changed(x):
    one = Represented(1)
    before = str(one)
    one.value = x.sum()
    return before, f"{one}", format(one)


def fields(x):
    return repr(Point(x.sum(), Represented(1))), str(Point(1)), f"{Point('a'):}"


def filled(x):
    return "%s and %r" % (Shown(1), Shown(2)), ASKED[0]  # noqa: UP031 (it is what is tested)


def escaped(x):
    return f"{Shown('ä')!a}", x


def in_a_list(x):
    return str([Represented(1), Point(x[1])])


def no_text(x):
    try:
        return str(Silent())
    except TypeError as error:
        return str(error)


@pytest.mark.parametrize(
    "function", [texts, unused, printed, changed, fields, filled, escaped, in_a_list, no_text]
)
def test_objects_show_what_their_classes_write(
    function: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    compiles = function not in (printed, filled, escaped, in_a_list, no_text)
    converted = transpile.convert(function, strict=compiles, device="host")
    found = []
    for each in (function, converted):
        ASKED[:] = [""]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            found.append([repr(each(X)) for _ in range(3)])
        found[-1] += [capsys.readouterr().out, ASKED[0]]
    assert found[0] == found[1]


class Adds:
    def __call__(self, x: Any) -> Any:
        return x + 1


def test_objects_that_can_be_called_say_so() -> None:
    @transpile.convert(strict=True, device="host")
    def asks(x, thing, other):
        return callable(thing), callable(other), callable(Adds()), callable(x)

    assert asks(X, Adds(), Represented(1)) == (True, False, True, False)
