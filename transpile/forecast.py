"""What a call may take in plain Python, by its source and by what it is handed, before anything is traced."""

from __future__ import annotations

import ast
import contextlib
import functools
import linecache
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from transpile.runtime.frames import home_of, original_of
from transpile.runtime.quiet import no_warnings

from .forecast_calls import CALL, LIBRARY, items_of
from .forecast_expressions import ITEMS, PART, Expressions, Scope
from .forecast_values import (
    ARRAY,
    NUMBERS,
    OPAQUE_HOMES,
    UNKNOWN,
    Array,
    Bound,
    Stream,
    dims_of,
    is_a,
    is_users,
    passing,
    width_of,
)
from .frames import SUSPENDED
from .turns import has_loop

# Note [Forecasts]
# Whether a trace is risked in a first call is decided before anything of it is known but its source and its arguments. Statements are gone through once each, with
# numbers and sizes where they are known: a loop counts as often as it turns, and a function of the user's by what it does with what it is handed. Nothing of the
# user's is run: no property, no operator, no length but those of Python's and NumPy's own things. Where nothing tells how often a loop turns, that is guessed, rather
# low: what is left alone by mistake is compiled once its calls have taken long. Time that passes in products of matrices is left out: compiling saves none of it.

# Turns of a `while`, of one in a loop or that doubles something, and of a loop within one of which nothing tells how many, of which nothing tells how many either.
_TURNS, _WITHIN, _INNER = 1000, 3, 10
# How much sooner a loop ends that may be left, by itself or out of a loop within it.
_SOONER, _LATER = 4, 2
# From how many seconds on a turn is a pass over much; how many such turns a `while` has, one that only leaving ends, and what it takes for one in so many more turns to be had.
_PASS, _PASSES, _FEW, _ONE_IN = 1e-4, 300, 30, 100
# How often the test of an `if` holds of which nothing tells; in a loop, before a loop that nothing bounds; and before what fills something that is empty.
_HALF, _RARELY, _SELDOM = 0.5, 0.1, 0.01
# How a test compares that says how far a loop counts.
_TO = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.NotEq)
# Functions one in the other that are gone through.
_DEEP = 8


class Foreseen(NamedTuple):
    """What a call may take: seconds in plain Python that compiling may shorten, and seconds for a trace."""

    seconds: float
    trace: float


def foreseen(function: types.FunctionType, values: Sequence[Any]) -> Foreseen:
    """Return what a call with these values may take, and a trace of it."""
    forecast = _Forecast()
    # Whatever may come of statements that nobody has run, it is no error of the program's.
    with contextlib.suppress(Exception):
        forecast.call(function, values, {})
    return Foreseen(forecast.seconds, forecast.trace)


@functools.lru_cache(maxsize=256)
def _definition(code: types.CodeType) -> Any:
    """Return the definition of a function; None where there is none to be seen."""
    lines = linecache.getlines(code.co_filename)[code.co_firstlineno - 1 : _last_line(code)]
    try:
        # Whatever its indentation is.
        with no_warnings():
            (around,) = ast.parse("if True:\n " + " ".join(lines)).body
    except (SyntaxError, ValueError):
        return None
    found = around.body[0] if isinstance(around, ast.If) else None
    if isinstance(found, (ast.For, ast.While)) and code.co_name == "<module>":
        return ast.Module([found], [])
    return found if isinstance(found, ast.FunctionDef) and found.name == code.co_name else None


def _last_line(code: types.CodeType) -> int:
    """Return the last line that any instruction comes from."""
    own = max((end for _, end, _, _ in code.co_positions() if end is not None), default=code.co_firstlineno)
    return max(own, *(_last_line(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)), 0)


class _Forecast(Expressions):
    def __init__(self) -> None:
        super().__init__()
        self._calls: list[Any] = []
        # Loops around, of which nothing tells how often they turn.
        self._guesses = 0

    def call(self, function: types.FunctionType, values: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """Go through a call of a function, and return what it returns."""
        function = original_of(function)
        code = function.__code__
        node = None if home_of(function).partition(".")[0] in OPAQUE_HOMES else _definition(code)
        if node is None:
            self.seconds += PART * len(code.co_code) if is_users(function) and not has_loop(code) else LIBRARY
            return UNKNOWN
        names = code.co_varnames[: code.co_argcount]
        given = dict(
            zip(
                names[len(names) - len(function.__defaults__ or ()) :],
                function.__defaults__ or (),
                strict=True,
            )
        )
        given |= {**(function.__kwdefaults__ or {}), **dict(zip(names, values, strict=False)), **keywords}
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            given.setdefault(name, _content(cell))
        scope = Scope(given, function.__globals__, None)
        if not code.co_flags & SUSPENDED:
            return self.run(code, node, scope)
        before, self.yielded, self.item = self.yielded, 0.0, UNKNOWN
        self.run(code, node, scope)
        # How far a search goes is for those to say who ask for what it finds.
        found = Stream(None if _searches(node.body) else round(self.yielded), self.item)
        self.yielded = before
        return found

    def run(self, key: Any, node: Any, scope: Scope) -> Any:
        self.seconds += CALL
        if key in self._calls or len(self._calls) >= _DEEP:
            return UNKNOWN
        self._calls.append(key)
        try:
            if isinstance(node, ast.Lambda):
                return self.value(node.body, scope)
            self._block(node.body, scope)
        finally:
            self._calls.pop()
        return UNKNOWN if scope.result is None else scope.result

    # -- statements --------------------------------------------------------------------------------------------

    def _block(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        for place, statement in enumerate(statements):
            self._statement(statement, scope)
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Continue):
                # What follows is for the other turns.
                before = self._so_far()
                self._block(statements[place + 1 :], scope)
                self._weigh(before, 1 - self._share(statement.test, scope))
                break

    def _statement(self, node: Any, scope: Scope) -> None:
        if isinstance(node, ast.Assign):
            value = self.value(node.value, scope)
            for target in node.targets:
                self.store(target, value, scope)
        elif isinstance(node, ast.AugAssign):
            as_load = ast.BinOp(_loaded(node.target), node.op, node.value)
            self.store(node.target, self.value(as_load, scope), scope)
        elif isinstance(node, ast.AnnAssign):
            if node.value is not None:
                self.store(node.target, self.value(node.value, scope), scope)
        elif isinstance(node, ast.Return):
            value = self.value(node.value, scope) if node.value is not None else UNKNOWN
            scope.result = value if scope.result is None else scope.result
        elif isinstance(node, ast.If):
            self._if(node, scope)
        elif isinstance(node, ast.For):
            count, item = items_of(self.value(node.iter, scope))
            self.turn(count, ITEMS, node.body, scope, lambda: self.store(node.target, item, scope))
            self._block(node.orelse, scope)
        elif isinstance(node, ast.While):
            test = self.value(node.test, scope)
            count = 0 if type(test) in NUMBERS and not test else None
            turns = min(
                _WITHIN if self.around or _doubles(node.body) else _TURNS,
                *self._bounds(node.test, scope),
                _TURNS,
            )
            # What converges, by a test that compares, takes its time.
            is_compared = isinstance(node.test, ast.Compare)
            passes = _FEW if isinstance(node.test, ast.Constant) else _TURNS if is_compared else _PASSES
            self.turn(count, turns, node.body, scope, lambda: self.value(node.test, scope), passes)
            self._block(node.orelse, scope)
        elif isinstance(node, (ast.With, ast.Try)):
            self._block(node.body, scope)
        elif isinstance(node, ast.FunctionDef):
            scope.names[node.name] = Bound(node, scope)
        elif isinstance(node, ast.Expr):
            self.value(node.value, scope)
        else:
            self.seconds += PART

    def _if(self, node: Any, scope: Scope) -> None:
        test = self.value(node.test, scope)
        if type(test) in NUMBERS:
            self._block(node.body if test else node.orelse, scope)
            return
        # What is looked for from here and there is found once, and what is empty is filled for many turns.
        fills = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not) and _loops(node.body)
        rare = (_SELDOM if fills else _RARELY) if fills or _searches(node.body) else None
        share = rare if self.around and rare is not None else self._share(node.test, scope)
        before, names = self._so_far(), dict(scope.names)
        self._block(node.body, scope)
        self._weigh(before, share)
        before = self._so_far()
        self._block(node.orelse, scope)
        self._weigh(before, 1 - share)
        for name, value in scope.names.items():
            other = names.get(name, value)
            if type(value) in NUMBERS and (type(other) not in NUMBERS or other != value):
                scope.names[name] = UNKNOWN

    def _bounds(self, test: Any, scope: Scope) -> Iterator[int]:
        """Yield the integers that a loop counts to, as far as they are known: `len(found) < wanted`."""
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            for each in test.values:
                yield from self._bounds(each, scope)
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _TO):
            before = self.seconds
            sides = [self.value(each, scope) for each in (test.left, test.comparators[0])]
            self.seconds = before
            yield from (side for side in sides if type(side) is int and side > 0)

    def _share(self, test: Any, scope: Scope) -> float:
        """Return how often a test holds: half of the time, but for what counts (`done == 500`, `step % 100 == 0`)."""
        if not isinstance(test, ast.Compare) or len(test.ops) > 1 or not isinstance(test.ops[0], ast.Eq):
            return _HALF
        counter: Any = test.left
        of = test.comparators[0]
        if isinstance(counter, ast.BinOp) and isinstance(counter.op, ast.Mod):
            of = counter.right
        elif not isinstance(counter, ast.Name):
            return _HALF
        before = self.seconds
        often = self.value(of, scope)
        self.seconds = before
        return min(1 / often, _HALF) if type(often) is int and often > 0 else _HALF

    def turn(
        self,
        count: int | None,
        guess: int,
        body: Sequence[ast.stmt],
        scope: Scope,
        begin: Callable[[], Any],
        passes: int = _PASSES,
    ) -> None:
        """Go through the body of a loop, which counts as often as that turns; without a `count` a guess, of `passes` at most that take long."""
        if count == 0:
            return
        for name in _assigned(body):
            if type(scope.find(name)) in NUMBERS:
                scope.names[name] = UNKNOWN
        before = self._so_far()
        guessed = count is None
        inner = guessed and self._guesses
        self._guesses += guessed
        self.around += 1
        try:
            begin()
            self._block(body, scope)
        finally:
            self._guesses -= guessed
            self.around -= 1
            each = self.seconds - before[0]
            long = each > _PASS
            if count is None:
                often: float = min(guess, _INNER if inner else guess, passes if long else guess)
            else:
                sooner = _sooner(body)
                # What is done over and over until nothing changes soon ends.
                least = _FEW + count / _ONE_IN if long and sooner == _SOONER else count
                often = max(min(count / sooner, least), 1.0)
            self._weigh(before, often)

    def _so_far(self) -> tuple[float, float]:
        return self.seconds, self.yielded

    def _weigh(self, before: tuple[float, float], often: float) -> None:
        """Count what was gone through since as often as it is done."""
        seconds, yielded = before
        self.seconds = seconds + often * (self.seconds - seconds)
        self.yielded = yielded + often * (self.yielded - yielded)

    def store(self, target: Any, value: Any, scope: Scope) -> None:
        self.spend()
        if isinstance(target, ast.Name):
            scope.names[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts = self._parts(value, len(target.elts))
            for each, part in zip(target.elts, parts, strict=True):
                self.store(each, part, scope)
        elif isinstance(target, ast.Attribute):
            thing = self.value(target.value, scope)
            self.kept.append(thing)
            self.attributes[id(thing), target.attr] = value
        elif isinstance(target, ast.Subscript):
            place = self.value(target, scope)
            if is_a(place, Array):
                self.seconds += ARRAY + passing(place)

    def _parts(self, value: Any, count: int) -> Sequence[Any]:
        if type(value) in (tuple, list) and len(value) == count:
            return list(value)
        dims = dims_of(value)
        part = Array(dims[1:], width_of(value)) if dims is not None and len(dims) > 1 else UNKNOWN
        return [part] * count


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return UNKNOWN


def _assigned(body: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that statements give values to."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _sooner(body: Sequence[ast.AST]) -> int:
    """Return how many times sooner a loop may end that may be left."""
    left = 1
    for each in body:
        if isinstance(each, (ast.Break, ast.Return)):
            return _SOONER
        if isinstance(each, (ast.For, ast.While)):
            returns = any(isinstance(node, ast.Return) for node in ast.walk(each))
            left = max(left, _LATER if returns else 1)
        elif not isinstance(each, (ast.FunctionDef, ast.expr)):
            left = max(left, _sooner(list(ast.iter_child_nodes(each))))
    return left


def _loaded(target: Any) -> Any:
    """Return what is read where a target is changed in place."""
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Attribute):
        return ast.Attribute(target.value, target.attr, ast.Load())
    return ast.Subscript(target.value, target.slice, ast.Load())


def _searches(body: Sequence[ast.stmt]) -> bool:
    """Whether there is a loop that nothing bounds."""
    return any(isinstance(node, ast.While) for each in body for node in ast.walk(each))


def _loops(body: Sequence[ast.stmt]) -> bool:
    """Whether there is a loop."""
    kinds = (ast.For, ast.While, ast.comprehension)
    return any(isinstance(node, kinds) for each in body for node in ast.walk(each))


def _doubles(body: Sequence[ast.stmt]) -> bool:
    """Whether a loop doubles or halves something in each turn."""
    return any(
        isinstance(each, ast.AugAssign)
        and isinstance(each.op, (ast.Mult, ast.Div, ast.FloorDiv, ast.LShift, ast.RShift))
        and isinstance(each.value, ast.Constant)
        and type(each.value.value) is int
        for each in body
    )
