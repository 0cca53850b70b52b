"""The text of functions that ``dataclasses`` makes, which is in no file."""

import ast
from collections.abc import Iterator
from types import CodeType

from .build import compile_definition, same_code

_SIGNS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def generated(code: CodeType) -> ast.FunctionDef | None:
    """Gives what a generated function was made of: a text of one of the known forms that compiles to the same code."""
    for text in _texts(code):
        node = ast.parse(text).body[0]
        if isinstance(node, ast.FunctionDef) and same_code(compile_definition(node, code, None, ()), code):
            return node
    return None


def _texts(code: CodeType) -> Iterator[str]:
    """Writes what compares instances, for the fields that the code names: as tuples, or one by one from Python 3.13."""
    sign = _SIGNS.get(code.co_name)
    if sign is None:
        return
    fields = [name for name in code.co_names if name not in ("__class__", "NotImplemented")]
    mine, theirs = ("".join(f"{owner}.{name}," for name in fields) for owner in ("self", "other"))
    each = " and ".join(f"self.{name}==other.{name}" for name in fields) or "True"
    shortcut = " if self is other:\n  return True\n"
    for start, comparison in (("", f"({mine}){sign}({theirs})"), (shortcut, each)):
        yield (
            f"def {code.co_name}(self, other):\n{start}"
            f" if other.__class__ is self.__class__:\n  return {comparison}\n return NotImplemented\n"
        )
