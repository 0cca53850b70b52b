"""Which statements a function of their own can stand for, and which have to stay in the function they are in."""

from collections.abc import Iterable

import gast

from transpile.runtime.errors import ConversionError

from .context import Context
from .islands_flow import IslandsFlow, stored_in, walk
from .scopes import Scopes
from .syntax import COMPREHENSIONS, FUNCTIONS, LOOPS, SCOPES
from .unsupported import Unsupported

# Names of what looks at the variables of the function that calls it, some of which a unit keeps to itself.
_SHOWS = frozenset(
    ("locals", "vars", "dir", "eval", "exec", "evaluate", "query", "currentframe", "_getframe", "f_locals")
)
# Names of what depends on the function or on the frame that it is in.
_BOUND_TO_FRAME = frozenset(
    ("super", "__class__", "_getframe", "_getframemodulename", "currentframe", "stacklevel")
)
_STACK = frozenset(("inspect", "stack"))
# What has to be in the function itself.
_STAYS = (
    gast.Yield,
    gast.YieldFrom,
    gast.Await,
    gast.AsyncFor,
    gast.AsyncWith,
    gast.Global,
    gast.Nonlocal,
    gast.Import,
    gast.ImportFrom,
)


class Rules:
    """Tells of the statements of one function whether a unit can stand for them."""

    def __init__(
        self, function: gast.FunctionDef, scopes: Scopes, flow: IslandsFlow, context: Context
    ) -> None:
        self._scopes = scopes
        self._flow = flow
        self._context = context
        scope = scopes[function]
        self._unsupported = Unsupported(scopes, context, frozenset(scope.bound))
        self._shared = flow.of(scope.stored)
        self._nonlocals = frozenset(scope.nonlocals)
        self._rebound = flow.stored(function.body)
        self._captured = self._taken_along(scopes.of.keys() - {function})

    def fits(self, node: gast.stmt) -> bool:
        """Whether a unit can stand for a statement."""
        flow = self._flow
        if any(isinstance(inner, _STAYS) for inner in walk([node])) or _jumps_out(node, False):
            return False
        every = list(gast.walk(node))
        names = {_identifier(inner) for inner in every}
        if (
            names & _BOUND_TO_FRAME
            or names >= _STACK
            or self._nonlocals & {*stored_in(node), *_deleted(every)}
        ):
            return False
        binds = flow.stored([node])
        if binds & self._captured or flow.summary(node).reads & self._shared:
            return False
        # A function made here would not see what the name means later.
        if self._taken_along(inner for inner in every if isinstance(inner, SCOPES)) & self._rebound:
            return False
        try:
            self._unsupported.visit(node)
        except ConversionError:
            return False
        return True

    def _taken_along(self, scopes: Iterable[gast.AST]) -> int:
        """Gives the names that functions and generators take with them, to read them who knows when."""
        return self._flow.of(
            name for node in scopes if not self._is_used_up(node) for name in self._scopes[node].free
        )

    def _is_used_up(self, node: gast.AST) -> bool:
        """Whether a comprehension is evaluated where it stands."""
        if isinstance(node, gast.GeneratorExp):
            return self._scopes.passed.get(node) in self._context.consumers
        return isinstance(node, COMPREHENSIONS)


def shows_variables(function: gast.FunctionDef) -> bool:
    """Whether something in a function may look at all its variables."""
    return not _SHOWS.isdisjoint(map(_identifier, gast.walk(function)))


def has_loop(node: gast.stmt) -> bool:
    """Whether there is a loop in a statement."""
    return any(isinstance(inner, LOOPS) for inner in walk([node]))


def is_plain(node: gast.stmt) -> bool:
    """Whether a statement only gives a name something new to start from."""
    if not isinstance(node, gast.Assign) or not all(isinstance(t, gast.Name) for t in node.targets):
        return False
    return not any(
        isinstance(inner, (gast.Call, gast.NamedExpr, gast.Attribute)) for inner in gast.walk(node)
    )


def _jumps_out(node: gast.stmt, in_loop: bool) -> bool:
    """Whether a statement jumps to the end or the start of a loop around it."""
    if isinstance(node, (gast.Break, gast.Continue)):
        return not in_loop
    if isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        return False
    if isinstance(node, LOOPS):
        return any(_jumps_out(inner, True) for inner in node.body) or any(
            _jumps_out(inner, in_loop) for inner in node.orelse
        )
    return any(
        _jumps_out(inner, in_loop)
        for inner in gast.iter_child_nodes(node)
        if isinstance(inner, (gast.stmt, gast.ExceptHandler, gast.match_case))
    )


def _deleted(nodes: Iterable[gast.AST]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Del)}


def _identifier(node: gast.AST) -> str:
    if isinstance(node, gast.Name):
        return str(node.id)
    if isinstance(node, gast.Attribute):
        return str(node.attr)
    return str(node.arg) if isinstance(node, gast.keyword) else ""
