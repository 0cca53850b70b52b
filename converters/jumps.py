"""``break``, ``continue``, early ``return`` and the ``else`` of loops, without jumping."""

from dataclasses import dataclass

import gast

from .completion import JUMPS, Completion, inside
from .context import Context
from .later_returns import LaterReturns, returns_in
from .syntax import LOOPS, assign, constant, inner_blocks, load, negate, place, set_flag

GUARDED = (gast.Try, gast.With)


@dataclass(slots=True)
class _Frame:
    """What a jump leaves: the body of a loop, for this turn or for good, or else the function.

    ``flag``, if any, is true once the loop is over. ``skip`` tells that the rest of the body is to be skipped.
    """

    loop: bool
    flag: str | None = None
    skip: str | None = None


class Jumps:
    """Makes every block run to its end, and leaves one ``return``, at the end of the function.

    Where one branch of an ``if`` certainly jumps, the remainder of the block moves into the other branch. Where that
    is not certain, a flag tells whether to run the remainder. A loop that can be left ends in ``if flag: break``,
    the one jump there is in the canonical form.

    Before:
        def f(xs):
            for x in xs:
                if x < 0:
                    continue
                if x > 9:
                    break
                print(x)
            else:
                print("all")

    After:
        def f(xs):
            done = False
            for x in xs:
                if x < 0:
                    pass
                elif x > 9:
                    done = True
                else:
                    print(x)
                if done:
                    break
            if not done:
                print("all")

    Before:
        def f(xs):
            for x in xs:
                if x > 9:
                    return x
            return 0

    After:
        def f(xs):
            returned = False
            for x in xs:
                if x > 9:
                    result = x
                    returned = True
                if returned:
                    break
            if not returned:
                result = 0
            return result

    Before:
        def f(xs):
            for x in xs:
                try:
                    return x
                finally:
                    if x > 9:
                        continue

    After:
        def f(xs):
            returned = False
            for x in xs:
                try:
                    result = x
                    returned = True
                finally:
                    pending = returned
                    returned = False
                    jumped = False
                    if x > 9:
                        jumped = True
                    if not jumped:
                        returned = pending
                if returned:
                    break
            if not returned:
                result = None
            return result

    Before:
        def f(a, b):
            if a:
                if b:
                    return 1
                print("a")
            print("end")
            return 2

    After:
        def f(a, b):
            returned = False
            if a:
                if b:
                    result = 1
                    returned = True
                else:
                    print("a")
            if not returned:
                print("end")
                result = 2
            return result
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._completion = Completion()
        # Jumps that go on leaving, after a loop that was left by a return.
        self._again: set[gast.Return] = set()
        self._result: str | None = None

    def convert(self, function: gast.FunctionDef) -> None:
        """Rewrites a function in place, but not the functions inside it."""
        body = function.body
        self._completion.prune(body)
        self._later = LaterReturns(function)
        returns = [found for statement in body for found in returns_in(statement)]
        if not returns or returns == body[-1:]:
            rest = body[: len(body) - len(returns)]
            function.body = self._block(rest, _Frame(loop=False), None) + returns
            return
        if any(node.value is not None and not _is_none(node.value) for node in returns):
            self._result = self._context.names.shared("result")
            if self._completion.completes(body):
                body = [*body, place(gast.Return(constant(None)), function)]
        function.body = self._block(body, _Frame(loop=False), None)
        if self._result is not None:
            function.body.append(place(gast.Return(load(self._result)), function))

    @property
    def _returned(self) -> str:
        return self._context.names.shared("returned")

    def _block(self, statements: list[gast.stmt], frame: _Frame, watched: str | None) -> list[gast.stmt]:
        """Rewrites a block. Where it jumps, it sets the flag ``watched``, if any."""
        converted: list[gast.stmt] = []
        pending = statements[::-1]
        while pending:
            node = pending.pop()
            if isinstance(node, JUMPS):
                return converted + self._jump(node, frame, watched)
            if isinstance(node, gast.Raise):
                return [*converted, node]
            if isinstance(node, LOOPS):
                loop, after = self._loop(node, frame)
                converted += loop
                pending = (pending if self._completion.is_left(node) else []) + after[::-1]
            elif isinstance(node, gast.If):
                if self._completion.jumps(node) or not self._completion.completes([node]):
                    return converted + self._if(node, pending[::-1], frame, watched)
                converted += self._if(node, [], frame, watched)
            elif isinstance(node, GUARDED):
                if self._completion.jumps(node) or not self._completion.completes([node]):
                    return converted + self._guard(node, pending[::-1], frame, watched)
                converted += self._guard(node, [], frame, watched)
            else:
                converted.append(node)
        return converted

    def _if(
        self, node: gast.If, rest: list[gast.stmt], frame: _Frame, watched: str | None
    ) -> list[gast.stmt]:
        body, orelse = node.body, node.orelse
        if not self._completion.completes(body):
            orelse = orelse + rest if self._completion.completes(orelse) else orelse
        elif not self._completion.completes(orelse):
            body = body + rest
        elif rest:
            return self._guarded(node, rest, frame, watched)
        return _branches(node, self._block(body, frame, watched), self._block(orelse, frame, watched))

    def _guarded(
        self, node: gast.If, rest: list[gast.stmt], frame: _Frame, watched: str | None
    ) -> list[gast.stmt]:
        """Rewrites an ``if`` that jumps on some paths only: a flag decides whether the rest is run."""
        flag, start = self._flag(node, frame, watched, node.test)
        branches = _branches(node, self._block(node.body, frame, flag), self._block(node.orelse, frame, flag))
        return [*start, *branches, _unless(flag, self._block(rest, frame, watched), node.test)]

    def _guard(
        self, node: gast.Try | gast.With, rest: list[gast.stmt], frame: _Frame, watched: str | None
    ) -> list[gast.stmt]:
        """Rewrites a ``try`` or ``with``. What comes after a jump in it stays outside, where nothing is caught."""
        at = node.body[0]
        start: list[gast.stmt] = []
        flag = watched
        rest = rest if self._completion.completes([node]) else []
        skips_else = bool(getattr(node, "orelse", None)) and any(map(self._completion.jumps, node.body))
        if self._completion.jumps(node) and (rest or skips_else):
            flag, start = self._flag(node, frame, watched, at)
        fails_late = self._jumps_before_failing(node.body)
        jumps_before = any(
            self._completion.jumps(inner) for block in list(inner_blocks(node))[:-1] for inner in block
        )
        node.body = self._block(node.body, frame, flag)
        for handler in getattr(node, "handlers", ()):
            handler.body = self._block(handler.body, frame, flag)
            if fails_late:
                flags = dict.fromkeys((flag, frame.flag, self._returned if frame.loop else None))
                handler.body[:0] = [set_flag(name, False, handler) for name in flags if name]
        if isinstance(node, gast.Try):
            node.orelse = self._block(node.orelse, frame, flag)
            if skips_else and flag:
                node.orelse = [_unless(flag, node.orelse, at)]
            node.finalbody = self._final(node, frame, flag, jumps_before)
        if flag is None or not rest:
            return [*start, node]
        return [*start, node, _unless(flag, self._block(rest, frame, watched), at)]

    def _final(
        self, node: gast.Try, frame: _Frame, watched: str | None, jumps_before: bool
    ) -> list[gast.stmt]:
        """Rewrites what a ``try`` ends with. Where that jumps, a jump that it follows is taken back."""
        if not any(map(self._completion.jumps, node.finalbody)):
            return self._block(node.finalbody, frame, watched)
        self._context.replacing.add(node)
        if jumps_before and self._completion.returns(node) and any(map(self._takes_back, node.finalbody)):
            raise self._context.refuse("C013-taken-back", node.finalbody[0])
        returned = self._returned if frame.loop and self._completion.returns(node) else None
        flags = dict.fromkeys((watched, frame.flag, returned))
        at = node.finalbody[0]
        pending = {flag: self._context.names.fresh("pending") for flag in flags if flag and jumps_before}
        if not pending:
            return self._block(node.finalbody, frame, watched)
        jumped = self._context.names.fresh("jumped")
        start = [assign(name, load(flag), at) for flag, name in pending.items()]
        start += [set_flag(flag, False, at) for flag in (*pending, jumped)]
        took = [set_flag(watched, True, at)] if watched else []
        restore = [assign(flag, load(name), at) for flag, name in pending.items()]
        end = (
            place(gast.If(place(load(jumped), at), took, restore), at)
            if took
            else _unless(jumped, restore, at)
        )
        return [*start, *self._block(node.finalbody, frame, jumped), end]

    def _takes_back(self, node: gast.stmt) -> bool:
        """Says whether a return in a statement may be taken back, after which the one before it still holds."""
        if (
            isinstance(node, gast.Try)
            and self._completion.returns(node)
            and any(map(self._completion.jumps, node.finalbody))
        ):
            return True
        return any(map(self._takes_back, inside(node)))

    def _jumps_before_failing(self, block: list[gast.stmt]) -> bool:
        """Says whether something may fail after a jump: what the end of a ``with`` or ``finally`` does."""
        return any(
            (isinstance(node, GUARDED) and self._completion.jumps(node)) or self._jumps_before_failing(inner)
            for node in block
            for inner in (list(inner_blocks(node)) or [[]])
        )

    def _flag(
        self, node: gast.stmt, frame: _Frame, watched: str | None, at: gast.AST
    ) -> tuple[str, list[gast.stmt]]:
        """Finds or makes a flag that tells whether a statement has jumped, and what has to be done before it."""
        flag = watched or self._witness(node, frame)
        if flag is None:
            if frame.skip is None:
                frame.skip = self._context.names.fresh("skip") if frame.loop else self._returned
            flag = frame.skip
        unset = watched is None and (flag == frame.skip or (flag == self._returned and not frame.loop))
        return flag, [set_flag(flag, False, at)] if unset else []

    def _jump(self, node: gast.stmt, frame: _Frame, watched: str | None) -> list[gast.stmt]:
        """Turns a jump into stores that leave its traces. Nothing runs after it, so there is nothing to jump over."""
        converted = []
        flags: list[str | None] = []
        if isinstance(node, gast.Return) and node not in self._again:
            if self._result is not None and node not in self._later:
                converted.append(assign(self._result, node.value or constant(None), node))
            flags.append(self._returned if frame.loop else None)
        if not isinstance(node, gast.Continue):
            flags.append(frame.flag)
        flags.append(watched)
        known = {self._returned} if node in self._again else set()
        converted += [
            set_flag(flag, True, node) for flag in dict.fromkeys(flags) if flag and flag not in known
        ]
        if not converted and node not in self._again:
            converted.append(place(gast.Pass(), node))
        return converted

    def _loop(self, node: gast.For | gast.While, frame: _Frame) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """Rewrites a loop. Gives it as it is now, and the statements to be rewritten after it."""
        header = node.iter if isinstance(node, gast.For) else node.test
        start, after = [], []
        inner = _Frame(loop=True)
        orelse = node.orelse if self._completion.is_left(node) else []
        if any(self._completion.returns(statement) for statement in node.body):
            inner.flag = self._returned
            if not frame.loop:
                start.append(set_flag(inner.flag, False, header))
            same = self._later.take(node)
            again = place(gast.Return(same and load(same)), header)
            if same is None:
                self._again.add(again)
            left = place(gast.If(place(load(inner.flag), header), [again], []), header)
            after.append(left if self._completion.is_left(node) else again)
        if self._completion.breaks(node.body):
            inner.flag = self._context.names.fresh("done")
            start.append(set_flag(inner.flag, False, header))
            if orelse:
                orelse = [place(gast.If(place(negate(load(inner.flag)), header), orelse, []), header)]
        node.body = self._block(node.body, inner, None)
        if inner.flag is not None:
            leave = place(gast.Break(), header)
            node.body.append(place(gast.If(place(load(inner.flag), header), [leave], []), header))
        node.orelse = []
        return [*start, node], after + orelse

    def _witness(self, node: gast.stmt, frame: _Frame) -> str | None:
        """Finds a flag that is true after exactly those paths through a statement that jump."""
        flags: set[str | None] = set()
        pending: list[gast.stmt] = [node]
        while pending:
            statement = pending.pop()
            if isinstance(statement, gast.Return) and not frame.loop:
                flags.add(self._returned if statement in self._again else None)
            elif isinstance(statement, JUMPS):
                flags.add(None if isinstance(statement, gast.Continue) else frame.flag)
            elif isinstance(statement, gast.If):
                pending += statement.body + statement.orelse
            elif isinstance(statement, GUARDED):
                pending += [inner for block in inner_blocks(statement) for inner in block]
            elif isinstance(statement, LOOPS):
                pending += statement.orelse
                if any(self._completion.returns(inner) for inner in statement.body):
                    flags.add(frame.flag or self._returned)
        return flags.pop() if len(flags) == 1 else None


def _branches(node: gast.If, body: list[gast.stmt], orelse: list[gast.stmt]) -> list[gast.stmt]:
    """Builds an ``if`` again. Only one that was added by the rewriting can have become empty."""
    if not body and not orelse:
        return []
    test = node.test
    if not body:
        test, body, orelse = place(negate(test), test), orelse, []
    return [place(gast.If(test, body, orelse), node)]


def _unless(flag: str, block: list[gast.stmt], at: gast.AST) -> gast.If:
    """Builds ``if not flag: block``."""
    return place(gast.If(place(negate(load(flag)), at), block, []), at)


def _is_none(node: gast.expr) -> bool:
    return isinstance(node, gast.Constant) and node.value is None
