"""Loops of modules as functions."""

import ast
import textwrap

import pytest

from transpile.converters.module_loops import MODULE, as_function, loops_of, named_as_module

SCRIPT = """
for i in range(3):
    while i:
        i -= 1
if True:
    try:
        while False:
            pass
    except ValueError:
        for j in ():
            pass
    with open("x") as file:
        for line in file:
            print(line)
def f():
    for k in ():
        pass
class C:
    for m in ():
        pass
"""


def only(text: str) -> ast.For | ast.While:
    (loop,) = loops_of(ast.parse(textwrap.dedent(text)))
    return loop


def test_loops_of_the_module_itself_are_found_each_once() -> None:
    assert [loop.lineno for loop in loops_of(ast.parse(SCRIPT))] == [2, 7, 10, 13]


BINDS = {
    "targets": ("for i, (j, *k) in x:\n    pass", "i, j, k"),
    "assignments": ("while x:\n    a = b.c = d[0] = 1\n    e += 1", "a, e"),
    "imports": ("while x:\n    import os.path\n    from y import z as w", "os, w"),
    "deletions": ("while x:\n    del a", "a"),
    "walrus in a comprehension": ("while x:\n    [a := b for b in y]", "a"),
    "names of handlers, managers and patterns": (
        "while x:\n    try:\n        with y as a: pass\n    except E as b: pass\n    match z:\n        case [c, *d]: pass",
        "a, b, c, d",
    ),
    "what never runs": ("while x:\n    if False:\n        a = 1", "a"),
}


@pytest.mark.parametrize("what", BINDS)
def test_names_that_a_loop_binds_are_those_of_the_module(what: str) -> None:
    text, names = BINDS[what]
    made = as_function(only(text))
    assert made is not None and made.name == MODULE
    declared = made.body[0]
    # Comprehensions have variables of their own, which some versions keep with those of the function.
    assert isinstance(declared, ast.Global) and set(declared.names) - {"b"} == set(names.split(", ")) - {"b"}


STAY = {
    "function": "while x:\n    def f(): pass",
    "class": "while x:\n    class C: pass",
    "star": "while x:\n    from os import *",
    "variables": "while x:\n    print(locals())",
    "frame": "while x:\n    sys._getframe()",
    "annotation": "while x:\n    y: int = 1",
    "declaration": "while x:\n    global y",
}


@pytest.mark.parametrize("what", STAY)
def test_what_would_do_something_else_in_a_function_stays(what: str) -> None:
    assert as_function(only(STAY[what])) is None


def test_code_is_named_as_that_of_the_module() -> None:
    made = as_function(only("for i in range(2):\n    f = lambda: [lambda: i]"), "marked")
    assert made is not None
    space: dict[str, object] = {}
    exec(named_as_module(compile(ast.Module([made], []), "", "exec"), "marked"), space)
    function = space["marked"]
    function()  # type: ignore[operator]
    assert function.__code__.co_name == function.__code__.co_qualname == MODULE  # type: ignore[attr-defined]
    f = space["f"]
    assert (space["i"], f.__qualname__) == (1, "<lambda>")  # type: ignore[attr-defined]
    assert f()[0].__qualname__ == "<lambda>.<locals>.<lambda>"  # type: ignore[operator]
