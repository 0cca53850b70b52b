"""Loops that stand in a module itself: each can be a function of its own, which binds the names of the module."""

import ast
from collections.abc import Iterator
from types import CodeType

from transpile.runtime.quiet import no_warnings

# Note [Loops of modules]
# What a script does outside of functions binds globals. A function that declares these does the same:
#
#     for i in range(n):                 def <module>():
#         total += x[i]                      global i, total
#                                            for i in range(n):
#                                                total += x[i]
#
# So a loop of a module is converted, compared with plain Python and left to it as any function is. Its code bears the name that
# Python gives to the code of the module, for tracebacks.

MODULE = "<module>"
"""The name of the code of a module."""

Loop = ast.For | ast.While

# What would do something else in a function, or makes what bears the name of the function that it is made in.
_STAYS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.AnnAssign)
# Names of what looks at the variables, or the frame, of the code that calls it.
_LOOKS = frozenset(
    ("locals", "vars", "dir", "eval", "exec", "_getframe", "_getframemodulename", "currentframe", "stack")
)


def loops_of(module: ast.Module) -> Iterator[Loop]:
    """Lists the loops that stand in a module, and in no other loop."""
    pending: list[ast.AST] = [*reversed(module.body)]
    while pending:
        node = pending.pop()
        if isinstance(node, Loop):
            yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            pending += reversed(list(ast.iter_child_nodes(node)))


def as_function(loop: Loop, name: str = MODULE) -> ast.FunctionDef | None:
    """Makes the function of a loop; ``None`` where that would not do the same."""
    for node in ast.walk(loop):
        if isinstance(node, _STAYS) or _name(node) in _LOOKS:
            return None
    try:
        with no_warnings():
            module = compile(ast.Module([_function(name, [loop])], []), "", "exec", dont_inherit=True)
    except SyntaxError:
        return None
    (code,) = (constant for constant in module.co_consts if isinstance(constant, CodeType))
    # What would be its variables, also where the compiler leaves out the statements that bind them.
    names = sorted({*code.co_varnames, *code.co_cellvars})
    declared: list[ast.stmt] = [ast.copy_location(ast.Global(names), loop)] if names else []
    return _function(name, [*declared, loop])


def named_as_module(code: CodeType, name: str) -> CodeType:
    """Gives the functions of this name, in the code of a module, the name of the code of a module; what they hold is named as if it were in that."""

    def renamed(inner: CodeType) -> CodeType:
        if inner.co_name == name:
            return _within_module(inner, MODULE)
        return inner

    constants = (renamed(value) if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def _within_module(code: CodeType, qualname: str) -> CodeType:
    constants = []
    for value in code.co_consts:
        if isinstance(value, CodeType):
            inner = value.co_qualname.removeprefix(f"{code.co_qualname}.<locals>.")
            value = _within_module(value, inner if qualname == MODULE else f"{qualname}.<locals>.{inner}")
        constants.append(value)
    own = MODULE if qualname == MODULE else code.co_name
    return code.replace(co_name=own, co_qualname=qualname, co_consts=tuple(constants))


def _function(name: str, body: list[ast.stmt]) -> ast.FunctionDef:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    made = ast.FunctionDef(name, nothing, body, [])
    vars(made)["type_params"] = []
    return ast.copy_location(made, body[-1])


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.name if isinstance(node, ast.alias) else ""
