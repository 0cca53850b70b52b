"""Parts a function that is not converted whole: loops become functions that can be, the rest stays as it was written."""

import ast
import copy
import itertools
import weakref
from ast import NodeTransformer
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import gast

from .build import Relabelling, compile_definition
from .islands_flow import IslandsFlow, Summary, walk
from .islands_marks import Marks, dotted, marker
from .islands_rules import Rules, has_loop, is_plain, shows_variables
from .locate import is_rewritten_by_pytest, locate
from .located import Located, know
from .rewriting import context_of
from .scopes import Scopes
from .syntax import (
    FUNCTIONS,
    LOOPS,
    arguments_of,
    assign,
    constant,
    function,
    has_docstring,
    load,
    place,
    store,
    tuple_of,
)
from .unparse import unparse

# Note [Islands]
# Where a function cannot be compiled whole, its loops still may be. A piece, a run of statements with a loop in it, is
# tried first as a function of its own, the unit, and runs as it was written where that cannot serve:
#
#     result = unit(x, total)
#     if result is None:
#         for i in range(len(x)):
#             total += x[i]
#     else:
#         (total,) = result
#         del result
#
# So the user's own statements stay in the user's own function, and nothing of what they do changes where they run: names
# that a loop leaves half-way, frames, tracebacks. Pieces nest: inside the loop above, which runs only where its own unit
# cannot serve, inner loops are pieces again.

# The most pieces of one function.
_PIECES = 40

Callee = Callable[[str], bool]
"""Whether the function that a global name, or an attribute of one, means is to be called through what stands for it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of statements that a function of its own can stand for.

    ``code`` is that of the function, which takes the names of ``inputs``. ``repeated`` says that it is in a loop of the
    function, ``caught`` that names which it binds are read where an exception leads, and ``hopes`` that it may end
    without having bound a name that it gives, and then fails.
    """

    name: str
    code: CodeType
    inputs: tuple[str, ...]
    first_line: int
    last_line: int
    repeated: bool
    caught: bool
    hopes: bool

    def bind(self, original: FunctionType) -> FunctionType:
        """Makes the function of the piece, over the globals and closure cells of the original."""
        cells = dict(zip(original.__code__.co_freevars, original.__closure__ or ()))
        closure = tuple(cells[name] for name in self.code.co_freevars)
        return FunctionType(self.code, original.__globals__, original.__name__, None, closure)

    def holds(self, other: "Piece") -> bool:
        """Whether another piece is a part of this one, by the lines."""
        own, lines = (self.first_line, self.last_line), (other.first_line, other.last_line)
        return own != lines and own[0] <= lines[0] and lines[1] <= own[1]


@dataclass(frozen=True, slots=True)
class Partition:
    """A function in parts: ``tree`` calls units by their names, ``code`` finds them among its constants."""

    tree: ast.stmt
    code: CodeType
    pieces: tuple[Piece, ...]
    callees: tuple[str, ...]

    def source(self) -> str:
        """Prints the function in parts for people."""
        return unparse(self.tree)

    def code_with(self, links: Mapping[str, object]) -> CodeType:
        """Gives the code that finds units, and what stands for callees, by the links put among its constants.

        The attribute ``to`` of a link is a weak reference to what is called: code is not seen by the collector of
        garbage. A unit is called where ``live`` is true; it returns ``None`` or what the piece gives. What stands for a
        callee is called where the callee is what ``function`` refers to.
        """
        markers = {marker(name): unit for name, unit in links.items()}
        constants = tuple(
            markers.get(value, value) if isinstance(value, str) else value for value in self.code.co_consts
        )
        return self.code.replace(co_consts=constants)


_cache: dict[int, tuple[weakref.ref[CodeType], Partition | None]] = {}


def partition(original: FunctionType, callee: Callee = lambda name: False) -> Partition | None:
    """Parts a function; ``None`` where nothing in it can be a unit. The work is done once for each code object.

    Raises ``ConversionError`` where there is no source to read.
    """
    code = original.__code__
    key = id(code)
    if key not in _cache:
        found = _Islands(original, locate(original), callee).partition()
        _cache[key] = weakref.ref(code, lambda _: _cache.pop(key, None)), found
    return _cache[key][1]


@dataclass(frozen=True, slots=True)
class _State:
    """What is known at a place: names certainly bound, names perhaps bound at some time before, and whether it is in a loop."""

    bound: int
    seen: int
    repeated: bool = False

    def after(self, summary: Summary, stores: int) -> "_State":
        """Gives the state after statements."""
        return _State(self.bound | summary.binds, self.seen | stores, self.repeated)

    def inside(self, stores: int, target: int = 0) -> "_State":
        """Gives the state in a loop."""
        return _State(self.bound | target, self.seen | stores, True)


Otherwise = Callable[[list[gast.stmt], _State], list[gast.stmt]]
"""Parts statements that run where their unit does not serve."""


class _Islands:
    """The partition of one function."""

    def __init__(self, original: FunctionType, located: Located, callee: Callee) -> None:
        self._original = original
        self._located = located
        self._callee = callee
        self._tree = gast.ast_to_gast(located.node)
        self._scopes = Scopes(self._tree)
        self._pieces: list[Piece] = []

    def partition(self) -> Partition | None:
        """Parts the function."""
        tree, code = self._tree, self._original.__code__
        if isinstance(tree, gast.Lambda) or is_rewritten_by_pytest(code):
            return None
        if shows_variables(tree):
            return None
        self._context = context_of(self._original, self._scopes, self._located.class_name)
        self._flow = IslandsFlow(tree, self._scopes)
        self._rules = Rules(tree, self._scopes, self._flow, self._context)
        parameters = self._flow.of(argument.id for argument in arguments_of(tree.args))
        docstring = tree.body[:1] if has_docstring(tree.body) else []
        tree.body = docstring + self._block(tree.body[len(docstring) :], _State(parameters, parameters))
        callees = tuple(sorted(self._callees()))
        if not self._pieces and not callees:
            return None
        shown = gast.gast_to_ast(tree)
        marked = Marks({piece.name for piece in self._pieces}, callees).visit(gast.gast_to_ast(tree))
        compiled = self._compiled(marked).replace(co_flags=code.co_flags)
        return Partition(shown, compiled, tuple(self._pieces), callees)

    def _compiled(self, tree: Any) -> CodeType:
        """Compiles a function in the place, and under the name, of the original."""
        code, located = self._original.__code__, self._located
        compiled = compile_definition(tree, code, located.class_name, located.imported)
        return Relabelling(frozenset(), frozenset(), frozenset()).relabel(
            compiled, code.co_qualname, code.co_qualname
        )

    def _callees(self) -> set[str]:
        """Lists the global names, and the attributes of such, that the function calls and something stands for."""
        scope = self._scopes[self._tree]
        local = {*scope.bound, *self._original.__code__.co_freevars}
        found = {
            name
            for node in walk(self._tree.body)
            if isinstance(node, gast.Call)
            and (name := dotted(node.func))
            and name.partition(".")[0] not in local
        }
        return {name for name in found if self._callee(name)}

    # -- where pieces are ----------------------------------------------------------------------------------------

    def _block(self, block: list[gast.stmt], state: _State) -> list[gast.stmt]:
        """Makes units of the longest runs of statements that units can stand for, and parts of the statements between."""
        made: list[gast.stmt] = []
        for fits, group in itertools.groupby(block, self._rules.fits):
            run = list(group)
            after = self._after(run, state)
            if fits and any(map(has_loop, run)):
                made += self._run(run, state, self._loops)
            else:
                made += self._parts(run, state)
            state = after
        return made

    def _loops(self, run: list[gast.stmt], state: _State) -> list[gast.stmt]:
        """Makes units of the loops of a run alone, each with the statements before that make what it starts from."""
        made: list[gast.stmt] = []
        pending: list[gast.stmt] = []
        for statement in run:
            pending.append(statement)
            if not has_loop(statement):
                continue
            start = len(pending) - 1
            while start and is_plain(pending[start - 1]):
                start -= 1
            before, alone = pending[:start], pending[start:]
            made += before
            state = self._after(before, state)
            after = self._after(alone, state)
            if len(alone) < len(run) and isinstance(statement, LOOPS):
                made += self._run(alone, state, self._parts)
            else:
                made += self._parts(alone, state)
            state, pending = after, []
        return made + pending

    def _parts(self, run: list[gast.stmt], state: _State) -> list[gast.stmt]:
        """Makes units within statements that stay as they are, and returns these."""
        for node in run:
            within, after = state, self._after([node], state)
            # What an exception interrupts may have been bound.
            broken = _State(state.bound, after.seen, state.repeated)
            if isinstance(node, (gast.With, gast.AsyncWith)):
                within = _State(after.bound, after.seen, state.repeated)
            elif isinstance(node, (gast.For, gast.AsyncFor)):
                within = state.inside(self._flow.stored([node]), self._flow.stored([node.target]))
            elif isinstance(node, gast.While):
                within = state.inside(self._flow.stored([node]))
            if hasattr(node, "orelse"):
                node.orelse = self._block(node.orelse, broken)
            if hasattr(node, "body") and not isinstance(node, (*FUNCTIONS, gast.ClassDef)):
                node.body = self._block(node.body, within)
            for handler in getattr(node, "handlers", ()):
                handler.body = self._block(handler.body, broken)
            if hasattr(node, "finalbody"):
                node.finalbody = self._block(node.finalbody, broken)
            for case in getattr(node, "cases", ()):
                names = self._flow.stored([case.pattern])
                case.body = self._block(case.body, _State(state.bound | names, after.seen, state.repeated))
            state = after
        return run

    def _after(self, run: list[gast.stmt], state: _State) -> _State:
        return state.after(self._flow.block(run), self._flow.stored(run))

    # -- units ---------------------------------------------------------------------------------------------------

    def _run(self, run: list[gast.stmt], state: _State, otherwise: Otherwise) -> list[gast.stmt]:
        """Makes a unit of a run of statements, and returns those that call it; `otherwise` gives what runs without it."""
        flow, live = self._flow, self._flow.live[run[-1]]
        summary = flow.block(run)
        binds = flow.stored(run)
        ends = summary.binds >= 0
        outputs = binds & live.after if ends else 0
        # A name that nothing has bound before is the unit's own, even where it may read it, or end, without having bound it.
        inputs = (summary.reads & (state.seen | ~binds)) | (outputs & ~summary.binds & state.seen)
        returns = any(isinstance(node, gast.Return) for node in walk(run))
        # A function that returns in the middle would have to give names that are not bound there.
        cannot = (returns and outputs & ~inputs) or flow.unbound(run) & live.after
        if len(self._pieces) >= _PIECES or cannot:
            return otherwise(run, state)
        results = flow.names(outputs)
        names = self._context.names
        unit, result = names.fresh("unit"), names.shared("result")
        taken = flow.names(inputs)
        self._pieces.append(
            Piece(
                unit,
                self._unit(run, taken, results, returns, ends),
                tuple(taken),
                run[0].lineno,
                run[-1].end_lineno,
                state.repeated,
                bool(binds & live.handlers),
                bool(outputs & ~summary.binds & ~inputs),
            )
        )
        call = assign(result, gast.Call(load(unit), [load(name) for name in taken], []), run[0])
        uncertain = flow.names(inputs & ~(state.bound & ~flow.deleted))
        first: list[gast.stmt] = [call]
        if uncertain:
            # What is unbound is left to the statements themselves.
            looks = [place(gast.Expr(load(name)), run[0]) for name in uncertain]
            unbound = gast.ExceptHandler(None, None, [assign(result, constant(None), run[0])])
            first = [place(gast.Try(looks, [place(unbound, run[0])], [call], []), run[0])]
        test = gast.Compare(load(result), [gast.Is()], [constant(None)])
        given = self._given(result, results, returns, ends, run[0])
        return [*first, place(gast.If(test, otherwise(run, state), given), run[0])]

    def _unit(
        self, run: list[gast.stmt], inputs: list[str], outputs: list[str], returns: bool, ends: bool
    ) -> CodeType:
        """Compiles the function that stands for a run, and makes its source known."""
        last = place(gast.Return(tuple_of(outputs)), run[-1])
        declared = sorted(self._scopes[self._tree].globals)
        if returns:
            marks = [constant(False), constant(None)] if ends else []
            last.value = gast.Tuple([*marks, *map(load, outputs)], gast.Load())
            run = [_Returns(ends, outputs).visit(copy.deepcopy(node)) for node in run]
        body = [*run, last] if ends else run
        if declared:
            body = [place(gast.Global(declared), run[0]), *body]
        tree = gast.gast_to_ast(function(self._tree.name, inputs, body, run[0]))
        tree.end_lineno, tree.end_col_offset = run[-1].end_lineno, run[-1].end_col_offset
        code = self._compiled(tree)
        know(code, Located(tree, self._located.class_name, self._located.imported))
        return code

    def _given(
        self, result: str, outputs: list[str], returns: bool, ends: bool, at: gast.stmt
    ) -> list[gast.stmt]:
        """Builds the statements that take what a unit gives."""

        def item(number: int) -> gast.expr:
            return gast.Subscript(load(result), constant(number), gast.Load())

        if not ends:
            return [place(gast.Return(item(0)), at)]
        taken: list[gast.stmt] = []
        if returns:
            returned: gast.stmt = place(gast.Return(item(1)), at)
            taken.append(place(gast.If(item(0), [returned], []), at))
            taken += [assign(name, item(number), at) for number, name in enumerate(outputs, 2)]
        elif outputs:
            taken.append(
                assign(gast.Tuple([store(name) for name in outputs], gast.Store()), load(result), at)
            )
        # Nothing is kept alive longer than it was.
        deleted = gast.Delete([gast.Name(result, gast.Del(), None, None)])
        return [*taken, place(deleted, at)]


class _Returns(NodeTransformer):
    """Marks what is returned, to tell it from what a unit gives at its end."""

    def __init__(self, ends: bool, outputs: list[str]) -> None:
        self._ends = ends
        self._outputs = outputs

    def visit_Return(self, node: gast.Return) -> gast.Return:
        value = node.value or constant(None)
        marked = [constant(True), value, *(load(name) for name in self._outputs)] if self._ends else [value]
        return place(gast.Return(gast.Tuple(marked, gast.Load())), node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef:
        return node

    visit_Lambda = visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef
