"""The words of a line of a graph's text form, and the dims that they spell."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from .dim import Dim, DimLike
from .ir import Value

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<comment>\#.*)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<function><[\w.]+>)
    |(?P<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?)
    |(?P<name>\w+)
    |(?P<mark>==|>=|[][(),:=*+<.$-])
    )""",
    re.VERBOSE,
)
_Item = TypeVar("_Item")


class GraphSyntaxError(ValueError):
    """A text is not the text form of a graph."""


class Tokens:
    """A line, word by word; `values` are the values that names stand for."""

    def __init__(self, text: str, line: int, values: Mapping[str, Value]) -> None:
        self.text = text
        self.line = line
        self.values = values
        self.kinds: list[str] = []
        self.words: list[str] = []
        self.place = 0
        end = 0
        text = text.rstrip()
        while end < len(text):
            match = _TOKEN.match(text, end)
            if match is None:
                self.fail(f"{text[end:]!r} is not understood")
            end = match.end()
            if match.lastgroup != "comment":
                self.kinds.append(match.lastgroup or "")
                self.words.append(match[match.lastgroup or 0])

    def fail(self, message: str) -> NoReturn:
        """Raise an error that names the line."""
        raise GraphSyntaxError(f"line {self.line}: {message}\n    {self.text.strip()}")

    def peek(self, ahead: int = 0) -> str:
        """Return a word that comes, empty at the end."""
        place = self.place + ahead
        return self.words[place] if place < len(self.words) else ""

    def kind(self, ahead: int = 0) -> str:
        """Return the kind of a word that comes."""
        place = self.place + ahead
        return self.kinds[place] if place < len(self.kinds) else ""

    def next(self) -> str:
        """Take a word."""
        word = self.peek()
        if not word:
            self.fail("the line ends too soon")
        self.place += 1
        return word

    def accept(self, *words: str) -> bool:
        """Take words, if they come."""
        if any(self.peek(ahead) != word for ahead, word in enumerate(words)):
            return False
        self.place += len(words)
        return True

    def expect(self, *words: str) -> None:
        """Take words, which must come."""
        for word in words:
            if not self.accept(word):
                self.fail(f"{word!r} is expected, not {self.peek()!r}")

    def end(self) -> None:
        """Check that nothing is left."""
        if self.peek():
            self.fail(f"{self.peek()!r} is too much")

    def value(self) -> Value:
        """Take the name of a value."""
        name = self.next()
        if name not in self.values:
            self.fail(f"{name!r} is not defined here")
        return self.values[name]

    def string(self) -> str:
        """Take a string in quotes."""
        if self.kind() != "string":
            self.fail(f"a string is expected, not {self.peek()!r}")
        return str(ast.literal_eval(self.next()))

    def integer(self) -> int:
        """Take an integer."""
        sign = -1 if self.accept("-") else 1
        if not self.peek().isdecimal():
            self.fail(f"an integer is expected, not {self.peek()!r}")
        return sign * int(self.next())

    def number(self) -> str:
        """Take the text of a number."""
        sign = "-" if self.accept("-") else ""
        return sign + self.next()

    def listed(self, take: Callable[[], _Item], close: str = "") -> list[_Item]:
        """Take items that commas separate, up to `close` or the end."""
        items: list[_Item] = []
        while self.peek() != close:
            items.append(take())
            if not self.accept(","):
                break
        if close:
            self.expect(close)
        return items

    def dim(self) -> DimLike:
        """Take a dim."""
        dim, moving = self.sum()
        if moving:
            self.fail("an index stands where a dim is expected")
        return dim

    def sum(self) -> tuple[DimLike, dict[int, int]]:
        """Take a sum of terms over values and over indices `$0`, `$1`: return the dim, and the factor of each index."""
        total: DimLike = 0
        moving: dict[int, int] = {}
        sign = -1 if self.accept("-") else 1
        while True:
            factor: Any = sign
            axis = None
            while True:
                if self.accept("$"):
                    axis = self.integer()
                elif self.kind() == "number":
                    factor = factor * self.integer()
                else:
                    factor = factor * Dim.of_value(self.value())
                if not self.accept("*"):
                    break
            if axis is None:
                total = total + factor
            else:
                moving[axis] = moving.get(axis, 0) + factor
            if self.accept("+"):
                sign = 1
            elif self.accept("-"):
                sign = -1
            else:
                return total, moving
