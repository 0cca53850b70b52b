"""Idioms of which programs with arrays are made: templates of statements, with holes that random expressions fill."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .holes import HOLE, names_of, part, quoted

if TYPE_CHECKING:
    from .statements import Statements

FOLDER = Path(__file__).parent / "idioms"
# Files of idioms, with weights: those of one line each, and those of several, with lines without text between them.
SHORT = [(4, "reducing"), (6, "writing"), (6, "making"), (5, "values")]
LONG = [(6, "views"), (5, "loops"), (5, "objects"), (3, "runs")]


@cache
def read(folder: str, name: str) -> list[str]:
    """Return the idioms of a file."""
    text = (FOLDER / folder / f"{name}.txt").read_text().strip("\n")
    return text.split("\n" if folder == "short" else "\n\n")


def short(statements: Statements) -> list[str]:
    """Return an idiom of one line, filled."""
    repeated = statements.expressions.repeated or statements.loops
    # A loop would double arrays over and over.
    files = SHORT if repeated else [*SHORT, (1, "growing")]
    return filled(statements.choices.among(read("short", statements.choices.weighted(files))), statements, 0)


def long(statements: Statements, depth: int) -> list[str]:
    """Return an idiom of several lines, filled."""
    return filled(
        statements.choices.among(read("long", statements.choices.weighted(LONG))), statements, depth
    )


def filled(idiom: str, statements: Statements, depth: int) -> list[str]:
    """Return the lines of an idiom with its holes filled; what it needs is made before it."""
    before: list[str] = []
    called: dict[str, str] = {}
    bound: dict[str, str] = {}

    def fill(hole: re.Match[str]) -> str:
        new, word, name = hole.groups()
        if new:
            text = statements.target(word.rstrip("?"), ":=" in hole.string)
            bound[text] = word
        else:
            text = called[word] if word in called else _part(word, statements, before)
        if name:
            called[name] = text
        return quoted(text, hole.string)

    lines: list[str] = []
    for line in idiom.split("\n"):
        bare = line.lstrip()
        if bare == "<block>":
            indent = line[: -len(bare)]
            loops = statements.loops
            statements.loops += _in_loop(indent, lines)
            lines += [indent + inner for inner in statements.inside(depth - 1, 2)]
            statements.loops = loops
        else:
            lines.append(HOLE.sub(fill, line))
            for text, kind in bound.items():
                statements.bind(text, kind)
            bound.clear()
    return [*before, *lines]


def _in_loop(indent: str, lines: list[str]) -> bool:
    """Whether what follows lines with an indent is in a loop of theirs."""
    loops = (line for line in lines if line.lstrip().startswith(("for ", "while ")))
    return any(len(line) - len(line.lstrip()) < len(indent) for line in loops)


def _part(word: str, statements: Statements, before: list[str]) -> str:
    """Return what fills a hole; lines that make what its name has are added to `before`."""
    if word == "counter":
        name = statements.counter()
        before.append(f"{name} = 0")
        return name
    text = part(word, statements.expressions)
    if text is None:
        kind = names_of(word)[0] if word != "any" else "f0"
        value = statements.expressions.made(kind)
        text = statements.target(kind)
        before.append(f"{text} = {value}")
        statements.bind(text, kind)
    return text
