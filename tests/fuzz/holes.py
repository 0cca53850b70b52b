"""Templates with holes that random expressions fill.

A hole is a kind (`<f1>`: an expression), a kind in capitals (`<F1>`: a name that has it already, with `V` for `f` or `i`), or a kind to assign to (`<=f1>`;
`<=f1?>` where the array has a size of its own). `<F1:a>` gives what fills it a name, and `<a>` writes it again. `<counter>` is a name of its own that is 0,
`<block>` a nested block, and `WORDS` are the others.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .vocabulary import COMPARISONS, DTYPES, ERRORS

if TYPE_CHECKING:
    from .expressions import Expressions

HOLE = re.compile(r"<(=?)(\w+\??)(?::(\w+))?>")
NAMES = {"V1": ("f1", "f1", "i1"), "V2": ("f2", "f2", "i2"), "N0": ("i0", "f0")}
WORDS = {
    "axis": ["0", "1", "-1"],
    "reduce": ["sum", "max", "min", "prod", "mean", "std", "var"],
    "find": ["argmax", "argmin"],
    "at": ["0", "1", "-1"],
    "dtype": [*DTYPES["f"], *DTYPES["i"][:10]],
    "op": ["+", "-", "*"],
    "compare": COMPARISONS,
    "error": ERRORS,
    "key": ["'a'", "'b'", "'c'"],
    "small": ["0", "1", "2", "3"],
}


def names_of(word: str) -> tuple[str, ...]:
    """Return the kinds of the names that fill a hole in capitals."""
    return NAMES.get(word, (word.lower(),))


def part(word: str, write: Expressions, depth: int = 1) -> str | None:
    """Return what fills a hole; nothing where there is no such name."""
    if word in WORDS:
        return write.choices.among(WORDS[word])
    if word == "slice":
        return write.slice()
    if word == "size":
        return write.size()
    if word == "mask":
        return write.array("b", 1, 1, whole=True)
    if word == "any":
        return write.any_name()
    if word[0].isupper():
        return write.some(*names_of(word))
    kind = word.rstrip("?")
    return (
        write.array(kind[0], int(kind[1]), depth, whole=True)
        if kind[1:] in ("1", "2")
        else write.of(kind, depth)
    )


def expression(template: str, write: Expressions, depth: int) -> str | None:
    """Return a template of an expression with its holes filled; nothing where a name is missing."""
    called: dict[str, str | None] = {}
    missing = False

    def fill(hole: re.Match[str]) -> str:
        nonlocal missing
        _, word, name = hole.groups()
        text = called[word] if word in called else part(word, write, depth)
        missing = missing or text is None
        if name:
            called[name] = text
        return quoted(text or "", template)

    text = HOLE.sub(fill, template)
    return None if missing else text


def quoted(text: str, template: str) -> str:
    """Return what fills a hole in an f-string with other quotes than its own."""
    return text.replace("'", '"') if "f'" in template else text
