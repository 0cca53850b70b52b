"""Lowers the text of a kernel to LLVM's code, without numba's own way there."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from . import arithmetic, array_values, memory, owners, pairwise, variables
from .arithmetic import Dtype, NotLowered, Number, binary, cast, compare, constant
from .array_values import Array
from .lanes import Lane
from .lifetimes import Lifetimes
from .toolkit import RETCODE_OK, cgutils, ir, types

# Note [Lowering]
# numba takes a function through bytecode, its own intermediate form, inference by unification and general data structures. A kernel's text is a small language in
# which the type of every expression is known where it is read, in one pass from the first line to the last. So each line becomes LLVM's code at once. Variables
# that are assigned once are values; the others lie in memory of the stack, which LLVM makes values again. What the pass does not know raises
# NotLowered, and numba compiles the kernel.

_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_INT64 = ir.IntType(64)


class Cell:
    """A variable that is assigned in several places."""

    def __init__(self, builder: Any, kind: Any, values: Sequence[Any]) -> None:
        self.kind = kind
        self.places = [cgutils.alloca_once(builder, value.type) for value in values]


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
        self.namespace = namespace
        self.parts = array_values.with_parts(context)
        self.function = function
        self.module = function.module
        self.builder: Any = ir.IRBuilder(function.append_basic_block("entry"))
        self.kernel = kernel
        self.returned = returned
        names = [argument.arg for argument in kernel.args.args]
        given = dict(zip(names, kinds, strict=True))
        self.fixed = variables.fixed(kernel)
        self.arrays = variables.array_types(kernel, given, namespace)
        self.lifetimes = Lifetimes(kernel, self.arrays, self.fixed, namespace)
        self.variables: dict[str, Number | Array | Cell] = {}
        self.loops: list[Any] = []
        self.functions: dict[Any, Any] = {}
        self.out_of_memory: Any = None
        count = len(self.lifetimes.slots)
        self.slots = cgutils.alloca_once(self.builder, ir.ArrayType(memory.BYTES, count)) if count else None
        self.exit = function.append_basic_block("exit")
        values = context.get_arg_packer(kinds).from_arguments(
            self.builder, context.call_conv.get_arguments(function)
        )
        for name, kind, value in zip(names, kinds, values, strict=True):
            if isinstance(kind, types.Array):
                self.assign(name, array_values.from_structure(context, self.builder, kind, value))
            else:
                self.assign(name, Number(kind, value))

    def run(self) -> None:
        """Write the function's code."""
        self.body(self.kernel.body)
        if not self.builder.block.is_terminated:
            raise NotLowered("a kernel that ends without a status")
        builder = self.builder
        builder.position_at_end(self.exit)
        self.release_all()
        self.context.call_conv._return_errcode_raw(builder, RETCODE_OK)
        if self.out_of_memory is not None:
            builder.position_at_end(self.out_of_memory)
            self.release_all()
            self.context.call_conv.return_user_exc(builder, MemoryError, ("Unable to allocate an array",))

    # -- variables ---------------------------------------------------------------------------------------------

    def assign(self, name: str, value: Any) -> None:
        """Give a variable a value."""
        if isinstance(value, Array):
            value = value.loosened(self.arrays[name])
            if name in self.lifetimes.slots:
                self.builder.store(value.meminfo, self.slot(name))
        if name in self.fixed:
            self.variables[name] = value
            return
        parts = _numbers(value) if isinstance(value, Array) else [value.value]
        cell = self.variables.get(name)
        if cell is None:
            cell = self.variables[name] = Cell(self.builder, value.kind, parts)
        if not isinstance(cell, Cell) or cell.kind != value.kind:
            raise NotLowered(f"a variable of several types: {name}")
        for part, place in zip(parts, cell.places, strict=True):
            self.builder.store(part, place)

    def read(self, name: str) -> Number | Array:
        """Return the value of a variable."""
        found = self.variables.get(name)
        if found is None:
            raise NotLowered(f"a variable that is read first: {name}")
        if not isinstance(found, Cell):
            return found
        values = [self.builder.load(place) for place in found.places]
        if not isinstance(found.kind, types.Array):
            return Number(found.kind, values[0])
        return self.put_together(self.builder, found.kind, values)

    def put_together(self, builder: Any, kind: Any, numbers: Sequence[Any]) -> Array:
        """Return an array that is made of numbers."""
        data, owner, *rest = numbers
        steps = rest[kind.ndim :] if kind.layout == "A" else None
        return Array(self.context, builder, kind, data, rest[: kind.ndim], owner, steps)

    def slot(self, name: str) -> Any:
        """Return where the owner of a variable's memory is kept."""
        return cgutils.gep_inbounds(self.builder, self.slots, 0, self.lifetimes.slots[name])

    def release(self, names: Any) -> None:
        """Give back what variables hold."""
        for name in names:
            self.builder.call(self.module.globals["release"], [self.slot(name)])

    def release_all(self) -> None:
        """Give back whatever is held."""
        if self.slots is not None:
            count = ir.Constant(memory.INTP, len(self.lifetimes.slots))
            first = cgutils.gep_inbounds(self.builder, self.slots, 0, 0)
            self.builder.call(self.module.globals["release_all"], [first, count])

    # -- statements --------------------------------------------------------------------------------------------

    def body(self, body: Sequence[ast.stmt]) -> None:
        """Lower statements."""
        self.release(self.lifetimes.before.get(id(body), ()))
        for statement in body:
            if self.builder.block.is_terminated:
                return
            lower = getattr(self, type(statement).__name__.lower() + "_", None)
            if lower is None:
                raise NotLowered(f"a statement: {type(statement).__name__}")
            lower(statement)
            if not self.builder.block.is_terminated:
                self.release(self.lifetimes.after.get(id(statement), ()))

    def pass_(self, statement: ast.Pass) -> None:
        """Lower nothing."""

    def expr_(self, statement: ast.Expr) -> None:
        """Lower a call for its effect."""
        self.value(statement.value)

    def assign_(self, statement: ast.Assign) -> None:
        """Lower an assignment."""
        (target,) = statement.targets
        lifetimes = self.lifetimes
        if isinstance(target, ast.Tuple) and not isinstance(statement.value, ast.Tuple):
            value = self.number(statement.value)
            for place, item in enumerate(target.elts):
                self.place(item, self.item(value, place))
            return
        if lifetimes.makes(statement.value):
            # What the variable held goes before there is more.
            self.release(lifetimes.replaced.get(id(statement), ()))
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        sources = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        values = [self.value(source) for source in sources]
        taking = lifetimes.taking.get(id(statement), ())
        for item, source, value in zip(items, sources, values, strict=True):
            name = item.id if isinstance(item, ast.Name) else None
            if name in lifetimes.slots and name not in taking and not lifetimes.makes(source):
                self.builder.call(self.module.globals["NRT_incref"], [value.meminfo])
        self.release(lifetimes.replaced.get(id(statement), ()))
        for item, value in zip(items, values, strict=True):
            self.place(item, value)
        for name in lifetimes.given.get(id(statement), ()):
            self.builder.store(array_values.NOBODY, self.slot(name))

    def place(self, target: ast.expr, value: Any) -> None:
        """Give what stands on the left a value."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
            return
        if not isinstance(target, ast.Subscript):
            raise NotLowered(f"a target: {type(target).__name__}")
        array = self.array(target.value)
        array.store(self.indices(target.slice), cast(self.builder, value, array.kind.dtype))

    def augassign_(self, statement: ast.AugAssign) -> None:
        """Lower an operator that assigns."""
        if not isinstance(statement.target, ast.Name):
            raise NotLowered("an operator that assigns to an element")
        left = self.number(ast.Name(statement.target.id))
        operator = type(statement.op).__name__
        self.assign(statement.target.id, binary(self.builder, operator, left, self.number(statement.value)))

    def return_(self, statement: ast.Return) -> None:
        """Lower a way out, with the status and the results."""
        if statement.value is None:
            raise NotLowered("a way out without a status")
        values = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        kinds = self.returned if isinstance(self.returned, types.BaseTuple) else [self.returned]
        numbers = [
            cast(self.builder, self.number(value), kind) for value, kind in zip(values, kinds, strict=True)
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
        builder, test = self.builder, self.truth(statement.test)
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
            builder.cbranch(self.truth(statement.test), turn, end)
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
        bounds = [cast(builder, self.number(bound), types.int64) for bound in iterated.args]
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
        self.assign(target.id, Number(types.int64, index))
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

    # -- expressions -------------------------------------------------------------------------------------------

    def number(self, node: ast.expr) -> Number:
        """Return the value of an expression that is a number, or a tuple of them."""
        found = self.value(node)
        if not isinstance(found, Number):
            raise NotLowered("an array where a number is expected")
        return found

    def array(self, node: ast.expr) -> Array:
        """Return the value of an expression that is an array."""
        found = self.value(node)
        if not isinstance(found, Array):
            raise NotLowered("a number where an array is expected")
        return found

    def truth(self, node: ast.expr) -> Any:
        """Return whether a test holds."""
        found = self.number(node)
        return cast(self.builder, found, types.boolean)

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression."""
        lower = getattr(self, "of_" + type(node).__name__.lower(), None)
        if lower is None:
            raise NotLowered(f"an expression: {type(node).__name__}")
        return lower(node)

    def of_constant(self, node: ast.Constant) -> Number:
        """Return a literal."""
        return constant(node.value)

    def of_name(self, node: ast.Name) -> Any:
        """Return a variable, or a thing from outside."""
        if node.id in self.variables:
            return self.read(node.id)
        if node.id not in self.namespace:
            raise NotLowered(f"a variable that is read first: {node.id}")
        thing = self.namespace[node.id]
        return Dtype(thing) if isinstance(thing, types.Type) else constant(thing)

    def of_binop(self, node: ast.BinOp) -> Number:
        """Return what an operator gives."""
        operator = type(node.op).__name__
        left, right = self.number(node.left), self.number(node.right)
        if isinstance(node.op, ast.LShift) and isinstance(node.left, ast.Constant):
            return constant(variables.literal(node.left) << variables.literal(node.right))
        return binary(self.builder, operator, left, right)

    def of_unaryop(self, node: ast.UnaryOp) -> Number:
        """Return what a sign makes of a number; that of a literal is part of it."""
        if isinstance(node.op, ast.Not):
            return Number(types.boolean, self.builder.not_(self.truth(node.operand)))
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return constant(-node.operand.value)  # type: ignore[operator]
        number = self.number(node.operand)
        if isinstance(node.op, ast.USub):
            return arithmetic.negative(self.builder, number)
        return arithmetic.invert(self.builder, number)

    def of_compare(self, node: ast.Compare) -> Number:
        """Return whether a comparison holds."""
        operands = [self.number(operand) for operand in (node.left, *node.comparators)]
        tests = [
            compare(self.builder, _COMPARISONS[type(operator)], left, right).value
            for operator, left, right in zip(node.ops, operands, operands[1:], strict=False)
        ]
        return Number(types.boolean, functools.reduce(self.builder.and_, tests))

    def of_boolop(self, node: ast.BoolOp) -> Number:
        """Return whether some tests hold; a later one that may cost something, or fail, is made only where it matters."""
        builder, is_or = self.builder, isinstance(node.op, ast.Or)
        first, *rest = node.values
        found = self.truth(first)
        for test in rest:
            if not any(isinstance(part, (ast.Call, ast.Subscript)) for part in ast.walk(test)):
                found = (builder.or_ if is_or else builder.and_)(found, self.truth(test))
                continue
            decided, more, end = (
                builder.block,
                builder.append_basic_block("more"),
                builder.append_basic_block("known"),
            )
            builder.cbranch(found, *((end, more) if is_or else (more, end)))
            builder.position_at_end(more)
            other = self.truth(test)
            came = builder.block
            builder.branch(end)
            builder.position_at_end(end)
            found = builder.phi(ir.IntType(1))
            found.add_incoming(ir.Constant(ir.IntType(1), int(is_or)), decided)
            found.add_incoming(other, came)
        return Number(types.boolean, found)

    def of_attribute(self, node: ast.Attribute) -> Number:
        """Return a part of a complex number."""
        number = self.number(node.value)
        if not isinstance(number.kind, types.Complex) or node.attr not in ("real", "imag"):
            raise NotLowered(f"an attribute: {node.attr}")
        half = arithmetic.parts(self.builder, number)[node.attr == "imag"]
        return Number(number.kind.underlying_float, half)

    def of_subscript(self, node: ast.Subscript) -> Number:
        """Return an element, a dim, a stride, or one of several results."""
        if isinstance(node.value, ast.Attribute) and node.value.attr in ("shape", "strides"):
            array, axis = self.array(node.value.value), variables.literal(node.slice)
            found = array.dims[axis] if node.value.attr == "shape" else array.stride(axis)
            return Number(types.int64, found)
        base = self.value(node.value)
        if isinstance(base, Number):
            return self.item(base, variables.literal(node.slice))
        return Number(base.kind.dtype, base.load(self.indices(node.slice)))

    def item(self, number: Number, place: int) -> Number:
        """Return one of several results."""
        if not isinstance(number.kind, types.BaseTuple):
            raise NotLowered(f"a part of {number.kind}")
        return Number(number.kind.types[place], self.builder.extract_value(number.value, place))

    def indices(self, node: ast.expr) -> list[Any]:
        """Return the indices of an element, which are inside."""
        items = node.elts if isinstance(node, ast.Tuple) else [node]
        return [self.integer(item) for item in items]

    def integer(self, node: ast.expr) -> Any:
        """Return an index or a dim."""
        found = self.number(node)
        if not isinstance(found.kind, types.Integer):
            raise NotLowered(f"an index of {found.kind}")
        return cast(self.builder, found, types.int64)

    def shape(self, node: ast.expr) -> list[Any]:
        """Return dims."""
        return self.indices(node)

    # -- calls -------------------------------------------------------------------------------------------------

    def of_call(self, node: ast.Call) -> Any:
        """Return what a call gives."""
        function = node.func
        if isinstance(function, ast.Attribute):
            array, kind = self.array(function.value), self.kind(node)
            if kind is None:
                raise NotLowered(f"a method: {function.attr}")
            (argument,) = node.args
            if function.attr == "reshape":
                if array.kind.layout != "C":
                    raise NotLowered("other dims for an array in no order")
                return array.viewed(kind, self.shape(argument))
            return array.transposed(kind, variables.literal(argument))
        if not isinstance(function, ast.Name):
            raise NotLowered("a call of an expression")
        if function.id not in self.namespace:
            return self.builtin(function.id, node.args)
        helper = self.namespace[function.id]
        make = _ARRAYS.get(id(helper))
        if make is not None:
            return make(self, node)
        if isinstance(helper, types.Type):
            return Number(helper, cast(self.builder, self.number(node.args[0]), helper))
        if helper is complex:
            return self.builtin("complex", node.args)
        return self.helper(helper, [self.value(argument) for argument in node.args])

    def kind(self, node: ast.expr) -> Any:
        """Return the type of an expression that is an array."""
        return variables.array_type(node, self.arrays, self.namespace)

    def builtin(self, name: str, arguments: Sequence[ast.expr]) -> Number:
        """Return what a function of Python's gives."""
        numbers = [self.number(argument) for argument in arguments]
        if name in ("min", "max"):
            return arithmetic.extreme(self.builder, name == "max", numbers)
        if name == "abs":
            return arithmetic.absolute(self.builder, numbers[0])
        if name == "complex" and numbers[0].kind == numbers[1].kind:
            kind = {types.float64: types.complex128, types.float32: types.complex64}.get(numbers[0].kind)
            if kind is not None:
                return arithmetic.joined(self.builder, kind, numbers[0].value, numbers[1].value)
        raise NotLowered(f"a call of {name}")

    def helper(self, helper: Any, arguments: Sequence[Any]) -> Any:
        """Return what a helper writes."""
        define = getattr(helper, "_defn", None)
        if define is None or helper._prefer_literal:
            raise NotLowered(f"a call of {helper}")
        kinds = [types.NumberClass(item.kind) if isinstance(item, Dtype) else item.kind for item in arguments]
        found = define(self.context.typing_context, *kinds)
        if found is None:
            raise NotLowered(f"{helper._name} of {kinds}")
        signature, generate = found
        values = [
            cast(self.builder, item, types.unliteral(kind)) if isinstance(item, Number) else item
            for item, kind in zip(arguments, signature.args, strict=True)
        ]
        if helper in _OUTLINED:
            return Number(signature.return_type, self.outlined(helper, signature, generate, values))
        return Number(signature.return_type, generate(self.parts, self.builder, signature, values))

    def outlined(self, helper: Any, signature: Any, generate: Any, values: Sequence[Any]) -> Any:
        """Return what a helper gives, whose code stands once for all of its calls."""
        flat = [
            part for value in values for part in (_numbers(value) if isinstance(value, Array) else [value])
        ]
        function = self.functions.get((helper, signature))
        if function is None:
            result = self.context.get_value_type(signature.return_type)
            name = f"{helper._name}_{len(self.functions)}"
            function, builder = owners.own_function(self.module, name, result, [part.type for part in flat])
            given, rest = [], list(function.args)
            for value in values:
                count = len(_numbers(value)) if isinstance(value, Array) else 1
                parts, rest = rest[:count], rest[count:]
                given.append(self.put_together(builder, value.kind, parts) if count > 1 else parts[0])
            builder.ret(generate(self.parts, builder, signature, given))
            self.functions[helper, signature] = function
        return self.builder.call(function, flat)

    # -- arrays ------------------------------------------------------------------------------------------------

    def empty(self, node: ast.Call) -> Array:
        """Return a new array."""
        builder, kind, dims = self.builder, self.kind(node), self.shape(node.args[0])
        itemsize = ir.Constant(
            memory.INTP, self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        )
        owner = builder.call(owners.allocator(self.context, self.module, len(dims)), [*dims, itemsize])
        if self.out_of_memory is None:
            self.out_of_memory = self.function.append_basic_block("nomemory")
        made = builder.append_basic_block("made")
        builder.cbranch(cgutils.is_null(builder, owner), self.out_of_memory, made)
        builder.position_at_end(made)
        return self.over(kind, memory.data_of(builder, owner), dims, owner)

    def over(self, kind: Any, data: Any, dims: Sequence[Any], owner: Any) -> Array:
        """Return an array over memory."""
        pointer = self.context.get_data_type(kind.dtype).as_pointer()
        return Array(self.context, self.builder, kind, self.builder.bitcast(data, pointer), dims, owner)

    def scratch(self, node: ast.Call) -> Array:
        """Return an array on the stack."""
        kind = self.kind(node)
        shape = variables.literal(node.args[0])
        lengths = shape if isinstance(shape, tuple) else (shape,)
        block = memory.stack_block(self.builder, self.context.get_data_type(kind.dtype), lengths)
        dims = [ir.Constant(memory.INTP, length) for length in lengths]
        return self.over(kind, block, dims, array_values.NOBODY)

    def wrapped(self, node: ast.Call) -> Array:
        """Return an array over memory that somebody else owns."""
        data = self.builder.inttoptr(self.integer(node.args[0]), memory.BYTES)
        return self.over(self.kind(node), data, self.shape(node.args[1]), array_values.NOBODY)

    def merged(self, node: ast.Call) -> Array:
        """Return an array some axes of which are one."""
        first, count = (variables.literal(argument) for argument in node.args[1:])
        return self.array(node.args[0]).merged(self.kind(node), first, count)


_ARRAYS = {
    id(memory.empty): Lowering.empty,
    id(memory.empty_f): Lowering.empty,
    id(memory.scratch): Lowering.scratch,
    id(memory.wrap): Lowering.wrapped,
    id(memory.merged): Lowering.merged,
}


# Helpers that are long, and called seldom beside what they do.
_OUTLINED = frozenset(
    (
        pairwise.pairwise_segment,
        pairwise.pairwise_segment_complex,
        pairwise.pairwise_push,
        pairwise.pairwise_short,
    )
)


def _numbers(array: Array) -> list[Any]:
    """Return the numbers of which an array is made."""
    steps = array.steps if array.kind.layout == "A" else []
    return [array.data, array.meminfo, *array.dims, *steps]
