"""Constructors that `dataclasses` makes: what they do by themselves, and what they call."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Callable
from typing import Any

from transpile.runtime.arrays.recorder import recorder


def construct_by_fields(
    class_: Any, instance: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Callable[..., Any]
) -> None:
    """Have a constructor that `dataclasses` has made store what it is given, or what default factories give, which may be the user's code.

    It does no more than that, and call `__post_init__`, which is converted.
    """
    init = class_.__init__
    factories = {
        name: field.default_factory
        for name, field in class_.__dataclass_fields__.items()
        if field.default_factory is not dataclasses.MISSING
    }
    if not factories:
        init(instance, *args, **kwargs)
        return
    # It has them in cells, by names that depend on Python's version.
    named = {
        cell: functools.partial(call, factory)
        for name, factory in factories.items()
        for cell in (f"_dflt_{name}", f"__dataclass_dflt_{name}__")
    }
    code = init.__code__
    cells = zip(code.co_freevars, init.__closure__ or (), strict=True)
    closure = tuple(types.CellType(named[name]) if name in named else cell for name, cell in cells)
    if len(named.keys() & set(code.co_freevars)) < len(factories):
        recorder().unstageable("S142-unknown", f"default factories of {class_.__qualname__} are called")
    made = types.FunctionType(code, init.__globals__, init.__name__, init.__defaults__, closure)
    made.__kwdefaults__ = init.__kwdefaults__
    made(instance, *args, **kwargs)
