"""Lowers the calls in a kernel: of helpers, of a few functions of Python's, and of what makes arrays."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from . import arithmetic, array_values, memory, owners, pairwise, variables
from .arithmetic import Dtype, NotLowered, Number, cast
from .array_values import Array
from .bindings import Bindings
from .expressions import Expressions
from .intrinsic import Intrinsic
from .toolkit import cgutils, ir, types

# Helpers that are long, and called seldom beside what they do.
_OUTLINED = frozenset(
    (
        pairwise.pairwise_segment,
        pairwise.pairwise_segment_complex,
        pairwise.pairwise_push,
    )
)


class Calls(Expressions):
    """Lowers expressions that may hold calls."""

    def __init__(self, bindings: Bindings, function: Any) -> None:
        super().__init__(bindings)
        self.context = bindings.context
        self.function = function
        self.parts = array_values.with_parts(self.context)
        self.functions: dict[Any, Any] = {}
        # Where the kernel goes that gets no memory, once it asks for any.
        self.out_of_memory: Any = None

    def of_call(self, node: ast.Call) -> Any:
        """Return what a call gives."""
        function = node.func
        if isinstance(function, ast.Attribute):
            array, kind = self.array(function.value), self.bindings.kind(node)
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
        if function.id not in self.bindings.namespace:
            return self.builtin(function.id, node.args)
        helper = self.bindings.namespace[function.id]
        make = _ARRAYS.get(id(helper))
        if make is not None:
            return make(self, node)
        if isinstance(helper, types.Type):
            return Number(helper, cast(self.builder, self.number(node.args[0]), helper))
        if helper is complex:
            return self.builtin("complex", node.args)
        return self.helper(helper, [self.value(argument) for argument in node.args])

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
        if not isinstance(helper, Intrinsic) or helper.prefer_literal:
            raise NotLowered(f"a call of {helper}")
        kinds = [types.NumberClass(item.kind) if isinstance(item, Dtype) else item.kind for item in arguments]
        found = helper.define(self.context.typing_context, *kinds)
        if found is None:
            raise NotLowered(f"{helper.__name__} of {kinds}")
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
            part for value in values for part in (value.numbers() if isinstance(value, Array) else [value])
        ]
        function = self.functions.get((helper, signature))
        if function is None:
            result = self.context.get_value_type(signature.return_type)
            name = f"{helper.__name__}_{len(self.functions)}"
            function, builder = owners.own_function(
                self.function.module, name, result, [part.type for part in flat]
            )
            given, rest = [], list(function.args)
            for value in values:
                count = len(value.numbers()) if isinstance(value, Array) else 1
                parts, rest = rest[:count], rest[count:]
                given.append(
                    array_values.from_numbers(self.context, builder, value.kind, parts)
                    if count > 1
                    else parts[0]
                )
            builder.ret(generate(self.parts, builder, signature, given))
            self.functions[helper, signature] = function
        return self.builder.call(function, flat)

    def empty(self, node: ast.Call) -> Array:
        """Return a new array."""
        builder, kind, dims = self.builder, self.bindings.kind(node), self.shape(node.args[0])
        itemsize = ir.Constant(
            memory.INTP, self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        )
        owner = builder.call(
            owners.allocator(self.context, self.function.module, len(dims)), [*dims, itemsize]
        )
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
        kind = self.bindings.kind(node)
        shape = variables.literal(node.args[0])
        lengths = shape if isinstance(shape, tuple) else (shape,)
        block = memory.stack_block(self.builder, self.context.get_data_type(kind.dtype), lengths)
        dims = [ir.Constant(memory.INTP, length) for length in lengths]
        return self.over(kind, block, dims, array_values.NOBODY)

    def wrapped(self, node: ast.Call) -> Array:
        """Return an array over memory that somebody else owns."""
        data = self.builder.inttoptr(self.integer(node.args[0]), memory.BYTES)
        return self.over(self.bindings.kind(node), data, self.shape(node.args[1]), array_values.NOBODY)

    def owned(self, node: ast.Call) -> Array:
        """Return an array over memory with a share in it."""
        data, owner = (self.builder.inttoptr(self.integer(part), memory.BYTES) for part in node.args[:2])
        return self.over(self.bindings.kind(node), data, self.shape(node.args[2]), owner)

    def lent(self, node: ast.Call) -> Array:
        """Return an array without a share in its memory."""
        array = self.array(node.args[0])
        return Array(
            self.context,
            self.builder,
            array.kind,
            array.data,
            array.dims,
            array_values.NOBODY,
            array.steps,
        )

    def merged(self, node: ast.Call) -> Array:
        """Return an array some axes of which are one."""
        first, count = (variables.literal(argument) for argument in node.args[1:])
        return self.array(node.args[0]).merged(self.bindings.kind(node), first, count)


_ARRAYS = {
    id(memory.empty): Calls.empty,
    id(memory.empty_f): Calls.empty,
    id(memory.scratch): Calls.scratch,
    id(memory.wrap): Calls.wrapped,
    id(memory.owned): Calls.owned,
    id(memory.merged): Calls.merged,
    id(memory.lent): Calls.lent,
}
