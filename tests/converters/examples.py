"""Reads the examples of a converter's docstring, and runs one converter on a text."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import Any

import gast

from transpile.converters.context import Context
from transpile.converters.control_flow import ControlFlow
from transpile.converters.declarations import Declarations
from transpile.converters.generators import Generators
from transpile.converters.handlers import Handlers
from transpile.converters.jumps import Jumps
from transpile.converters.late_binding import LateBinding, LateBindingInComprehension
from transpile.converters.names import Names
from transpile.converters.patterns import Patterns
from transpile.converters.pipeline import CANONICAL, EXPRESSIONS, Work
from transpile.converters.recursion import Recursion
from transpile.converters.scopes import Scopes
from transpile.converters.shared import Shared
from transpile.converters.targets import Targets
from transpile.converters.unbound import Unbound
from transpile.converters.unsupported import Unsupported
from transpile.converters.walrus import Walrus

_EXAMPLE = re.compile(r"Before:\n(.*?)\n *After:\n(.*?)(?=\n\s*Before:|\n *Note|\Z)", re.DOTALL)


def _control_flow(work: Work) -> None:
    Unbound(work.flow, work.scopes, work.context).convert(work.function)
    ControlFlow(work.flow, work.context, work.elsewhere()).convert(work.function)
    Shared(work.context, work.elsewhere(), work.unset).convert(work.function)


def _late_binding(work: Work) -> None:
    for step, _ in CANONICAL:
        step(work)
    work.analyse()
    _control_flow(work)


RUN: dict[type, Callable[[Work], Any]] = {
    Declarations: lambda work: Declarations(work.context).convert(work.function),
    Walrus: lambda work: Walrus(work.scopes, work.context).convert(work.function),
    Targets: lambda work: Targets(work.context).convert(work.function),
    Generators: lambda work: Generators(work.context).convert(work.function),
    Handlers: lambda work: Handlers(work.context).convert(work.function),
    Patterns: lambda work: Patterns(work.context).convert(work.function),
    Jumps: lambda work: Jumps(work.context).convert(work.function),
    Recursion: lambda work: Recursion(work.context).convert(work.function),
    Unsupported: lambda work: Unsupported(work.scopes, work.context).check(work.function),
    LateBinding: _late_binding,
    Shared: _late_binding,
    LateBindingInComprehension: lambda work: LateBindingInComprehension(work.scopes, work.context).check(
        work.function
    ),
    Unbound: lambda work: (
        work.analyse(),
        Unbound(work.flow, work.scopes, work.context).convert(work.function),
    ),
    ControlFlow: lambda work: (work.analyse(), _control_flow(work)),
    **{kind: lambda work, kind=kind: kind(work.context).convert(work.function) for kind, _ in EXPRESSIONS},
}
"""How each converter is run by itself."""


def examples(converter: type) -> list[tuple[str, str]]:
    """Gives the texts before and after of a converter's docstring."""
    doc = inspect.getdoc(converter) or ""
    return [(textwrap.dedent(before), textwrap.dedent(after)) for before, after in _EXAMPLE.findall(doc)]


def run(converter: type, text: str) -> str:
    """Gives the text of a function after one converter."""
    tree = gast.parse(textwrap.dedent(text)).body[0]
    scopes = Scopes(tree)
    context = Context(file="<example>", qualname="f", names=Names(scopes.identifiers), ops="ops")
    work = Work(tree, context)
    RUN[converter](work)
    return normal(gast.gast_to_ast(work.function))


def normal(tree: ast.AST | str) -> str:
    """Prints code in one form, however it was written."""
    if isinstance(tree, str):
        tree = ast.parse(textwrap.dedent(tree))
    return ast.unparse(ast.fix_missing_locations(tree)).strip()
