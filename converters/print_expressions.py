"""Prints expressions: with the fewest parentheses, and long ones on several lines."""

import ast
import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import astunparse

from .precedence import Precedence, next_level, precedence
from .quoting import QUOTES, fits, piece, plain

WIDTH = 100
"""Where a line is broken, if it has brackets to break it at."""


class ExpressionPrinter(astunparse.Unparser):  # type: ignore[misc]
    """Writes an expression.

    ``dispatch`` prints it for a place where any but a bare tuple, an assignment and ``yield`` may stand.
    """

    def __init__(self, tree: ast.AST, stream: io.StringIO, quotes: Sequence[str] = ()) -> None:
        self._column = 0
        self._breaks = not quotes
        # The quotes that strings may use, inside an f-string.
        self._quotes = quotes
        self.f: io.StringIO
        super().__init__(tree, stream)

    def write(self, text: str) -> None:
        """Appends to the current line."""
        self.f.write(text)
        self._column += len(text)

    def fill(self, text: str = "") -> None:
        """Starts a new line."""
        start = "    " * self._indent + text
        self.f.write("\n" + start)
        self._column = len(start)

    def dispatch(self, tree: Any) -> None:
        """Prints a node, or each of several."""
        if isinstance(tree, list):
            for node in tree:
                self.dispatch(node)
        else:
            self._at(Precedence.TEST, tree)

    def _at(self, level: Precedence, node: ast.AST) -> None:
        if precedence(node) >= level:
            self._bare(node)
        elif isinstance(node, ast.Tuple):
            self._group("(", self._parts(node.elts), ",)" if len(node.elts) == 1 else ")")
        else:
            self.write("(")
            self._bare(node)
            self.write(")")

    def _bare(self, node: ast.AST) -> None:
        getattr(self, "_" + type(node).__name__)(node)

    def _separated(self, nodes: Sequence[ast.AST], separator: str = ", ") -> None:
        for number, node in enumerate(nodes):
            if number:
                self.write(separator)
            self.dispatch(node)

    def _group(self, start: str, parts: list[Callable[[], None]], end: str) -> None:
        """Writes parts in brackets: on one line where they fit, or else one on each line."""
        flat = self._flat(parts)
        if not parts or not self._breaks or self._column + len(start + flat + end) <= WIDTH:
            self.write(start + flat + end)
            return
        self.write(start)
        self._indent += 1
        for part in parts:
            self.fill()
            part()
            self.write(",")
        self._indent -= 1
        self.fill(end.lstrip(","))

    def _parts(self, nodes: Sequence[ast.AST]) -> list[Callable[[], None]]:
        return [partial(self.dispatch, node) for node in nodes]

    def _flat(self, parts: list[Callable[[], None]]) -> str:
        stream, column, breaks = self.f, self._column, self._breaks
        self.f, self._breaks = io.StringIO(), False
        for number, part in enumerate(parts):
            if number:
                self.write(", ")
            part()
        text = self.f.getvalue()
        self.f, self._column, self._breaks = stream, column, breaks
        return text

    def _NamedExpr(self, node: ast.NamedExpr) -> None:
        self.dispatch(node.target)
        self.write(" := ")
        self.dispatch(node.value)

    def _Await(self, node: ast.Await) -> None:
        self.write("await ")
        self._at(Precedence.ATOM, node.value)

    def _Yield(self, node: ast.Yield) -> None:
        self.write("yield")
        if node.value is not None:
            self.write(" ")
            self._at(Precedence.TUPLE, node.value)

    def _YieldFrom(self, node: ast.YieldFrom) -> None:
        self.write("yield from ")
        self.dispatch(node.value)

    def _Lambda(self, node: ast.Lambda) -> None:
        self.write("lambda")
        arguments = self._flat([lambda: self.dispatch(node.args)])
        self.write(f" {arguments}: " if arguments else ": ")
        self.dispatch(node.body)

    def _IfExp(self, node: ast.IfExp) -> None:
        self._at(Precedence.OR, node.body)
        self.write(" if ")
        self._at(Precedence.OR, node.test)
        self.write(" else ")
        self.dispatch(node.orelse)

    def _BoolOp(self, node: ast.BoolOp) -> None:
        for number, value in enumerate(node.values):
            if number:
                self.write(f" {self.boolops[type(node.op)]} ")
            self._at(next_level(precedence(node)), value)

    def _BinOp(self, node: ast.BinOp) -> None:
        level = precedence(node)
        power = isinstance(node.op, ast.Pow)
        self._at(Precedence.AWAIT if power else level, node.left)
        self.write(f" {self.binop[type(node.op).__name__]} ")
        self._at(Precedence.FACTOR if power else next_level(level), node.right)

    def _UnaryOp(self, node: ast.UnaryOp) -> None:
        sign = self.unop[type(node.op).__name__]
        self.write(sign + " " * sign.isalpha())
        self._at(precedence(node), node.operand)

    def _Compare(self, node: ast.Compare) -> None:
        self._at(Precedence.BIT_OR, node.left)
        for op, right in zip(node.ops, node.comparators, strict=True):
            self.write(f" {self.cmpops[type(op).__name__]} ")
            self._at(Precedence.BIT_OR, right)

    def _Attribute(self, node: ast.Attribute) -> None:
        self._at(Precedence.ATOM, node.value)
        number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        self.write(" " * number + "." + node.attr)

    def _Call(self, node: ast.Call) -> None:
        self._at(Precedence.ATOM, node.func)
        if not node.keywords and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            self.dispatch(node.args[0])
            return
        self._group("(", self._parts([*node.args, *node.keywords]), ")")

    def _Subscript(self, node: ast.Subscript) -> None:
        self._at(Precedence.ATOM, node.value)
        self.write("[")
        self._at(Precedence.TUPLE, node.slice)
        self.write("]")

    def _Starred(self, node: ast.Starred) -> None:
        self.write("*")
        self._at(Precedence.BIT_OR, node.value)

    def _Tuple(self, node: ast.Tuple) -> None:
        if node.elts:
            self._separated(node.elts)
            self.write("," * (len(node.elts) == 1))
        else:
            self.write("()")

    def _List(self, node: ast.List) -> None:
        self._group("[", self._parts(node.elts), "]")

    def _Set(self, node: ast.Set) -> None:
        self._group("{", self._parts(node.elts), "}")

    def _Dict(self, node: ast.Dict) -> None:
        items = zip(node.keys, node.values, strict=True)
        self._group("{", [partial(self._item, key, value) for key, value in items], "}")

    def _item(self, key: ast.expr | None, value: ast.AST) -> None:
        if key is None:
            self.write("**")
            self._at(Precedence.BIT_OR, value)
        else:
            self.dispatch(key)
            self.write(": ")
            self.dispatch(value)

    def _comprehension(self, node: ast.comprehension) -> None:
        self.write(" async for " if node.is_async else " for ")
        self._at(Precedence.TUPLE, node.target)
        self.write(" in ")
        self._at(Precedence.OR, node.iter)
        for test in node.ifs:
            self.write(" if ")
            self._at(Precedence.OR, test)

    def _Constant(self, node: ast.Constant) -> None:
        text = plain(node.value, self._quotes) if self._quotes and isinstance(node.value, str) else None
        if text is not None:
            self.write(text)
        else:
            super()._Constant(node)

    def _JoinedStr(self, node: ast.JoinedStr) -> None:
        for quote in self._quotes or QUOTES:
            inner = [other for other in (self._quotes or QUOTES) if other[0] != quote[0]] or [quote]
            inner += [other for other in QUOTES if len(other) < len(quote) and other[0] == quote[0]]
            text = self._joined(node, quote, inner)
            if text is not None:
                self.write(f"f{quote}{text}{quote}")
                return
        raise ValueError("an f-string that this version of Python cannot write")

    def _joined(self, node: ast.JoinedStr, quote: str, inner: Sequence[str]) -> str | None:
        pieces = []
        for value in node.values:
            if not isinstance(value, ast.FormattedValue):
                pieces.append(piece(ast.literal_eval(value), quote))
                continue
            expression = self._in_braces(value.value, inner)
            specification: str | None = ""
            if isinstance(value.format_spec, ast.JoinedStr):
                specification = self._joined(value.format_spec, quote, inner)
            if specification is None or not fits(expression, quote):
                return None
            conversion = "" if value.conversion == -1 else "!" + chr(value.conversion)
            sign = "" if value.format_spec is None else ":"
            pieces.append(f"{{{expression}{conversion}{sign}{specification}}}")
        return "".join(pieces)

    def _in_braces(self, node: ast.expr, quotes: Sequence[str]) -> str:
        stream = io.StringIO()
        ExpressionPrinter(node, stream, quotes)
        text = stream.getvalue().rstrip("\n")
        if any(isinstance(inner, ast.Lambda) for inner in ast.walk(node)):
            # Its colon would start the format specification.
            text = f"({text})"
        return " " * text.startswith("{") + text
