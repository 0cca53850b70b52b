"""Functions that become a loop together keep their variables apart."""

import ast

import gast
import pytest

from transpile.converters.context import Context
from transpile.converters.names import Names
from transpile.converters.recursion_group import Group
from transpile.converters.scopes import Scopes
from transpile.runtime.errors import ConversionError

FIRST = """
def first(x, n):
    part = n
    return second(n - 1, x) + part
"""


def group(first: str, second: str) -> Group:
    functions = {tree.name: tree for text in (first, second) for tree in gast.parse(text).body}
    taken = {name for tree in functions.values() for name in Scopes(tree).identifiers}
    return Group(functions, Context(file="<test>", qualname="first", names=Names(taken), ops="ops"))


def test_variables_get_names_of_their_own_but_for_what_is_handed_on() -> None:
    made = group(FIRST, "def second(n, y):\n    part = n\n    return first(y, part)\n")
    assert made.fixed == {"x"}
    text = ast.unparse(gast.gast_to_ast(made.named["second"].function))
    assert text == "def second(n_1, x):\n    part_1 = n_1\n    return first(x, part_1)"
    assert made.named["second"].parameters == {"n": "n_1", "y": "x"}


def test_what_is_stored_to_is_not_handed_on() -> None:
    made = group(FIRST, "def second(n, y):\n    y = y + 1\n    return first(y, n)\n")
    assert not made.fixed


@pytest.mark.parametrize(
    "second, why",
    [
        ("def second(n, y):\n    return first(y, lambda: n)\n", "has a function inside"),
        ("def second(n, y):\n    return first(y, part)\n", "has other variables by the same names"),
        (
            "def second(n, y):\n    n = [x + y for x in y]\n    return first(y, n)\n",
            "variables by the same names",
        ),
        ("def second(n, y):\n    return first(*y)\n", "not told one by one"),
        ("def second(n, y):\n    return first(y)\n", "not handed all its arguments"),
    ],
)
def test_what_cannot_be_one_loop_is_refused(second: str, why: str) -> None:
    with pytest.raises(ConversionError, match=why):
        group(FIRST, second)
