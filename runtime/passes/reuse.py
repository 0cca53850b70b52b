"""Has a loop that makes an array of the one that it carries, element by element, store it over that one.

Before:
    graph smooth:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        t0: int = 0
        t1: int = 9
        t2: int = 1
        f: float64[n] = negative(x)
        r: float64[n] = for i in range(t0, t1, t2) with a = f:
            t3: float64[n] = add(x, a)
            t4: float64[n] = divide(x, t3)
            yield t4
        return r
After:
    graph smooth:
        n: int = shape(x, 0)
        x: float64[n] = array('x')
        t0: int = 0
        t1: int = 9
        t2: int = 1
        f: float64[n] = negative(x)
        r: float64[n] = for i in range(t0, t1, t2) with a = f:
            t3: float64[n] = add(x, a)
            t4: float64[n] = divide(x, t3)
            t4_1: float64[n] = update(a[:], t4)
            yield t4_1
        return r

Nobody else sees either array. A turn then moves less memory, and turns may be run for a few elements at a time: see Note [Tiles].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from transpile.runtime.graph.ir import Block, Graph, Op, Value
from transpile.runtime.graph.types import ArrayType, dims_of
from transpile.runtime.ops.table import TABLE
from transpile.runtime.views.view import View

# Ops, besides elementwise ones, that make an array of their own.
_MAKES = frozenset(("fill", "empty", "copy"))


def store_over(graph: Graph) -> Graph:
    """Have loops store over the arrays that they carry, in place, and return the graph."""
    loops = [op for op in graph.block.walk() if op.name == "for_loop"]
    if any(map(_carries_arrays, loops)):
        uses = Counter(_uses(graph.block))
        for loop in loops:
            for place, initial in enumerate(loop.operands[3:]):
                if _is_own(initial) and uses[initial] == 1:
                    _store(loop.regions[0], place, initial, uses)
    return graph


def _carries_arrays(loop: Op) -> bool:
    return any(isinstance(value.type, ArrayType) for value in loop.operands[3:])


def _uses(block: Block) -> Iterator[Value]:
    """Yield the values that ops, and the ends of blocks, use, as often as they do."""
    yield from block.results or ()
    for op in block.ops:
        yield from op.operands
        for region in op.regions:
            yield from _uses(region)


def _is_own(value: Value) -> bool:
    """Whether a value is an array that an op has made."""
    op = value.op
    return op is not None and op.result_is_array() and (_is_elementwise(op) or op.name in _MAKES)


def _is_elementwise(op: Op) -> bool:
    return TABLE[op.name].family == "elementwise" and len(op.results) == 1


def _store(block: Block, place: int, initial: Value, uses: Counter[Value]) -> None:
    """Have what a loop carries at a place be stored over what it carried, where it is computed of that, element by element."""
    if block.results is None:
        return
    old, new = block.arguments[1 + place], block.results[place]
    if not (initial.type == old.type == new.type) or old is new or uses[new] != 1:
        return
    reads = _reads(new, old, block, uses)
    if reads is None or reads != uses[old]:
        return
    assert new.op is not None
    attributes = {"view": View.identity(dims_of(old.type)), "input": None}
    update = Op("update", (old, new), (old.type,), attributes, (), new.op.location)
    update.result.name = new.name
    block.append(update)
    block.results = (*block.results[:place], update.result, *block.results[place + 1 :])


def _reads(value: Value, old: Value, block: Block, uses: Counter[Value]) -> int | None:
    """Return how often what is computed for one element reads that element of an array; None where the value is no such computation."""
    op = value.op
    if op is None or op.block is not block or not _is_elementwise(op) or not op.result_is_array():
        return None
    found = 0
    for operand in op.operands:
        if operand is old:
            found += dims_of(value.type) == dims_of(old.type)
        elif uses[operand] == 1:
            found += _reads(operand, old, block, uses) or 0
    return found


__all__ = ["store_over"]
