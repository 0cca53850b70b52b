"""The conversion of a function: what the rest of transpile sees of this room."""

import __future__

import ast
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from types import CellType, CodeType, FunctionType, MappingProxyType
from typing import Any

import gast

from .build import Relabelling, compile_definition
from .context import Context
from .locate import Located, locate
from .names import Names
from .pipeline import rewrite
from .refusals import refuse
from .scopes import Scopes
from .unparse import unparse

CONSUMERS = frozenset(
    ["all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"]
)
"""Builtins that are done with a function or generator passed to them when they return."""


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What conversion makes of a code object. It does not hold on to the original."""

    tree: ast.stmt | ast.expr
    code: CodeType
    codes: Mapping[CodeType, str]
    ops: str


class Conversion:
    """A function and its rewritten form, to be bound to operators."""

    def __init__(self, function: FunctionType, rewritten: Rewritten) -> None:
        self.function = function
        self._rewritten = rewritten

    @property
    def codes(self) -> Mapping[CodeType, str]:
        """All code that was made, each with the qualified name of the user's function that it belongs to."""
        return self._rewritten.codes

    def source(self) -> str:
        """Prints the rewritten function for people."""
        return unparse(self._rewritten.tree)

    def bind(
        self,
        ops: object,
        globals: dict[str, Any] | None = None,
        closure: Mapping[str, CellType] | None = None,
    ) -> FunctionType:
        """Makes a function that calls ``ops``, over the original's globals and closure cells.

        ``globals`` replaces the globals, and ``closure`` the cells that it names.
        """
        function, code = self.function, self._rewritten.code
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        cells |= closure or {}
        cells[self._rewritten.ops] = CellType(ops)
        converted = FunctionType(
            code,
            function.__globals__ if globals is None else globals,
            function.__name__,
            function.__defaults__,
            tuple(cells[name] for name in code.co_freevars),
        )
        for name in ("kwdefaults", "annotations", "doc", "qualname", "module", "type_params"):
            if hasattr(function, f"__{name}__"):
                setattr(converted, f"__{name}__", getattr(function, f"__{name}__"))
        vars(converted).update(vars(function))
        return converted


# Code objects compare by content, and not by file, so they are told apart by identity.
_cache: dict[tuple[int, bool], tuple[weakref.ref[CodeType], Rewritten]] = {}


def convert(function: FunctionType, looped: bool = False) -> Conversion:
    """Rewrites a function or lambda for ``ops``. Raises ``ConversionError`` for anything that is not understood.

    A ``looped`` function calls itself, by its own name, and becomes a loop. The work is done once for each code object.
    """
    if not isinstance(function, FunctionType):
        raise refuse("C001-not-a-function", None, name=repr(function))
    code = function.__code__
    key = id(code), looped
    if key not in _cache:
        rewritten = _rewritten(function, locate(function), looped)
        _cache[key] = weakref.ref(code, lambda _: _cache.pop(key, None)), rewritten
    return Conversion(function, _cache[key][1])


def _rewritten(function: FunctionType, located: Located, looped: bool) -> Rewritten:
    code = function.__code__
    try:
        tree = gast.ast_to_gast(located.node)
        scopes = Scopes(tree)
        context = context_of(function, scopes, located.class_name)
        lambdas = {
            (body.lineno, body.col_offset, body.end_lineno, body.end_col_offset)
            for body in (node.body for node in gast.walk(tree) if isinstance(node, gast.Lambda))
        }
        rewrite(tree, scopes, context, looped)
        new_tree = gast.gast_to_ast(tree)
        compiled = compile_definition(new_tree, code, located.class_name, located.imported, context.ops)
    except RecursionError:
        raise refuse("C040-too-deep", None, name=function.__qualname__) from None
    opaque = {
        (node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]))
        for node in context.opaque
    }
    relabelling = Relabelling(context.names.made_functions, lambdas, opaque)
    compiled = relabelling.relabel(compiled, code.co_qualname, code.co_qualname)
    return Rewritten(new_tree, compiled, MappingProxyType(relabelling.owners), context.ops)


def context_of(function: FunctionType, scopes: Scopes, class_name: str | None) -> Context:
    """Gives the surroundings of a function for its converters."""
    code = function.__code__
    names = Names({*scopes.identifiers, *code.co_freevars})
    shadowed = frozenset({*function.__globals__, *code.co_freevars})
    return Context(
        file=code.co_filename,
        qualname=code.co_qualname,
        names=names,
        ops=names.fresh("ops"),
        defers_annotations=bool(code.co_flags & __future__.annotations.compiler_flag),
        in_class="__class__" in code.co_freevars and "super" not in scopes.bound,
        class_name=class_name,
        shadowed=shadowed,
        consumers=CONSUMERS - shadowed - scopes.bound,
    )
