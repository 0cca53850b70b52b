"""The code of modules that hand on each function that they define, as it is made of their source and kept for the next process."""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import marshal
import sys
import types
from pathlib import Path
from typing import Any

from transpile.converters import module_loops
from transpile.runtime.disk import Store

# The names of the decorators, which the module has to hold while it is executed: of functions, and of loops of its own, which are functions here.
DECORATOR = "__transpile_offer__"
LOOP = "__transpile_loop__"

# It takes longer to compile a large package than Python takes to load what it keeps of it, so this is kept, too.
_KEPT = Store("modules")


class _Decorate(ast.NodeTransformer):
    """Adds a decorator, the outermost, to the functions and methods that a module defines."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        first = node.decorator_list[0] if node.decorator_list else node
        node.decorator_list.insert(0, _decorator(DECORATOR, first))
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


class _DecorateLoops(_Decorate):
    """Makes functions of the loops that stand in the module itself, too, and decorates these."""

    def visit_For(self, node: ast.For | ast.While) -> Any:
        made = module_loops.as_function(node, LOOP)
        if made is None:
            return _Decorate().visit(node)
        made.decorator_list.append(_decorator(LOOP, node))
        return made

    visit_While = visit_For

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return _Decorate().visit(node)


def _decorator(name: str, at: ast.expr | ast.stmt) -> ast.Name:
    made = ast.copy_location(ast.Name(name, ast.Load()), at)
    made.end_lineno, made.end_col_offset = at.lineno, at.col_offset
    return made


def decorated(source: bytes, path: str, loops: bool = False) -> types.CodeType:
    """Return the code of a module that hands its functions and methods to a decorator, and its `loops` to another one; raises SyntaxError."""
    content = "\n".join(
        [_made_by(), sys.version, f"{sys.flags.optimize} {loops}", path, hashlib.sha256(source).hexdigest()]
    )
    data = _KEPT.load(content)
    if data is not None:
        code: types.CodeType = marshal.loads(data)
        return code
    decorate = _DecorateLoops() if loops else _Decorate()
    code = compile(decorate.visit(ast.parse(source, path)), path, "exec", dont_inherit=True)
    if loops:
        code = module_loops.named_as_module(code, LOOP)
    # What is nested too deeply to be kept is made anew.
    with contextlib.suppress(ValueError):
        _KEPT.save(content, marshal.dumps(code))
    return code


@functools.cache
def _made_by() -> str:
    files = (__file__, module_loops.__file__)
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()
