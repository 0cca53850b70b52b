"""Calls of functions with a `functools.lru_cache` on what is known while tracing."""

from __future__ import annotations

import enum
import functools
import types
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.handle import Foreign
from transpile.runtime.arrays.lists import Grows
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.composites.grids import numpy_with_stand_ins

from .heap import Heap

# Note [Known results of cached functions]
# A cache gives what the function gave when it was called first, of which nothing is known but that it is still there. So the function is traced
# as if there were no cache. Where that leaves nothing in the graph, depends on guards alone, and what it gives cannot change and is what
# the cache gives, each later call gives that, too, whether the cache still has it or not.

CACHED = type(functools.lru_cache(lambda: None))

_UNCHANGING = (
    type(None), bool, int, float, complex, str, bytes, type, enum.Enum, np.dtype, types.FunctionType, types.BuiltinFunctionType, types.ModuleType,
)  # fmt: skip


def cached(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Callable[..., Any]) -> Any:
    """Return what a function with a cache gives; `call` is what stands for a call."""
    written = function.__wrapped__
    things = list(map(_known, (*args, *kwargs.values())))
    if not isinstance(written, types.FunctionType):
        _refuse(function, "keeps what it gives of something that is not a function")
    if any(map(is_symbolic, things)):
        _refuse(function, "keeps what it gives, and is handed what run time gives")
    block = recorder().frame.block
    count, heap = len(block.ops), Heap(args)
    result = call(written, *args, **kwargs)
    try:
        has_changed = bool(heap.changes())
    except Grows:
        has_changed = True
    if len(block.ops) != count or has_changed or not isinstance(_known(result), _UNCHANGING):
        _refuse(function, "keeps what it gives, and does more than to find out something that cannot change")
    kept = function(*things[: len(args)], **dict(zip(kwargs, things[len(args) :], strict=True)))
    if kept is not _known(result) and not (type(kept) is type(result) and kept == result and kept == kept):
        _refuse(function, "keeps what it gave when something else held")
    return result


def _known(thing: Any) -> Any:
    """Return what a thing stands for, where that is the same on every call."""
    if thing is numpy_with_stand_ins():
        return np
    return thing.__known__ if isinstance(thing, Foreign) and thing.__known__ is not None else thing


def _refuse(function: Any, why: str) -> NoReturn:
    recorder().unstageable("S139-cached", f"{function.__qualname__} {why}")
