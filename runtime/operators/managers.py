"""Context managers: what is known of them decides whether a `with` statement can be traced."""

from __future__ import annotations

import contextlib
import inspect
import types
import warnings
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.truth import truth
from transpile.runtime.errors import TranspileError
from transpile.runtime.ops.floating_errors import call_for_warnings

from .attempts import Attempt, is_certain, refuse_uncertain
from .call import call
from .generators import Generator
from .opened import Closing, OpenedFile


class Suppressing(Attempt):
    """Stands for `contextlib.suppress`: what it would swallow while tracing leaves names unbound, so plain Python does that."""

    def __init__(self, *classes: type[BaseException]) -> None:
        super().__init__()
        self.classes = classes

    def __exit__(self, *failure: Any) -> None:
        super().__exit__()
        error = failure[1]
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

    def __exit__(self, *failure: Any) -> None:
        super().__exit__()
        error = failure[1]
        if error is None:
            call(self.leave, self.thing, None, None, None)
        elif isinstance(error, Exception) and not isinstance(error, TranspileError):
            if not is_certain(error) or truth(call(self.leave, self.thing, *failure)) is not False:
                refuse_uncertain(error)


class GeneratorManager:
    """Stands for the context manager that `contextlib.contextmanager` makes of a generator."""

    def __init__(self, items: Generator) -> None:
        self.items = items

    def __enter__(self) -> Any:
        try:
            return self.items.take()
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if error is None:
            try:
                self.items.take()
            except StopIteration:
                return
            raise RuntimeError("generator didn't stop")
        if isinstance(error, Exception) and not isinstance(error, TranspileError):
            if not is_certain(error):
                refuse_uncertain(error)
            try:
                self.items.pulled.throw(error)
            except BaseException as other:
                if other is error:
                    return
            refuse_uncertain(error)


class Told(np.errstate):
    """Stands for `numpy.errstate`: what NumPy is told holds while tracing."""

    stands_for = np.errstate

    def __enter__(self) -> None:
        super().__enter__()
        call_for_warnings()
        recorder().in_errstate += 1

    def __exit__(self, *failure: Any) -> None:
        super().__exit__(*failure)
        recorder().in_errstate -= 1


class Silenced:
    """Stands for `warnings.catch_warnings`: compiled code warns of floating-point errors alone, and of none where that is ignored."""

    def __init__(self, action: Any = None) -> None:
        self.action, self.ignored = action, False

    def __enter__(self) -> None:
        record = recorder()
        self.ignored = record.ignores
        record.silenced += 1
        if self.action is not None:
            filter_(self.action)

    def __exit__(self, *_: object) -> None:
        recorder().silenced -= 1
        recorder().ignores = self.ignored


@implements(warnings.catch_warnings)
def catch_warnings(*, record: bool = False, module: Any = None, action: Any = None, **options: Any) -> Any:
    """Stand for `warnings.catch_warnings`, where nothing is made of the warnings."""
    if record or module is not None or options:
        recorder().unstageable("S281-warns", "warnings.catch_warnings keeps warnings")
    return Silenced(action)


@implements(warnings.simplefilter)
def filter_(action: str, category: Any = Warning, lineno: Any = 0, append: Any = False) -> None:
    """Stand for `warnings.simplefilter`, within `warnings.catch_warnings`."""
    filter_some(action, "", category, "", lineno, append)


@implements(warnings.filterwarnings)
def filter_some(
    action: str,
    message: Any = "",
    category: Any = Warning,
    module: Any = "",
    lineno: Any = 0,
    append: Any = False,
) -> None:
    """Stand for `warnings.filterwarnings`, within `warnings.catch_warnings`."""
    record = recorder()
    if not record.silenced:
        record.unstageable("S281-warns", "warnings are filtered for those that come after the function, too")
    if not (isinstance(category, type) and issubclass(RuntimeWarning, category)):
        # NumPy's warnings of floating-point errors are none of these.
        return
    if action != "ignore":
        record.unstageable("S281-warns", "warnings are raised as errors, or shown in another way than before")
    if any((message, module, lineno, append)):
        record.unstageable("S281-warns", "some warnings are ignored, and others are not")
    record.ignores = True


@implements(np.errstate)
def errstate(**kinds: Any) -> Any:
    """Stand for `numpy.errstate`, where it tells NumPy to warn of errors, or to be silent."""
    if any(kind not in ("ignore", "warn", None) for kind in kinds.values()):
        recorder().unstageable(
            "S273-errstate",
            "numpy.errstate asks for floating-point errors to be raised, called, printed or logged",
        )
    return Told(**kinds)


@implements(contextlib.nullcontext)
def nullcontext(enter_result: Any = None) -> Any:
    """Stand for `contextlib.nullcontext`."""
    return contextlib.nullcontext(enter_result)


@implements(contextlib.suppress)
def suppress(*classes: Any) -> Any:
    """Stand for `contextlib.suppress`."""
    return Suppressing(*classes)


@implements(contextlib._GeneratorContextManager)
def generator_manager(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Stand for what `contextlib.contextmanager` does when the function is called."""
    items = call(function, *args, **kwargs)
    if not isinstance(items, Generator):
        recorder().unstageable("S274-manager", "contextlib.contextmanager is given no generator")
    return GeneratorManager(items)


def manager(thing: Any) -> Any:
    """Return what stands for the context manager of a `with` statement."""
    recorder().changes_errors |= isinstance(thing, np.errstate)
    if isinstance(thing, (np.errstate, contextlib.nullcontext, Attempt, GeneratorManager, Silenced)):
        return thing
    if isinstance(thing, OpenedFile):
        return Closing(thing)
    class_ = thing.__class__
    methods = [inspect.getattr_static(class_, name, None) for name in ("__enter__", "__exit__")]
    if all(isinstance(method, types.FunctionType) for method in methods):
        return Entered(thing, *methods)
    return recorder().unstageable(
        "S274-manager", f"{class_.__name__} is no context manager that can be traced into"
    )
