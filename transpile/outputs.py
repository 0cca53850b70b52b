"""Builds what a traced function returns, from the results of its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from transpile.runtime.operators.slots import fill
from transpile.runtime.ops.handles import held
from transpile.runtime.trace.handed_objects import each_once
from transpile.runtime.trace.listed import (
    Chosen,
    Listed,
    Member,
    Members,
    Numbered,
    Objects,
    ObjectsResult,
    PoolResult,
    Sized,
    Zipped,
    columns_of,
    made_of,
    pools_of,
)
from transpile.runtime.trace.path import Path
from transpile.runtime.trace.returned import (
    NOTHING,
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
from transpile.runtime.trace.tracer import Trace


def given_paths(output: Any) -> list[Path]:
    """Return the paths of the things handed in that are returned."""
    return list(dict.fromkeys(_given_paths(output, set())))


def _given_paths(output: Any, met: set[int]) -> Iterator[Path]:
    """Yield the paths of the things handed in that are returned; objects and pools of them, which may lead back to themselves, are in `met` once."""
    if isinstance(output, Given):
        yield output.path
    elif isinstance(output, ArrayResult):
        if output.given is not None:
            yield output.given
    elif not isinstance(output, (Instance, ObjectsResult)) or id(output) not in met:
        met.add(id(output))
        if isinstance(output, (PoolResult, ObjectsResult)) and output.given is not None:
            yield output.given
        for part in _parts_of(output):
            yield from _given_paths(part, met)


def _parts_of(output: Any) -> Iterable[Any]:
    """Return the descriptions of what a thing holds."""
    if isinstance(output, (Container, Alternatives)):
        return output.items
    if isinstance(output, PoolResult):
        return () if output.items is None else (output.items,)
    if isinstance(output, ObjectsResult):
        return output.parts
    if isinstance(output, (Chosen, Listed, Zipped, Numbered, Member)):
        return pools_of(output)
    return output.attributes.values() if isinstance(output, Instance) else ()


def storing(found: Trace, given: Sequence[Path]) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
    """Return a function that builds what a trace returns, and stores what it stores elsewhere."""
    stores = found.stores
    build = builder(Container(tuple, None, (found.output, *(store.value for store in stores))), given)
    owners = [next(place for place, path in enumerate(given) if path is store.path) for store in stores]

    def run(results: Sequence[Any], handed: Sequence[Any]) -> Any:
        result, *values = build(results, handed)
        for store, owner, value in zip(stores, owners, values, strict=True):
            if value is NOTHING:
                continue
            if store.is_item:
                handed[owner][store.key] = value
            else:
                setattr(handed[owner], store.key, value)
        return result

    return run


def ending(run: Callable[..., Any], ends: Sequence[Callable[[], object]]) -> Callable[..., Any]:
    """Return `run` as a function that does at its end what a trace says."""

    def run_to_end(*values: Any) -> Any:
        result = run(*values)
        for end in ends:
            end()
        return result

    return run_to_end


def builder(output: Any, given: Sequence[Path]) -> Callable[[Sequence[Any], Sequence[Any]], Any]:
    """Return a function that builds the returned thing of the graph's results and of the things at `given`."""
    quick = _Quick(given)
    text = quick.text(output)
    if text is not None:
        direct: Callable[[Sequence[Any], Sequence[Any]], Any] = eval(
            f"lambda results, handed: {text}", quick.names
        )
        return direct
    places = quick.places

    def build(results: Sequence[Any], handed: Sequence[Any]) -> Any:
        building = _Building(results, handed, places)
        try:
            return building.make(output)
        finally:
            # Lists of lists know it, and it them: they would keep what was returned until that is noticed.
            building.made.clear()

    return build


class _Quick:
    """Writes what is built of results and of what is handed in by displays alone."""

    def __init__(self, given: Sequence[Path]) -> None:
        self.places = {id(path): place for place, path in enumerate(given)}
        self.names: dict[str, Any] = {}
        self.seen: set[int] = set()

    def text(self, part: Any) -> str | None:
        """Return the text of a part; None where it takes more."""
        if isinstance(part, Result):
            return f"results[{part.place}]"
        if isinstance(part, Constant):
            self.names[f"thing{len(self.names)}"] = part.thing
            return f"thing{len(self.names) - 1}"
        if isinstance(part, Given):
            return f"handed[{self.places[id(part.path)]}]"
        if isinstance(part, ArrayResult):
            if part.given is not None:
                return f"handed[{self.places[id(part.given)]}]" if part.is_base else None
            return f"results[{part.place}]" if part.is_base and not self.is_again(part) else None
        if isinstance(part, Container) and not self.is_again(part):
            return self.container(part)
        if isinstance(part, Alternatives):
            *ways, last = map(self.text, part.items)
            if last is None or None in ways:
                return None
            tests = "".join(f"{way} if tag == {number} else " for number, way in enumerate(ways))
            return f"({tests.replace('tag', f'results[{part.tag}]')}{last})"
        return None

    def is_again(self, part: Any) -> bool:
        """Whether a part was met before: it is made once."""
        known = id(part) in self.seen
        self.seen.add(id(part))
        return known

    def container(self, part: Container) -> str | None:
        """Return the text of a tuple, list or dictionary."""
        items = [self.text(item) for item in part.items]
        if None in items or part.type not in (tuple, list, dict):
            return None
        if part.keys is None:
            inside = "".join(f"{item}, " for item in items)
            return f"({inside})" if part.type is tuple else f"[{inside}]"
        keys = [self.text(Constant(key)) for key in part.keys]
        return f"{{{', '.join(f'{key}: {item}' for key, item in zip(keys, items, strict=True))}}}"


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
        if isinstance(part, (Chosen, Listed, Sized, Zipped, Numbered)):
            return made_of(part, iter([make(column) for column in columns_of(part)]), make)
        if isinstance(part, PoolResult):
            rows = [] if part.given is None else list(self._handed(part.given))
            return Members(part, make, rows)
        if isinstance(part, ObjectsResult):
            given = [] if part.given is None else each_once(self._handed(part.given))
            return Objects(part, make, given)
        if isinstance(part, Member):
            return make(part.pool).member(results[part.place])
        if isinstance(part, Instance):
            kind: Any = part.type
            # What it holds may lead back to it.
            instance = self.made[id(part)] = kind.__new__(kind)
            attributes = {name: make(item) for name, item in part.attributes.items()}
            fill(instance, {name: thing for name, thing in attributes.items() if thing is not NOTHING})
            return instance
        assert isinstance(part, Container)
        items = [make(item) for item in part.items]
        if part.keys is not None:
            return dict(zip(part.keys, items, strict=True))
        return part.type(items) if part.type in (tuple, list) else part.type(*items)

    def _handed(self, path: Path) -> Any:
        return self.handed[self.places[id(path)]]
