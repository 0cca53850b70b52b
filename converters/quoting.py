"""Texts of strings: docstrings over lines, and what stands inside an f-string."""

import ast
import sys
from collections.abc import Sequence

QUOTES = ("'", '"', "'''", '"""')

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "{": "{{", "}": "}}"}


def docstring(value: str) -> str:
    """Gives a literal whose lines are lines of the text, where that is possible."""
    text = value.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return _checked(f'"""{text}"""', value) or repr(value)


def plain(value: str, quotes: Sequence[str]) -> str | None:
    """Gives a literal without a backslash that uses one of the quotes, as an f-string needs it before 3.12."""
    texts = (f"{quote}{value}{quote}" for quote in quotes)
    return next((text for text in texts if "\\" not in text and _checked(text, value)), None)


def piece(value: str, quote: str) -> str:
    """Gives the literal part of an f-string."""
    escapes = {**_ESCAPES, quote[0]: "\\" + quote[0]}
    return "".join(
        escapes[character]
        if character in escapes
        else character
        if character.isprintable()
        else character.encode("unicode_escape").decode()
        for character in value
    )


def fits(expression: str, quote: str) -> bool:
    """Says whether an expression may stand in an f-string of these quotes."""
    if sys.version_info >= (3, 12):
        return True
    multiline = "\n" in expression and len(quote) == 1
    return "\\" not in expression and quote not in expression and not multiline


def _checked(text: str, value: str) -> str | None:
    try:
        return text if ast.literal_eval(text) == value else None
    except (SyntaxError, ValueError):
        return None
