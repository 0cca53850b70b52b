"""`for` loops: what they run over, and whether they are staged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.recorder import NeedsValue, recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value

from .branches import always, as_result, as_tuple, branch
from .liveness import rebinding
from .loops import staged_for

# The longest loop that is unrolled because its body needs to know which turn it is in.
UNROLLED = 64


class SymbolicRange:
    """A `range` with a bound that run time gives, or a known one, whose loop stays a loop."""

    def __init__(self, start: DimLike, stop: DimLike, step: DimLike) -> None:
        self.start, self.stop, self.step = start, stop, step

    @staticmethod
    def of(*bounds: Any) -> SymbolicRange:
        """Make the range that `range(*bounds)` is."""
        start, stop, step = (0, *bounds, 1)[:3] if len(bounds) == 1 else (*bounds, 1)[:3]
        step = as_dim(step)
        if not isinstance(step, int):
            raise_if(dim_scalar(step) == 0, lambda: ValueError("range() arg 3 must not be zero"))
        elif step == 0:
            raise ValueError("range() arg 3 must not be zero")
        return SymbolicRange(as_dim(start), as_dim(stop), step)

    @property
    def known(self) -> range | None:
        """The range, where all its bounds are known."""
        bounds = (self.start, self.stop, self.step)
        return range(*bounds) if all(isinstance(b, int) for b in bounds) else None  # type: ignore[arg-type]

    def length(self) -> DimLike:
        """Return how many turns there are."""
        known = self.known
        if known is not None:
            return len(known)
        record = recorder()
        if self.step == 1 and record.bounds.nonnegative(self.stop - self.start):
            return self.stop - self.start
        if not isinstance(self.step, int):
            raise NeedsValue(record.dim_value(self.step))
        length = record.emit(
            "slice_length", record.dim_value(self.start), record.dim_value(self.stop), step=self.step
        )
        return record.dim(length)

    def __len__(self) -> int:
        length = self.length()
        if isinstance(length, int):
            return length
        raise NeedsValue(recorder().dim_value(length))

    def __iter__(self) -> Iterator[int]:
        for bound in (self.start, self.stop, self.step):
            if not isinstance(bound, int):
                raise NeedsValue(recorder().dim_value(bound))
        known = self.known
        assert known is not None
        return iter(known)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, int) and key >= 0:
            return dim_scalar(self.start + self.step * key)
        return list(self)[key]


class Iteration:
    """A sequence that a staged loop can run over: bounds of a range, and the element at each position of it."""

    def __init__(
        self,
        bounds: tuple[DimLike, DimLike, DimLike],
        element: Callable[[DimLike], Any],
        length: DimLike,
        roots: Sequence[Any] = (),
    ) -> None:
        self.bounds = bounds
        self.element = element
        self.length = length
        self.roots = roots

    def at(self, place: DimLike) -> Any:
        """Return the element at a place counted from 0."""
        start, _, step = self.bounds
        return self.element(start + step * place)

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self.length, int):
            raise NeedsValue(recorder().dim_value(self.length))
        return iter([self.at(place) for place in range(self.length)])


def iteration_of(iterable: Any) -> Iteration | None:
    """Return how a staged loop runs over something, or None where Python itself iterates."""
    if isinstance(iterable, range):
        iterable = SymbolicRange(iterable.start, iterable.stop, iterable.step)
    if isinstance(iterable, Iteration):
        return iterable
    if isinstance(iterable, SymbolicRange):
        length = iterable.length() if isinstance(iterable.step, int) else 0
        return Iteration((iterable.start, iterable.stop, iterable.step), dim_scalar, length)
    if isinstance(iterable, StagedList) and iterable.is_staged:
        return Iteration((0, iterable.size(), 1), iterable.at, iterable.size(), (iterable,))
    if isinstance(iterable, SymbolicArray):
        if not iterable.ndim:
            raise TypeError("iteration over a 0-d array")
        return Iteration(
            (0, iterable.dims[0], 1), lambda place: iterable[dim_scalar(place)], iterable.dims[0]
        )
    return None


def enumerated(iterable: Any, start: Any = 0) -> Any:
    """Stand for `enumerate`."""
    inner = iteration_of(iterable)
    if inner is None:
        return enumerate(iterable, start)
    return Iteration(
        (0, inner.length, 1), lambda place: (dim_scalar(as_dim(start) + place), inner.at(place)), inner.length
    )


def zipped(*iterables: Any, strict: bool = False) -> Any:
    """Stand for `zip`."""
    inner = [iteration_of(iterable) for iterable in iterables]
    if not any(inner):
        return zip(*iterables, strict=strict)
    record = recorder()
    if not all(inner):
        # Known things among them: as many turns as there are of those, at the most.
        known = [
            list(iterable) if one is None else None for iterable, one in zip(iterables, inner, strict=True)
        ]
        count = min(len(k) for k in known if k is not None)
        for one in inner:
            if one is not None and not record.assume_nonnegative(one.length - count):
                raise NeedsValue(record.dim_value(one.length))
        return [
            tuple(k[place] if k is not None else one.at(place) for k, one in zip(known, inner, strict=True))  # type: ignore[union-attr]
            for place in range(count)
        ]
    length = inner[0].length  # type: ignore[union-attr]
    for one in inner[1:]:
        assert one is not None
        if record.same(length, one.length):
            continue
        if strict and not record.assume_equal(length, one.length):
            record.unstageable("S166-zip", "zip(strict=True) over lengths that run time gives")
        if not strict:
            length = record.dim(
                record.emit("minimum", record.dim_value(length), record.dim_value(one.length))
            )
    return Iteration((0, length, 1), lambda place: tuple(one.at(place) for one in inner), length)  # type: ignore[union-attr]


def reversed_(iterable: Any) -> Any:
    """Stand for `reversed`."""
    inner = iteration_of(iterable)
    if inner is None:
        return reversed(iterable)
    start, _, step = inner.bounds
    last = start + step * (inner.length - 1)
    if isinstance(step, int) and abs(step) == 1:
        return Iteration((last, start - step, -step), inner.element, inner.length)
    return Iteration((inner.length - 1, -1, -1), inner.at, inner.length)


def for_loop(
    iterable: Any,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...] = (),
    until: str | None = None,
) -> Any:
    """Run a loop: staged over ranges and arrays, else now, once for each item."""
    iteration = iteration_of(iterable)
    with rebinding(names):
        if iteration is None:
            return as_result(unrolled(iterable, body, initial, names, until))
        variables: list[Value] = []

        def element(place: DimLike) -> Any:
            variables.extend(place.values() if not isinstance(place, int) else ())
            return iteration.element(place)

        try:
            length = iterable.length if isinstance(iterable, StagedList) else None
            result = staged_for(iteration.bounds, element, body, initial, names, until, (iterable,))
            if isinstance(iterable, StagedList) and iterable.length is not length:
                recorder().unstageable("S165-grows", "a list grows while a loop runs over it")
            return as_result(result)
        except NeedsValue as need:
            if not any(depends_only_on(need.value, variable) for variable in variables):
                raise
            for bound in iteration.bounds:
                if not isinstance(bound, int):
                    raise NeedsValue(recorder().dim_value(bound)) from None
            if len(range(*iteration.bounds)) > UNROLLED:  # type: ignore[arg-type]
                recorder().unstageable(
                    "S133-unroll", f"a loop of more than {UNROLLED} turns whose body needs to know the turn"
                )
            items = [iteration.element(place) for place in range(*iteration.bounds)]  # type: ignore[arg-type]
            return as_result(unrolled(items, body, initial, names, until))


def unrolled(
    iterable: Any,
    body: Callable[..., Any],
    carried: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Trace a body once for each item."""
    flag = names.index(until) if until else None
    for item in iterable:
        if flag is None:
            carried = as_tuple(body(item, *carried), names)
            continue
        over = truth(carried[flag])
        if over is True:
            break
        if over is False:
            carried = as_tuple(body(item, *carried), names)
        else:
            runs = [always(carried), _turn(body, item, carried, names)]
            carried = branch(over, runs, names, (body, carried, item))
    return carried


def _turn(
    body: Callable[..., Any], item: Any, carried: tuple[Any, ...], names: tuple[str, ...]
) -> Callable[[], tuple[Any, ...]]:
    return lambda: as_tuple(body(item, *carried), names)


def depends_only_on(value: Value, variable: Value) -> bool:
    """Whether a value is computed of `variable`, of constants and of the function's arguments alone."""
    stack, found = [value], False
    while stack:
        item = stack.pop()
        if item is variable:
            found = True
        elif item.op is not None and not item.op.regions:
            if item.op.name == "load":
                return False
            stack.extend(item.op.operands)
        elif item.block is not recorder().graph.block:
            return False
    return found
