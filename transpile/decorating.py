"""Adds decorators to the functions that a module defines. It is loaded where nothing is kept of a module."""

from __future__ import annotations

import ast
import types
from typing import Any

from transpile.converters import module_loops


def compiled(source: bytes, path: str, decorator: str, loop: str | None) -> types.CodeType:
    """Return the code of a module that hands its functions and methods to a decorator, and its loops to another one, if that is given; raises SyntaxError."""
    decorate = _Decorate(decorator) if loop is None else _DecorateLoops(decorator, loop)
    code = compile(decorate.visit(ast.parse(source, path)), path, "exec", dont_inherit=True)
    return code if loop is None else module_loops.named_as_module(code, loop)


class _Decorate(ast.NodeTransformer):
    """Adds a decorator, the outermost, to the functions and methods that a module defines."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        first = node.decorator_list[0] if node.decorator_list else node
        node.decorator_list.insert(0, _decorator(self.name, first))
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


class _DecorateLoops(_Decorate):
    """Makes functions of the loops that stand in the module itself, too, and decorates these."""

    def __init__(self, name: str, loop: str) -> None:
        super().__init__(name)
        self.loop = loop

    def visit_For(self, node: ast.For | ast.While) -> Any:
        made = module_loops.as_function(node, self.loop)
        if made is None:
            return _Decorate(self.name).visit(node)
        made.decorator_list.append(_decorator(self.loop, node))
        return made

    visit_While = visit_For

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return _Decorate(self.name).visit(node)


def _decorator(name: str, at: ast.expr | ast.stmt) -> ast.Name:
    made = ast.copy_location(ast.Name(name, ast.Load()), at)
    made.end_lineno, made.end_col_offset = at.lineno, at.col_offset
    return made
