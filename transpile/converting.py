"""`convert`: makes a function run as compiled code, and lets it be looked into."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from transpile.runtime.frames import original_of
from transpile.runtime.garbage import no_collections

from .attributes import Attributes
from .calls import Calls
from .inspection import Inspection
from .prologue import Link, hand_on

_DEVICES = ("cpu", "host")
_ACCURACIES = ("numpy", "fast")
# What a converted function has of its `Inspection`.
_INSPECTED = ("source", "graph", "kernels", "explain", "explain_miss", "trace", "cache_info", "cache_clear")
_ASKED = {"calls", *_INSPECTED}
_CACHED = type(functools.lru_cache(lambda: None))


def convert(
    function: Any = None,
    /,
    *,
    strict: bool = False,
    device: str = "cpu",
    accuracy: str = "numpy",
    parallel: bool = True,
) -> Any:
    """Make a function run as compiled code, with the results it has.

    `strict` raises where the function, or a call of it, could only run as the plain Python it was. `device` is "cpu", or "host" for the
    interpreter of graphs. `accuracy` is "numpy", for NumPy's own bits, or "fast": elementary functions within two units in the last place, sums
    in any order, on the CPU. `parallel=False` runs all loops in the thread that calls. Used as a decorator with or without arguments.

    A method, static or class method, property, function with a `functools.cache` or `functools.partial` is made anew of its functions converted;
    of a class the methods that it defines are converted in place; an object that can be called becomes its method for that.
    """
    if device not in _DEVICES:
        raise ValueError(f"device is {' or '.join(map(repr, _DEVICES))}, not {device!r}")
    check_accuracy(accuracy)
    # Somebody asks for it: the first call is not to wait for what makes traces, and runs what is made of them.
    with no_collections():
        from . import tracing  # noqa: F401

        if device == "cpu":
            from transpile.devices.cpu import executable  # noqa: F401

    each = functools.partial(convert, strict=strict, device=device, accuracy=accuracy, parallel=parallel)
    if function is None:
        return each
    original = original_of(function)
    if isinstance(original, types.FunctionType):
        return wrap(
            original, Calls(original, strict=strict, device=device, accuracy=accuracy, parallel=parallel)
        )
    if isinstance(function, type):
        return _convert_class(function, each)
    made = made_of(function, each)
    if made is not None:
        return made
    call = getattr(type(function), "__call__", None)  # noqa: B004 (the method itself is converted)
    if isinstance(call, types.FunctionType):
        return types.MethodType(each(call), function)
    raise TypeError(f"convert takes a Python function, or what is made of one, not {function!r}")


def check_accuracy(accuracy: str) -> None:
    """Raise ValueError for what is no accuracy."""
    if accuracy not in _ACCURACIES:
        raise ValueError(f"accuracy is {' or '.join(map(repr, _ACCURACIES))}, not {accuracy!r}")


def made_of(thing: Any, each: Callable[[Any], Any]) -> Any:
    """Return what `thing` is with `each` applied to the functions that it is made of; None where it is of no known kind."""
    kind = type(thing)
    if kind in (staticmethod, classmethod):
        return kind(each(thing.__func__))
    if kind is property:
        get, set_, delete = (part and each(part) for part in (thing.fget, thing.fset, thing.fdel))
        return property(get, set_, delete, thing.__doc__)
    if kind is functools.cached_property:
        return functools.cached_property(each(thing.func))
    if kind is types.MethodType:
        return types.MethodType(each(thing.__func__), thing.__self__)
    if kind is _CACHED:
        return functools.lru_cache(**thing.cache_parameters())(each(thing.__wrapped__))
    if kind is functools.partial:
        return functools.partial(each(thing.func), *thing.args, **thing.keywords)
    return None


def _convert_class(class_: type, each: Callable[[Any], Any]) -> type:
    """Convert the methods that a class defines itself, in place; those of Python's protocols, other than calls, stay as they are."""
    for name, thing in list(vars(class_).items()):
        special = name.startswith("__") and name.endswith("__") and name != "__call__"
        if special:
            continue
        if type(thing) is types.FunctionType:
            setattr(class_, name, each(thing))
        elif type(thing) in (staticmethod, classmethod, property) and _is_of_functions(thing):
            setattr(class_, name, made_of(thing, each))
    return class_


def _is_of_functions(thing: Any) -> bool:
    """Whether a method of some kind is made of Python functions alone."""
    parts = (thing.fget, thing.fset, thing.fdel) if type(thing) is property else (thing.__func__,)
    return all(part is None or type(part) is types.FunctionType for part in parts)


def twin(function: types.FunctionType, code: types.CodeType | None = None) -> types.FunctionType:
    """Return another function that is as `function` is, but for its code where that is given."""
    # Over the same globals and closure, so that each can take over the other's code.
    made = types.FunctionType(
        code or function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    functools.update_wrapper(made, function)
    made.__dict__ = dict(vars(function))
    return made


def wrap(
    original: types.FunctionType, calls: Calls, stub: types.FunctionType | None = None
) -> types.FunctionType:
    """Return a function that stands for `original` and hands its calls to `calls`: `stub`, a twin of it, or one that is made."""
    own = calls.begin()
    calls.link = Link(calls)
    code = own or hand_on(original.__code__, calls.link, calls.watches)
    if stub is None:
        stub = twin(original, code)
    else:
        stub.__code__ = code
    inspection = Inspection(calls)
    given = {
        "__wrapped__": original,
        "python_function": original,
        # Where numba finds the function whose code it compiles.
        "__numba__": "python_function",
        "calls": calls,
        **{name: getattr(inspection, name) for name in _INSPECTED},
    }
    # What the program holds under such a name is its own, unless it took that over of a function that was converted: what a decorator wraps it looks for there.
    kept = {"__wrapped__"} if "python_function" in vars(original) else {"__wrapped__", *_ASKED}
    given = {name: thing for name, thing in given.items() if name not in vars(original).keys() & kept}
    stub.__dict__ = Attributes({**vars(original), **given})
    stub.__dict__.given = given
    calls.stands_in(stub, hands_on=own is None)
    return stub
