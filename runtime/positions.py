"""Positions in the user's source, and the stacks of them that ops and errors carry."""

import linecache
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType


@dataclass(frozen=True, slots=True)
class Position:
    """A range of source text within one function.

    Lines count from 1 and columns from 0, in bytes of UTF-8, as in ``ast`` and ``co_positions``; a column
    that is not known is -1.
    """

    file: str
    function: str
    line: int
    column: int = -1
    end_line: int = -1
    end_column: int = -1

    def __str__(self) -> str:
        """Gives ``file:line:column``, the column counted from 1 in characters as editors do."""
        if self.column < 0:
            return f"{shown(self.file)}:{self.line}"
        return f"{shown(self.file)}:{self.line}:{_characters(self.text, self.column) + 1}"

    @property
    def text(self) -> str:
        """The source line as it stands in the file, empty where there is no source."""
        return linecache.getline(self.file, self.line).rstrip("\r\n")


def shown(file: str) -> str:
    """Return the path of a file as people are shown it: from the current folder on, where it lies there."""
    folder = os.path.join(os.getcwd(), "")
    return file.removeprefix(folder)


# A line, the line where it ends, and the columns.
_Range = tuple[int | None, int | None, int | None, int | None]
# The ranges of the instructions of the code that ops were recorded for last, by its identity; and of how much code they are kept.
_RANGES: dict[int, tuple[CodeType, list[_Range]]] = {}
_CODES = 64

Location = tuple[Position, ...]
"""Positions from the outermost caller to the innermost; empty where nothing is known."""


def position_of(code: CodeType, instruction: int, function: str | None = None) -> Position:
    """Finds the source range of an instruction, given as a frame's ``f_lasti`` (-1: the start of the code)."""
    ranges, place = _ranges(code), max(instruction, 0) // 2
    line, end_line, column, end_column = ranges[place] if place < len(ranges) else (None, None, None, None)
    return Position(
        code.co_filename,
        function or code.co_qualname,
        code.co_firstlineno if line is None else line,
        -1 if column is None else column,
        -1 if end_line is None else end_line,
        -1 if end_column is None else end_column,
    )


def _ranges(code: CodeType) -> list[_Range]:
    """Return the source ranges of a code's instructions: an op is recorded for most of them, and they are found only by going through all that come before."""
    known = _RANGES.get(id(code))
    if known is None or known[0] is not code:
        if len(_RANGES) >= _CODES:
            _RANGES.clear()
        known = _RANGES[id(code)] = code, list(code.co_positions())
    return known[1]


def underline(position: Position) -> str:
    """Draws the source line with carets under the range, or returns an empty string without a source.

    A range that goes on over several lines is drawn to the end of its first one.
    """
    text = position.text
    if not text.strip():
        return ""
    shown = text.strip()
    if position.column < 0:
        return shown
    margin = len(text) - len(text.lstrip())
    start = _characters(text, position.column) - margin
    whole = position.end_line == position.line and position.end_column > position.column
    end = _characters(text, position.end_column) - margin if whole else len(shown)
    if not 0 <= start < len(shown):
        return shown
    # A tab before the caret stays a tab, so that the caret stands under its text whatever the tab's width.
    indent = "".join("\t" if character == "\t" else " " for character in shown[:start])
    return f"{shown}\n{indent}{'^' * max(1, end - start)}"


def describe(location: Iterable[Position]) -> str:
    """Prints a location as a traceback does: one entry per frame, the innermost last and with a caret."""
    return "\n".join(_entries(tuple(location)))


def _entries(location: Location) -> Iterator[str]:
    for depth, position in enumerate(location, 1):
        innermost = depth == len(location)
        where = f"  {position}" + (f", in {position.function}" if position.function else "")
        drawing = underline(position) if innermost else position.text.strip()
        yield where + "".join(f"\n    {line}" for line in drawing.splitlines())


def _characters(text: str, column: int) -> int:
    return len(text.encode()[:column].decode(errors="ignore"))
