"""Branches and loops."""

from __future__ import annotations

from collections.abc import Sequence

from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import TokenType

from .buffer import Buffer, Layout, Variable
from .expression import Expression
from .memory import carried_of, is_array
from .scheduler import Scheduler, lowers
from .statement import Assign, Body, For, If, Let, While
from .values import whole


@lowers("cond")
def cond(scheduler: Scheduler, op: Op) -> None:
    """Schedule a branch."""
    test = scheduler.scalar(op.operands[0])
    targets: dict[Value, Value | Buffer] = {}
    exits = scheduler.exits
    before = exits.writes, exits.effects, exits.final
    bodies: list[Body] = []
    for region in op.regions:
        exits.writes, exits.effects, exits.final = before
        known = scheduler.bounds.of_branch(op, region is op.regions[0])
        with scheduler.nested() as body, scheduler.bounds.knowing(known):
            scheduler.ops(region)
            if region.results is not None:
                _assign(scheduler, _cond_targets(scheduler, op, targets), region.results)
        bodies.append(body)
    exits.note_effects(op)
    for result in op.results:
        _define_result(scheduler, result, targets)
    for target in targets.values():
        if isinstance(target, Buffer):
            _choose_layout(scheduler, target, bodies)
    scheduler.body.append(If(test, bodies[0], bodies[1], op.location))


def _cond_targets(
    scheduler: Scheduler, op: Op, targets: dict[Value, Value | Buffer]
) -> list[tuple[Value, Value | Buffer | None]]:
    pairs: list[tuple[Value, Value | Buffer | None]] = []
    for place, result in enumerate(op.results):
        if isinstance(result.type, TokenType):
            pairs.append((result, None))
        elif not is_array(result):
            pairs.append((result, targets.setdefault(result, result)))
        else:
            ways = [region.results[place] for region in op.regions if region.results is not None]
            homes = {scheduler.memory.home(way, scheduler.homes) for way in ways}
            known = homes.pop()
            alone = known is not None and not homes and known.type == result.type
            if known is not None and alone and known in scheduler.arrays and not _inside(known, op):
                scheduler.arrays[result] = scheduler.arrays[known]
                pairs.append((result, None))
            else:
                pairs.append((result, targets.setdefault(result, scheduler.alias(result))))
    return pairs


def _define_result(scheduler: Scheduler, result: Value, targets: dict[Value, Value | Buffer]) -> None:
    target = targets.get(result)
    if isinstance(target, Buffer):
        scheduler.arrays[result] = whole(target)
    elif target is not None:
        scheduler.scalars[result] = Variable(target)


def _assign(
    scheduler: Scheduler, targets: Sequence[tuple[Value, Value | Buffer | None]], values: Sequence[Value]
) -> None:
    """Add the assignment of values to variables, all at once; those that are there already are left out."""
    pairs: list[tuple[Value | Buffer, Expression | Buffer]] = []
    for (_, target), value in zip(targets, values, strict=True):
        if target is None:
            continue
        if isinstance(target, Buffer):
            buffer = scheduler.stored(value).buffer
            if buffer is not target:
                pairs.append((target, buffer))
        else:
            expression = scheduler.scalar(value)
            if expression != Variable(target):
                pairs.append((target, expression))
    if pairs:
        scheduler.body.append(Assign(pairs))


def _choose_layout(scheduler: Scheduler, target: Buffer, bodies: Sequence[Body]) -> None:
    """Give a variable that stands for several buffers the layout that they share."""
    sources = [
        s for body in bodies for st in body if isinstance(st, Assign) for t, s in st.pairs if t is target
    ]
    layouts = {source.layout for source in sources if isinstance(source, Buffer)}
    target.layout = layouts.pop() if len(layouts) == 1 else "A"
    target.aligned = all(source.aligned for source in sources if isinstance(source, Buffer))


def _loop_targets(scheduler: Scheduler, op: Op) -> list[tuple[Value, Value | Buffer | None]]:
    """Give what a loop carries its variables, with their initial values; return them."""
    carried, arguments = carried_of(op)
    numbers = [
        (value, argument)
        for value, argument in zip(carried, arguments, strict=True)
        if not (is_array(argument) or isinstance(argument.type, TokenType))
    ]
    # Arrays may be as long as numbers say that are carried, too.
    for _, argument in numbers:
        scheduler.scalars[argument] = Variable(argument)
    _assign(scheduler, [(a, a) for _, a in numbers], [value for value, _ in numbers])
    targets: list[tuple[Value, Value | Buffer | None]] = []
    after = op.regions[-1].results or arguments
    for place, (initial, argument, next_) in enumerate(zip(carried, arguments, after, strict=True)):
        if isinstance(argument.type, TokenType):
            targets.append((argument, None))
        elif not is_array(argument):
            targets.append((argument, argument))
        else:
            stored = scheduler.stored(initial)
            if (op, place) in scheduler.memory.copied_initial:
                scheduler.copies.append(op.location)
                stored = scheduler.store(argument, stored)
            if scheduler.memory.threaded(next_, argument):
                scheduler.arrays[argument] = stored
                targets.append((argument, None))
            else:
                buffer = scheduler.alias(argument)
                buffer.layout = _meet(stored.buffer.layout, buffer.layout)
                buffer.aligned = stored.buffer.aligned
                scheduler.body.append(Assign([(buffer, stored.buffer)]))
                scheduler.arrays[argument] = whole(buffer)
                targets.append((argument, buffer))
    return targets


def _finish_loop(
    scheduler: Scheduler, op: Op, targets: Sequence[tuple[Value, Value | Buffer | None]]
) -> None:
    for result, (argument, _) in zip(op.results, targets, strict=True):
        if is_array(result):
            scheduler.arrays[result] = scheduler.arrays[argument]
        elif not isinstance(result.type, TokenType):
            scheduler.scalars[result] = Variable(argument)
            if result in scheduler._in_dims:
                # Dims are printed with the values that they are over.
                scheduler.body.append(Let(result, Variable(argument)))
                scheduler.scalars[result] = Variable(result)


def _until(
    scheduler: Scheduler, op: Op, targets: Sequence[tuple[Value, Value | Buffer | None]]
) -> Value | None:
    until = op.attributes["until"]
    return None if until is None else targets[until][0]


@lowers("for_loop")
def for_loop(scheduler: Scheduler, op: Op) -> None:
    """Schedule a loop over a range."""
    (block,) = op.regions
    targets = _loop_targets(scheduler, op)
    index = block.arguments[0]
    scheduler.scalars[index] = Variable(index)
    scheduler.bounds.enter_block(op, block)
    scheduler.exits.note_effects(op)
    with scheduler.nested() as body, scheduler.bounds.knowing(scheduler.bounds.of_turn(op)):
        scheduler.ops(block)
        if block.results is not None:
            _assign(scheduler, targets, block.results)
    start, stop, step = map(scheduler.scalar, op.operands[:3])
    scheduler.body.append(For(index, start, stop, step, body, _until(scheduler, op, targets), op.location))
    _finish_loop(scheduler, op, targets)


@lowers("while_loop")
def while_loop(scheduler: Scheduler, op: Op) -> None:
    """Schedule a loop on a test."""
    test, block = op.regions
    targets = _loop_targets(scheduler, op)
    scheduler.bounds.enter_block(op, block)
    scheduler.exits.note_effects(op)
    with scheduler.nested() as head:
        scheduler.ops(test)
        assert test.results is not None
        condition = scheduler.scalar(test.results[0])
        # The body sees what the test computed.
        with scheduler.nested() as ends:
            _assign(scheduler, targets, test.results[1:])
        with scheduler.nested() as body, scheduler.bounds.knowing(scheduler.bounds.of_turn(op)):
            scheduler.ops(block)
            if block.results is not None:
                _assign(scheduler, targets, block.results)
    end = ends[0] if ends else Assign([])
    assert isinstance(end, Assign)
    scheduler.body.append(While(head, condition, end, body, _until(scheduler, op, targets), op.location))
    _finish_loop(scheduler, op, targets)


def _inside(value: Value, op: Op) -> bool:
    """Whether a value is made in a region of an op."""
    return any(
        value.block is region or any(value.block is r for inner in region.walk() for r in inner.regions)
        for region in op.regions
    )


def _meet(first: Layout, second: Layout) -> Layout:
    return first if first == second else "A"
