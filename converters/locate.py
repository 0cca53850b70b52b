"""Finds the syntax tree of a function by the positions in its code."""

import ast
import linecache
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from types import CodeType, FunctionType

from transpile.runtime.quiet import no_warnings

from .build import compile_definition, extent, same_code
from .excerpt import parse_excerpt
from .generated import generated
from .located import Definition, Located, imported_names, known
from .module_loops import MODULE, as_function, loops_of
from .refusals import refuse


def locate(function: FunctionType) -> Located:
    """Finds a function in its file, or in whatever ``linecache`` knows under the name of its file.

    Raises ``ConversionError`` where there is no source, or where it is not the source of this code.
    """
    code = function.__code__
    made_here = known(code)
    if made_here is not None:
        return made_here
    lines = linecache.getlines(code.co_filename, function.__globals__)
    found = _find(function, lines)
    if found is None and lines:
        # The file may have been edited, and its module loaded again.
        linecache.checkcache(code.co_filename)
        found = _find(function, linecache.getlines(code.co_filename, function.__globals__))
    made = generated(code) if found is None and not lines else None
    if made is not None:
        return Located(made, None, frozenset())
    if found is None:
        raise refuse("C003-changed-source" if lines else "C002-no-source", None, name=function.__qualname__)
    return found


def _find(function: FunctionType, lines: list[str]) -> Located | None:
    """Finds the tree of a function: in its own lines, where they alone make its code, or else in all lines of its file."""
    code = function.__code__
    if code.co_name == MODULE:
        return _loop(code, "".join(lines))
    excerpt = _excerpt(function, lines)
    if excerpt is not None and _is_of(excerpt, code):
        return excerpt
    candidates = _candidates("".join(lines)).get((code.co_firstlineno, code.co_name), [])
    for found in sorted(candidates, key=lambda found: not _covers(found.node, code)):
        if (
            isinstance(found.node, ast.AsyncFunctionDef)
            or is_rewritten_by_pytest(code)
            or _is_of(found, code)
        ):
            return found
    return None


def _is_of(found: Located, code: CodeType) -> bool:
    """Says whether it is what a code was compiled from."""
    return same_code(compile_definition(found.node, code, found.class_name, found.imported), code)


def _excerpt(function: FunctionType, lines: list[str]) -> Located | None:
    """Reads a function from its own lines. What is around it is guessed; a guess that matters shows in the code."""
    node = parse_excerpt(function.__code__, lines)
    if node is None:
        return None
    names = function.__code__.co_qualname.split(".")
    classes = [name for name, inner in pairwise(names) if "<locals>" not in (name, inner)]
    return Located(node, classes[-1] if classes else None, frozenset(imported_names(function)))


def _loop(code: CodeType, text: str) -> Located | None:
    """Finds the loop of a module that code stands for."""
    try:
        with no_warnings():
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for loop in loops_of(tree):
        made = as_function(loop) if loop.lineno == code.co_firstlineno else None
        if made is not None:
            found = Located(made, None, frozenset(_imported(tree)))
            if _is_of(found, code):
                return found
    return None


@lru_cache(maxsize=32)
def _candidates(text: str) -> dict[tuple[int, str], list[Located]]:
    """Lists the functions of a file by first line and name; lambdas on one line from the innermost to the outermost."""
    try:
        with no_warnings():
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    imported = frozenset(_imported(tree))
    found: dict[tuple[int, str], list[Located]] = {}
    for node, class_name in _definitions(tree):
        name, line = "<lambda>", node.lineno
        if not isinstance(node, ast.Lambda):
            name, line = (
                node.name,
                min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]),
            )
        found.setdefault((line, name), []).insert(0, Located(node, class_name, imported))
    return found


def _imported(tree: ast.Module) -> Iterator[str]:
    """Lists the names that the statements of a module import, outside of functions and classes.

    And ``super``, if they speak of it: the compiler then calls it in another way, as if it had been imported.
    """
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0]
        elif isinstance(node, ast.Name):
            if node.id == "super":
                yield "super"
        elif not isinstance(node, Definition | ast.ClassDef):
            pending += ast.iter_child_nodes(node)


def _definitions(tree: ast.AST) -> Iterator[tuple[Definition, str | None]]:
    pending: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while pending:
        node, class_name = pending.pop()
        if isinstance(node, Definition):
            yield node, class_name
        # Decorators and bases are outside the class, but functions there do not use private names of one around.
        if isinstance(node, ast.ClassDef):
            class_name = node.name
        pending += [(child, class_name) for child in ast.iter_child_nodes(node)]


def _covers(node: Definition, code: CodeType) -> bool:
    """Says whether the instructions of a lambda's code stand in a node. Of two nested ones, the inner comes first."""
    place = extent(code)
    if place is None or not isinstance(node, ast.Lambda):
        return True
    body = node.body
    start, end = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    return start <= place[:2] and place[2:] <= end


def is_rewritten_by_pytest(code: CodeType) -> bool:
    """Says whether pytest has put its own code in the place of assert statements."""
    return "@pytest_ar" in code.co_names or any(
        is_rewritten_by_pytest(constant) for constant in code.co_consts if isinstance(constant, CodeType)
    )
