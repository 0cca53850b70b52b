"""Finds the graphs that had better look for floating-point errors from the start than keep copies of the arrays that they write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import dims_of
from transpile.runtime.ops.table import TABLE

from .shown import Run, Shown, works

# Note [Spared copies]
# Where the processor's flags tell that something went wrong, the call is run again, and needs the caller's arrays as they were. What is watched by its numbers says all that there is
# to say when the call ends: no array is saved, unless a warning may be an error. To look at every number costs less than a copy, where each is computed about once:
# not where a loop goes over an array again and again, or from number to number, unless it shows in what that comes to, or where much is computed for each number that is written.

# How many looks at all numbers of an array are rather taken than a copy of it, which is memory that NumPy does not take: they cost as much as four copies of what caches hold, or as two of
# larger ones, and more of them leave a call slower than NumPy.
_LOOKS = 16

# What leaves the call to the original, which has to find arrays as they were in any case.
_LEAVES = frozenset(("deoptimise_if", "numpy", "numpy_several", "kept", "kept_part", "host_call"))


def spares_copies(
    graph: Graph, shown: Shown, told_of: Callable[[Op], int], is_sure: Callable[[Op], bool]
) -> bool:
    """Whether watching every op makes it needless to save what a graph writes, and costs less.

    `told_of` gives the errors of an op that are to be told, and `is_sure` says whether these show for certain; of those that are `shown` by others, these are looked at.
    """
    saved = _saved(graph)
    rank = max(saved.values(), default=0)
    if not rank:
        return False
    runs = list(_runs(graph.block, shown))
    in_runs = {inner for run, _ in runs for op in run.ops for inner in op.walk()}
    told = [(op, depth) for op, depth in _with_depth(graph.block) if told_of(op) and op not in in_runs]
    later = set(_from_first_write(graph))
    if any(op.name in _LEAVES for op in later):
        return False
    # What is not sure is asked for before anything is written: it must not be what is written, number by number.
    if any(not is_sure(op) and (op in later or TABLE[op.name].family == "elementwise") for op, _ in told):
        return False
    each = [(op, depth) for op, depth in told if TABLE[op.name].family == "elementwise"]
    looks = sum(depth + _axes(op.results) == rank for op, depth in each) + sum(
        depth == rank for _, depth in runs
    )
    once = all(_is_once(op, depth, rank) for op, depth in told) and all(depth <= rank for _, depth in runs)
    return looks <= _LOOKS * len(saved) and once


def _runs(block: Block, shown: Shown, depth: int = 0) -> Iterator[tuple[Run, int]]:
    """Yield runs with the number of loops around them."""
    inside: set[Op] = set()
    for run in shown.runs(block):
        yield run, depth
        inside.update(run.ops)
    for op in block.ops:
        for region in op.regions if op not in inside else ():
            yield from _runs(region, shown, depth + (op.name != "cond"))


def _saved(graph: Graph) -> dict[int, int]:
    """Return the places of the arrays that are written as well as read, and how many axes each has."""
    read = {value for op in graph.block.walk() for value in _read(op)}
    memory = [(place, graph.block.arguments[place]) for place in graph.written]
    for update in filter(writes_input, graph.block.walk()):
        memory += [(update.attributes["input"], value) for value in (update.operands[0], update.result)]
    return {place: len(dims_of(value.type)) for place, value in memory if value in read}


def _read(op: Op) -> Iterator[Value]:
    """Yield the arrays that an op reads; not those that a branch or loop hands on."""
    if not op.regions:
        yield from op.operands[1:] if TABLE[op.name].writes is not None else op.operands


def writes_input(op: Op) -> bool:
    """Whether an op writes to an array of the caller's."""
    return TABLE[op.name].writes is not None and op.attributes["input"] is not None


def _from_first_write(graph: Graph) -> Iterator[Op]:
    """Yield the ops that may run after something was written."""
    written = False
    for op in graph.block.ops:
        inner = list(op.walk())
        written = written or any(map(writes_input, inner))
        if written:
            yield from inner


def _with_depth(block: Block, depth: int = 0) -> Iterator[tuple[Op, int]]:
    """Yield ops with the number of loops around them."""
    for op in block.ops:
        yield op, depth
        for region in op.regions:
            yield from _with_depth(region, depth + (op.name != "cond"))


def _is_once(op: Op, depth: int, rank: int) -> bool:
    """Whether an op in so many loops computes about as many numbers as an array of so many axes has, or fewer, several at a time or beside more work."""
    if TABLE[op.name].family != "elementwise":
        # Sums and products take longer than to look at what they give.
        return depth + _axes(op.results) <= rank
    axes = _axes((*op.operands, *op.results))
    return depth + axes <= rank and (
        axes > 0 or depth < rank or (op.block is not None and any(map(works, op.block.ops)))
    )


def _axes(values: Iterable[Value]) -> int:
    """Return how many axes some values have, at most, without those of length 1."""
    return max((sum(dim != 1 for dim in dims_of(value.type)) for value in values), default=0)
