"""What a call stores into what was there before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.tuples import as_key
from transpile.runtime.operators.heap import MISSING

from .appended import END, Appended, Appends
from .state import Store

if TYPE_CHECKING:
    from .outside import Outside


def stores_of(outside: Outside, describe: Callable[[Any], Any]) -> list[Store]:
    """Return what is stored at the end of a call; `describe` describes a thing."""
    found = [
        Store(path, place.name, describe(value), place.kind == "global")
        for place, path, value in outside.state.changes()
    ]
    for path, result, before in list(outside.stand_ins.origins.values()):
        if type(result) is Appended:
            grows = result.items.is_staged or bool(result.items)
            if grows and outside.state.eager:
                outside.recorder.unstageable(
                    "S202-container",
                    f"{path}, a list from outside, grows before something that can be seen",
                )
            if grows:
                found.append(Store(path, END, describe(result.items), True))
        elif isinstance(result, Foreign):
            continue
        elif isinstance(result, StagedList):
            shown = outside.stand_ins.lists.changed(result)
            if shown is not None:
                found.append(Store(path, slice(None), describe(shown), True))
        elif isinstance(result, list):
            if len(result) > len(before) and _same_items(result[: len(before)], before):
                raise Appends(path)
            if len(result) != len(before):
                outside.recorder.unstageable(
                    "S202-container", f"{path}, a list from outside the function, changes its length"
                )
            if not _same_items(result, before):
                found.append(Store(path, slice(None), describe(list(result)), True))
        elif isinstance(result, dict) and not _same_items(_flat(result), _flat(before)):
            changed = {key: item for key, item in result.items() if before.get(key, MISSING) is not item}
            if list(result)[: len(before)] != list(before):
                outside.recorder.unstageable(
                    "S202-container", f"{path}, a dictionary from outside the function, loses keys"
                )
            found += [Store(path, as_key(key), describe(item), True) for key, item in changed.items()]
    return found


def _same_items(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _flat(container: Any) -> list[Any]:
    return [x for pair in container.items() for x in pair] if isinstance(container, dict) else container
