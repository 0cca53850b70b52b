"""Branches on run-time values, as ops with regions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.frames import Frame
from transpile.runtime.arrays.functions import METHODS, PYTHON_METHODS, Method
from transpile.runtime.arrays.join import join, leaving
from transpile.runtime.arrays.lists import Grows
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import holds_twice, storages_in
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import Diverged
from transpile.runtime.arrays.structure import Structure, kept_in, same_thing, structure_of
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.union import Union
from transpile.runtime.arrays.values import bind_types, rebuild, values_in
from transpile.runtime.errors import TranspileError
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import PYBOOL

from .containers import Containers
from .growing import stage_grown
from .heap import Heap, is_missing
from .lacking import absent
from .liveness import rebinding
from .program import standing


def as_tuple(result: Any, names: Sequence[str]) -> tuple[Any, ...]:
    """Return what a converted branch or body gave as a tuple with an entry for each name."""
    if not names:
        return ()
    return (result,) if len(names) == 1 else tuple(result)


def as_result(values: Sequence[Any]) -> Any:
    """Return values as converted code unpacks them."""
    return values[0] if len(values) == 1 else tuple(values) if values else None


def always(thing: Any) -> Callable[[], Any]:
    """Return a function that gives one thing."""
    return lambda: thing


def cond(
    test: Any,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    inputs: tuple[Any, ...],
    names: tuple[str, ...] = (),
) -> Any:
    """Run one of two functions of `inputs`: now, where the test is known; else both are traced, and what they give is joined."""
    known = truth(test)
    if isinstance(known, bool):
        return (if_true if known else if_false)(*inputs)
    with rebinding(names):
        runs = [lambda f=f: as_tuple(f(*inputs), names) for f in (if_true, if_false)]
        return as_result(branch(known, runs, names, (if_true, if_false, inputs)))


def branch(
    test: SymbolicScalar,
    runs: Sequence[Callable[[], tuple[Any, ...]]],
    labels: Sequence[str],
    roots: Sequence[Any],
) -> tuple[Any, ...]:
    """Trace two branches, and return what they give, joined; `roots` lead to the objects that they may change."""
    record = recorder()
    heap = Heap(roots)
    frames, outs, changes = [], [], []
    for run in runs:
        frame = record.child("branch")
        frames.append(frame)
        outs.append(run_region(frame, run))
        try:
            changes.append({} if frame.diverged else heap.changes())
        except Grows as grows:
            stage_grown(heap, grows)
            return branch(test, runs, labels, roots)
        heap.restore()
    places = list(dict.fromkeys(place for changed in changes for place in changed))
    parts = [
        [*(out or ()), *(changed.get(place, heap.get(*place)) for place in places)]
        for out, changed in zip(outs, changes, strict=True)
    ]
    ending = [number for number, frame in enumerate(frames) if not frame.diverged]
    if not ending:
        _append(test.value, frames, [])
        raise Diverged
    for number in ending:
        for p, place in enumerate(places, len(outs[number] or ())):
            if is_missing(parts[number][p]):
                parts[number][p] = absent(heap, *place)
    labels = [*labels, *(str(place[1]) for place in places)]
    containers = Containers([parts[number] for number in ending])
    containers.refuse_changed(heap, places)
    structures = [
        _joined([structure_of(parts[number][p]) for number in ending], label)
        for p, label in enumerate(labels)
    ]
    cells = list(
        dict.fromkeys(c for n in ending for c in frames[n].written if not record.is_local(c, frames[n]))
    )
    for number in ending:
        with record.region(frames[number]):
            values = [
                v for s, thing in zip(structures, parts[number], strict=True) for v in values_in(s, thing)
            ]
            frames[number].block.results = (*values, *(record.read(cell) for cell in cells))
    results = iter(_append(test.value, frames, structures))
    joined, arrays = [], []
    for p, (structure, label) in enumerate(zip(structures, labels, strict=True)):
        storages = {s for number in ending for s in storages_in(parts[number][p])}
        joined.append(rebuild(structure, results, label))
        if storages:
            arrays.append(p)
        if any(s.frozen for s in storages):
            for storage in storages_in(joined[-1]):
                storage.frozen = True
    for p in arrays:
        if joined[p] is not parts[ending[0]][p] and any(holds_twice(parts[n][p]) for n in ending):
            may_be_one(joined[p], joined[p], structures[p])
    for one, other in itertools.combinations(arrays, 2):
        if all(is_one_array(parts[n][one], parts[n][other]) for n in ending):
            joined[other] = joined[one]
        elif any(meet(parts[n][one], parts[n][other]) for n in ending):
            may_be_one(joined[one], joined[other], structures[one], structures[other])
    for cell, value in zip(cells, results, strict=True):
        value.name = cell.name
        record.write(cell, value)
    given = len(labels) - len(places)
    for place, thing in zip(places, joined[given:], strict=True):
        heap.store(*place, thing)
    containers.settle_known()
    joined = containers.join(joined)
    for place, thing in zip(places, joined[given:], strict=True):
        heap.store(*place, thing)
    return tuple(joined[:given])


def run_region(frame: Frame, run: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...] | None:
    """Trace a region; return what it gives, or None where it never ends.

    A region that fails while it is traced is left to the original, should control come to it.
    """
    record = recorder()
    with record.region(frame), standing():
        try:
            return run()
        except TranspileError:
            raise
        except Exception as error:
            record.deoptimise_if(record.constant(True, PYBOOL), f"{type(error).__name__}: {error}")
            raise Diverged from error
    return None


def is_one_array(thing: Any, other: Any) -> bool:
    """Whether two things are one array: two views of the whole of one are not."""
    if not (isinstance(thing, SymbolicArray) and isinstance(other, SymbolicArray)):
        return False
    return thing is other or (not (thing.viewed or other.viewed) and same_thing(thing, other))


def meet(thing: Any, other: Any) -> bool:
    """Whether an array in one thing is, or may be, one in another."""
    return any(first.may_be(second) for first in storages_in(thing) for second in storages_in(other))


def may_be_one(thing: Any, other: Any, *structures: Structure) -> None:
    """Note that arrays in two things may be one array, depending on the way control took, but for those that stay the very ones that they are in `structures`."""
    kept = set().union(*map(kept_in, structures))
    for first in storages_in(thing):
        for second in storages_in(other):
            if first is not second and not {first, second} <= kept:
                first.aliases.add(second)
                second.aliases.add(first)
                first.relate(second)


def _joined(structures: Sequence[Structure], label: str) -> Structure:
    result = structures[0] if len(structures) > 1 else leaving(structures[0])
    for other in structures[1:]:
        result = join(result, other, label)
    return result


def _append(test: Value, frames: Sequence[Frame], structures: Sequence[Structure]) -> tuple[Value, ...]:
    yields = next((frame.block.results for frame in frames if not frame.diverged), None) or ()
    types = tuple(value.type for value in yields)
    results = recorder().append("cond", (test,), {"types": types}, tuple(frame.block for frame in frames))
    left = iter(results)
    for structure in structures:
        bind_types(structure, left)
    return results


def on_way(tag: Any, ways: Sequence[Any], function: Callable[[Any], Any]) -> Any:
    """Return what a function gives for the one of several things that `tag` names."""
    *others, last = ways
    run: Callable[[], tuple[Any, ...]] = lambda: (function(last),)  # noqa: E731
    for place, way in reversed(list(enumerate(others))):
        run = _on_one_way(tag == place, way, run, function)
    return run()[0]


def _on_one_way(
    test: Any, way: Any, otherwise: Callable[[], tuple[Any, ...]], function: Callable[[Any], Any]
) -> Callable[[], tuple[Any, ...]]:
    def run() -> tuple[Any, ...]:
        runs = [lambda: (function(way),), otherwise]
        return branch(truth(test), runs, ["a value"], (function, way, otherwise))

    return run


def when(test: Any, function: Callable[..., None], *arguments: Any) -> None:
    """Do something where a test holds."""
    known = truth(test)
    if known is True:
        function(*arguments)
    elif known is not False:

        def does() -> tuple[Any, ...]:
            function(*arguments)
            return ()

        branch(known, [does, tuple], [], (function, arguments))


def _attribute_of_union(union: Union, name: str) -> Any:
    rest = union.bound()
    if not isinstance(rest, Union):
        return getattr(rest, name)
    if not any(map(_has_method(name), rest.alternatives)):
        return rest.on_each_way(lambda way: getattr(way, name))

    def method(owner: Union, *args: Any, **kwargs: Any) -> Any:
        return owner.on_each_way(lambda way: Operand.call(getattr(way, name), *args, **kwargs))

    return Method(rest, name, method)


def _has_method(name: str) -> Callable[[Any], bool]:
    def has(way: Any) -> bool:
        if isinstance(way, SymbolicScalar) and way.weak:
            return name in PYTHON_METHODS
        if isinstance(way, (SymbolicScalar, SymbolicArray)):
            return name in METHODS
        return callable(getattr(way.__class__, name, None))

    return has


Operand.on_way = staticmethod(on_way)
Operand.when = staticmethod(when)
Operand.attribute_of_union = staticmethod(_attribute_of_union)
