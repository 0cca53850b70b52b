"""The order in which a function is converted."""

from collections.abc import Callable, Iterator, Mapping

import gast

from .attempts import Attempts
from .calls import Calls
from .classes import Classes
from .comparisons import Comparisons
from .comprehensions import Comprehensions
from .context import Context
from .control_flow import ControlFlow
from .converter import Converter
from .declarations import Declarations
from .displays import Displays
from .effects import Effects
from .failures import Failures
from .flow import Flow
from .generators import Generators
from .handlers import Handlers
from .imports import Imports
from .jumps import Jumps
from .late_binding import LateBinding, LateBindingInComprehension
from .logic import Logic
from .patterns import Patterns
from .recursion import Recursion
from .recursion_group import check_bound_once, receiver_of
from .scopes import Scopes
from .shared import Shared
from .strings import Strings
from .syntax import arguments_of
from .targets import Targets
from .unbound import Unbound
from .unsupported import Unsupported
from .walrus import Walrus


class Work:
    """A function on its way through the statement converters, with what is known of its names."""

    def __init__(self, function: gast.FunctionDef, context: Context) -> None:
        self.function = function
        self.context = context
        self.scopes = Scopes(function)
        self._local = dict.fromkeys(self.scopes[function].local)

    def analyse(self) -> None:
        """Runs the analysis. A name stays local where the statement that bound it could never be reached."""
        self.scopes = Scopes(self.function)
        bound = dict.fromkeys(self.scopes[self.function].local)
        local = self._local | bound
        self.effects = Effects(self.function, self.scopes, local, self.context)
        parameters = 0
        for argument in arguments_of(self.function.args):
            parameters |= self.effects.bits[argument.id]
        shared = LateBinding(self.effects).find(self.function)
        for name in self.scopes[self.function].stored:
            shared |= self.effects.bits.get(name, 0)
        missing = frozenset(self._local.keys() - bound.keys())
        self.flow = Flow(self.function, self.effects, parameters, missing, shared)
        self.shared = self.effects.listed(shared)
        self.unset = self.effects.listed(shared & ~parameters)

    def elsewhere(self) -> dict[str, type[gast.stmt]]:
        """Gives the names that are no variables of generated functions, each with the statement that says so."""
        scope = self.scopes[self.function]
        return {
            **dict.fromkeys(scope.globals, gast.Global),
            **dict.fromkeys((*scope.nonlocals, *self.shared), gast.Nonlocal),
        }


CANONICAL: tuple[tuple[Callable[[Work], None], str], ...] = (
    (
        lambda work: Declarations(work.context).convert(work.function),
        "first: the others may move statements into parts of the function, and these speak of all of it",
    ),
    (
        lambda work: Patterns(work.context).convert(work.function),
        "makes tests that may assign",
    ),
    (
        lambda work: Walrus(work.scopes, work.context).convert(work.function),
        "makes ifs, loops and breaks of expressions",
    ),
    (
        lambda work: Targets(work.context).convert(work.function),
        "after the loops that a comprehension may have become",
    ),
    (
        lambda work: Jumps(work.context).convert(work.function),
        "after all that makes jumps",
    ),
    (
        lambda work: Handlers(work.context).convert(work.function),
        "last of the canonical form: after a jump, too, the name is taken away",
    ),
)
"""The steps to the canonical form: what they are, and why in this place."""

FUNCTIONAL: tuple[tuple[Callable[[Work], None], str], ...] = (
    (Work.analyse, "once, on the canonical form: it has neither jumps nor names bound in lazy expressions"),
    (
        lambda work: Unbound(work.flow, work.scopes, work.context).convert(work.function),
        "needs statements where they were analysed; adds reads and stores that the analysis has foreseen",
    ),
    (
        lambda work: ControlFlow(work.flow, work.context, work.elsewhere()).convert(work.function),
        "the functions that it makes hide the structure of the statements",
    ),
    (
        lambda work: Shared(work.context, work.elsewhere(), work.unset).convert(work.function),
        "last: it says of those functions which names are not theirs",
    ),
)
"""The steps from the canonical to the functional form."""

EXPRESSIONS: tuple[tuple[type[Converter], str], ...] = (
    (Calls, "first: to it, what the others add would be calls and lambdas of the user's"),
    (Attempts, "in any place after them"),
    (Imports, "likewise"),
    (Failures, "before the comparisons, one of which it points at"),
    (
        Displays,
        "before the comprehensions, and before logic, which would hide the parts of conditional expressions",
    ),
    (Comprehensions, "before logic: several conditions become one, of a form that is final"),
    (Logic, "after the analysis, which would take its lambdas for functions that may be called later"),
    (Comparisons, "likewise"),
    (Classes, "in any place"),
    (Strings, "in any place"),
)
"""The converters of expressions, run on the whole tree once no statement refers to its parts any more."""


def rewrite(
    function: gast.FunctionDef | gast.Lambda,
    scopes: Scopes,
    context: Context,
    others: Mapping[str, gast.FunctionDef] | None = None,
) -> None:
    """Rewrites a function in place, functions inside included; as a loop with the ``others``, if any, where these are what it calls that calls it."""
    Unsupported(scopes, context).check(function)
    for other in (others or {}).values():
        Unsupported(Scopes(other), context).check(other)
        LateBindingInComprehension(Scopes(other), context).check(other)
    LateBindingInComprehension(scopes, context).check(function)
    if isinstance(function, gast.Lambda):
        Walrus(scopes, context).convert(function)
    else:
        check_bound_once(function, context)
        receiver = receiver_of(function) if context.qualname in context.loops else None
        _rewrite_statements(function, context, others, receiver)
    for converter, _ in EXPRESSIONS:
        converter(context).convert(function)


def _rewrite_statements(
    function: gast.FunctionDef,
    context: Context,
    others: Mapping[str, gast.FunctionDef] | None = None,
    receiver: str | None = None,
) -> None:
    parts = Generators(context).convert(function)
    for part in parts:
        Unsupported(Scopes(part), context).check(part)
        _rewrite_statements(part, context)
    if parts:
        return
    work = Work(function, context)
    for each in (work, *(Work(other, context) for other in (others or {}).values())):
        for step, _ in CANONICAL:
            step(each)
    if others is not None or context.qualname in context.loops:
        Recursion(context).convert(function, others or {}, receiver)
    for step, _ in FUNCTIONAL:
        step(work)
    for inner in _functions_inside(function.body, context):
        _rewrite_statements(inner, context.inside(inner.name))


def _functions_inside(body: list[gast.stmt], context: Context) -> Iterator[gast.FunctionDef]:
    for node in body:
        if isinstance(node, gast.FunctionDef) and node not in context.opaque:
            if node.name in context.names.made_functions:
                yield from _functions_inside(node.body, context)
            else:
                yield node
