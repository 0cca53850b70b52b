"""A function that calls itself, as one loop that keeps on stacks what is still to be done."""

import copy
from typing import Any

import gast

from .context import Context
from .hoisting import EVALUATED_FIRST, Hoisting
from .recursion_blocks import Block, Goto, Liveness, Resume, Return, Suspend
from .recursion_loop import loop_of
from .scopes import Scopes
from .syntax import (
    COMPREHENSIONS,
    SCOPES,
    arguments_of,
    assign,
    constant,
    load,
    place,
    until,
)

# The most elements of a display that a loop with a call in it runs over: it is written out.
_WRITTEN_OUT = 16


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

    def __init__(self, scopes: Scopes, context: Context) -> None:
        super().__init__(context)
        self._scopes = scopes
        self._blocks: list[Block] = []

    def convert(self, function: gast.FunctionDef) -> None:
        """Rewrites a function in place."""
        scope = self._scopes[function]
        self._name = function.name
        self._variables = frozenset(scope.bound)
        self._at = function
        self._parameters = [argument.id for argument in arguments_of(function.args)]
        nodes = [node for statement in function.body for node in gast.walk(statement)]
        calls = [node for node in nodes if self._is_call(node)]
        self._callees = {node.func for node in nodes if isinstance(node, gast.Call)}
        inside = [node for node in nodes if isinstance(node, SCOPES) and not isinstance(node, COMPREHENSIONS)]
        variadic = function.args.vararg or function.args.kwarg
        if inside:
            raise self._refuse(inside[0], "has a function inside")
        if not calls or variadic or self._name in self._variables:
            raise self._refuse(function, "calls itself in another way than by its name")
        arguments = [self._arguments(call, function.args) for call in calls]
        stored = {
            node.id
            for node in nodes
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store | gast.Del)
        }
        self._fixed = {
            name
            for name in self._parameters
            if name not in stored and all(_is_name(given[name], name) for given in arguments)
        }
        self._signature = function.args
        *body, last = function.body
        returned = (
            self.context.names.fresh("returned") if isinstance(last, gast.Return) and last.value else None
        )
        if not isinstance(last, gast.Return):
            body.append(last)
        elif returned is not None:
            body.append(assign(returned, last.value, last))
        self._run(body, self._new()).append(Return())
        for name in sorted(Liveness(self._blocks).starts[0] & self._variables - set(self._parameters)):
            # In the loop it would be what another call has left in it.
            raise self._refuse(function, f"calls itself, and may read {name} before it is bound")
        function.body = loop_of(self._blocks, self._variables - self._fixed, returned, function, self.context)

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
        if {"range"} & (self._variables | self.context.shadowed) or self.has(iterated):
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
            case gast.AugAssign(target=gast.Name(id=name)) if name in self._scopes[self._at].local:
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
        given = self._arguments(call, self._signature)
        changed = [
            name for name in self._parameters if name not in self._fixed and not _is_name(given[name], name)
        ]
        values = {name: given[name] for name in changed}
        resume = self._new()
        if len(changed) > 1:
            for name in changed:
                kept = self.context.names.fresh(name)
                block.append(assign(kept, values[name], values[name]))
                values[name] = place(load(kept), values[name])
        number = self._goto(resume).number
        block.append(Suspend(number, call))
        block += [assign(name, value, value) for name, value in values.items()]
        block.append(Goto(0))
        resume.append(Resume(number, target, call))
        return resume

    # -- calls of the function itself ------------------------------------------------------------------------------

    def has(self, node: Any) -> bool:
        """Says whether the function calls itself in a node."""
        return any(map(self._is_call, gast.walk(node)))

    def stays(self, node: gast.expr) -> bool:
        """Says whether an operand gives the same after a call: a parameter that never changes, or a function of a module's that is called."""
        if isinstance(node, gast.Name) and node.id in self._fixed:
            return True
        root = node
        while isinstance(root, gast.Attribute):
            root = root.value
        called = node in self._callees and isinstance(root, gast.Name) and root.id not in self._variables
        return called or super().stays(node)

    def hoist(self, node: gast.expr, before: list[gast.stmt]) -> gast.expr:
        """Takes calls of the function itself out of an expression."""
        if isinstance(node, COMPREHENSIONS) and self.has(node):
            raise self._refuse(node, "calls itself in a comprehension")
        found = super().hoist(node, before)
        return self.saved(found, before) if self._is_call(found) else found

    def _is_call(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Call) and _is_name(node.func, self._name)

    def _is_plain_call(self, node: gast.expr) -> bool:
        return self._is_call(node) and not any(map(self.has, (*node.args, *node.keywords)))

    def _arguments(self, call: gast.Call, signature: gast.arguments) -> dict[str, gast.expr]:
        """Gives what a call hands to each parameter."""
        places = [argument.id for argument in (*signature.posonlyargs, *signature.args)]
        given = dict(zip(places, call.args))
        named = {keyword.arg: keyword.value for keyword in call.keywords}
        starred = any(isinstance(argument, gast.Starred) for argument in call.args)
        if starred or given.keys() & named.keys() or len(call.args) > len(places):
            raise self._refuse(call, "is handed arguments that are not told one by one")
        given |= named
        if given.keys() != set(self._parameters):
            raise self._refuse(call, "is not handed all its arguments by itself")
        return given

    def _refuse(self, node: gast.AST, what: str) -> Exception:
        return self.context.refuse("C042-recursion", node, name=self._name, what=what)


def _is_name(node: gast.AST, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name
