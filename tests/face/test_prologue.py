"""Code that hands on its calls: the original with some instructions before it."""

import dis
import functools
import gc
import io
import pdb
import sys
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from transpile import convert
from transpile.frames import WATCHES
from transpile.prologue import Link, hand_on


def many(a, /, b=2, *args, c=3, **kwargs):
    def inner():
        return a, kwargs

    try:
        return (*inner(), 1 // b, args, c)
    except ZeroDivisionError:
        return inner()


def alone():
    "Does nothing."


def yields(a):
    yield a


class Taker:
    def __call__(self, *values):
        return values


def standing_for(function: Any, link: Link) -> types.FunctionType:
    code = hand_on(function.__code__, link, WATCHES)
    stub = types.FunctionType(code, globals(), function.__name__, function.__defaults__, function.__closure__)
    stub.__kwdefaults__ = function.__kwdefaults__
    return stub


def followed(
    function: Any, *arguments: Any, **keywords: Any
) -> tuple[Any, list[tuple[str, str, int | None]]]:
    """What a function returns, and what a debugger sees of it."""
    seen = []

    def follow(frame: types.FrameType, event: str, _: Any) -> Any:
        seen.append((event, frame.f_code.co_name, frame.f_lineno))
        return follow

    before = sys.gettrace()
    gc.disable()  # what it calls would be followed, too
    sys.settrace(follow)
    try:
        result = function(*arguments, **keywords)
    finally:
        sys.settrace(before)
        gc.enable()
    return result, seen[:-1]


def test_calls_are_handed_on_as_python_binds_them() -> None:
    taker = Taker()
    stub = standing_for(many, Link(taker))
    for _ in range(20):
        assert stub(1) == (1, 2, 3, (), {})
        assert stub(1, 0, 4, c=9, z=1) == (1, 0, 9, (4,), {"z": 1})
    with pytest.raises(TypeError, match=r"many\(\) missing 1 required positional argument: 'a'"):
        stub()


def test_it_is_the_original_where_lines_are_followed() -> None:
    taker = Taker()
    stub = standing_for(many, Link(taker))
    for _ in range(20):
        for arguments in ((1,), (1, 0), (1, 5, 6)):
            assert followed(stub, *arguments, z=1) == followed(many, *arguments, z=1)
            assert stub(*arguments)[0] == 1 and len(stub(*arguments)) == 5


def test_it_is_the_original_where_nothing_takes_calls_any_more() -> None:
    stub = standing_for(many, Link(Taker()))
    assert stub(1, 5) == many(1, 5) and stub(1, 0, z=1) == many(1, 0, z=1)


@pytest.mark.parametrize("function", [alone, yields])
def test_any_function_can_hand_on_its_calls(function: Callable[..., Any]) -> None:
    taker = Taker()
    stub = standing_for(function, Link(taker))
    arguments = (7,) * function.__code__.co_argcount
    assert stub(*arguments) == arguments
    assert (
        stub.__code__.co_filename == __file__
        and stub.__code__.co_firstlineno == function.__code__.co_firstlineno
    )


def test_function_with_many_constants_names_and_variables_hands_on_its_calls() -> None:
    lines = [f"    v{i} = {i + 1000} + n.a{i}" for i in range(400)]
    namespace: dict[str, Any] = {"n": types.SimpleNamespace(**{f"a{i}": i for i in range(400)})}
    exec("def wide(v399, *, k):\n" + "\n".join(lines) + "\n    return v399 + k", namespace)
    taker = Taker()
    wide = namespace["wide"]
    code = hand_on(wide.__code__, Link(taker), WATCHES)
    stub = types.FunctionType(code, namespace, "wide")
    assert stub(1, k=2) == (1, 2) and followed(stub, 1, k=2) == followed(wide, 1, k=2)


def functions_of(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            if constant.co_flags & 1:
                yield constant
            yield from functions_of(constant)


def lines(code: types.CodeType, start: int) -> list[tuple[Any, ...]]:
    """The instructions from a place on, without that place."""
    return [
        (i.opname, i.arg, i.positions and i.positions.lineno)
        for i in dis.get_instructions(code)
        if i.offset >= start
    ]


@pytest.mark.parametrize("module", [typing, pdb, functools])
def test_instructions_lines_and_handlers_stay_what_they_are(module: types.ModuleType) -> None:
    file = str(module.__file__)
    with open(file, encoding="utf-8") as text:
        code = compile(text.read(), file, "exec")
    count = 0
    for each in functions_of(code):
        if each.co_flags & (0x20 | 0x80 | 0x200):
            continue
        count += 1
        link = Link(Taker())
        new = hand_on(each, link, WATCHES)
        first = next(i.offset for i in dis.get_instructions(each) if i.opname == "RESUME") + 2
        moved = link.hands_on_until - first
        assert lines(each, first) == lines(new, link.hands_on_until)
        handlers = [
            [
                (e.start + moved * here, e.end + moved * here, e.target + moved * here, e.depth, e.lasti)
                for e in found
            ]
            for here, found in (
                (1, dis._parse_exception_table(each)),  # type: ignore[attr-defined]
                (0, dis._parse_exception_table(new)),  # type: ignore[attr-defined]
            )
        ]
        assert handlers[0] == handlers[1]
    assert count > 30


def adds(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total


@pytest.mark.parametrize("calls_before", [0, 2])
def test_debugger_steps_from_the_call_to_the_users_first_line(calls_before: int) -> None:
    function = convert(adds)
    for _ in range(calls_before):
        function(np.ones(2))
    texts = []
    for each in (adds, function):
        output = io.StringIO()
        debugger = pdb.Pdb(stdin=io.StringIO("s\ns\ns\nc\n"), stdout=output, nosigint=True, readrc=False)
        debugger.runcall(lambda each, x: each(x), each, np.ones(2))
        texts.append([line for line in output.getvalue().splitlines() if line.startswith(("->", "--"))])
    assert texts[0] == texts[1] and "-> total = 0.0" in texts[0]


def test_breakpoint_is_set_by_the_name_of_a_function() -> None:
    function = convert(adds)
    output = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("b adds\nc\nc\n"), stdout=output, nosigint=True, readrc=False)
    debugger.runctx("adds(x)", {"adds": function, "x": np.ones(2)}, {})
    debugger.clear_all_breaks()
    assert "-> total = 0.0" in output.getvalue()
