"""Raises exceptions so that their traceback speaks of the user's lines."""

from __future__ import annotations

import ast
import functools
from types import CodeType, TracebackType
from typing import NoReturn

from .positions import Location, Position


def raise_at(location: Location, error: BaseException) -> NoReturn:
    """Raise `error` as if the program had raised it at `location`: the traceback's innermost entries are the user's."""
    entry: TracebackType | None = error.__traceback__ if not location else None
    frame_entry = entry
    for position in reversed(location):
        frame_entry = _entry(position)
        entry = TracebackType(entry, frame_entry.tb_frame, frame_entry.tb_lasti, frame_entry.tb_lineno)
    try:
        raise error.with_traceback(entry)
    finally:
        # The traceback leads to this frame: together they would keep what all others hold until that is noticed.
        del error, entry, frame_entry


def _entry(position: Position) -> TracebackType:
    """Return a traceback entry for a position: that of a stub which failed there."""
    try:
        exec(_stub(position), {"__name__": position.function})
    except ZeroDivisionError as error:
        assert error.__traceback__ is not None and error.__traceback__.tb_next is not None
        return error.__traceback__.tb_next
    raise AssertionError


@functools.lru_cache(maxsize=1000)
def _stub(position: Position) -> CodeType:
    """Return code that fails at a position of the user's file, under the name of the user's function."""
    failing = ast.parse("1 / 0", mode="exec")
    for node in ast.walk(failing):
        if isinstance(node, (ast.expr, ast.stmt)):
            node.lineno = max(position.line, 1)
            node.end_lineno = position.end_line if position.end_line > 0 else node.lineno
            node.col_offset = max(position.column, 0)
            node.end_col_offset = position.end_column if position.end_column >= 0 else node.col_offset
    code: CodeType = compile(failing, position.file, "exec")
    return code.replace(co_name=position.function.rpartition(".")[2], co_qualname=position.function)
