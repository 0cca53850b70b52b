"""Assertions, exceptions, text and prints."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import Diverged
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import PYBOOL
from transpile.runtime.ops import journal

from .branches import branch
from .deferred import SymbolicText, deferred
from .hosts import is_handed
from .object_text import is_made, text_of


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


def formatted(value: Any, conversion: str | None = None, specification: Any = "") -> Any:
    """Stand for a replacement field of an f-string."""
    if is_made(value):
        if conversion is None:
            return text_of(value, None, specification)
        value, conversion = text_of(value, conversion), None
    if not is_symbolic(value) and not isinstance(value, SymbolicText) and isinstance(specification, str):
        return _format(value, conversion, specification)
    return SymbolicText(_format, (as_now(value), conversion, specification))


def as_now(thing: Any) -> Any:
    """Return a thing as it is now, whatever is written into the arrays in it later."""
    if isinstance(thing, SymbolicArray):
        value = thing.read()
        # The caller's own array is written before what is returned is made.
        return fresh(value if thing.storage.input is None else recorder().emit("copy", value, order=None))
    if isinstance(thing, Table) or (isinstance(thing, StagedList) and thing.is_staged):
        recorder().unstageable("S233-text", "text is made of a list of run-time length before it is needed")
    if is_tuple(thing) or type(thing) in (list, StagedList):
        return (tuple if is_tuple(thing) else list)(map(as_now, thing))
    return {key: as_now(item) for key, item in thing.items()} if type(thing) is dict else thing


_CONVERSIONS: dict[str, Callable[[Any], str]] = {"r": repr, "s": str, "a": ascii}


def _format(value: Any, conversion: str | None, specification: str) -> str:
    if conversion is not None:
        value = _CONVERSIONS[conversion](value)
    return format(value, specification)


def fstring(*pieces: Any) -> Any:
    """Stand for an f-string."""
    if all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    return SymbolicText(_joined, pieces)


def _joined(*given: str) -> str:
    return "".join(given)


def always_has_text(thing: Any) -> bool:
    """Whether no value that run time may give keeps a thing from being printed."""
    if isinstance(thing, SymbolicText):
        if thing.make is not _format:
            return thing.make in (_joined, str, repr) and all(map(always_has_text, thing.parts))
        value, _, specification = thing.parts
        return specification == "" or (isinstance(value, SymbolicScalar) and _formats(value, specification))
    if isinstance(thing, StagedList) and thing.is_staged:
        return True
    if isinstance(thing, (tuple, list, dict)):
        return all(map(always_has_text, thing.items() if isinstance(thing, dict) else thing))
    known = (SymbolicScalar, SymbolicArray, bool, int, float, complex, str, type(None), np.generic)
    return isinstance(thing, known)


def _formats(value: SymbolicScalar, specification: Any) -> bool:
    """Whether a specification is one for numbers of a type, whatever they are."""
    if not isinstance(specification, str) or specification.endswith("c"):
        return False
    try:
        format(value.python_type(1), specification)
    except ValueError:
        return False
    return True


def modulo(left: Any, right: Any) -> Any:
    """Stand for `left % right` where the left side is a literal string."""
    things = right if is_tuple(right) else (right,)
    if is_symbolic(right) or any(map(is_made, things)):
        return SymbolicText(lambda a, b: a % b, (left, as_now(right)))
    return left % right


def _is_known(thing: Any) -> bool:
    return not is_symbolic(thing) and not isinstance(thing, SymbolicText)


@implements(str)
def text(thing: Any = "", *encoding: Any) -> Any:
    """Stand for `str`."""
    if is_made(thing):
        return text_of(thing, "s")
    if encoding or _is_known(thing):
        return str(thing, *encoding)
    return thing if isinstance(thing, SymbolicText) else SymbolicText(str, (as_now(thing),))


@implements(repr)
def representation(thing: Any) -> Any:
    """Stand for `repr`."""
    if is_made(thing):
        return text_of(thing, "r")
    return repr(thing) if _is_known(thing) else SymbolicText(repr, (as_now(thing),))


@implements(format)
def format_(thing: Any, specification: Any = "") -> Any:
    """Stand for `format`."""
    return formatted(thing, None, specification)


def text_method(text: str, name: str, things: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Stand for a method of a known text that makes one of things that run time gives."""
    return SymbolicText(
        lambda text, things, options: getattr(text, name)(*things, **options),
        (text, as_now(things), as_now(options)),
    )
