"""Calls that look as if the user's program had made them."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .positions import Position

    # Where a frame stands, and the globals it runs in.
    Place = tuple[Position, dict[str, Any]]


def hands_on(code: CodeType, instruction: int) -> bool:
    """Whether an instruction is one by which the function that stands for a converted one hands on a call, and not the user's."""
    return instruction < getattr(code.co_consts[-1] if code.co_consts else None, "hands_on_until", -1)


def original_of(function: Any) -> Any:
    """Return what a converted function was made of; any other function itself, also one around a converted one that has taken over its attributes."""
    original = vars(function).get("python_function") if isinstance(function, FunctionType) else None
    made = isinstance(original, FunctionType) and _origin(original.__code__) == _origin(function.__code__)
    return original if made else function


def home_of(function: Any) -> str:
    """Return the name of the module whose globals a function has, where that can be seen: what it says itself, `functools.wraps` may have taken over."""
    written = function if isinstance(function, FunctionType) else type(function).__call__
    namespace = written.__globals__ if isinstance(written, FunctionType) else {}
    return str(namespace.get("__name__", getattr(function, "__module__", None) or ""))


def _origin(code: CodeType) -> tuple[Any, ...]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def call_from(places: Sequence[Place], depth: int, function: Callable[[], Any]) -> Any:
    """Call a function whose callers, as it sees them, stand at `places`, the innermost last.

    It may look at `depth` of them; where there are not as many, those follow that called the converted function.
    """
    stack = [*_around(depth - len(places)), *places]
    for position, namespace in reversed(stack):
        # Nothing but C may stand between two of the frames.
        function = functools.partial(eval, _calling(position), namespace, {"call": function})
    return function()


def _around(count: int) -> list[Place]:
    """Return where the innermost `count` callers of the converted function stand that is running."""
    from .positions import Position

    frame = sys._getframe() if count > 0 else None
    while frame is not None and not hands_on(frame.f_code, frame.f_lasti):
        frame = frame.f_back
    frame = frame and frame.f_back
    found: list[Place] = []
    while frame is not None and len(found) < count:
        code = frame.f_code
        found.append((Position(code.co_filename, code.co_name, frame.f_lineno), frame.f_globals))
        frame = frame.f_back
    return found[::-1]


@functools.lru_cache(maxsize=1000)
def _calling(position: Position) -> CodeType:
    """Return code that calls `call` at a position of the user's file, under the name of the user's function."""
    import ast

    tree = ast.parse("call()", mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            node.lineno = node.end_lineno = max(position.line, 1)
            node.col_offset = node.end_col_offset = 0
    code: CodeType = compile(tree, position.file, "eval")
    return code.replace(
        co_name=position.function.rpartition(".")[2],
        co_qualname=position.function,
    )
