"""`convert`: makes a function run as compiled code, and lets it be looked into."""

from __future__ import annotations

import functools
import inspect
import types
import weakref
from typing import Any

from .calls import Calls

# The file that tracebacks name for the function that stands for a converted one.
STUB = "<transpile>"
# What the code of such a function has among its constants until the link to its calls takes its place.
_MARKER = "<transpile calls>"


class _Link:
    """What the code of a function holds of its calls: weakly, for the collector of garbage does not see code."""

    __slots__ = ("to",)

    def __init__(self, calls: Calls) -> None:
        self.to = weakref.ref(calls)


def convert(function: Any = None, /, *, strict: bool = False, device: str = "cpu") -> Any:
    """Make a function run as compiled code, with the results it has.

    `strict` raises where the function, or a call of it, could only run as the plain Python it was. `device` is "cpu", or "host" for the
    interpreter of graphs. Used as a decorator with or without arguments.
    """
    if function is None:
        return functools.partial(convert, strict=strict, device=device)
    original = getattr(function, "python_function", function)
    if not isinstance(original, types.FunctionType):
        raise TypeError(f"convert takes a Python function, not {type(function).__name__}")
    return wrap(original, Calls(original, strict=strict, device=device))


def wrap(original: types.FunctionType, calls: Calls) -> types.FunctionType:
    """Return a function that stands for `original` and hands its calls to `calls`."""
    stub = _stub(original, calls)
    functools.update_wrapper(stub, original)
    stub.python_function = original  # type: ignore[attr-defined]
    stub.calls = calls  # type: ignore[attr-defined]
    for name in ("source", "graph", "kernels", "explain", "trace", "cache_info", "cache_clear"):
        setattr(stub, name, getattr(calls, name))
    calls.stands_in(stub)
    return stub


def _stub(original: types.FunctionType, calls: Calls) -> types.FunctionType:
    """Return a function with the parameters of `original`, so that Python itself binds arguments, that hands them on in order.

    It is over the globals and closure of `original`, so that it can take over its code.
    """
    code = original.__code__
    names = calls.parameters
    count, keywords = code.co_argcount, code.co_kwonlyargcount
    parts = list(names[: code.co_posonlyargcount]) + ["/"] * bool(code.co_posonlyargcount)
    parts += names[code.co_posonlyargcount : count]
    star = names[count + keywords] if code.co_flags & inspect.CO_VARARGS else ""
    parts += [f"*{star}"] if star or keywords else []
    parts += names[count : count + keywords]
    parts += [f"**{names[-1]}"] if code.co_flags & inspect.CO_VARKEYWORDS else []
    text = f"lambda {', '.join(parts)}: {_MARKER!r}.to()({', '.join(names)})"
    handing_on = compile(text, STUB, "eval").co_consts[0]
    constants = tuple(_Link(calls) if constant == _MARKER else constant for constant in handing_on.co_consts)
    handing_on = handing_on.replace(
        co_name=code.co_name, co_qualname=code.co_qualname, co_consts=constants, co_freevars=code.co_freevars
    )
    stub = types.FunctionType(
        handing_on, original.__globals__, original.__name__, original.__defaults__, original.__closure__
    )
    stub.__kwdefaults__ = original.__kwdefaults__
    return stub
