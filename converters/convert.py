"""The conversion of a function: what the rest of transpile sees of this room."""

import __future__

import ast
import weakref
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import partial
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


Others = Mapping[str, FunctionType]

# Code objects compare by content, and not by file, so they are told apart by identity. Those of the functions that are rewritten with one
# are kept with it.
_Key = tuple[int, frozenset[tuple[str, int]] | None]
_cache: dict[_Key, tuple[weakref.ref[CodeType], Rewritten, list[CodeType]]] = {}


def convert(function: FunctionType, others: Others | None = None) -> Conversion:
    """Rewrites a function or lambda for ``ops``. Raises ``ConversionError`` for anything that is not understood.

    With ``others``, it calls itself, by its own name, and becomes a loop; they are the functions over the same globals that call it and that it calls, by name.
    The work is done once for each code object.
    """
    if not isinstance(function, FunctionType):
        raise refuse("C001-not-a-function", None, name=repr(function))
    code = function.__code__
    codes = {name: other.__code__ for name, other in (others or {}).items()}
    key = id(code), None if others is None else frozenset((name, id(own)) for name, own in codes.items())
    if key not in _cache:
        rewritten = _rewritten(function, locate(function), others)
        _cache[key] = weakref.ref(code, partial(_forget, _cache, key)), rewritten, [*codes.values()]
    return Conversion(function, _cache[key][1])


def _forget(cache: dict[_Key, Any], key: _Key, _: Any) -> None:
    """Drop what is kept of code that is gone; when the interpreter ends, that may be after the names of this module are."""
    cache.pop(key, None)


def _rewritten(function: FunctionType, located: Located, others: Others | None) -> Rewritten:
    code = function.__code__
    try:
        tree = gast.ast_to_gast(located.node)
        scopes = Scopes(tree)
        trees = None if others is None else _trees(function, located, others)
        outer = {name for other in (others or {}).values() for name in other.__code__.co_freevars}
        outer -= {*code.co_freevars, function.__name__, *(others or {})}
        inner = {name for other in (trees or {}).values() for name in Scopes(other).identifiers}
        context = context_of(function, scopes, located.class_name, outer, inner)
        lambdas = {
            (body.lineno, body.col_offset, body.end_lineno, body.end_col_offset)
            for body in (node.body for node in gast.walk(tree) if isinstance(node, gast.Lambda))
        }
        rewrite(tree, scopes, context, trees)
        new_tree = gast.gast_to_ast(tree)
        compiled = compile_definition(
            new_tree, code, located.class_name, located.imported, context.ops, *sorted(outer)
        )
    except RecursionError:
        raise refuse("C040-too-deep", None, name=function.__qualname__) from None
    opaque = {
        (node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]))
        for node in context.opaque
    }
    relabelling = Relabelling(context.names.made_functions, lambdas, opaque)
    compiled = relabelling.relabel(compiled, code.co_qualname, code.co_qualname)
    return Rewritten(new_tree, compiled, MappingProxyType(relabelling.owners), context.ops)


def _trees(function: FunctionType, located: Located, others: Others) -> dict[str, gast.FunctionDef]:
    """Gives the trees of functions that are rewritten together with one."""
    found = {}
    for name, other in others.items():
        there = locate(other)
        alike = (
            other.__code__.co_filename == function.__code__.co_filename
            and there.class_name == located.class_name
        )
        tree = gast.ast_to_gast(there.node)
        if not alike or not isinstance(tree, gast.FunctionDef):
            raise refuse(
                "C042-recursion",
                None,
                name=function.__name__,
                what=f"calls {name}, which is defined elsewhere",
            )
        found[name] = tree
    return found


def context_of(
    function: FunctionType,
    scopes: Scopes,
    class_name: str | None,
    outer: Set[str] = frozenset(),
    taken: Set[str] = frozenset(),
) -> Context:
    """Gives the surroundings of a function for its converters: ``outer`` are more variables around it, and names that are ``taken`` are not used again."""
    code = function.__code__
    names = Names({*scopes.identifiers, *code.co_freevars, *outer, *taken})
    shadowed = frozenset({*function.__globals__, *code.co_freevars, *outer})
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
