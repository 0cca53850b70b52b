"""Builds what a traced function returns, from the results of its graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from transpile.runtime.operators.slots import fill
from transpile.runtime.ops.handles import held
from transpile.runtime.trace.listed import (
    Chosen,
    Listed,
    Member,
    Members,
    Numbered,
    PoolResult,
    Zipped,
    columns_of,
    made_of,
    pools_of,
)
from transpile.runtime.trace.output import (
    Alternatives,
    ArrayResult,
    Constant,
    Container,
    Given,
    Held,
    Instance,
    Made,
    Result,
)
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.tracer import Trace


def given_paths(output: Any) -> list[Path]:
    """Return the paths of the things handed in that are returned."""
    if isinstance(output, Given):
        return [output.path]
    if isinstance(output, ArrayResult):
        return [] if output.given is None else [output.given]
    if isinstance(output, (Container, Alternatives)):
        return list(dict.fromkeys(path for item in output.items for path in given_paths(item)))
    if isinstance(output, PoolResult):
        own = [] if output.given is None else [output.given]
        return [*own, *(given_paths(output.items) if output.items is not None else ())]
    if isinstance(output, (Chosen, Listed, Zipped, Numbered, Member)):
        return list(dict.fromkeys(path for pool in pools_of(output) for path in given_paths(pool)))
    if isinstance(output, Instance):
        return list(dict.fromkeys(path for item in output.attributes.values() for path in given_paths(item)))
    return []


def storing(found: Trace, given: Sequence[Path]) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
    """Return a function that builds what a trace returns, and stores what it stores elsewhere."""
    stores = found.stores
    build = builder(Container(tuple, None, (found.output, *(store.value for store in stores))), given)
    owners = [next(place for place, path in enumerate(given) if path is store.path) for store in stores]

    def run(results: Sequence[Any], handed: Sequence[Any]) -> Any:
        result, *values = build(results, handed)
        for store, owner, value in zip(stores, owners, values, strict=True):
            if store.is_item:
                handed[owner][store.key] = value
            else:
                setattr(handed[owner], store.key, value)
        return result

    return run


def builder(output: Any, given: Sequence[Path]) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
    """Return a function that builds the returned thing of the graph's results and of the things at `given`."""
    places = {id(path): place for place, path in enumerate(given)}
    if isinstance(output, Result):
        return lambda results, handed: results[output.place]
    if isinstance(output, Constant):
        return lambda results, handed: output.thing
    plain = isinstance(output, ArrayResult) and output.given is None and not output.chain
    if plain and not output.readonly and not output.view:
        return lambda results, handed: results[output.place]

    def build(results: Sequence[Any], handed: Sequence[Any]) -> Any:
        building = _Building(results, handed, places)
        try:
            return building.make(output)
        finally:
            # Lists of lists know it, and it them: they would keep what was returned until that is noticed.
            building.made.clear()

    return build


class _Building:
    """One build: each part is made once."""

    def __init__(self, results: Sequence[Any], handed: Sequence[Any], places: dict[int, int]) -> None:
        self.results, self.handed, self.places = results, handed, places
        self.made: dict[int, Any] = {}

    def make(self, part: Any) -> Any:
        """Return what a part of the output is."""
        if id(part) in self.made:
            return self.made[id(part)]
        thing = self.made[id(part)] = self._construct(part)
        return thing

    def _construct(self, part: Any) -> Any:
        results, make = self.results, self.make
        if isinstance(part, Result):
            return results[part.place]
        if isinstance(part, Held):
            return held(results[part.place])
        if isinstance(part, Made):
            return part.of(results)
        if isinstance(part, ArrayResult):
            base = results[part.place] if part.given is None else self._handed(part.given)
            return part.of(base, results)
        if isinstance(part, Constant):
            return part.thing
        if isinstance(part, Given):
            return self._handed(part.path)
        if isinstance(part, Alternatives):
            return make(part.items[results[part.tag]])
        if isinstance(part, (Chosen, Listed, Zipped, Numbered)):
            return made_of(part, iter([make(column) for column in columns_of(part)]), make)
        if isinstance(part, PoolResult):
            rows = [] if part.given is None else list(self._handed(part.given))
            return Members(part, make, rows)
        if isinstance(part, Member):
            return make(part.pool).member(results[part.place])
        if isinstance(part, Instance):
            instance: Any = object.__new__(part.type)
            fill(instance, {name: make(item) for name, item in part.attributes.items()})
            return instance
        assert isinstance(part, Container)
        items = [make(item) for item in part.items]
        if part.keys is not None:
            return dict(zip(part.keys, items, strict=True))
        return part.type(items) if part.type in (tuple, list) else part.type(*items)

    def _handed(self, path: Path) -> Any:
        return self.handed[self.places[id(path)]]
