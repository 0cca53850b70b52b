"""Context managers: what is known of them decides whether a `with` statement can be traced."""

from __future__ import annotations

import contextlib
import inspect
import types
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.errors import TranspileError

from .attempts import Attempt, is_certain, refuse_uncertain
from .call import call


class Suppressing(Attempt):
    """Stands for `contextlib.suppress`: what it would swallow while tracing leaves names unbound, so plain Python does that."""

    def __init__(self, *classes: type[BaseException]) -> None:
        super().__init__()
        self.classes = classes

    def __exit__(self, kind: Any = None, error: Any = None, *_: object) -> None:
        super().__exit__()
        if error is not None and not isinstance(error, TranspileError) and isinstance(error, self.classes):
            refuse_uncertain(error)


class Entered(Attempt):
    """Stands for an instance of a user's class: its methods are traced into, and told of no exception."""

    def __init__(self, thing: Any, enter: types.FunctionType, leave: types.FunctionType) -> None:
        super().__init__()
        self.thing = thing
        self.enter = enter
        self.leave = leave

    def __enter__(self) -> Any:
        entered = call(self.enter, self.thing)
        super().__enter__()
        return entered

    def __exit__(self, kind: Any = None, error: Any = None, traceback: Any = None) -> None:
        super().__exit__()
        if error is None:
            call(self.leave, self.thing, None, None, None)
        elif isinstance(error, Exception) and not isinstance(error, TranspileError):
            if (
                not is_certain(error)
                or truth(call(self.leave, self.thing, kind, error, traceback)) is not False
            ):
                refuse_uncertain(error)


@implements(np.errstate)
def errstate(**kinds: Any) -> Any:
    """Stand for `numpy.errstate`, where it asks for nothing but results: kernels do not warn."""
    if any(kind not in ("ignore", "warn", None) for kind in kinds.values()):
        recorder().unstageable(
            "S241-errstate",
            "numpy.errstate asks for floating-point errors to be raised, called, printed or logged",
        )
    return np.errstate(**kinds)


@implements(contextlib.nullcontext)
def nullcontext(entered: Any = None) -> Any:
    """Stand for `contextlib.nullcontext`."""
    return contextlib.nullcontext(entered)


@implements(contextlib.suppress)
def suppress(*classes: Any) -> Any:
    """Stand for `contextlib.suppress`."""
    return Suppressing(*classes)


def manager(thing: Any) -> Any:
    """Return what stands for the context manager of a `with` statement."""
    if isinstance(thing, (np.errstate, contextlib.nullcontext, Attempt)):
        return thing
    class_ = thing.__class__
    methods = [inspect.getattr_static(class_, name, None) for name in ("__enter__", "__exit__")]
    if all(isinstance(method, types.FunctionType) for method in methods):
        return Entered(thing, *methods)  # type: ignore[arg-type]
    return recorder().unstageable(
        "S242-manager", f"{class_.__name__} is no context manager that can be traced into"
    )
