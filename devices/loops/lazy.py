"""Which arrays are computed element by element where they are used."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Block, Op, Value
from transpile.runtime.graph.types import dims_of, element
from transpile.runtime.ops.backwards import rounds_backwards
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

from .memory import Memory, is_array, is_update
from .uses import DEEPEST

# Ops whose result costs nothing to compute again: another index, or a number.
_FREE = frozenset(("view", "fill", "iota"))
# Ops, besides elementwise ones, that take an operand element by element, or store it themselves when they need it stored.
_TAKERS = frozenset(
    (
        "reduce",
        "argreduce",
        "load",
        "copy",
        "concatenate",
        "view",
        "reshape",
        "matmul",
        "dot",
        "gather",
        "nonzero",
        "reserve",
    )
)


def decide_lazy(memory: Memory, block: Block) -> None:
    """Decide, from the last op to the first, which results are lazy.

    A value is, when it has one use (or is free), in its own block, by an op that takes elements, over no more elements than it has; and when
    nothing it reads is written before the use is computed. Chains of lazy values end where expressions would get too deep.
    """
    place = {op: number for number, op in enumerate(block.ops)}
    users = _users(block)
    asked = {value: place[op] for op in block.ops if op.name == "asked_errors" for value in op.operands[1:]}
    writers = [(number, base) for number, op in enumerate(block.ops) for base in memory.writes(op)]
    numbers = [number for number, _ in writers]
    when: dict[Value, int] = {}
    depths: dict[Value, int] = {}
    # What is asked for from its last element on.
    turned: set[Value] = set()
    for op in reversed(block.ops):
        for region in op.regions:
            decide_lazy(memory, region)
        if not _is_lazy_kind(op) or not op.result_is_array():
            continue
        value = op.result
        uses = users.get(value, [])
        if not uses or any(user is None or not _takes_elements(user, value, direct) for user, direct in uses):
            continue
        if op.name not in _FREE and (len(uses) > 1 or _is_spread(value, users)):
            continue
        if _is_called(op) and any(
            user is not None and (_cuts_up(user) or _searches_rows(user)) for user, _ in uses
        ):
            # NumPy's loops would be called for rows that may be short, or for one element after the other.
            continue
        is_turned = any(
            user is not None and (_turns(user) or not turned.isdisjoint(user.results)) for user, _ in uses
        )
        if is_turned and _rounds_backwards(op):
            continue
        nearer = (depths.get(result, 0) for user, _ in uses if user is not None for result in user.results)
        depth = 1 + max(nearer, default=0)
        if depth > DEEPEST:
            continue
        first, last = place[op], asked.get(value, 0)
        for user, direct in uses:
            assert user is not None
            own = place[user] if direct else place[user] + 1
            last = max(last, when.get(user.results[0], own) if user.results else own)
        reads = [operand for operand in op.operands if is_array(operand)]
        between = writers[bisect_right(numbers, first) : bisect_left(numbers, last)] if reads else ()
        if any(memory.shares(base, read) for _, base in between for read in reads):
            continue
        if is_turned:
            turned.add(value)
        memory.lazy.add(value)
        depths[value] = depth
        when[value] = last


def _takes_elements(user: Op, value: Value, direct: bool) -> bool:
    """Whether a use of a lazy value can compute its elements."""
    assert value.op is not None
    if not direct:
        return value.op.name == "view"
    if is_update(user):
        return user.operands[0] is not value
    if TABLE[user.name].family != "elementwise":
        return user.name in _TAKERS
    return value.op.name in _FREE or not any(
        _is_broadcast(dims_of(value.type), dims_of(result.type)) for result in user.results
    )


def _is_lazy_kind(op: Op) -> bool:
    """Whether an op's result can be computed element by element where it is used."""
    return (
        (TABLE[op.name].family == "elementwise" and len(op.results) == 1)
        or op.name in _FREE
        or op.name == "gather"
    )


def _turns(user: Op) -> bool:
    """Whether an op reads or writes along an axis from the last element on."""
    view = user.attributes.get("view")
    return isinstance(view, View) and any(step < 0 for _, terms in view.axes for _, step in terms)


def _rounds_backwards(op: Op) -> bool:
    """Whether NumPy's loop for an op rounds otherwise where it goes backwards."""
    return bool(op.operands) and rounds_backwards(op.name, element(op.operands[0].type).char)


def _is_called(op: Op) -> bool:
    """Whether an op is computed by NumPy's own loop for it, a piece of a row at a time."""
    if TABLE[op.name].family != "elementwise" or not op.operands:
        return False
    return element(op.operands[0].type).kind not in TABLE[op.name].cpu


def _cuts_up(user: Op) -> bool:
    """Whether a view shows the axes of an array in several, and next to all that is there."""
    if user.name != "view":
        return False
    axes = user.attributes["view"].axes
    is_dense = all(1 in (abs(step) for _, step in terms) for _, terms in axes)
    return is_dense and any(len(terms) > 1 for _, terms in axes)


def _searches_rows(user: Op) -> bool:
    """Whether an op looks for an extreme in each of many rows."""
    return user.name == "argreduce" and len(dims_of(user.operands[0].type)) > 1


def _users(block: Block) -> dict[Value, list[tuple[Op | None, bool]]]:
    """Return, for each value, the ops of this block that use it: directly, or in a region of theirs; None for the block's end.

    What is asked for errors counts for nothing: it is computed once more where there are some.
    """
    users: dict[Value, list[tuple[Op | None, bool]]] = {}
    for op in block.ops:
        for operand in op.operands[: 1 if op.name == "asked_errors" else None]:
            users.setdefault(operand, []).append((op, True))
        for region in op.regions:
            for value in dict.fromkeys(_captured(region)):
                users.setdefault(value, []).append((op, False))
    for value in block.results or ():
        users.setdefault(value, []).append((None, True))
    return users


def _is_spread(value: Value, users: dict[Value, list[tuple[Op | None, bool]]]) -> bool:
    """Whether the elements of a value are used several times: by one that is broadcast, or through views."""
    uses = users.get(value, [])
    if len(uses) != 1 or uses[0][0] is None or not uses[0][1]:
        return True
    user, dims = uses[0][0], dims_of(value.type)
    if user.name == "view":
        view: View = user.attributes["view"]
        broadcast = any(view.dims[axis] != 1 for axis in view.broadcast_axes())
        return broadcast or _is_spread(user.result, users)
    if user.name == "update":
        return _is_broadcast(dims, user.attributes["view"].dims)
    return TABLE[user.name].family == "elementwise" and any(
        _is_broadcast(dims, dims_of(result.type)) for result in user.results
    )


def _is_broadcast(dims: Sequence[DimLike], wider: Sequence[DimLike]) -> bool:
    """Whether an array has fewer elements than one that it is combined into: where no axis is 1, dims that differ are assumed equal."""
    return len(dims) != len(wider) or any(
        one == 1 and other != 1 for one, other in zip(dims, wider, strict=True)
    )


def _captured(block: Block) -> Iterable[Value]:
    for op in block.walk():
        yield from op.operands
        for region in op.regions:
            yield from region.results or ()
    yield from block.results or ()
