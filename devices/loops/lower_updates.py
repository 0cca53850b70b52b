"""Reading and writing at places that are part of an array."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from transpile.runtime.errors import DeviceError
from transpile.runtime.graph.dim import Dim, values_of
from transpile.runtime.graph.ir import Op, Value
from transpile.runtime.graph.types import INT, INT64, PYBOOL, ScalarType, dims_of
from transpile.runtime.positions import Location

from .buffer import Buffer
from .expression import (
    Apply,
    Constant,
    Element,
    Expression,
    Gather,
    IndexFunction,
    Indices,
    Position,
    elements,
    rebuilt,
    walk,
)
from .lines import LONG, keep_line, lines_of, unknown_row
from .memory import is_array
from .nests import Loop
from .scheduler import Scheduler, lowers
from .statement import Collect, If, Nest
from .values import Array, Stored, memory_order, whole

# What an array of places holds.
_PLACES = ScalarType(INT64)


@lowers("update")
def update(scheduler: Scheduler, op: Op) -> None:
    """Schedule a write: in place, unless the old contents are still wanted."""
    value = op.operands[1]
    stored = _overwritten(scheduler, op)
    target = Stored(stored.buffer, op.attributes["view"])
    dims = target.view.dims
    loops = scheduler.indices(dims)
    places = tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
    order = [loops[axis] for axis in memory_order(target, len(loops)) if loops[axis][1] != 1]
    element = target.at(places)
    assert isinstance(element, Element)
    expression = scheduler.element(value, places, len(places))
    overlapping = _overlapping(scheduler, target, element, expression, loops) if is_array(value) else []
    if overlapping and _is_copied_in_place(target, scheduler.arrays[value]):
        raise DeviceError(
            "D120-overlap",
            "a line of an array is stored into another one that crosses it",
            location=op.location,
        )
    lines = lines_of(expression, overlapping, order)
    if lines is None:
        _write_from_copy(scheduler, target, value, op.location)
    else:
        row = unknown_row(lines, order)
        with scheduler.nested() as then:
            kept = {part: keep_line(scheduler, value, part, own) for part, own in lines.items()}
            found = rebuilt(
                expression, lambda part: kept.get(part, part) if isinstance(part, Element) else part
            )
            scheduler.body.append(Nest(order, element, found, op.location))
        if row is None:
            scheduler.body += then
        else:
            with scheduler.nested() as otherwise:
                _write_from_copy(scheduler, target, value, op.location)
            test = Apply("greater_equal", (Position(row, INT), Constant(LONG, INT)), PYBOOL)
            scheduler.body.append(If(test, then, otherwise, op.location))
    scheduler.arrays[op.result] = stored


def _write_from_copy(scheduler: Scheduler, target: Stored, value: Value, location: Location) -> None:
    """Write what is computed, all of it, before any of it is written."""
    dims = target.view.dims
    with _set_aside(scheduler, [value]):
        scheduler.nest(target, lambda indices: scheduler.element(value, indices, len(dims)), dims, location)


def _is_copied_in_place(target: Stored, source: Array) -> bool:
    """Whether NumPy copies elements while it overwrites those that it still has to copy: it only looks out for lines of the same step, and of steps
    in opposite directions.
    """
    if not isinstance(source, Stored) or len(target.view.dims) != 1 or len(source.view.dims) != 1:
        return False
    one, other = (
        [(axis, step) for axis, (_, terms) in enumerate(view.axes) for _, step in terms]
        for view in (target.view, source.view)
    )
    return bool(other) and one != other and not _are_opposite(one, other)


def _are_opposite(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> bool:
    """Whether two lines, along an axis each, run in opposite directions."""
    return len(one) == len(other) == 1 and one[0][1] * other[0][1] < 0


@contextmanager
def _set_aside(scheduler: Scheduler, values: Sequence[Value]) -> Iterator[None]:
    """Have arrays read from copies for a while; they themselves stay where they are."""
    arrays = {value: scheduler.arrays[value] for value in values}
    for value, array in arrays.items():
        scheduler.store(value, array)
    yield
    scheduler.arrays |= arrays


def _overwritten(scheduler: Scheduler, op: Op) -> Stored:
    """Return the memory that an update writes into: its base, or a copy where the old contents are still wanted."""
    base = op.operands[0]
    stored = scheduler.stored(base)
    if op in scheduler.memory.copied:
        scheduler.copies.append(op.location)
        # The base stays where it is.
        stored = scheduler.store(op.result, IndexFunction(dims_of(base.type), stored.at))
    return stored


def _overlapping(
    scheduler: Scheduler, target: Stored, written: Element, expression: Expression, loops: Sequence[Loop]
) -> list[Element]:
    """Return what an expression, computed for each element that is written as its turn comes, would read of what is overwritten."""
    order = [loops[axis][0] for axis in memory_order(target, len(loops))]
    return [
        other
        for other in elements(expression)
        if _may_share(scheduler, other.buffer, target.buffer)
        and not (
            _is_same_array(other.buffer, target.buffer)
            and (
                other.indices == written.indices
                or _reads_ahead(written, other, order)
                or _disjoint(scheduler, target, other, loops)
            )
        )
    ]


def _may_share(scheduler: Scheduler, one: Buffer, other: Buffer) -> bool:
    """Whether two buffers may be the same memory."""
    if one.root is other.root or one.value is None or other.value is None:
        return True
    return scheduler.memory.shares(one.value, other.value)


def _is_same_array(one: Buffer, other: Buffer) -> bool:
    """Whether two buffers are the same memory in the same dims."""
    return one.root is other.root and one.dims == other.dims


def _disjoint(scheduler: Scheduler, target: Stored, other: Element, loops: Sequence[Loop]) -> bool:
    """Whether an element that is read is proved to be none of those written: on some axis it lies outside."""
    variables = {index for index, _ in loops}
    bounds = scheduler.bounds.anew()
    bounds.ranges = dict(scheduler.bounds.ranges)
    for index, dim in loops:
        bounds.enter_loop(index, 0, dim, 1)
    for (offset, terms), place in zip(target.view.axes, other.indices, strict=True):
        low = high = offset
        for axis, step in terms:
            reach = (target.view.dims[axis] - 1) * step
            low, high = (low, high + reach) if step > 0 else (low + reach, high)
        if not terms and any(v in variables for v in values_of(place)):
            continue
        if bounds.nonnegative(low - place - 1) or bounds.nonnegative(place - high - 1):
            return True
    return False


@lowers("nonzero")
def nonzero(scheduler: Scheduler, op: Op) -> None:
    """Schedule the places of true elements."""
    (mask,) = op.operands
    loops = scheduler.indices(dims_of(mask.type))
    test = scheduler.arrays[mask].at(tuple(Dim.of_value(index) for index, _ in loops))
    targets = [whole(scheduler.allocate(result)) for result in op.results]
    place = Value(INT, scheduler.name("place"))
    stores = [
        Nest(
            [],
            Element(target.buffer, (Dim.of_value(place),), _PLACES),
            Position(Dim.of_value(index), _PLACES),
        )
        for target, (index, _) in zip(targets, loops, strict=True)
    ]
    count = dims_of(op.results[0].type)[0]
    scheduler.body.append(Collect(loops, test, (place, count), [*stores], op.location))
    scheduler.arrays |= zip(op.results, targets, strict=True)


@lowers("gather")
def gather(scheduler: Scheduler, op: Op) -> None:
    """Schedule the reading of places that run time gives."""
    base, *indices = op.operands
    stored = scheduler.arrays[base]
    probe = stored.at(tuple(Dim.of_value(index) for index, _ in scheduler.indices(dims_of(base.type))))
    if not isinstance(stored, Stored) and any(isinstance(part, Apply) for part in walk(probe)):
        # Computed once for each element, however often it is read.
        stored = scheduler.addressed(base)
    rank = len(dims_of(indices[0].type))

    def at(places: Indices) -> Expression:
        found = _element_places(scheduler, indices, places[:rank])
        return Gather(found, stored.at((*(Dim.of_value(v) for v, _ in found), *places[rank:])))

    scheduler.define(op, op.result, IndexFunction(dims_of(op.result.type), at))


def _element_places(
    scheduler: Scheduler, indices: Sequence[Value], places: Indices
) -> tuple[tuple[Value, Expression], ...]:
    """Return the elements of index arrays, each with a variable for it."""
    return tuple(
        (Value(INT, scheduler.name("at")), scheduler.element(i, places, len(places))) for i in indices
    )


@lowers("scatter")
def scatter(scheduler: Scheduler, op: Op) -> None:
    """Schedule the writing of places that run time gives, in the order of the indices."""
    _, value, *indices = op.operands
    stored = _overwritten(scheduler, op)
    target = Stored(stored.buffer, op.attributes["view"])
    copied = [o for o in (value, *indices) if is_array(o) and _reads(scheduler, o, stored.buffer)]
    lead = dims_of(indices[0].type)
    loops = scheduler.indices((*lead, *target.view.dims[len(indices) :]))
    places = tuple(Dim.of_value(index) if dim != 1 else 0 for index, dim in loops)
    with _set_aside(scheduler, copied):
        found = _element_places(scheduler, indices, places[: len(lead)])
        stored_value = Gather(found, scheduler.element(value, places, len(places)))
    element = target.at((*(Dim.of_value(v) for v, _ in found), *places[len(lead) :]))
    assert isinstance(element, Element)
    scheduler.body.append(Nest([loop for loop in loops if loop[1] != 1], element, stored_value, op.location))
    scheduler.arrays[op.result] = stored


def _reads(scheduler: Scheduler, value: Value, buffer: Buffer) -> bool:
    """Whether the elements of an array are read from a buffer."""
    places = tuple(Dim.of_value(index) for index, _ in scheduler.indices(dims_of(value.type)))
    return any(
        _may_share(scheduler, other.buffer, buffer) for other in elements(scheduler.arrays[value].at(places))
    )


def _reads_ahead(written: Element, read: Element, loops: Sequence[Value]) -> bool:
    """Whether an element is read before its turn to be written comes, in loops from the outermost in: then nothing of it is lost."""
    ahead: dict[Value, int] = {}
    for place, other in zip(written.indices, read.indices, strict=True):
        difference = other - place
        inside = [loop for loop in loops if isinstance(place, Dim) and loop in place.values()]
        if difference == 0:
            continue
        if not isinstance(difference, int) or len(inside) != 1:
            return False
        step = place.coefficient(inside[0])  # type: ignore[union-attr]
        if not isinstance(step, int) or inside[0] in ahead:
            return False
        ahead[inside[0]] = difference * step
    first = next((ahead[loop] for loop in loops if ahead.get(loop)), 0)
    return first > 0
