"""What a kernel's text does to its variables: where they are assigned and read, and which hold arrays of what type."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from . import memory
from .arithmetic import NotLowered
from .toolkit import types

Suite = tuple[int, ...]


def bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    """Return the suites of a statement."""
    return [part for name in ("body", "orelse") if (part := getattr(statement, name, None))]


def targets(statement: ast.stmt) -> list[str]:
    """Return the names that a statement itself assigns to."""
    if isinstance(statement, ast.Assign):
        (target,) = statement.targets
        items = target.elts if isinstance(target, ast.Tuple) else [target]
    elif isinstance(statement, (ast.AugAssign, ast.For)):
        items = [statement.target]
    else:
        items = []
    return [item.id for item in items if isinstance(item, ast.Name)]


def names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement itself reads, what stands in its suites left out."""
    for field, part in ast.iter_fields(statement):
        if field in ("body", "orelse"):
            continue
        for item in part if isinstance(part, list) else [part]:
            if isinstance(item, ast.AST):
                for node in ast.walk(item):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                        yield node.id
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id


def _visit(
    body: list[ast.stmt], suite: Suite, numbers: Iterator[int]
) -> Iterator[tuple[ast.stmt, Suite, Suite]]:
    """Yield statements with the suites that they stand in and, for loops, that they begin."""
    for statement in body:
        suites = [(*suite, next(numbers)) for _ in bodies(statement)]
        yield statement, suite, suites[0] if suites else suite
        for inner, inside in zip(bodies(statement), suites, strict=True):
            yield from _visit(inner, inside, numbers)


def fixed(function: ast.FunctionDef) -> set[str]:
    """Return the variables that are assigned once, and read only where they have been: in the suite of the assignment, or inside of that."""
    stored: dict[str, list[Suite]] = {argument.arg: [()] for argument in function.args.args}
    read: dict[str, set[Suite]] = {}
    for statement, suite, begun in _visit(function.body, (), itertools.count()):
        # The test of a `while` is read in the loop.
        where = begun if isinstance(statement, ast.While) else suite
        for name in names(statement):
            read.setdefault(name, set()).add(where)
        for name in targets(statement):
            # The variable of a `for` is one of the loop.
            stored.setdefault(name, []).append(begun if isinstance(statement, ast.For) else suite)
    return {
        name
        for name, places in stored.items()
        if len(places) == 1 and all(suite[: len(places[0])] == places[0] for suite in read.get(name, ()))
    }


def mentions(node: ast.AST) -> Counter[str]:
    """Return how often names are mentioned."""
    return Counter(found.id for found in ast.walk(node) if isinstance(found, ast.Name))


def array_types(
    function: ast.FunctionDef, given: Mapping[str, Any], namespace: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the types of the variables that hold arrays; of different layouts, it is that of any array."""
    known = {name: kind for name, kind in given.items() if isinstance(kind, types.Array)}
    assignments = []
    for statement, _, _ in _visit(function.body, (), itertools.count()):
        if isinstance(statement, ast.Assign):
            (target,) = statement.targets
            pairs = (
                list(zip(target.elts, statement.value.elts, strict=True))
                if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple)
                else [(target, statement.value)]
            )
            assignments += [(left.id, right) for left, right in pairs if isinstance(left, ast.Name)]
    while True:
        before = dict(known)
        for name, value in assignments:
            found = array_type(value, known, namespace)
            if found is not None:
                known[name] = _joined(known.get(name), found)
        if known == before:
            return known


def _joined(first: Any, second: Any) -> Any:
    if first is None or first == second:
        return second
    if (first.dtype, first.ndim) != (second.dtype, second.ndim):
        raise NotLowered("a variable of arrays of several types")
    return first if first.layout == second.layout else types.Array(first.dtype, first.ndim, "A")


def array_type(value: ast.expr, known: Mapping[str, Any], namespace: Mapping[str, Any]) -> Any:
    """Return the type of an expression that is an array, None where it is none, as far as is known."""
    if isinstance(value, ast.Name):
        return known.get(value.id)
    if not isinstance(value, ast.Call):
        return None
    function, arguments = value.func, value.args
    if isinstance(function, ast.Attribute):
        base = array_type(function.value, known, namespace)
        if base is None or function.attr not in ("reshape", "transpose") or len(arguments) != 1:
            return None
        if function.attr == "reshape":
            return types.Array(base.dtype, _rank(arguments[0]), "C")
        return types.Array(base.dtype, base.ndim, _turned(base, literal(arguments[0])))
    helper = namespace.get(function.id) if isinstance(function, ast.Name) else None
    if helper in (memory.empty, memory.scratch):
        return types.Array(_named(arguments[1], namespace), _rank(arguments[0]), "C")
    if helper is memory.empty_f:
        return types.Array(_named(arguments[1], namespace), _rank(arguments[0]), "F")
    if helper is memory.wrap:
        return types.Array(_named(arguments[2], namespace), _rank(arguments[1]), "C")
    if helper is memory.owned:
        return types.Array(_named(arguments[3], namespace), _rank(arguments[2]), "C")
    if helper is memory.lent:
        return array_type(arguments[0], known, namespace)
    if helper is memory.merged:
        base = array_type(arguments[0], known, namespace)
        count = literal(arguments[2])
        return None if base is None else types.Array(base.dtype, base.ndim - count + 1, "C")
    return None


def _named(node: ast.expr, namespace: Mapping[str, Any]) -> Any:
    kind = namespace.get(node.id) if isinstance(node, ast.Name) else None
    if not isinstance(kind, types.Type):
        raise NotLowered("an array of no known type")
    return kind


def _rank(shape: ast.expr) -> int:
    return len(shape.elts) if isinstance(shape, ast.Tuple) else 1


def literal(node: ast.expr) -> Any:
    """Return what a literal stands for."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise NotLowered("an expression where a literal is expected") from None


def _turned(kind: Any, axes: tuple[int, ...]) -> str:
    """Return the layout of an array whose axes are taken in another order."""
    if axes == tuple(range(kind.ndim)):
        return str(kind.layout)
    if axes == tuple(reversed(range(kind.ndim))):
        return {"C": "F", "F": "C"}.get(kind.layout, "A")
    return "A"
