"""Prints syntax trees for people."""

import ast
import io
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .precedence import Precedence
from .print_expressions import ExpressionPrinter
from .quoting import docstring


def unparse(tree: ast.AST) -> str:
    """Gives the text of a tree, whose parse is the tree again."""
    stream = io.StringIO()
    Printer(tree, stream)
    return stream.getvalue().strip("\n") + "\n" * isinstance(tree, ast.Module)


class Printer(ExpressionPrinter):
    """Writes statements and patterns, those of today's syntax included."""

    def __init__(self, tree: ast.AST, stream: io.StringIO, quotes: Sequence[str] = ()) -> None:
        self._handler = "except"
        super().__init__(tree, stream, quotes)

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
        items = zip(node.keys, node.patterns, strict=True)
        parts: list[Callable[[], None]] = [partial(self._item, key, pattern) for key, pattern in items]
        if node.rest is not None:
            parts.append(partial(self.write, f"**{node.rest}"))
        self._group("{", parts, "}")

    def _MatchClass(self, node: ast.MatchClass) -> None:
        self.dispatch(node.cls)
        parts = self._parts(node.patterns)
        for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            parts.append(partial(self._named, name, pattern))
        self._group("(", parts, ")")

    def _named(self, name: str, pattern: ast.pattern) -> None:
        self.write(name + "=")
        self.dispatch(pattern)

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
