"""What Python's `random` picks of sequences: its own Python is traced into, down to the draw of one number below another."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.arrays.numbers import raise_if
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.graph.types import INT

from .comprehensions import list_
from .random_numbers import Target, drawn, refuse


@implements(random.Random._randbelow_with_getrandbits)  # type: ignore[attr-defined]
def below(generator: Any, n: Any) -> Any:
    """Stand for the draw of an integer below another, which is the one that `randrange` makes."""
    if getattr(generator, "kind", generator.__class__) is not random.Random:
        refuse("randrange", "of a class of its own")
    return Operand.call(generator.randrange, n)


@implements(random.Random.choice)
def choice(generator: Any, seq: Any) -> Any:
    """Stand for `random.choice`."""
    things = list_(*seq) if type(seq) in (list, tuple) else seq
    length = FUNCTIONS[len](things)
    raise_if(length == 0, lambda: IndexError("Cannot choose from an empty sequence"))
    return things[below(generator, length)]


def _bits(target: Target, owned: bool) -> Callable[..., Any]:
    """Return what stands for `getrandbits`, of as many bits as an integer of the graph has."""

    def draw(*args: Any) -> Any:
        count = args[-1] if len(args) == owned + 1 else None
        if not isinstance(count, int) or count > 63:
            refuse("getrandbits", "of more than 63 bits, or as many as run time gives")
        return drawn(target, args, {}, INT, None)

    return draw


FUNCTIONS[random.getrandbits] = _bits(random.getrandbits, False)
OBJECT_METHODS[random.Random]["getrandbits"] = _bits("getrandbits", True)


def _method(name: str) -> Callable[..., Any]:
    function = getattr(random.Random, name)
    return lambda generator, *args, **kwargs: Operand.call(function, generator, *args, **kwargs)


OBJECT_METHODS[random.Random] |= {
    name: _method(name) for name in ("_randbelow", "choice", "shuffle", "sample", "choices")
}
