"""Prints syntax trees for people."""

import ast
import io
from collections.abc import Callable, Sequence
from typing import Any

import astunparse

from .precedence import Precedence, next_level, precedence
from .quoting import QUOTES, docstring, fits, piece, plain

WIDTH = 100
"""Where a line is broken, if it has brackets to break it at."""


def unparse(tree: ast.AST) -> str:
    """Gives the text of a tree, whose parse is the tree again."""
    stream = io.StringIO()
    Printer(tree, stream)
    return stream.getvalue().strip("\n") + "\n" * isinstance(tree, ast.Module)


class Printer(astunparse.Unparser):  # type: ignore[misc]
    """Writes with the fewest parentheses, and knows all of today's syntax.

    ``dispatch`` prints an expression where any but a bare tuple, an assignment and ``yield`` may stand.
    """

    def __init__(self, tree: ast.AST, stream: io.StringIO, quotes: Sequence[str] = ()) -> None:
        self._column = 0
        self._breaks = not quotes
        # The quotes that strings may use, inside an f-string.
        self._quotes = quotes
        self._handler = "except"
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
        return [lambda node=node: self.dispatch(node) for node in nodes]

    def _flat(self, parts: list[Callable[[], None]]) -> str:
        stream, column, breaks = self.f, self._column, self._breaks
        self.f, self._breaks = io.StringIO(), False
        for number, part in enumerate(parts):
            if number:
                self.write(", ")
            part()
        text: str = self.f.getvalue()
        self.f, self._column, self._breaks = stream, column, breaks
        return text

    # Statements

    def _Expr(self, node: ast.Expr) -> None:
        self.fill()
        match node.value:
            case ast.Constant(value=str(text), kind=None):
                self.write(docstring(text))
            case ast.Yield() | ast.YieldFrom() | ast.Tuple():
                self._bare(node.value)
            case _:
                self.dispatch(node.value)

    def _Assign(self, node: ast.Assign) -> None:
        self.fill()
        for target in node.targets:
            self._at(Precedence.TUPLE, target)
            self.write(" = ")
        self._at(Precedence.TUPLE, node.value)

    def _Return(self, node: ast.Return) -> None:
        self.fill("return")
        if node.value is not None:
            self.write(" ")
            self._at(Precedence.TUPLE, node.value)

    def _For(self, node: ast.For) -> None:
        self._loop("for ", node)

    def _AsyncFor(self, node: ast.AsyncFor) -> None:
        self._loop("async for ", node)

    def _loop(self, start: str, node: Any) -> None:
        self.fill(start)
        self._at(Precedence.TUPLE, node.target)
        self.write(" in ")
        self.dispatch(node.iter)
        self._block(node.body)
        if node.orelse:
            self.fill("else")
            self._block(node.orelse)

    def _block(self, body: list[ast.stmt]) -> None:
        self.enter()
        self.dispatch(body)
        self.leave()

    def _FunctionDef(self, node: ast.FunctionDef) -> None:
        self._function("def ", node)

    def _AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._function("async def ", node)

    def _function(self, start: str, node: Any) -> None:
        self._decorators(node)
        self.fill(start + node.name)
        self._type_params(node)
        self.write("(")
        self.dispatch(node.args)
        self.write(")")
        if node.returns is not None:
            self.write(" -> ")
            self.dispatch(node.returns)
        self._block(node.body)

    def _ClassDef(self, node: ast.ClassDef) -> None:
        self._decorators(node)
        self.fill("class " + node.name)
        self._type_params(node)
        if node.bases or node.keywords:
            self.write("(")
            self._separated([*node.bases, *node.keywords])
            self.write(")")
        self._block(node.body)

    def _decorators(self, node: Any) -> None:
        if not self._indent:
            self.write("\n")
        for decorator in node.decorator_list:
            self.fill("@")
            self.dispatch(decorator)

    def _type_params(self, node: Any) -> None:
        if getattr(node, "type_params", None):
            self.write("[")
            self._separated(node.type_params)
            self.write("]")

    def _TypeVar(self, node: Any, start: str = "") -> None:
        self.write(start + node.name)
        for sign, name in ((": ", "bound"), (" = ", "default_value")):
            if getattr(node, name, None) is not None:
                self.write(sign)
                self.dispatch(getattr(node, name))

    def _TypeVarTuple(self, node: Any) -> None:
        self._TypeVar(node, "*")

    def _ParamSpec(self, node: Any) -> None:
        self._TypeVar(node, "**")

    def _TypeAlias(self, node: Any) -> None:
        self.fill("type ")
        self.dispatch(node.name)
        self._type_params(node)
        self.write(" = ")
        self.dispatch(node.value)

    def _Try(self, node: ast.Try) -> None:
        self._handled("except", node)

    def _TryStar(self, node: ast.TryStar) -> None:
        self._handled("except*", node)

    def _handled(self, handler: str, node: ast.Try | ast.TryStar) -> None:
        outer, self._handler = self._handler, handler
        super()._Try(node)
        self._handler = outer

    def _ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.fill(self._handler)
        if node.type is not None:
            self.write(" ")
            self.dispatch(node.type)
        if node.name is not None:
            self.write(" as " + node.name)
        self._block(node.body)

    def _withitem(self, node: ast.withitem) -> None:
        # Parentheses right after "with" would be those of the statement.
        encloses = isinstance(node.context_expr, ast.Tuple) and node.optional_vars is None
        self.write("(" * encloses)
        super()._withitem(node)
        self.write(")" * encloses)

    # Expressions

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
        self._group("{", [lambda item=item: self._item(*item) for item in items], "}")

    def _item(self, key: ast.expr | None, value: ast.expr) -> None:
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

    # f-strings

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
            if isinstance(value, ast.Constant):
                pieces.append(piece(value.value, quote))
                continue
            assert isinstance(value, ast.FormattedValue)
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
        Printer(node, stream, quotes)
        text = stream.getvalue().rstrip("\n")
        if any(isinstance(inner, ast.Lambda) for inner in ast.walk(node)):
            # Its colon would start the format specification.
            text = f"({text})"
        return " " * text.startswith("{") + text

    # Patterns

    def _Match(self, node: ast.Match) -> None:
        self.fill("match ")
        self.dispatch(node.subject)
        self.enter()
        for case in node.cases:
            self.fill("case ")
            self.dispatch(case.pattern)
            if case.guard is not None:
                self.write(" if ")
                self.dispatch(case.guard)
            self._block(case.body)
        self.leave()

    def _MatchValue(self, node: ast.MatchValue) -> None:
        self.dispatch(node.value)

    def _MatchSingleton(self, node: ast.MatchSingleton) -> None:
        self.write(repr(node.value))

    def _MatchSequence(self, node: ast.MatchSequence) -> None:
        self.write("[")
        self._separated(node.patterns)
        self.write("]")

    def _MatchStar(self, node: ast.MatchStar) -> None:
        self.write("*" + (node.name or "_"))

    def _MatchMapping(self, node: ast.MatchMapping) -> None:
        parts = [lambda item=item: self._item(*item) for item in zip(node.keys, node.patterns, strict=True)]
        if node.rest is not None:
            parts.append(lambda: self.write(f"**{node.rest}"))
        self._group("{", parts, "}")

    def _MatchClass(self, node: ast.MatchClass) -> None:
        self.dispatch(node.cls)
        parts = self._parts(node.patterns)
        for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            parts.append(lambda name=name, pattern=pattern: (self.write(name + "="), self.dispatch(pattern)))
        self._group("(", parts, ")")

    def _MatchAs(self, node: ast.MatchAs) -> None:
        if node.pattern is None:
            self.write(node.name or "_")
        else:
            self._closed(node.pattern, ast.MatchAs)
            self.write(f" as {node.name}")

    def _MatchOr(self, node: ast.MatchOr) -> None:
        for number, pattern in enumerate(node.patterns):
            if number:
                self.write(" | ")
            self._closed(pattern, ast.MatchAs, ast.MatchOr)

    def _closed(self, pattern: ast.pattern, *loose: type[ast.pattern]) -> None:
        encloses = isinstance(pattern, loose) and getattr(pattern, "pattern", pattern) is not None
        self.write("(" * encloses)
        self.dispatch(pattern)
        self.write(")" * encloses)
