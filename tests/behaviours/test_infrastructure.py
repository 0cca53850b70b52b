"""Infrastructure: behaviours 206 to 214."""

from __future__ import annotations

import bdb
import inspect
import linecache
import subprocess
import sys
import textwrap
import traceback
import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

import transpile
from transpile.runtime.frames import hands_on

from ..fuzz.execution import Count
from ..fuzz.execution import check as compare_program
from ..fuzz.programs import programs
from . import future_module
from .harness import DEVICES, Behaviour, Behaviours, arrays, check, name_of, on_each, sizes

behaviours = Behaviours()


# -- closures -----------------------------------------------------------------------------------------------------


def make():
    scale = 2.0
    helper = abs

    def function(x):
        return helper(x) * scale

    def rebind(new_scale, new_helper):
        nonlocal scale, helper
        scale, helper = new_scale, new_helper

    return function, rebind


@behaviours.test(206, "closures are rebound after a trace")
@pytest.mark.parametrize("device", DEVICES)
def test_closures_are_rebound_after_a_trace(device: str) -> None:
    plain, rebind = make()
    converted = transpile.convert(plain, strict=True, device=device)
    x = np.array([-1.0, 2.0])
    for scale, helper in ((3.0, abs), (3.0, np.sqrt), (4, lambda y: y + 1), (np.ones(2), np.negative)):
        rebind(scale, helper)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(converted(x), plain(x))


# -- names --------------------------------------------------------------------------------------------------------


@behaviours(207, "names of the user's are those that conversion makes", *sizes(3))
def collides(ops, n):
    loop_body, loop_test, if_true, if_false = 1, 2, 3, 4
    done = returned = value_ = 0
    for loop_index in range(n):
        if loop_index > 1:
            done = done + loop_body
            break
        value_ += loop_test
    while returned < 3:
        returned += if_true - if_false + 2
    return ops * (done + value_ + returned), if_true, if_false


@behaviours(207, "a parameter is called as the operators are", *arrays())
def collides_with_operators(call, cond=2, record=lambda y: y + 1):
    transpile = call * cond
    for kernel in range(cond):
        transpile = record(transpile) + kernel
    return transpile


# -- how functions are written ------------------------------------------------------------------------------------

behaviours(208, "annotations that are left as text", *sizes())(future_module.annotated)
behaviours(208, "a decorated function with annotations that are left as text", *sizes())(
    future_module.decorated
)


def marked(*marks, **more):
    """Note marks on a function."""

    def mark(function):
        function.marks = (*getattr(function, "marks", ()), *marks)
        return function

    return mark


@behaviours(209, "decorators stand over several lines", *sizes())
@marked(
    "one",
    "two",
    key=lambda x: x,
)
@marked(
    # a comment
    "three"
)
def decorated_over_lines(
    x,
    *,
    factor=(2),
):
    if factor > 1:
        x = x * factor
    return x


@behaviours(210, "comments, and text over several lines", *on_each(2, -1.5))
def commented(x):  # here
    """Say something.

    # no comment
    """
    # here
    text = """first
  second # no comment
    third"""  # and here
    if x > 0:
        # a block that begins with a comment
        x = x + 1  # a line that goes on
        """a text that nobody takes"""
    # between
    else:
        x = -x

    return (
        text,
        x,
        f"""{x} is
    it""",
    )


exec(
    compile(
        "def tabbed(x):\n\tif x > 0:\n\t\ty = x\n\telse:\n\t        y = -x\n\tfor i in range(3):\n\t\ty += i\n\treturn y\n",
        "<tabbed>",
        "exec",
    )
)
linecache.cache["<tabbed>"] = (
    0,
    None,
    [
        line + "\n"
        for line in "def tabbed(x):\n\tif x > 0:\n\t\ty = x\n\telse:\n\t        y = -x\n\tfor i in range(3):\n\t\ty += i\n\treturn y".split(
            "\n"
        )
    ],
    "<tabbed>",
)
behaviours(210, "tabs", *on_each(2, -1.5))(tabbed)  # noqa: F821 (made above)


# -- tracebacks ---------------------------------------------------------------------------------------------------


def fails_inside(x, i):
    x[0] = 1
    total = 0.0
    for k in range(2):
        total += nested(x, i + k)
    return total


def nested(x, i):
    take = lambda j: x[j] * 2  # noqa: E731 (what is tested)
    return take(i)


def fails_in_branch(x, i):
    print("begins")
    y = 0.0
    if i > 1:
        y = x[i]
    return y


def lines_of(function, *arguments):
    """Return what the traceback of a call says of the user's code, apart from where it is handed on."""
    try:
        function(*arguments)
    except Exception as error:
        entries, entry = [], error.__traceback__
        while entry is not None:
            entries.append(entry)
            entry = entry.tb_next
        own = [
            (f.filename, f.lineno, f.name, f.line)
            for f, entry in zip(traceback.extract_tb(error.__traceback__), entries)
            if f.filename == __file__ and not hands_on(entry.tb_frame.f_code, entry.tb_lasti)
        ]
        return type(error), str(error), own[1:], traceback.extract_tb(error.__traceback__)[-1].colno
    raise AssertionError("it does not fail")


@behaviours.test(211, "tracebacks point at the user's lines, and name the functions")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("function", [fails_inside, fails_in_branch])
def test_tracebacks_point_at_the_lines(device: str, function) -> None:
    converted = transpile.convert(function, strict=True, device=device)
    arguments = (np.ones(4), 4)
    plain, found = (lines_of(f, np.ones(4), 4) for f in (function, converted))
    assert found == plain
    assert len(plain[2]) == (3 if function is fails_inside else 1)
    assert len(arguments) == 2


class Custom(Exception):
    """An error that takes more, and other, arguments than its message."""

    def __init__(self, place, *, value):
        super().__init__("custom")
        self.place, self.value = place, value

    def __str__(self):
        return f"{self.value} at {self.place}"


@behaviours(212, "an exception has a constructor of its own", *on_each(np.array([1.0, -2.0]), np.ones(2)))
def raises_custom(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise Custom(i, value=x[i])
    return x


KEPT = Custom("here", value=5)


def raises_kept(x):
    x[0] = 1
    if x[1] > 0:
        raise KEPT
    return x


@behaviours.test(212, "an exception that was there before is raised itself")
@pytest.mark.parametrize("device", DEVICES)
def test_the_same_object_is_raised(device: str) -> None:
    converted = transpile.convert(raises_kept, strict=True, device=device)
    with pytest.raises(Custom) as caught:
        converted(np.ones(2))
    assert caught.value is KEPT
    assert converted(np.zeros(2))[0] == 1


@behaviours.test(212, "the attributes of an exception are those that it was given")
@pytest.mark.parametrize("device", DEVICES)
def test_attributes_of_exceptions(device: str) -> None:
    converted = transpile.convert(raises_custom, strict=True, device=device)
    with pytest.raises(Custom) as caught:
        converted(np.array([1.0, 2.0, -3.0]))
    assert (caught.value.place, caught.value.value, str(caught.value)) == (2, -3.0, "-3.0 at 2")
    assert type(caught.value.value) is np.float64


# -- tools --------------------------------------------------------------------------------------------------------


class Lines(bdb.Bdb):
    """A debugger that notes the lines that ran."""

    def __init__(self):
        super().__init__()
        self.met = []

    def user_line(self, frame):
        if frame.f_code.co_filename == __file__:
            self.met.append((frame.f_lineno, frame.f_code.co_name))
        self.set_step()


def stepped(x):
    total = 0.0
    for value in x:
        if value > 1:
            total += value
    return total


@behaviours.test(213, "a debugger sees the lines that ran, where the original runs")
@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_debuggers_see_the_lines() -> None:
    fallen = transpile.convert(generating, device="host")
    found = []
    for function in (generating, fallen):
        lines = Lines()
        found.append(lines.runcall(function, 3))
        found.append(lines.met)
    assert found[0] == found[2]
    assert len({line for line, _ in found[1]}) == 4
    assert set(found[1]) <= set(found[3])


def generating(n):
    total = sum(k for k in numbers(n))
    return total + 1


def numbers(n):
    for k in range(n):
        yield k


@behaviours.test(213, "tools find the source, the lines and the signature of the original")
def test_tools_find_the_source() -> None:
    converted = transpile.convert(stepped, strict=True)
    assert inspect.getsource(converted) == inspect.getsource(stepped)
    assert inspect.getsourcelines(converted) == inspect.getsourcelines(stepped)
    assert inspect.signature(converted) == inspect.signature(stepped)
    assert converted.python_function is stepped
    assert converted(np.arange(4.0)) == 5.0


@behaviours.test(213, "coverage counts what the original ran")
def test_coverage_counts_lines(tmp_path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import sys, threading
            import transpile

            def work(n):
                total = 0
                for k in range(n):
                    total += k
                return total

            ran = set()

            def trace(frame, event, argument):
                if frame.f_code is work.python_function.__code__ and event == "line":
                    ran.add(frame.f_lineno)
                return trace

            work = transpile.convert(work)
            sys.settrace(trace)
            work.python_function(3)
            sys.settrace(None)
            print(sorted(ran), work(3))
            """
        )
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert done.stdout == "[6, 7, 8, 9] 3\n"


@behaviours.test(214, "random programs give what they give in plain Python")
def test_random_programs_are_compared() -> None:
    """tests/fuzz compares many; here are some of their own seeds."""
    count = Count()

    @seed(214)
    @settings(
        max_examples=20,
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(programs())
    def run(text: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compare_program(text, "host", count)

    run()
    assert count.programs >= 20
    assert count.compiled_calls


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("behaviour", behaviours.functions, ids=name_of)
def test_behaviour(behaviour: Behaviour, device: str) -> None:
    check(behaviour, device)
