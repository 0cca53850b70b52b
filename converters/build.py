"""From a syntax tree to the code of a function, under the user's file name and positions."""

import __future__

import ast
import copy
from collections.abc import Iterable, Set
from inspect import CO_OPTIMIZED
from types import CodeType
from typing import Any

from transpile.runtime.quiet import no_warnings

from .located import Definition
from .names import mangled

Extent = tuple[int, int, int, int]
"""First line and column, last line and column, of a piece of text; columns in bytes of UTF-8."""

_Place = tuple[int, int, int | None, int | None]

_FUTURE = 0
for _name in __future__.all_feature_names:
    _FUTURE |= getattr(__future__, _name).compiler_flag


def compile_definition(
    node: Definition, original: CodeType, class_name: str | None, imported: Iterable[str], *injected: str
) -> CodeType:
    """Compiles a definition as it would be where the original stands: same variables around it, same class, same flags.

    ``imported`` are the names that the module imports: the compiler calls their attributes in another way.
    ``injected`` are more variables around it. Decorators and type parameters are left out.
    """
    body: ast.stmt = ast.Return(node)  # type: ignore[arg-type]
    if not isinstance(node, ast.Lambda):
        body = copy.copy(node)
        body.decorator_list = []
        vars(body)["type_params"] = []
    free = [ast.arg(name) for name in (*injected, *original.co_freevars)]
    arguments = ast.arguments(posonlyargs=[], args=free, kwonlyargs=[], kw_defaults=[], defaults=[])
    around: list[ast.stmt] = [body]
    if not isinstance(node, ast.Lambda) and mangled(node.name, class_name) not in original.co_freevars:
        # A function that calls itself by a global name must not find the variable of the factory.
        around.insert(0, ast.Global([node.name]))
    tree: ast.stmt = _made(ast.FunctionDef, name="factory", args=arguments, body=around, decorator_list=[])
    if class_name is not None:
        # The compiler mangles private names by it.
        tree = _made(ast.ClassDef, name=class_name, bases=[], keywords=[], body=[tree], decorator_list=[])
    ast.copy_location(tree, node)
    imports: list[ast.stmt] = [ast.Import([ast.alias(name)]) for name in sorted(imported)]
    module = ast.Module([*imports, tree], [])
    _fill(module, (1, 0, 1, 0), injected)
    flags = original.co_flags & _FUTURE
    with no_warnings():
        code = compile(module, original.co_filename, "exec", flags, dont_inherit=True)
    for _ in range(1 if class_name is None else 2):
        code = next(constant for constant in code.co_consts if isinstance(constant, CodeType))
    # Functions in default values and annotations come before.
    return [
        constant
        for constant in code.co_consts
        if isinstance(constant, CodeType) and constant.co_name == original.co_name
    ][-1]


def same_code(one: CodeType, other: CodeType) -> bool:
    """Says whether two pieces of code do the same, wherever they stand."""
    return _content(one) == _content(other)


def extent(code: CodeType) -> Extent | None:
    """Finds the text that the instructions of a lambda come from, as far as that can be seen from the code."""
    ranges = [
        (line, column, end_line, end_column)
        for line, end_line, column, end_column in code.co_positions()
        if line is not None and end_line is not None and column is not None and end_column is not None
        # Instructions that stand for the function as a whole have an empty range.
        if (line, column) != (end_line, end_column)
    ]
    if not ranges:
        return None
    return *min(place[:2] for place in ranges), *max(place[2:] for place in ranges)


def _fill(node: ast.AST, around: _Place, injected: tuple[str, ...]) -> None:
    """Gives positions to the nodes that have none: that of the node around them.

    The names of operators end where they start: Python takes the line of a method's call from the method's name.
    """
    values = vars(node)
    if "lineno" in node._attributes:
        if "lineno" in values:
            around = values["lineno"], values["col_offset"], values["end_lineno"], values["end_col_offset"]
        else:
            values["lineno"], values["col_offset"], values["end_lineno"], values["end_col_offset"] = around
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name)) as function) if name in injected:
            _fill(function, (*around[:2], *around[:2]), ())
    for field in node._fields:
        value = values.get(field)
        if isinstance(value, list):
            for inner in value:
                if isinstance(inner, ast.AST):
                    _fill(inner, around, injected)
        elif isinstance(value, ast.AST) and value._fields:
            _fill(value, around, injected)


def _made(kind: Any, **fields: Any) -> Any:
    if "type_params" in kind._fields:
        fields["type_params"] = []
    return kind(**fields)


def _names_class(value: Any, code: CodeType) -> bool:
    """Says whether a constant is the qualified name that the body of a class holds of itself."""
    return not code.co_flags & CO_OPTIMIZED and isinstance(value, str) and value == code.co_qualname


def _content(code: CodeType) -> tuple[Any, ...]:
    constants = tuple(
        _content(value)
        if isinstance(value, CodeType)
        else value
        if isinstance(value, frozenset)
        else repr(value)
        for value in code.co_consts
        if not _names_class(value, code)
    )
    return code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


class Relabelling:
    """Gives compiled code the qualified names of the user's functions, and tells which code belongs to which of them.

    ``made`` are the names of generated functions, ``lambdas`` the extents of the bodies of the user's own lambdas.
    ``opaque`` are the functions inside that were not converted, by name and line: their code is the user's.
    """

    def __init__(self, made: Set[str], lambdas: Set[Extent], opaque: Set[tuple[str, int]]) -> None:
        self._made = made
        self._lambdas = lambdas
        self._opaque = opaque
        self.owners: dict[CodeType, str] = {}

    def relabel(self, code: CodeType, qualname: str, owner: str | None) -> CodeType:
        """Renames a code object and those inside it. ``owner`` is the user's function, or none for opaque code."""
        constants = []
        for value in code.co_consts:
            if isinstance(value, CodeType):
                value = self._inner(value, code.co_qualname, qualname, owner)
            elif _names_class(value, code):
                value = qualname
            constants.append(value)
        renamed = code.replace(co_qualname=qualname, co_consts=tuple(constants))
        if owner is not None:
            self.owners[renamed] = owner
        return renamed

    def _inner(self, code: CodeType, outer: str, qualname: str, owner: str | None) -> CodeType:
        suffix = code.co_qualname.removeprefix(outer)
        if owner is None or self._is_generated(code):
            return self.relabel(code, qualname + suffix, owner)
        opaque = (code.co_name, code.co_firstlineno) in self._opaque
        return self.relabel(code, owner + suffix, None if opaque else owner + suffix)

    def _is_generated(self, code: CodeType) -> bool:
        if code.co_name == "<lambda>":
            place = extent(code)
            return place is not None and place not in self._lambdas
        return code.co_name in self._made or code.co_name.startswith("<")
