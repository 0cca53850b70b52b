"""Programs of families are Python, keep their state from call to call, and do, plainly and converted, the same."""

import ast
import warnings

import pytest

from .choices import Dice
from .execution import Count, Unfit, World, check
from .holes import HOLE
from .sessions import FAMILIES, session
from .settle import settled


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_of_a_family_are_python(family: str) -> None:
    for seed in range(20):
        text = session(Dice(seed), (family,))
        compile(ast.parse(text), family, "exec")
        assert not HOLE.search(text), text


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_of_a_family_do_what_they_did(family: str) -> None:
    count = Count()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(5):
            dice = Dice(seed)
            try:
                check(settled(session(dice, (family,)), dice.count(0, 12)), "host", count)
            except Unfit:
                continue
    assert count.calls > 5
    assert count.raised < count.calls


def test_what_one_call_leaves_the_next_one_finds() -> None:
    world = World(
        "KEPT_ONE = [0]\ndef f(x):\n    KEPT_ONE[0] += x\ndef make():\n    return 2,\nKEPT = ['KEPT_ONE']\n"
    )
    states = [world.call(world.arguments("make"))(True)["state"]["KEPT_ONE"] for _ in range(2)]
    assert states == [("list", [2]), ("list", [4])]


def test_statements_at_which_calls_fail_are_taken_out() -> None:
    text = "def f(x):\n    if x:\n        y = [1][x]\n    return 1 // (x - 3)\n\ndef make():\n    return 3,\n\nCALLS = [make]\n"
    assert settled(text, 0) == text
    assert settled(text, 5).splitlines()[1:4] == ["    if x:", "        pass", "    return 1.0"]
