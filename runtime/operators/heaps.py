"""The functions of `heapq`, as it writes them in Python; C does the same, comparison by comparison."""

from __future__ import annotations

import ast
import functools
import heapq
import inspect
import linecache
import types
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import recorder

from .call import call
from .logic import compare_one, not_

# Where the text that is traced is found by its lines.
_FILE = "<heapq, comparisons by name>"


def _less(one: Any, other: Any) -> Any:
    return one < other


FUNCTIONS[_less] = lambda one, other: compare_one("<", one, other)


class _ByName(ast.NodeTransformer):
    """Makes comparisons calls, so that tuples, too, are compared as run time says."""

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Rewrite `a < b`."""
        self.generic_visit(node)
        if len(node.ops) > 1 or not isinstance(node.ops[0], ast.Lt):
            return node
        return ast.Call(ast.Name(_less.__name__, ast.Load()), [node.left, *node.comparators], [])


@functools.cache
def _written() -> dict[str, Any]:
    """Return what `heapq` defines itself, without what it then takes from C."""
    tree = ast.parse(inspect.getsource(heapq))
    tree.body = [statement for statement in tree.body if not isinstance(statement, ast.Try)]
    text = ast.unparse(_ByName().visit(tree))
    linecache.cache[_FILE] = len(text), None, text.splitlines(keepends=True), _FILE
    namespace: dict[str, Any] = {"__name__": heapq.__name__, _less.__name__: _less}
    exec(compile(text, _FILE, "exec"), namespace)
    return namespace


def _stand_in(name: str) -> Callable[..., Any]:
    needs_items = "push" not in name and ("pop" in name or "replace" in name)

    def traced(heap: Any, *item: Any) -> Any:
        if not isinstance(heap, list):
            recorder().unstageable("S292-heap", f"heapq.{name} is given something else than a list")
        if needs_items:
            # C says it in other words than the list would.
            raise_if(not_(heap), lambda: IndexError("index out of range"))
        return call(_written()[name], heap, *item)

    return traced


for _name, _function in vars(heapq).items():
    if isinstance(_function, types.BuiltinFunctionType):
        FUNCTIONS[_function] = _stand_in(_name)
