"""`convert`: makes a function run as compiled code, and lets it be looked into."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from .calls import Calls

# The file that tracebacks name for the function that stands for a converted one.
STUB = "<transpile>"


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
    return stub


def _stub(original: types.FunctionType, calls: Calls) -> types.FunctionType:
    """Return a function with the parameters of `original`, so that Python itself binds arguments, that hands them on in order."""
    code = original.__code__
    names = calls.parameters
    count, keywords = code.co_argcount, code.co_kwonlyargcount
    parts = list(names[: code.co_posonlyargcount]) + ["/"] * bool(code.co_posonlyargcount)
    parts += names[code.co_posonlyargcount : count]
    star = names[count + keywords] if code.co_flags & inspect.CO_VARARGS else ""
    parts += [f"*{star}"] if star or keywords else []
    parts += names[count : count + keywords]
    parts += [f"**{names[-1]}"] if code.co_flags & inspect.CO_VARKEYWORDS else []
    name = "call_of_converted"
    while name in names:
        name += "_"
    text = f"lambda {', '.join(parts)}: {name}({', '.join(names)})"
    stub: types.FunctionType = eval(compile(text, STUB, "eval"), {name: calls})
    stub.__defaults__ = original.__defaults__
    stub.__kwdefaults__ = original.__kwdefaults__
    return stub
