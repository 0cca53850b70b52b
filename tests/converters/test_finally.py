"""Jumps out of ``finally``, which take back the jump or the exception before them."""

import random
import sys

import pytest

from transpile.converters import convert
from transpile.runtime.errors import ConversionError

from .eager import Attempt, EagerOps
from .outcomes import module


class LeftToPython(BaseException):
    """Says that a `finally` swallows an exception, which the tracer leaves to plain Python."""


class TracingAttempt(Attempt):
    """A ``try`` statement of which the tracer says where its `finally` swallows what was raised."""

    def __init__(self):
        self.around = sys.exception()

    def ends(self, *, replaces=False):
        error = sys.exception()
        if isinstance(error, LeftToPython):
            return False
        if replaces and error is not None and error is not self.around:
            raise LeftToPython
        return True


class Ops(EagerOps):
    @staticmethod
    def attempt():
        return TracingAttempt()


def block(random, depth, in_loop, indent=1):
    """Writes a block of jumps in loops, branches and ``try``."""
    lines, start = [], "    " * indent

    def inner(head, loop=in_loop):
        lines.append(start + head)
        lines.extend(block(random, depth - 1, loop, indent + 1))

    for _ in range(random.randint(1, 3)):
        kind = random.choice(("see", "jump", "return", "if", "loop", "try", "try")) if depth else "see"
        if kind == "jump" and in_loop:
            lines.append(start + random.choice(("break", "continue")))
        elif kind == "return":
            lines.append(f"{start}return see({random.randint(0, 99)})")
        elif kind == "if":
            inner("if c():")
        elif kind == "loop":
            inner(random.choice(("for i in range(3):", "while c():")), True)
            if random.random() < 0.4:
                inner("else:")
        elif kind == "try":
            inner("try:")
            if random.random() < 0.2:
                inner("except ValueError:")
            inner("finally:")
        else:
            lines.append(f"{start}see({random.randint(0, 99)})")
    return lines


def run(function, seed):
    choices, seen, turns = random.Random(seed), [], iter(range(60))

    def choose():
        if next(turns, None) is None:
            raise EOFError
        return choices.random() < 0.5

    def see(value):
        seen.append(value)
        return value

    try:
        return function(choose, see), seen
    except (EOFError, LeftToPython) as error:
        return type(error), seen


@pytest.mark.parametrize("seed", range(120))
def test_jumps_in_finally_take_back_what_came_before(seed):
    text = "def f(c, see):\n" + "\n".join(block(random.Random(seed), 4, False)) + "\n"
    function = module(text).f
    try:
        converted = convert(function).bind(Ops())
    except ConversionError as error:
        assert error.code == "C013-taken-back"
        return
    for choices in range(8):
        expected, found = run(function, choices), run(converted, choices)
        if EOFError not in (expected[0], found[0]) and found[0] is not LeftToPython:
            assert found == expected, convert(function).source()
