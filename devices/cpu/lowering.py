"""Lowers the text of a kernel to LLVM's code, without numba's own way there."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from . import array_values
from .arithmetic import NotLowered, Number, binary, cast
from .bindings import Bindings
from .calls import Calls
from .lanes import Lane
from .toolkit import RETCODE_OK, ir, types

# Note [Lowering]
# numba takes a function through bytecode, its own intermediate form, inference by unification and general data structures. A kernel's text is a small language in
# which the type of every expression is known where it is read, in one pass from the first line to the last. So each line becomes LLVM's code at once. Variables
# that are assigned once are values; the others lie in memory of the stack, which LLVM makes values again. What the pass does not know raises
# NotLowered, and numba compiles the kernel.

_INT64 = ir.IntType(64)


class Lowering:
    """Lowers one kernel into a function that is there, and empty."""

    def __init__(
        self,
        context: Any,
        kernel: ast.FunctionDef,
        namespace: Mapping[str, Any],
        function: Any,
        kinds: Sequence[Any],
        returned: Any,
    ) -> None:
        self.context = context
        self.function = function
        self.builder: Any = ir.IRBuilder(function.append_basic_block("entry"))
        self.kernel = kernel
        self.returned = returned
        names = [argument.arg for argument in kernel.args.args]
        given = dict(zip(names, kinds, strict=True))
        self.bindings = Bindings(context, self.builder, kernel, namespace, given)
        self.lifetimes = self.bindings.lifetimes
        self.expressions = Calls(self.bindings, function)
        self.loops: list[Any] = []
        self.exit = function.append_basic_block("exit")
        values = context.get_arg_packer(kinds).from_arguments(
            self.builder, context.call_conv.get_arguments(function)
        )
        for name, kind, value in zip(names, kinds, values, strict=True):
            if isinstance(kind, types.Array):
                self.bindings.assign(name, array_values.from_structure(context, self.builder, kind, value))
            else:
                self.bindings.assign(name, Number(kind, value))

    def run(self) -> None:
        """Write the function's code."""
        self.body(self.kernel.body)
        if not self.builder.block.is_terminated:
            raise NotLowered("a kernel that ends without a status")
        builder = self.builder
        builder.position_at_end(self.exit)
        self.bindings.release_all()
        self.context.call_conv._return_errcode_raw(builder, RETCODE_OK)
        if self.expressions.out_of_memory is not None:
            builder.position_at_end(self.expressions.out_of_memory)
            self.bindings.release_all()
            self.context.call_conv.return_user_exc(builder, MemoryError, ("Unable to allocate an array",))

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
                self.builder.call(self.function.module.globals["NRT_incref"], [value.meminfo])
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

    def return_(self, statement: ast.Return) -> None:
        """Lower a way out, with the status and the results."""
        if statement.value is None:
            raise NotLowered("a way out without a status")
        values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        kinds = self.returned if isinstance(self.returned, types.BaseTuple) else [self.returned]
        numbers = [
            cast(self.builder, self.expressions.number(value), kind)
            for value, kind in zip(values, kinds, strict=True)
        ]
        result = numbers[0]
        if isinstance(self.returned, types.BaseTuple):
            result = self.context.make_tuple(self.builder, self.returned, numbers)
        result = self.context.get_return_value(self.builder, self.returned, result)
        self.builder.store(result, self.context.call_conv._get_return_argument(self.function))
        self.builder.branch(self.exit)

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
        """Lower a loop over a range: a test, and then turns with a test at their end."""
        target, iterated = statement.target, statement.iter
        if not (
            isinstance(target, ast.Name)
            and isinstance(iterated, ast.Call)
            and isinstance(iterated.func, ast.Name)
            and iterated.func.id == "range"
        ):
            raise NotLowered("a loop over no range")
        builder = self.builder
        bounds = [cast(builder, self.expressions.number(bound), types.int64) for bound in iterated.args]
        start, stop = (bounds[0], bounds[1]) if len(bounds) > 1 else (ir.Constant(_INT64, 0), bounds[0])
        turn, end = builder.append_basic_block("for"), builder.append_basic_block("endfor")
        stride = bounds[2] if len(bounds) > 2 else ir.Constant(_INT64, 1)
        if len(bounds) > 2:
            first, last = ir.Constant(_INT64, 0), self.length(start, stop, stride)
        else:
            first, last = start, stop
        before = builder.block
        builder.cbranch(builder.icmp_signed("<", first, last), turn, end)
        builder.position_at_end(turn)
        counter = builder.phi(_INT64)
        counter.add_incoming(first, before)
        index = counter
        if len(bounds) > 2:
            index = builder.add(start, builder.mul(counter, stride))
        self.bindings.assign(target.id, Number(types.int64, index))
        with self.loop(end):
            self.body(statement.body)
        if not builder.block.is_terminated:
            following = builder.add(counter, ir.Constant(_INT64, 1), flags=("nsw",))
            counter.add_incoming(following, builder.block)
            builder.cbranch(builder.icmp_signed("<", following, last), turn, end)
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
