"""Where two NaNs of different signs meet, neither Python nor NumPy says which one is left."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..end_to_end.comparison import call
from .programs import module

# Note [Signs of NaN]
# An instruction that is given one NaN gives that one, and one that makes NaN of numbers gives the processor's own, which is negative on x86. Given two,
# it gives the first, and which one that is compilers choose for `+`, `*`, `fmax` and `fmin`. So NumPy's vector code gives another one than what is left
# of an array that fills no vector, an array with a number another one than two arrays, and Python 3.11 changes its mind on `x + y` at the eighth call of
# a function. The least or largest of several elements is a positive NaN in vector code, and a NaN that is there in elements with gaps between them.
# Signs of NaN are compared, but for programs in which NaNs of both signs are met, or negative ones by these.


_EXTREMES = {"min", "max", "minimum", "maximum"}


def has_both_signs(text: str, makers: Sequence[str]) -> bool:
    """Whether any value in a program, called on the arguments that these functions make, is a NaN of another sign than another one, or may become one."""
    signs: set[bool] = set()

    def seen(value: Any) -> Any:
        signs.update(_signs(value))
        return value

    space = module(ast.unparse(ast.fix_missing_locations(_Watched().visit(ast.parse(text)))), {"_seen": seen})

    def run(arguments: tuple[Any, ...]) -> None:
        seen(space["f"](*arguments))

    for make in makers:
        arguments = seen(space[make]())
        call(lambda *_, given=arguments: run(given), ())
        seen(arguments)
    return len(signs) == 2 or (True in signs and bool(_EXTREMES & set(re.findall(r"\w+", text))))


def _signs(value: Any) -> set[bool]:
    """Return the signs of the NaNs in a value: both, where NumPy's functions may make one of infinities beside one that is there."""
    if isinstance(value, (list, tuple, dict)):
        return {s for item in (value.values() if isinstance(value, dict) else value) for s in _signs(item)}
    if not isinstance(value, (float, complex, np.ndarray, np.inexact)):
        return set()
    array = np.asarray(value)
    if array.dtype.kind not in "fc":
        return set()
    found = {
        bool(sign)
        for part in (array.real, array.imag)
        for sign in np.unique(np.signbit(part[np.isnan(part)]))
    }
    return {False, True} if found and np.isinf(array).any() else found


class _Watched(ast.NodeTransformer):
    """Has every value in a program looked at."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.pattern):
            return node
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                if isinstance(part, ast.FormattedValue):
                    part.value = self.visit(part.value)
            return node
        node = self.generic_visit(node)
        if (
            not isinstance(node, ast.expr)
            or isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))
            or any(isinstance(part, (ast.Slice, ast.Starred)) for part in getattr(node, "elts", [node]))
        ):
            return node
        return ast.Call(ast.Name("_seen", ast.Load()), [node], [])
