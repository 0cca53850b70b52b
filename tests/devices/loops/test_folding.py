"""Which expressions of known numbers are decided."""

import pytest

from transpile.devices.loops.buffer import Variable
from transpile.devices.loops.expression import Apply, Constant
from transpile.devices.loops.folding import folded
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYBOOL

YES, NO = Constant(True, PYBOOL), Constant(False, PYBOOL)
UNKNOWN = Variable(Value(PYBOOL, "t"))


def number(value):
    return Constant(value, INT)


@pytest.mark.parametrize(
    ("name", "numbers", "outcome"),
    [
        ("equal", (1, 1), True),
        ("equal", (1, 2), False),
        ("less", (1, 2), True),
        ("greater_equal", (1, 2), False),
        ("not_equal", (1, 2), True),
    ],
)
def test_comparisons_of_numbers_are_decided(name, numbers, outcome):
    assert folded(Apply(name, tuple(map(number, numbers)), PYBOOL)) == Constant(outcome, PYBOOL)


def test_choices_are_made_where_the_test_is_known_or_does_not_matter():
    assert folded(Apply("select", (YES, number(1), number(2)), INT)) == number(1)
    assert folded(Apply("select", (NO, number(1), number(2)), INT)) == number(2)
    assert folded(Apply("select", (UNKNOWN, NO, NO), PYBOOL)) == NO
    assert folded(Apply("select", (UNKNOWN, YES, NO), PYBOOL)) == UNKNOWN


def test_what_is_inside_is_decided_first():
    inner = Apply("equal", (number(3), number(3)), PYBOOL)
    assert folded(Apply("select", (inner, UNKNOWN, NO), PYBOOL)) == UNKNOWN


def test_sums_are_left_to_run_time():
    total = Apply("add", (number(1), number(2)), INT)
    assert folded(total) == total
