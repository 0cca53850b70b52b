"""``if``, ``while`` and ``for`` as functions of the names that go in, returning the names that come out."""

import sys
from collections.abc import Container, Sequence

import gast

from .context import Context
from .flow import Flow, Region
from .logic import ask_truth
from .syntax import LOOPS, assign, constant, function, inner_blocks, load, place, store, tuple_of, until


class ControlFlow:
    """Turns the blocks of an ``if`` or a loop into functions, and the statement into a call of an operator.

    Names that are only read are seen by closure. What is passed and returned is decided by the analysis: names that
    the blocks bind and that are read afterwards, or on the next turn of the loop.

    Before:
        def f(x):
            if x > 0:
                y = 1
            else:
                y = x
            return y

    After:
        def f(x):
            def if_true():
                y = 1
                return y
            def if_false():
                y = x
                return y
            y = ops.cond(x > 0, if_true, if_false, (), names=("y",))
            return y

    Before:
        def f(n, tol):
            while n > tol:
                n = n / 2
            return n

    After:
        def f(n, tol):
            def loop_test(n):
                return n > tol
            def loop_body(n):
                n = n / 2
                return n
            n = ops.while_loop(loop_test, loop_body, (n,), names=("n",))
            return n

    Before:
        def f(xs):
            s = 0
            for x in xs:
                s = s + x
                last = x
            return s, last

    After:
        def f(xs):
            s = 0
            last = ops.Undefined("last")
            def loop_body(x, s, last):
                s = s + x
                last = x
                return s, last
            s, last = ops.for_loop(xs, loop_body, (s, last), names=("s", "last"))
            return s, ops.bound(last)

    Before:
        def f(xs, limit):
            done = False
            for x in xs:
                done = x > limit
                if done:
                    break
            return x

    After:
        def f(xs, limit):
            done = False
            x = ops.Undefined("x")
            def loop_body(item, done, x):
                x = item
                done = x > limit
                return done, x
            done, x = ops.for_loop(xs, loop_body, (done, x), names=("done", "x"), until="done")
            return ops.bound(x)
    """

    def __init__(self, flow: Flow, context: Context, elsewhere: Container[str] = ()) -> None:
        self._flow = flow
        self._context = context
        self._elsewhere = elsewhere

    def convert(self, node: gast.FunctionDef) -> None:
        """Rewrites a function in place, but not the functions inside it."""
        node.body = self._block(node.body)
        match node.body[-2:]:
            case [_, gast.Return(value=gast.Name(id=name))]:
                self._return_directly(node.body, name)

    def _block(self, statements: Sequence[gast.stmt]) -> list[gast.stmt]:
        converted: list[gast.stmt] = []
        for statement in statements:
            match statement:
                case _ if statement in self._flow.unset:
                    converted += self._stay(statement)
                case gast.If():
                    converted += self._if(statement, self._flow.regions[statement])
                case gast.While():
                    converted += self._while(statement, self._flow.regions[statement])
                case gast.For():
                    converted += self._for(statement, self._flow.regions[statement])
                case _:
                    converted.append(statement)
        return converted

    def _stay(self, node: gast.stmt) -> list[gast.stmt]:
        """Leaves a statement in its place, and rewrites its blocks."""
        flag = until(node) if isinstance(node, LOOPS) else None
        leave = node.body.pop() if flag is not None else None
        for block in inner_blocks(node):
            block[:] = self._block(block)
        if leave is not None:
            node.body.append(leave)
        unset = self._flow.unset[node]
        return [*(assign(name, self._context.undefined(name), node) for name in unset), node]

    def _if(self, node: gast.If, region: Region) -> list[gast.stmt]:
        ask_truth(node.test, self._context)
        if_true, if_false = self._context.names.functions("if_true", "if_false")
        call = self._context.operator(
            "cond",
            node.test,
            load(if_true),
            load(if_false),
            tuple_of(region.inputs),
            names=constant(tuple(region.outputs)),
        )
        return [
            *self._unset(region, node.test),
            self._function(if_true, region.inputs, node.body, region, "body", node.test),
            self._function(if_false, region.inputs, node.orelse, region, "orelse", node.test),
            self._outputs(call, region, node.test),
        ]

    def _while(self, node: gast.While, region: Region) -> list[gast.stmt]:
        ask_truth(node.test, self._context)
        loop_test, loop_body = self._context.names.functions("loop_test", "loop_body")
        test = function(loop_test, region.inputs, [place(gast.Return(node.test), node.test)], node.test)
        call = self._context.operator(
            "while_loop",
            load(loop_test),
            load(loop_body),
            tuple_of(region.inputs),
            **self._names(node, region),
        )
        return [
            *self._unset(region, node.test),
            test,
            self._function(loop_body, region.inputs, self._loop_body(node), region, "body", node.test),
            self._outputs(call, region, node.test),
        ]

    def _for(self, node: gast.For, region: Region) -> list[gast.stmt]:
        (loop_body,) = self._context.names.functions("loop_body")
        body = self._loop_body(node)
        element = node.target.id
        if element in region.inputs or element in self._elsewhere:
            element = self._context.names.shared("item")
            body = [assign(node.target, load(element), node.target), *body]
        call = self._context.operator(
            "for_loop", node.iter, load(loop_body), tuple_of(region.inputs), **self._names(node, region)
        )
        # Where there is nothing to iterate over, Python before 3.13 points at the whole loop.
        place(call, node if sys.version_info < (3, 13) else node.iter)
        return [
            *self._unset(region, node.iter),
            self._function(loop_body, [element, *region.inputs], body, region, "body", node.iter),
            self._outputs(call, region, node.iter),
        ]

    def _loop_body(self, node: gast.For | gast.While) -> list[gast.stmt]:
        body: list[gast.stmt] = node.body
        return body if until(node) is None else body[:-1]

    def _names(self, node: gast.For | gast.While, region: Region) -> dict[str, gast.expr]:
        keywords = {"names": constant(tuple(region.outputs))}
        flag = until(node)
        return keywords if flag is None else {**keywords, "until": constant(flag)}

    def _unset(self, region: Region, at: gast.expr) -> list[gast.stmt]:
        return [assign(name, self._context.undefined(name), at) for name in region.unset]

    def _function(
        self,
        name: str,
        inputs: list[str],
        block: list[gast.stmt],
        region: Region,
        field: str,
        at: gast.expr,
    ) -> gast.FunctionDef:
        body = self._block(block)
        if region.outputs and field in region.ends:
            outputs = region.outputs
            value = load(outputs[0]) if len(outputs) == 1 else tuple_of(outputs)
            body.append(place(gast.Return(value), at))
            if len(outputs) == 1:
                self._return_directly(body, outputs[0])
        return function(name, inputs, body or [place(gast.Pass(), at)], at)

    def _return_directly(self, body: list[gast.stmt], name: str) -> None:
        """Shortens ``result = value; return result`` for names that the user does not have."""
        match body[-2:]:
            case [gast.Assign(targets=[gast.Name(id=target)], value=value) as last, _]:
                if target == name and self._context.names.is_generated(name):
                    body[-2:] = [place(gast.Return(value), last)]

    def _outputs(self, call: gast.Call, region: Region, at: gast.expr) -> gast.stmt:
        if not hasattr(call, "lineno"):
            place(call, at)
        outputs = [store(name) for name in region.outputs]
        if not outputs:
            return place(gast.Expr(call), at)
        target = outputs[0] if len(outputs) == 1 else gast.Tuple(outputs, gast.Store())
        return assign(target, call, at)
