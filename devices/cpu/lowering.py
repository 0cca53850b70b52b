"""Lowers the text of a kernel to LLVM's code, without numba's own way there."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping, Sequence
from typing import Any

from . import array_values, pieces
from .arithmetic import NotLowered, Number, cast
from .bindings import Bindings
from .calls import Calls
from .statements import Statements
from .toolkit import RETCODE_EXC, RETCODE_OK, ir, types

# Note [Lowering]
# numba takes a function through bytecode, its own intermediate form, inference by unification and general data structures. A kernel's text is a small language in
# which the type of every expression is known where it is read, in one pass from the first line to the last. So each line becomes LLVM's code at once. Variables
# that are assigned once are values; the others lie in memory of the stack, which LLVM makes values again. What the pass does not know raises
# NotLowered, and numba compiles the kernel.


class Lowering(Statements):
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
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.kernel = kernel
        self.returned = returned
        names = [argument.arg for argument in kernel.args.args]
        given = dict(zip(names, kinds, strict=True))
        bindings = Bindings(context, builder, kernel, namespace, given)
        super().__init__(bindings, Calls(bindings, function))
        # How much work each turn of the loop that follows is, where its turns may be spread over threads.
        self.work: Any = None
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
            self.context.call_conv._return_errcode_raw(builder, RETCODE_EXC)

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

    @functools.cached_property
    def shared(self) -> set[str]:
        """The variables that are not a loop's own that may be spread."""
        return pieces.shared(self.kernel, self.bindings.namespace)

    @functools.cached_property
    def scratch(self) -> set[str]:
        """The variables that hold scratch memory."""
        return pieces.scratches(self.kernel, self.bindings.namespace)

    def expr_(self, statement: ast.Expr) -> None:
        """Lower a call for its effect; or note what is said of the loop that follows."""
        call = statement.value
        if isinstance(call, ast.Call) and pieces.is_mark(statement, self.bindings.namespace):
            self.work = cast(self.builder, self.expressions.number(call.args[0]), types.int64)
        else:
            super().expr_(statement)

    def for_(self, statement: ast.For) -> None:
        """Lower a loop over a range, by pieces where its turns may be spread over threads."""
        work, self.work = self.work, None
        if work is None or not pieces.spread(self, statement, work):
            super().for_(statement)
