"""Idioms of which programs with arrays are made, with holes that random expressions fill.

A hole in `idioms/` is a kind (`<f1>`: an expression), a kind in capitals (`<F1>`: a name that has it already, with `V` for `f` or `i`), or a kind to
assign to (`<=f1>`; `<=f1?>` where the array has a size of its own). `<F1:a>` gives what fills it a name, and `<a>` writes it again. `<block>` is a
nested block, and `WORDS` are the others.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .expressions import DTYPES

if TYPE_CHECKING:
    from .statements import Statements

FOLDER = Path(__file__).parent / "idioms"
# Files of idioms, with weights: those of one line each, and those of several, with lines without text between them.
SHORT = [(4, "reducing"), (6, "writing"), (6, "making"), (5, "values")]
LONG = [(6, "views"), (5, "loops"), (5, "objects"), (3, "runs")]
HOLE = re.compile(r"<(=?)(\w+\??)(?::(\w+))?>")
NAMES = {"V1": ("f1", "f1", "i1"), "V2": ("f2", "f2", "i2"), "F1": ("f1",), "F2": ("f2",)}
WORDS = {
    "axis": ["0", "1", "-1"],
    "reduce": ["sum", "max", "min", "prod", "mean", "std", "var"],
    "find": ["argmax", "argmin"],
    "at": ["0", "1", "-1"],
    "dtype": [*DTYPES["f"], *DTYPES["i"][:10]],
}


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
    """Return the lines of an idiom with its holes filled; arrays that it needs are made before it."""
    before: list[str] = []
    called: dict[str, str] = {}
    bound: dict[str, str] = {}

    def fill(hole: re.Match[str]) -> str:
        new, word, name = hole.groups()
        if new:
            text = statements.target(word.rstrip("?"))
            bound[text] = word
        else:
            text = called[word] if word in called else _part(word, statements, before)
        if name:
            called[name] = text
        # In an f-string, quotes differ from its own.
        return text.replace("'", '"') if "f'" in hole.string else text

    lines: list[str] = []
    for line in idiom.split("\n"):
        bare = line.lstrip()
        if bare == "<block>":
            statements.loops += 1
            lines += [" " * (len(line) - len(bare)) + inner for inner in statements.inside(depth - 1, 2)]
            statements.loops -= 1
        else:
            lines.append(HOLE.sub(fill, line))
            statements.scope.kinds.update(bound)
            bound.clear()
    return [*before, *lines]


def _part(word: str, statements: Statements, before: list[str]) -> str:
    """Return what fills a hole; lines that make an array whose name does are added to `before`."""
    scope, write = statements.scope, statements.expressions
    if word in WORDS:
        return statements.choices.among(WORDS[word])
    if word in NAMES:
        kinds = NAMES[word]
        known = write.some(*kinds)
        if known is None:
            known = statements.target(kinds[0])
            before.append(f"{known} = {write.new_array(kinds[0][0], int(kinds[0][1]))}")
            scope.kinds[known] = kinds[0]
        return known
    if word == "slice":
        return write.slice()
    if word == "size":
        return write.size()
    return write.array(word[0], int(word[1]), 1, whole=True) if word[1:] in ("1", "2") else write.of(word, 1)
