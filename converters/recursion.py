"""A function that calls itself, as one loop that keeps on stacks what is still to be done."""

import copy
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import gast

from .context import Context
from .hoisting import EVALUATED_FIRST, Hoisting
from .recursion_blocks import Block, Goto, Liveness, Resume, Return, Suspend
from .recursion_group import Group
from .recursion_loop import loop_of
from .syntax import (
    COMPREHENSIONS,
    assign,
    constant,
    load,
    place,
    until,
)

# The most elements of a display that a loop with a call in it runs over: it is written out.
_WRITTEN_OUT = 16
NO_OTHERS: Mapping[str, gast.FunctionDef] = MappingProxyType({})


class Recursion(Hoisting):
    """Makes a loop of a function that calls itself, to be done on the canonical form.

    The function falls into blocks that end where it calls itself, and `state` tells which one comes next. A call keeps on
    stacks what the rest of the function reads, and sets the parameters; the end of the function goes on with what waits.

    Before:
        def f(n):
            if n < 2:
                result = n
            else:
                result = f(n - 1) + n
            return result

    After:
        def f(n):
            waiting = []
            waiting_n = []
            depth = 0
            state = 0
            running = True
            while running:
                if state < 1:
                    if n < 2:
                        result = n
                        returned = result
                        if depth == 0:
                            running = False
                        else:
                            depth = depth - 1
                            state = waiting.pop()
                    else:
                        depth = ops.deeper(depth)
                        waiting.append(1)
                        waiting_n.append(n)
                        n = n - 1
                        state = 0
                else:
                    n = waiting_n.pop()
                    value = returned
                    result = value + n
                    returned = result
                    if depth == 0:
                        running = False
                    else:
                        depth = depth - 1
                        state = waiting.pop()
            return returned
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._blocks: list[Block] = []

    def convert(
        self,
        function: gast.FunctionDef,
        others: Mapping[str, gast.FunctionDef] = NO_OTHERS,
        receiver: str | None = None,
    ) -> None:
        """Rewrites a function in place; the ``others``, by the names that they are called by, call it and are called by it.

        A method calls itself through its first parameter, the ``receiver``.
        """
        self._group = group = Group({function.name: function, **others}, self.context, receiver)
        nodes = [node for member in group.members for node in member.nodes()]
        self._callees = {node.func for node in nodes if isinstance(node, gast.Call)}
        gives = any(member.gives() for member in group.members)
        returned = self.context.names.fresh("returned") if gives else None
        for member in group.members:
            member.start = self._goto(self._new()).number
        for member in group.members:
            body = member.body(returned)
            self._run(body, self._blocks[member.start]).append(Return())
        starts = Liveness(self._blocks).starts
        for member in group.members:
            unbound = starts[member.start] - group.fixed - {*member.parameters.values()}
            own = {name for name in unbound if self.context.names.is_generated(name)}
            for name in sorted((unbound & group.users) | (own - {self.context.names.shared("result")})):
                # In the loop it would be what another call has left in it.
                shown = self.context.names.original(name)
                raise group.refuse(member.function, f"calls itself, and may read {shown} before it is bound")
        function.body = loop_of(self._blocks, group.variables - group.fixed, returned, function, self.context)
        if receiver is not None:
            method = place(gast.Attribute(load(receiver), function.name, gast.Load()), function)
            itself = place(gast.Expr(self.context.operator("itself", method)), function)
            function.body = [itself, *function.body]

    # -- blocks --------------------------------------------------------------------------------------------------

    def _new(self) -> Block:
        self._blocks.append([])
        return self._blocks[-1]

    def _goto(self, block: Block) -> Goto:
        return Goto(next(number for number, other in enumerate(self._blocks) if other is block))

    def _run(self, statements: list[gast.stmt], block: Block) -> Block:
        """Adds statements to a block. Gives the block in which they end."""
        for node in statements:
            if not self.has(node):
                block.append(node)
            elif isinstance(node, gast.If):
                block = self._if(node, block)
            elif isinstance(node, gast.While) and not self.has(node.test):
                block = self._while(node, block)
            elif isinstance(node, gast.For):
                block = self._for(node, block)
            else:
                block = self._statement(node, block)
        return block

    def _if(self, node: gast.If, block: Block) -> Block:
        block = self._hoisted(node, block)
        ways: list[Block] = []
        after = self._new()
        for part in (node.body, node.orelse):
            way: Block = []
            self._run(part, way).append(self._goto(after))
            ways.append(way)
        block.append(place(gast.If(node.test, *ways), node))
        return after

    def _while(self, node: gast.While, block: Block) -> Block:
        head, after = self._new(), self._new()
        body: Block = []
        block.append(self._goto(head))
        flag = until(node)
        end = self._run(node.body if flag is None else node.body[:-1], body)
        leave: list[Any] = [self._goto(after)]
        end.append(
            self._goto(head) if flag is None else place(gast.If(load(flag), leave, [self._goto(head)]), node)
        )
        head.append(place(gast.If(node.test, body, [self._goto(after)]), node))
        return after

    def _for(self, node: gast.For, block: Block) -> Block:
        iterated = node.iter
        if isinstance(iterated, gast.Tuple | gast.List) and len(iterated.elts) <= _WRITTEN_OUT:
            if not any(isinstance(element, gast.Starred) for element in iterated.elts):
                return self._run(self._written_out(node), block)
        if not isinstance(iterated, gast.Call) or not _is_name(iterated.func, "range"):
            raise self._refuse(node, "calls itself in a loop over something else than a range")
        if {"range"} & (self._group.variables | self.context.shadowed) or self.has(iterated):
            raise self._refuse(node, "calls itself for a range")
        return self._run(self._counted(node, iterated), block)

    def _written_out(self, node: gast.For) -> list[gast.stmt]:
        """Repeats the body of a loop over a display for each element."""
        flag = until(node)
        body = node.body if flag is None else node.body[:-1]
        before: list[gast.stmt] = []
        values = [
            element
            if all(
                isinstance(part, gast.Constant | gast.Tuple | gast.expr_context | gast.UnaryOp | gast.unaryop)
                for part in gast.walk(element)
            )
            else self.saved(element, before)
            for element in node.iter.elts
        ]
        rest: list[gast.stmt] = []
        for value in reversed(values):
            if rest and flag is not None:
                rest = [place(gast.If(gast.UnaryOp(gast.Not(), load(flag)), rest, []), node)]
            rest = [assign(copy.copy(node.target), value, value), *copy.deepcopy(body), *rest]
        return [*before, *rest]

    def _counted(self, node: gast.For, range_: gast.Call) -> list[gast.stmt]:
        """Makes a ``while`` of a loop over a range, whose bounds Python itself has looked at."""
        step: Any = range_.args[2] if len(range_.args) == 3 else constant(1)
        down = isinstance(step, gast.UnaryOp) and isinstance(step.op, gast.USub)
        number = step.operand if down else step
        if (
            range_.keywords
            or not isinstance(number, gast.Constant)
            or type(number.value) is not int
            or not number.value
        ):
            raise self._refuse(node, "calls itself for a range whose step is no literal")
        turns, position, stop = map(self.context.names.fresh, ("turns", "position", "stop"))

        def bound(name: str) -> gast.expr:
            return gast.Attribute(load(turns), name, gast.Load())

        move = gast.BinOp(load(position), gast.Add(), copy.deepcopy(step))
        test = gast.Compare(load(position), [gast.Gt() if down else gast.Lt()], [load(stop)])
        body = [
            assign(node.target, load(position), node.target),
            assign(position, move, node.iter),
            *node.body,
        ]
        return [
            assign(turns, range_, range_),
            assign(position, bound("start"), range_),
            assign(stop, bound("stop"), range_),
            place(gast.While(place(test, range_), body, []), node),
        ]

    def _statement(self, node: gast.stmt, block: Block) -> Block:
        match node:
            case gast.Assign(targets=[gast.Name(id=target)], value=value) if self._is_plain_call(value):
                return self._call(value, target, block)
            case gast.Expr(value=value) if self._is_plain_call(value):
                return self._call(value, None, block)
            case gast.AugAssign(target=gast.Name(id=name)) if name in self._group.variables:
                pass
            case gast.Assign() | gast.AnnAssign() | gast.Expr() | gast.Assert() | gast.Raise():
                pass
            case _:
                raise self._refuse(node, f"calls itself in {type(node).__name__.lower()}")
        block = self._hoisted(node, block)
        if self.has(node):
            raise self._refuse(node, "calls itself where that cannot be a statement of its own")
        block.append(node)
        return block

    def _hoisted(self, node: gast.stmt, block: Block) -> Block:
        """Makes statements of the calls in the expression that a statement evaluates first."""
        field = "value" if isinstance(node, gast.AugAssign) else EVALUATED_FIRST[type(node)]
        before: list[gast.stmt] = []
        if getattr(node, field, None) is not None:
            setattr(node, field, self.hoist(getattr(node, field), before))
        return self._run(before, block)

    def _call(self, call: gast.Call, target: str | None, block: Block) -> Block:
        member = self._group.called(call)
        assert member is not None
        given = self._group.arguments(call, member)
        values = {
            member.parameters[name]: value
            for name, value in given.items()
            if member.parameters[name] not in self._group.fixed
            and not _is_name(value, member.parameters[name])
        }
        resume = self._new()
        if len(values) > 1:
            for name, value in values.items():
                kept = self.context.names.fresh(name)
                block.append(assign(kept, value, value))
                values[name] = place(load(kept), value)
        number = self._goto(resume).number
        block.append(Suspend(number, call))
        block += [assign(name, value, value) for name, value in values.items()]
        block.append(Goto(member.start))
        resume.append(Resume(number, target, call))
        return resume

    # -- calls of the function itself ------------------------------------------------------------------------------

    def has(self, node: Any) -> bool:
        """Says whether the function calls itself in a node."""
        return any(map(self._is_call, gast.walk(node)))

    def stays(self, node: gast.expr) -> bool:
        """Says whether an operand gives the same after a call: a parameter that never changes, or a function of a module's that is called."""
        if isinstance(node, gast.Name) and node.id in self._group.fixed:
            return True
        root = node
        while isinstance(root, gast.Attribute):
            root = root.value
        called = (
            node in self._callees and isinstance(root, gast.Name) and root.id not in self._group.variables
        )
        return called or super().stays(node)

    def hoist(self, node: gast.expr, before: list[gast.stmt]) -> gast.expr:
        """Takes calls of the function itself out of an expression."""
        if isinstance(node, COMPREHENSIONS) and self.has(node):
            raise self._refuse(node, "calls itself in a comprehension")
        found = super().hoist(node, before)
        return self.saved(found, before) if self._is_call(found) else found

    def _is_call(self, node: gast.AST) -> bool:
        return self._group.called(node) is not None

    def _is_plain_call(self, node: gast.expr) -> bool:
        return self._is_call(node) and not any(map(self.has, (*node.args, *node.keywords)))

    def _refuse(self, node: gast.AST, what: str) -> Exception:
        return self._group.refuse(node, what)


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name
