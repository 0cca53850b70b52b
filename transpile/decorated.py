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

from transpile.runtime.disk import Store

# The name of the decorator, which the module has to hold while it is executed.
DECORATOR = "__transpile_offer__"

# It takes longer to compile a large package than Python takes to load what it keeps of it, so this is kept, too.
_KEPT = Store("modules")


class _Decorate(ast.NodeTransformer):
    """Adds a decorator, the outermost, to the functions and methods that a module defines."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        first = node.decorator_list[0] if node.decorator_list else node
        decorator = ast.copy_location(ast.Name(DECORATOR, ast.Load()), first)
        decorator.end_lineno, decorator.end_col_offset = first.lineno, first.col_offset
        node.decorator_list.insert(0, decorator)
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        return node


def decorated(source: bytes, path: str) -> types.CodeType:
    """Return the code of a module that hands its functions and methods to a decorator; raises SyntaxError."""
    content = "\n".join(
        [_made_by(), sys.version, str(sys.flags.optimize), path, hashlib.sha256(source).hexdigest()]
    )
    data = _KEPT.load(content)
    if data is not None:
        code: types.CodeType = marshal.loads(data)
        return code
    code = compile(_Decorate().visit(ast.parse(source, path)), path, "exec", dont_inherit=True)
    # What is nested too deeply to be kept is made anew.
    with contextlib.suppress(ValueError):
        _KEPT.save(content, marshal.dumps(code))
    return code


@functools.cache
def _made_by() -> str:
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
