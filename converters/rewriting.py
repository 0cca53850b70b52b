"""The rewriting of one function, from its source to new code."""

import __future__

from collections.abc import Set
from types import FunctionType, MappingProxyType

import gast

from .build import Relabelling, compile_definition
from .context import Context
from .locate import locate
from .located import Located
from .names import Names
from .pipeline import rewrite
from .refusals import refuse
from .rewritten import Others, Rewritten
from .scopes import Scopes

CONSUMERS = frozenset(
    ["all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "str.join", "sum", "tuple"]
)
"""Builtins, and methods of theirs, that are done with a function or generator passed to them when they return."""


def rewritten(
    function: FunctionType, others: Others | None, loops: frozenset[str] = frozenset()
) -> Rewritten:
    """Rewrites a function, with the others that it becomes a loop with, if any; and the ``loops`` that functions inside become, or a method itself."""
    located = locate(function)
    code = function.__code__
    try:
        tree = gast.ast_to_gast(located.node)
        scopes = Scopes(tree)
        trees = None if others is None else _trees(function, located, others)
        outer = {name for other in (others or {}).values() for name in other.__code__.co_freevars}
        outer -= {*code.co_freevars, function.__name__, *(others or {})}
        inner = {name for other in (trees or {}).values() for name in Scopes(other).identifiers}
        context = context_of(function, scopes, located.class_name, outer, inner, loops)
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
    loops: frozenset[str] = frozenset(),
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
        loops=loops,
    )
