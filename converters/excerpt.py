"""The lines of one function of a file."""

import ast
from collections.abc import Iterator
from types import CodeType

from transpile.runtime.quiet import no_warnings

_BLANK = ("", "#")


def parse_excerpt(code: CodeType, lines: list[str]) -> ast.FunctionDef | None:
    """Parses a function from its own lines alone, with the positions that it has in the file.

    ``None`` where these lines are not one function by themselves. Where they are, they end where the block ends: before a
    line that stands further out, because neither an open bracket nor an open string can be parsed.
    """
    first = code.co_firstlineno - 1
    if not 0 <= first < len(lines):
        return None
    margin = _indent(lines[first])
    end = max((line for line in _last_lines(code)), default=first + 1)
    while end < len(lines) and (lines[end].strip()[:1] in _BLANK or _indent(lines[end]) > margin):
        end += 1
    # What stands further in needs a block around it.
    around = "if True:" if margin and first else ""
    text = "\n" * (first - 1) + around + "\n" * bool(first) + "".join(lines[first:end])
    try:
        with no_warnings():
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(body) == 1 and isinstance(body[0], ast.If):
        body = body[0].body
    match body:
        case [ast.FunctionDef(name=code.co_name) as node]:
            return node
    return None


def _indent(line: str) -> int:
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())


def _last_lines(code: CodeType) -> Iterator[int]:
    """Yields the last lines of instructions, those of functions inside among them."""
    yield from (line for _, line, _, _ in code.co_positions() if line is not None)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _last_lines(constant)
