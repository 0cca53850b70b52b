"""Lowers the statements of a kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from . import array_values, short_loops
from .arithmetic import NotLowered, Number, binary, cast
from .bindings import Bindings
from .calls import Calls
from .lanes import Lane
from .toolkit import ir, types

_INT64 = ir.IntType(64)


class Turns(NamedTuple):
    """A loop's turns: a counter that goes from `first` up to `last`, and, where the range has a step, the index that it stands for."""

    first: Any
    last: Any
    start: Any = None
    stride: Any = None


class Statements:
    """Lowers statements, at the place where the builder stands."""

    def __init__(self, bindings: Bindings, expressions: Calls) -> None:
        self.builder = bindings.builder
        self.bindings = bindings
        self.lifetimes = bindings.lifetimes
        self.expressions = expressions
        self.loops: list[Any] = []
        # How many parts of the text may still be written out; and whether a loop is just now, whose parts are counted already.
        self._unwritten = short_loops.ALL
        self._writes = False

    def body(self, body: Sequence[ast.stmt]) -> None:
        """Lower statements."""
        self.bindings.release(self.lifetimes.before.get(id(body), ()))
        for statement in body:
            if self.builder.block.is_terminated:
                return
            lower = getattr(self, type(statement).__name__.lower() + "_", None)
            if lower is None:
                raise NotLowered(f"a statement: {type(statement).__name__}")
            lower(statement)
            if not self.builder.block.is_terminated:
                self.bindings.release(self.lifetimes.after.get(id(statement), ()))

    def pass_(self, statement: ast.Pass) -> None:
        """Lower nothing."""

    def expr_(self, statement: ast.Expr) -> None:
        """Lower a call for its effect."""
        self.expressions.value(statement.value)

    def assign_(self, statement: ast.Assign) -> None:
        """Lower an assignment."""
        (target,) = statement.targets
        lifetimes = self.lifetimes
        if isinstance(target, ast.Tuple) and not isinstance(statement.value, ast.Tuple):
            value = self.expressions.number(statement.value)
            for place, item in enumerate(target.elts):
                self.place(item, self.expressions.item(value, place))
            return
        if lifetimes.makes(statement.value):
            # What the variable held goes before there is more.
            self.bindings.release(lifetimes.replaced.get(id(statement), ()))
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        sources = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        values = [self.expressions.value(source) for source in sources]
        taking = lifetimes.taking.get(id(statement), ())
        for item, source, value in zip(items, sources, values, strict=True):
            name = item.id if isinstance(item, ast.Name) else None
            if name in lifetimes.slots and name not in taking and not lifetimes.makes(source):
                self.builder.call(self.builder.module.globals["NRT_incref"], [value.meminfo])
        self.bindings.release(lifetimes.replaced.get(id(statement), ()))
        for item, value in zip(items, values, strict=True):
            self.place(item, value)
        for name in lifetimes.given.get(id(statement), ()):
            self.builder.store(array_values.NOBODY, self.bindings.slot(name))

    def place(self, target: ast.expr, value: Any) -> None:
        """Give what stands on the left a value."""
        if isinstance(target, ast.Name):
            self.bindings.assign(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise NotLowered(f"a target: {type(target).__name__}")
        array = self.expressions.array(target.value)
        array.store(self.expressions.indices(target.slice), cast(self.builder, value, array.kind.dtype))

    def augassign_(self, statement: ast.AugAssign) -> None:
        """Lower an operator that assigns."""
        if not isinstance(statement.target, ast.Name):
            raise NotLowered("an operator that assigns to an element")
        left = self.expressions.number(ast.Name(statement.target.id))
        operator = type(statement.op).__name__
        self.bindings.assign(
            statement.target.id,
            binary(self.builder, operator, left, self.expressions.number(statement.value)),
        )

    def break_(self, statement: ast.Break) -> None:
        """Lower the end of a loop."""
        self.builder.branch(self.loops[-1])

    def if_(self, statement: ast.If) -> None:
        """Lower a branch."""
        builder, test = self.builder, self.expressions.truth(statement.test)
        has_else = bool(statement.orelse or self.lifetimes.before.get(id(statement.orelse)))
        then, end = builder.append_basic_block("then"), builder.append_basic_block("endif")
        otherwise = builder.append_basic_block("else") if has_else else end
        builder.cbranch(test, then, otherwise)
        reached = not has_else
        for block, body in ((then, statement.body), (otherwise, statement.orelse))[: 1 + has_else]:
            builder.position_at_end(block)
            self.body(body)
            if not builder.block.is_terminated:
                builder.branch(end)
                reached = True
        builder.position_at_end(end)
        if not reached:
            builder.unreachable()

    @contextmanager
    def loop(self, end: Any) -> Iterator[None]:
        """Lower what stands in a loop that is left for a block."""
        self.loops.append(end)
        yield
        self.loops.pop()

    def while_(self, statement: ast.While) -> None:
        """Lower a loop on a test."""
        builder = self.builder
        head, end = builder.append_basic_block("while"), builder.append_basic_block("endwhile")
        builder.branch(head)
        builder.position_at_end(head)
        if not (isinstance(statement.test, ast.Constant) and statement.test.value is True):
            turn = builder.append_basic_block("turn")
            builder.cbranch(self.expressions.truth(statement.test), turn, end)
            builder.position_at_end(turn)
        with self.loop(end):
            self.body(statement.body)
        if not builder.block.is_terminated:
            builder.branch(head)
        builder.position_at_end(end)

    def for_(self, statement: ast.For) -> None:
        """Lower a loop over a range."""
        short = short_loops.short_turns(statement)
        if short is not None and self._writes:
            self.write_out(statement, short)
        elif short is not None and (parts := short_loops.written_parts(statement, short)) <= self._unwritten:
            self._unwritten -= parts
            self._writes = True
            self.write_out(statement, short)
            self._writes = False
        else:
            self.turns(statement, self.range(statement))

    def write_out(self, statement: ast.For, turns: range) -> None:
        """Lower the turns of a loop one after the other."""
        assert isinstance(statement.target, ast.Name)
        end = self.builder.append_basic_block("endfor")
        for turn in turns:
            self.bindings.assign(statement.target.id, Number(types.int64, ir.Constant(_INT64, turn)))
            with self.loop(end):
                self.body(statement.body)
            if self.builder.block.is_terminated:
                break
        else:
            self.builder.branch(end)
        self.builder.position_at_end(end)

    def range(self, statement: ast.For) -> Turns:
        """Return the turns of a loop over a range."""
        iterated = statement.iter
        if not (
            isinstance(statement.target, ast.Name)
            and isinstance(iterated, ast.Call)
            and isinstance(iterated.func, ast.Name)
            and iterated.func.id == "range"
        ):
            raise NotLowered("a loop over no range")
        builder = self.builder
        bounds = [cast(builder, self.expressions.number(bound), types.int64) for bound in iterated.args]
        start, stop = (bounds[0], bounds[1]) if len(bounds) > 1 else (ir.Constant(_INT64, 0), bounds[0])
        if len(bounds) < 3:
            return Turns(start, stop)
        return Turns(ir.Constant(_INT64, 0), self.length(start, stop, bounds[2]), start, bounds[2])

    def turns(self, statement: ast.For, turns: Turns) -> None:
        """Lower the turns of a loop: a test, and then turns with a test at their end."""
        builder = self.builder
        turn, end = builder.append_basic_block("for"), builder.append_basic_block("endfor")
        before = builder.block
        builder.cbranch(builder.icmp_signed("<", turns.first, turns.last), turn, end)
        builder.position_at_end(turn)
        counter = builder.phi(_INT64)
        counter.add_incoming(turns.first, before)
        index = counter
        if turns.start is not None:
            index = builder.add(turns.start, builder.mul(counter, turns.stride))
        assert isinstance(statement.target, ast.Name)
        self.bindings.assign(statement.target.id, Number(types.int64, index))
        with self.loop(end):
            self.body(statement.body)
        if not builder.block.is_terminated:
            following = builder.add(counter, ir.Constant(_INT64, 1), flags=("nsw",))
            counter.add_incoming(following, builder.block)
            builder.cbranch(builder.icmp_signed("<", following, turns.last), turn, end)
        builder.position_at_end(end)

    def length(self, start: Any, stop: Any, step: Any) -> Any:
        """Return how many numbers a range has: none where the step is 0, which is for the caller to look for."""
        builder = self.builder
        begin, end, stride = (Lane(builder, value) for value in (start, stop, step))
        down = stride < 0
        span = down.where(begin - end, end - begin)
        size = down.where(-stride, stride)
        some = down.where(begin > end, begin < end) & (stride != 0)
        size = (stride == 0).where(size.constant(1), size)
        count = span.like(builder.udiv((span - 1).value, size.value)) + 1
        return some.where(count, 0).value
