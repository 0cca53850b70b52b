"""Makes a program that differs smaller, as long as it differs in the same way."""

from __future__ import annotations

import ast
import copy
import re
import warnings
from collections.abc import Callable, Iterator
from time import process_time


def reduced(text: str, differs: Callable[[str], bool], seconds: float = 30.0) -> str:
    """Return the smallest text that is found by taking statements away and putting parts of expressions in their places."""
    until = process_time() + seconds
    text = ast.unparse(ast.parse(text))
    progress = True
    while progress:
        progress = False
        for smaller in candidates(text):
            if process_time() > until:
                return text
            if len(smaller) < len(text) and differs(smaller):
                text = smaller
                progress = True
                break
    return text


def kind_of(complaint: str) -> str:
    """Return what a complaint is about, without the numbers in it."""
    last = [line for line in complaint.splitlines() if line and not line.startswith(" ")][-1:]
    return re.sub(r"[\d.e+-]+", "0", last[0])[:60] if last else ""


def candidates(text: str) -> Iterator[str]:
    """Yield smaller programs, those that lack most first."""
    tree = ast.parse(text)
    places = list(_places(tree))
    for change in (_without, _opened, _simpler):
        for place in places:
            for changed in change(place):
                yield from _text(tree, place, changed)


Place = tuple[ast.AST, str, int | None]


def _places(tree: ast.AST) -> Iterator[Place]:
    """Yield where statements and expressions stand: a node, its field, and the place in the field's list."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                yield from (
                    (node, name, place) for place, item in enumerate(value) if isinstance(item, ast.AST)
                )
            elif isinstance(value, ast.expr):
                yield node, name, None


def _at(place: Place) -> ast.AST:
    node, name, number = place
    value = getattr(node, name)
    found: ast.AST = value if number is None else value[number]
    return found


def _without(place: Place) -> Iterator[list[ast.AST] | ast.AST]:
    """Yield nothing in the place of a statement or of one of several parts."""
    node, name, number = place
    if number is None:
        return
    items = getattr(node, name)
    if isinstance(items[number], ast.stmt):
        yield [] if len(items) > 1 or name in ("orelse", "finalbody") else [ast.Pass()]
    elif name in ("elts", "decorator_list", "values", "handlers", "keywords") and len(items) > 1:
        yield []


def _opened(place: Place) -> Iterator[list[ast.AST] | ast.AST]:
    """Yield the block of a compound statement in its place."""
    found = _at(place)
    if isinstance(found, ast.stmt) and not isinstance(found, ast.FunctionDef):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(found, name, None)
            if block:
                yield list(block)


def _simpler(place: Place) -> Iterator[list[ast.AST] | ast.AST]:
    """Yield parts of an expression, and a number, in its place."""
    found = _at(place)
    if not isinstance(found, ast.expr) or isinstance(getattr(found, "ctx", None), (ast.Store, ast.Del)):
        return
    for child in ast.iter_child_nodes(found):
        if isinstance(child, ast.expr):
            yield child
    if not isinstance(found, ast.Constant):
        yield ast.Constant(0)
        yield ast.Constant(1)
    elif found.value not in (0, 1) or isinstance(found.value, float):
        yield from (ast.Constant(number) for number in (0, 1, 2))


def _text(tree: ast.AST, place: Place, changed: list[ast.AST] | ast.AST) -> Iterator[str]:
    """Yield the text of a tree with one place changed."""
    node, name, number = place
    before = getattr(node, name)
    if number is None:
        setattr(node, name, changed)
    else:
        items = list(before)
        items[number : number + 1] = changed if isinstance(changed, list) else [changed]
        setattr(node, name, items)
    try:
        text = ast.unparse(ast.fix_missing_locations(copy.deepcopy(tree)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<candidate>", "exec")
        yield text
    except (SyntaxError, ValueError, TypeError, AttributeError):
        pass
    finally:
        setattr(node, name, before)
