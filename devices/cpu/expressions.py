"""Lowers the expressions of a kernel."""

from __future__ import annotations

import ast
import functools
from typing import Any

from . import arithmetic, variables
from .arithmetic import Dtype, NotLowered, Number, binary, cast, compare, constant
from .array_values import Array
from .bindings import Bindings
from .toolkit import ir, types

_COMPARISONS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class Expressions:
    """Lowers expressions, at the place where the builder stands."""

    def __init__(self, bindings: Bindings) -> None:
        self.builder = bindings.builder
        self.bindings = bindings

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
        if node.id in self.bindings.values:
            return self.bindings.read(node.id)
        if node.id not in self.bindings.namespace:
            raise NotLowered(f"a variable that is read first: {node.id}")
        thing = self.bindings.namespace[node.id]
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
