"""`for` loops: which are staged, and which run one turn after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.hash_tables import HashedDict
from transpile.runtime.arrays.lists import UNFIT, StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.signals import NeedsHash, NeedsStep, NeedsValue
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.composites.flat import Flat
from transpile.runtime.errors import StagingError
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.ir import Value

from .branches import as_result
from .first_turns import UNSURE, MakesPlace, has_turn, is_certain, then, tried
from .heap import Heap
from .known_turns import depends_only_on, is_left, runs_through
from .lengths import Places, refuse_changed
from .liveness import rebinding
from .loops import ChangesLength, Refused, staged_for
from .pending import holding
from .protocols import is_users
from .traversal import Iteration, Source, Stream, iteration_of
from .turns import Counted, unrolled, while_there_are

# The longest loop that is unrolled because its body needs to know which turn it is in.
UNROLLED = 64
# The most of a loop whose turns give slices their steps, which could be picked as well.
_SHORT = 8


class KnowsTurn(Exception):
    """A loop whose staged body would leave the call to the original in a turn that is known."""


class RunsThrough(Exception):
    """A loop whose staged body would leave the call at hand to the original: see Note [Turns at hand]."""


def for_loop(
    iterable: Any,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...] = (),
    until: str | None = None,
) -> Any:
    """Run a loop: staged over ranges and arrays, else now, once for each item."""
    with rebinding(names):
        return as_result(run_loop(iterable, body, initial, names, until))


def run_loop(
    iterable: Any,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...] = (),
    until: str | None = None,
) -> tuple[Any, ...]:
    """Run a loop, and return what it carries out as a tuple."""
    with holding(iterable):
        return _run_loop(iterable, body, initial, names, until)


def _run_loop(
    iterable: Any,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    if isinstance(iterable, StagedDeque):
        return _over_deque(iterable, body, initial, names, until)
    if isinstance(iterable, (HashedDict, TableView)):
        return _over_table(iterable, body, initial, names, until)
    if isinstance(iterable, Flat):
        iterable = iterable.taken()
    if isinstance(iterable, StagedTuple):
        iterable = iterable.items
    if is_users(iterable):
        iterable = steps_of(iterable)
    iteration = iteration_of(iterable)
    if isinstance(iterable, Stream):
        if iteration is None:
            return iterable.run(body, initial, names, until)
        return _drained(iterable, iteration, body, initial, names, until)
    if iteration is None:
        return unrolled(iterable, body, initial, names, until)
    return over_positions(iteration, body, initial, names, until)


def _over_deque(
    things: StagedDeque,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Run a loop over a deque that does not change in it."""
    before = things.changes
    result = run_loop(things.items, body, initial, names, until)
    refuse_changed(things, before)
    return result


def _over_table(
    iterable: HashedDict | TableView,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Run a loop over a dictionary; where it has got another number of keys in it, the original raises what Python does."""
    view = iterable if isinstance(iterable, TableView) else iterable.keys()
    size, element, check = view.steps()
    iteration = Iteration((0, size, 1), element, size, (view, check))
    result = over_positions(iteration, body, initial, names, until)
    check(result[names.index(until)] if until else False)
    return result


class Steps(Source):
    """Takes items out of an iterator of a user's class: its methods are converted, and say by an exception that nothing is left."""

    def __init__(self, items: Iterator[Any]) -> None:
        super().__init__(type(items))
        self.items = items

    def held(self) -> Iterator[Any]:
        """Yield the iterator."""
        yield self.items

    def restore(self, before: dict[str, Any]) -> None:
        """Put back nothing: what the iterator holds is put back."""

    def iteration(self) -> None:
        """Return None: what is left shows as it is taken."""

    def take(self, assumed: bool = False) -> Any:
        """Take the next item."""
        record = recorder()
        record.attempts.append(record.frame)
        try:
            return next(self.items)
        finally:
            record.attempts.pop()

    def run(
        self,
        body: Callable[..., Any],
        initial: tuple[Any, ...],
        names: tuple[str, ...],
        until: str | None,
    ) -> tuple[Any, ...]:
        """Run a loop over what is left, now."""
        return unrolled(self, body, initial, names, until)


def steps_of(iterable: Any) -> Stream:
    """Return the iterator over an instance of a user's class."""
    items = iter(iterable)
    return items if isinstance(items, Stream) else Steps(items)


def _drained(
    stream: Stream,
    iteration: Iteration,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Run a loop over what is left of a stream, and note what it has taken out."""
    end = stream.drain()
    places = Counted(Places(iteration)) if iteration.unrolls else None
    if places is None:
        result = over_positions(iteration, body, initial, names, until)
    else:
        result = unrolled(places, lambda place, *c: body(iteration.at(place), *c), initial, names, until)
    if places is not None and places.is_exact and len(list(stream.sources())) == 1:
        stream.resume(places.taken, places.is_over)
    elif until is None:
        end()
    for source in stream.sources():
        source.check()
    return result


def over_positions(
    iteration: Iteration,
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Run a loop over positions: staged, unless it is over known things, or its body needs to know which turn it is in."""
    if iteration.unrolls:
        return unrolled(
            Places(iteration), lambda place, *c: body(iteration.at(place), *c), initial, names, until
        )
    record = recorder()
    variables: list[Value] = []
    unrolls = apart = False
    lists = [thing for thing in iteration.lists() if isinstance(thing, StagedList) and thing.is_staged]

    def element(place: DimLike) -> Any:
        variables.extend(place.values() if not isinstance(place, int) else ())
        return iteration.element(place)

    roots = (body, initial, iteration)
    heap = Heap(roots)

    def accepts(loop: Any) -> bool:
        turns = _known_turns(iteration)
        if turns and variables and is_left(variables[-1], turns):
            raise KnowsTurn
        if variables and not record.may_run_through and runs_through(variables[-1], iteration.bounds):
            raise RunsThrough
        return until is not None or not loop.settles()

    def with_first_turn_apart() -> tuple[Any, ...] | None:
        heap.restore()
        if not is_certain(iteration.bounds):
            return None
        return tried(lambda: _first_turn_apart(iteration, lists, body, initial, names, until), roots)

    try:
        try:
            result = staged_for(
                iteration.bounds,
                element,
                body,
                initial,
                names,
                until,
                (iteration,),
                lists,
                accepts=accepts,
            )
        except Refused:
            found = with_first_turn_apart()
            if found is not None:
                return found
            result = staged_for(iteration.bounds, element, body, initial, names, until, (iteration,), lists)
    except MakesPlace:
        apart = True
    except KnowsTurn:
        unrolls = True
    except RunsThrough:
        heap.restore()
        record.may_run_through = True
        try:
            return over_positions(iteration, body, initial, names, until)
        finally:
            record.may_run_through = False
    except ChangesLength:
        return while_there_are(iteration.goes_on, iteration.at, 0, body, initial, names, until)
    except NeedsValue as need:
        if not any(depends_only_on(need.value, variable) for variable in variables):
            raise
        if isinstance(need, NeedsStep) and recorder().may_pick_steps and not _is_short(iteration):
            raise
        for bound in iteration.bounds:
            if (
                isinstance(need, NeedsHash)
                and recorder().may_make_tables
                and (not isinstance(bound, int) or abs(bound) > UNROLLED)
            ):
                raise
            if not isinstance(bound, int):
                raise NeedsValue(recorder().dim_value(bound)) from None
        if len(range(*iteration.bounds)) > UNROLLED:  # type: ignore[arg-type]
            recorder().unstageable(
                "S133-unroll", f"a loop of more than {UNROLLED} turns whose body needs to know the turn"
            )
        unrolls = True
    except StagingError as error:
        if error.code == UNSURE:
            found = with_first_turn_apart()
            if found is not None:
                return found
        # What a list cannot hold as rows of an array, one of known length can.
        if error.code not in UNFIT:
            raise
        for bound in iteration.bounds:
            if not isinstance(bound, int):
                raise NeedsValue(recorder().dim_value(bound), error) from None
        if len(range(*iteration.bounds)) > UNROLLED:  # type: ignore[arg-type]
            raise
        unrolls = True
    if unrolls:
        heap.restore()
        places = range(*iteration.bounds)  # type: ignore[arg-type]
        return unrolled(places, lambda place, *c: body(iteration.element(place), *c), initial, names, until)
    return _first_turn_apart(iteration, lists, body, initial, names, until) if apart else result


def _first_turn_apart(
    iteration: Iteration,
    lists: list[StagedList],
    body: Callable[..., Any],
    initial: tuple[Any, ...],
    names: tuple[str, ...],
    until: str | None,
) -> tuple[Any, ...]:
    """Run a loop over positions with its first turn before it: see Note [First turns]."""
    if not has_turn(iteration.bounds):
        return initial
    start, stop, step = iteration.bounds
    sizes = [things.size() for things in lists]

    def rest(carried: tuple[Any, ...]) -> tuple[Any, ...]:
        if not all(map(recorder().same, sizes, [things.size() for things in lists])):
            _refuse_growing()
        bounds = (start + step, stop, step)
        try:
            return staged_for(
                bounds, iteration.element, body, carried, names, until, (iteration,), lists, may_lack=True
            )
        except ChangesLength:
            _refuse_growing()

    return then(rest, body(iteration.element(start), *initial), names, until, (body, iteration))


def _refuse_growing() -> NoReturn:
    recorder().unstageable("S165-grows", "a list grows while a loop runs over it")


def _is_short(iteration: Iteration) -> bool:
    """Whether a loop is as well written out, for slices with known steps."""
    turns = _known_turns(iteration)
    return turns is not None and len(turns) <= _SHORT


def _known_turns(iteration: Iteration) -> range | None:
    """Return the turns of a loop that may be written out, None where they are not known, or are too many."""
    if not all(isinstance(bound, int) for bound in iteration.bounds):
        return None
    turns = range(*iteration.bounds)  # type: ignore[arg-type]
    return turns if len(turns) <= UNROLLED else None
