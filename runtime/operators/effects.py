"""Assertions, exceptions and prints."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.signals import Diverged
from transpile.runtime.arrays.truth import truth
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import PYBOOL
from transpile.runtime.ops import journal

from .branches import branch
from .deferred import deferred
from .hosts import is_handed
from .object_text import is_made, text_of
from .text import always_has_text, as_now


@implements(print)
def print_(*things: Any, **options: Any) -> None:
    """Stand for `print`."""
    things = tuple(text_of(thing, "s") if is_made(thing) else thing for thing in things)
    values: list[Value] = []
    make = deferred((things, options), values)

    def show(*given: Any) -> None:
        shown, chosen = make(given)
        print(*shown, **chosen)

    def show_noted(*given: Any) -> None:
        journal.show(*make(given))

    record = recorder()
    if STDOUT not in record.graph_frame.cells:
        record.start_resource(STDOUT)
    attributes: dict[str, Any] = {"function": show}
    if all(is_handed(thing, arrays=True) for thing in (*things, *options.values())):
        attributes |= {"noted": show_noted, "shows": True}
    if options.keys() <= {"sep", "end", "flush"} and all(map(always_has_text, (*things, *options.values()))):
        # Nothing but the stream itself can fail, which is for no handler: else nothing could be printed twice under `try`.
        attributes["handled"] = False
    token = record.append("host_call", (record.read(STDOUT), *values), attributes)[-1]
    record.write(STDOUT, token)


def raise_(exception: Any, *causes: Any) -> NoReturn:
    """Stand for `raise`."""
    record = recorder()
    if record.attempts and isinstance(exception, DeferredException) and exception.is_known:
        exception = exception.made()
    if record.attempts and record.attempts[-1] is record.frame and all(map(is_plain, (exception, *causes))):
        # A handler may catch it.
        raise_now(exception, *causes)
    if record.frame is record.graph_frame:
        # On every way: the original raises it.
        raise Diverged
    if record.attempts:
        record.deoptimise_if(record.constant(True, PYBOOL), "an exception that a handler may catch")
        raise Diverged
    if record.generators and (exception is StopIteration or isinstance(exception, StopIteration)):
        record.unstageable(
            "S168-iterator", "a generator may raise StopIteration, which is another exception outside of it"
        )
    values: list[Value] = []
    make = _deferred_exception(exception, values)
    why = _deferred_exception(causes[0], values) if causes and causes[0] is not None else None

    def build(*given: Any) -> BaseException:
        error: BaseException = make(given)
        if why is not None:
            error.__cause__ = why(given)
        return error

    record.append("raise", values, {"exception": build})
    raise Diverged


def raise_now(exception: Any, *causes: Any) -> NoReturn:
    """Raise an exception while tracing."""
    try:
        if causes:
            raise exception from causes[0]
        raise exception
    except Exception as error:
        recorder().raised.append(error)
        raise


def is_plain(exception: Any) -> bool:
    """Whether an exception, or a class of them, or none holds nothing that run time gives."""
    if isinstance(exception, type) or exception is None:
        return exception is None or issubclass(exception, Exception)
    if not isinstance(exception, Exception):
        return False
    return all(
        isinstance(thing, (str, bytes, int, float, complex, type(None), np.generic))
        for thing in (*exception.args, *vars(exception).values())
    )


class DeferredException:
    """An exception of a class of the user's with a constructor of its own, which runs when the exception is raised."""

    def __init__(self, class_: type[BaseException], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.class_ = class_
        self.given = as_now((args, kwargs))

    @property
    def is_known(self) -> bool:
        """Whether the constructor is handed nothing that run time gives."""
        return not is_symbolic(self.given)

    def made(self) -> BaseException:
        """Return the exception, of known things."""
        args, kwargs = self.given
        return self.class_(*args, **kwargs)


def has_constructor(class_: type[BaseException]) -> bool:
    """Whether a class of exceptions has a constructor of the user's."""
    return any(isinstance(getattr(class_, name), FunctionType) for name in ("__init__", "__new__"))


def _deferred_exception(exception: Any, values: list[Value]) -> Callable[[tuple[Any, ...]], Any]:
    if isinstance(exception, DeferredException):
        class_, make = exception.class_, deferred(exception.given, values)

        def construct(given: tuple[Any, ...]) -> Any:
            args, kwargs = make(given)
            return class_(*args, **kwargs)

        return construct
    if isinstance(exception, type):
        return lambda given: exception()
    handle = recorder().elsewhere.handle(exception)
    if handle is not None:
        return deferred(handle, values)
    arguments = deferred(exception.args, values)
    class_ = type(exception)
    if class_.__init__ is not BaseException.__init__ and isinstance(class_.__init__, type(lambda: None)):
        recorder().unstageable("S231-exception", f"{class_.__name__} has a constructor of its own")
    return lambda given: class_(*arguments(given))


def assert_(test: Any, message: Callable[[], Any] | None = None) -> None:
    """Stand for `assert`."""
    known = truth(test)
    if known is True:
        return

    def fail() -> NoReturn:
        raise_(AssertionError() if message is None else AssertionError(message()))

    if known is False:
        fail()
    branch(known, [lambda: (), fail], [], (message,))
