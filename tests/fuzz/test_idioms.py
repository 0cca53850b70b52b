"""Idioms with their holes filled are Python, and leave no hole."""

import ast

import pytest

from . import idioms
from .choices import Dice
from .holes import HOLE
from .scope import Scope
from .statements import Statements, indented

FILES = [
    *(("short", name) for _, name in [*idioms.SHORT, (1, "growing")]),
    *(("long", name) for _, name in idioms.LONG),
]


@pytest.mark.parametrize("folder, name", FILES)
def test_filled_idioms_are_python(folder: str, name: str) -> None:
    for number, idiom in enumerate(idioms.read(folder, name)):
        statements = Statements(Dice(number), Scope({"x": "f1", "n": "i0"}), 3)
        text = "\n".join(["def f(x, n):", *indented(idioms.filled(idiom, statements, 1))])
        ast.parse(text)
        assert not HOLE.search(text), text


def test_what_an_idiom_binds_is_known_after_it() -> None:
    statements = Statements(Dice(1), Scope(), 3)
    (line,) = idioms.filled("<=f0>, <=i1?> = 1.0, [2]", statements, 0)
    assert sorted(statements.scope.kinds.values()) == ["f0", "i1?"]
    assert all(name in line for name in statements.scope.kinds)


def test_an_array_that_an_idiom_needs_is_made_before_it() -> None:
    statements = Statements(Dice(1), Scope(), 3)
    first, second = idioms.filled("<F1:a>[0] = <a>[1]", statements, 0)
    (name,) = statements.scope.kinds
    assert first.startswith(f"{name} = np.")
    assert second == f"{name}[0] = {name}[1]"
