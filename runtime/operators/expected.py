"""Places that a loop is bound to carry, as far as that is known before it is traced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.positions import Location

from .carried import CarriedThing
from .heap import Heap, is_missing

# Note [Expected places]
# Which places a loop carries is found by tracing a turn that does not carry them: then it is traced anew, and loops inside it are, too, so that their turns are traced twice as often for
# each loop around them. What was found within the loop around it when that was traced before is expected, and so is what a list that grows consists of. It is what the
# loop comes to where a turn changes all of it: else the loop is traced as if nothing had been expected.

# A thing that can change, and a key of it.
Place = tuple[Any, Any]


def known_of(site: Location) -> list[Place]:
    """Return the places that the loop which stands somewhere has carried when it was traced last."""
    return recorder().carried_places.get(site, [])


def note(site: Location, heap: Heap, carried: Iterable[CarriedThing]) -> None:
    """Note the places that the loop which stands somewhere carries."""
    places = [thing.place for thing in carried if thing.place is not None]
    recorder().carried_places[site] = [(heap.things[number], key) for number, key in places]


def parts_of(staged: Iterable[StagedList]) -> list[Place]:
    """Return what changes of lists that grow."""
    growing = [things for things in staged if things.is_staged and things.pool is None]
    return [(things, key) for things in growing for key in things.contents() if key != "begin"]


def expect(heap: Heap, known: Sequence[Place]) -> list[CarriedThing]:
    """Return what a loop carries at places that are known; nothing, where one of them is not there before it."""
    numbers = {id(thing): number for number, thing in enumerate(heap.things)}
    if any(id(thing) not in numbers for thing, _ in known):
        return []
    places = [(numbers[id(thing)], key) for thing, key in known]
    found = [CarriedThing(str(place[1]), heap.get(*place), place) for place in places]
    return [] if any(is_missing(thing.initial) for thing in found) else found


def in_order(carried: Iterable[CarriedThing], changed: Iterable[Any]) -> list[CarriedThing]:
    """Return what is carried at places as if it had been found where these have changed."""
    order = list(changed)
    return sorted(carried, key=lambda thing: order.index(thing.place))
