"""Small builders of gast nodes, shared by the converters.

A built node has a position only where one is given; ``build`` fills in the others from the node around them.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import gast

T = TypeVar("T")

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, gast.ClassDef)
LOOPS = (gast.For, gast.While)

COMPREHENSIONS_ARE_INLINED = sys.version_info >= (3, 12)
"""Whether what a comprehension reads from around it are variables of its own function."""


def place(new: T, old: gast.AST) -> T:
    """Gives a new node the position of an old one."""
    gast.copy_location(new, old)
    return new


def load(name: str) -> gast.Name:
    """Builds a read of a name."""
    return gast.Name(name, gast.Load(), None, None)


def store(name: str) -> gast.Name:
    """Builds a name as a target."""
    return gast.Name(name, gast.Store(), None, None)


def constant(value: Any) -> gast.Constant:
    """Builds a literal."""
    return gast.Constant(value, None)


def assign(target: str | gast.expr, value: gast.expr, at: gast.AST) -> gast.Assign:
    """Builds ``target = value``."""
    return place(gast.Assign([store(target) if isinstance(target, str) else target], value, None), at)


def set_flag(name: str, value: bool, at: gast.AST) -> gast.Assign:
    """Builds ``name = True`` or ``name = False``."""
    return assign(name, constant(value), at)


def negate(test: gast.expr) -> gast.UnaryOp:
    """Builds ``not test``."""
    return gast.UnaryOp(gast.Not(), test)


def tuple_of(names: Iterable[str]) -> gast.Tuple:
    """Builds ``(a, b)`` to be read."""
    return gast.Tuple([load(name) for name in names], gast.Load())


def parameters(names: Iterable[str]) -> gast.arguments:
    """Builds the parameter list ``a, b``."""
    params = [gast.Name(name, gast.Param(), None, None) for name in names]
    return gast.arguments(params, [], None, [], [], None, [])


def thunk(body: gast.expr, *names: str) -> gast.Lambda:
    """Builds ``lambda a, b: body``."""
    return gast.Lambda(parameters(names), body)


def function(name: str, names: Iterable[str], body: list[gast.stmt], at: gast.AST) -> gast.FunctionDef:
    """Builds ``def name(a, b): body``."""
    return place(gast.FunctionDef(name, parameters(names), body, [], None, None, []), at)


def arguments_of(args: gast.arguments) -> list[gast.Name]:
    """Lists the parameters in the order in which they are written."""
    star = [args.vararg] if args.vararg else []
    keywords = [args.kwarg] if args.kwarg else []
    return [*args.posonlyargs, *args.args, *star, *args.kwonlyargs, *keywords]


def outside_expressions(node: gast.AST) -> Iterator[gast.expr]:
    """Gives what a ``def``, lambda or class evaluates in the scope around it, in order of evaluation."""
    yield from getattr(node, "decorator_list", ())
    if isinstance(node, gast.ClassDef):
        yield from node.bases
        yield from node.keywords
        return
    yield from node.args.defaults
    yield from (default for default in node.args.kw_defaults if default is not None)


def annotations_of(node: gast.AST) -> Iterator[gast.expr]:
    """Gives the annotations of a function's parameters and of its result."""
    yield from (arg.annotation for arg in arguments_of(node.args) if arg.annotation is not None)
    if getattr(node, "returns", None) is not None:
        yield node.returns


def inner_blocks(statement: gast.stmt) -> Iterator[list[gast.stmt]]:
    """Gives the blocks of a compound statement, in the order of the text."""
    if isinstance(statement, (gast.If, *LOOPS, gast.Try, gast.With)):
        yield statement.body
        for handler in getattr(statement, "handlers", ()):
            yield handler.body
        if not isinstance(statement, gast.With):
            yield statement.orelse
        if isinstance(statement, gast.Try):
            yield statement.finalbody


def is_constant_true(test: gast.expr) -> bool:
    """Says whether Python drops the test, as in ``while True``."""
    return isinstance(test, gast.Constant) and bool(test.value)


def has_docstring(body: Sequence[gast.stmt]) -> bool:
    """Says whether a body starts with a docstring."""
    return (
        bool(body)
        and isinstance(body[0], gast.Expr)
        and isinstance(body[0].value, gast.Constant)
        and isinstance(body[0].value.value, str)
    )


def until(loop: gast.stmt) -> str | None:
    """Gives the flag that ends a canonical loop, whose body then ends in ``if flag: break``."""
    match loop.body[-1:]:
        case [gast.If(test=gast.Name(id=flag), body=[gast.Break()], orelse=[])]:
            return str(flag)
    return None
