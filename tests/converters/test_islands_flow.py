"""What is live and bound in functions as they were written."""

import ast

import gast
import pytest

from transpile.converters.islands_flow import IslandsFlow
from transpile.converters.scopes import Scopes

# The statement that is looked at is marked; then the names that are live after it, and those that a handler would read.
LIVE = {
    "read below": ("a = x\nMARK\nreturn a", "a", ""),
    "bound anew below": ("a = x\nMARK\na = 1\nreturn a", "", ""),
    "bound anew on one way": ("a = x\nMARK\nif x: a = 1\nreturn a", "a x", ""),
    "bound anew on all ways": ("a = x\nMARK\nif x: a = 1\nelse: a = 2\nreturn a", "x", ""),
    "read in the next turn": ("a = 1\nfor i in x:\n    i(a)\n    MARK\n    a = 2", "x", ""),
    "read in the next turn before it is bound": (
        "a = 1\nfor i in x:\n    MARK\n    i(a)\n    a = 2",
        "a i x",
        "",
    ),
    "after the break": ("a = 1\nwhile x:\n    if x: break\n    MARK\nreturn a", "a x", ""),
    "in a handler": ("a = 1\ntry:\n    MARK\n    a = 2\nexcept E: return a", "a", "a"),
    "after a handler that goes on": ("a = 1\ntry:\n    MARK\nexcept E: pass\nreturn a", "a", "a"),
    "after a handler that leaves": ("a = 1\ntry:\n    MARK\nexcept E: return\nreturn a", "a", ""),
    "in finally": ("a = 1\ntry:\n    MARK\nfinally: x(a)", "a x", "a x"),
    "after finally": ("a = 1\ntry:\n    MARK\nfinally: x()\nreturn a", "a x", "x"),
    "after finally that breaks": (
        "a = 1\nwhile x:\n    try:\n        MARK\n    finally: break\nreturn a",
        "a",
        "a x",
    ),
    "returned through finally": ("a = b = 1\ntry:\n    MARK\n    return b\nfinally: x(a)", "a b x", "a x"),
    "after a with that may swallow": ("a = 1\nwith x:\n    MARK\nreturn a", "a", "a"),
    "in a case": (
        "a = b = 1\nMARK\nmatch x:\n    case [c, *d]: return a, c, d\n    case {'k': b}: return b",
        "a x",
        "",
    ),
    "deleted below": ("a = 1\nMARK\ndel a", "a", ""),
    "added to": ("a = 1\nMARK\na += 1", "a", ""),
    "taken along by a function": ("a = 1\nMARK\nreturn lambda: a", "a", ""),
    "in a comprehension": ("a = b = 1\nMARK\nreturn [a for c in x if b]", "a b x", ""),
    "target of a comprehension": ("a = 1\nMARK\nreturn [a for a in x]", "x", ""),
}

# Statements, and the names that they bind for certain.
BINDS = {
    "if with both": ("if x: a = b = 1\nelse: a = 2", "a"),
    "if that leaves": ("if x: a = 1\nelse: return", "a"),
    "loop": ("for i in x: a = 1", ""),
    "loop with else": ("for i in x: break\nelse: i = a = 1", "i"),
    "loop without an end": ("while True:\n    a = 1\n    if x: break\n    b = 2", "a"),
    "try": ("try: a = b = 1\nexcept E: a = 2\nfinally: c = 3", "a c"),
    "handler that leaves": ("try: a = 1\nexcept E: return", "a"),
    "name of a handler": ("try: e = 1\nexcept E as e: pass", ""),
    "with": ("with x as a: b = 1", "a"),
    "match with a rest": ("match x:\n    case 1: a = b = 1\n    case _: a = 2", "a"),
    "match without": ("match x:\n    case 1: a = 1", ""),
    "walrus": ("x(a := 1)", ""),
    "import": ("import a.b, c as d", "a d"),
    "definitions": ("def a(): pass\nclass b: pass", "a b"),
    "annotation alone": ("a: int", ""),
    "deletion": ("del x", ""),
}


def flow_of(text: str) -> tuple[gast.FunctionDef, IslandsFlow]:
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    tree = gast.ast_to_gast(ast.parse(f"def f(x):\n{lines}")).body[0]
    return tree, IslandsFlow(tree, Scopes(tree))


@pytest.mark.parametrize("claim", LIVE)
def test_live_names(claim: str) -> None:
    text, after, handlers = LIVE[claim]
    _, flow = flow_of(text.replace("MARK", "mark"))
    (mark,) = (s for s in flow.live if isinstance(s, gast.Expr) and getattr(s.value, "id", "") == "mark")
    live = flow.live[mark]
    assert sorted(flow.names(live.after)) == sorted(after.split())
    assert sorted(flow.names(live.handlers)) == sorted(handlers.split())


@pytest.mark.parametrize("claim", BINDS)
def test_names_that_are_bound_for_certain(claim: str) -> None:
    text, names = BINDS[claim]
    tree, flow = flow_of(text)
    assert sorted(flow.names(flow.block(tree.body).binds)) == sorted(names.split())
