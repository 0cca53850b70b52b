"""Takes out of a program the statements at which its calls fail, so that what stands after them runs, too."""

from __future__ import annotations

import ast
import traceback
import warnings
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

from .execution import World
from .programs import FIRST_LINE


def settled(text: str, attempts: int) -> str:
    """Return a program without the statements at which calls fail when it is run plainly, up to a number of them."""
    for _ in range(attempts):
        line = _failing(text)
        if line is None:
            return text
        tree = _Without(line).visit(ast.parse(text))
        text = ast.unparse(ast.fix_missing_locations(tree))
    return text


def _failing(text: str) -> int | None:
    """Return the line of the program at which a call fails."""
    try:
        world = World(text)
        for make in world.space["CALLS"]:
            with redirect_stderr(StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                error = world.run(world.arguments(make.__name__)).error
            if error is not None:
                lines = [line_of(frame) for frame in traceback.extract_tb(error.__traceback__)]
                return next((line for line in reversed(lines) if line > 0), None)
    except Exception:
        # Not a program: one without some of its statements may be none.
        return None
    return None


def line_of(frame: traceback.FrameSummary) -> int:
    """Return the line of a program's own text where a frame is; none is positive in what every program starts with."""
    return (frame.lineno or 0) - FIRST_LINE + 1 if frame.filename.startswith("<program ") else 0


class _Without(ast.NodeTransformer):
    """Puts `pass` in the place of the innermost statement that covers a line, and of whole functions never."""

    def __init__(self, line: int) -> None:
        self.line = line

    def generic_visit(self, node: ast.AST) -> Any:
        covers = isinstance(node, ast.stmt) and node.lineno <= self.line <= (node.end_lineno or node.lineno)
        if isinstance(node, ast.stmt) and not covers:
            return node
        if isinstance(node, ast.Return) and covers:
            return ast.copy_location(ast.Return(ast.Constant(1.0)), node)
        inner = super().generic_visit(node)
        if not covers or isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return inner
        parts = [
            part for name in ("body", "orelse", "finalbody", "handlers") for part in getattr(node, name, ())
        ]
        within = any(part.lineno <= self.line <= (part.end_lineno or part.lineno) for part in parts)
        return inner if within else ast.copy_location(ast.Pass(), node)
