"""Assertions, exceptions, text and prints."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import implements
from transpile.runtime.arrays.handle import SymbolicObject
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.numbers import lift
from transpile.runtime.arrays.recorder import Diverged, recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.truth import truth
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import PYBOOL, ScalarType
from transpile.runtime.ops.handles import held

from .branches import branch


class SymbolicText:
    """Text that run time gives: a function of the run-time values of `parts`."""

    def __init__(self, make: Callable[..., str], parts: tuple[Any, ...]) -> None:
        self.make = make
        self.parts = parts

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (str, SymbolicText)):
            return NotImplemented
        return SymbolicText(operator.add, (self, other))

    def __radd__(self, other: Any) -> Any:
        return SymbolicText(operator.add, (other, self)) if isinstance(other, str) else NotImplemented

    def _needs_text(self, *_: Any) -> NoReturn:
        recorder().unstageable("S232-text", "text that run time gives is looked into")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _needs_text  # type: ignore[assignment]
    __len__ = __iter__ = __getitem__ = __contains__ = __hash__ = __bool__ = _needs_text  # type: ignore[assignment]
    __str__ = __repr__ = __format__ = __mul__ = __rmul__ = __mod__ = _needs_text  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        self._needs_text()


def deferred(thing: Any, values: list[Value]) -> Callable[[tuple[Any, ...]], Any]:
    """Return a function that makes a thing, at run time, from the values of what is symbolic in it, which are added to `values`."""
    if isinstance(thing, (SymbolicScalar, SymbolicArray)):
        place = len(values)
        values.append(lift(thing))
        return lambda given: given[place]
    if isinstance(thing, SymbolicObject):
        place = len(values)
        values.append(thing.value)
        return lambda given: held(given[place])
    if isinstance(thing, Union):
        return _deferred_union(thing.bound(), values)
    if isinstance(thing, SymbolicText):
        parts = [deferred(part, values) for part in thing.parts]
        return lambda given: thing.make(*(part(given) for part in parts))
    if isinstance(thing, StagedList) and thing.is_staged:
        rows, weak = deferred(thing.rows(), values), isinstance(thing.row, ScalarType) and thing.row.weak
        return lambda given: rows(given).tolist() if weak else list(rows(given))
    if type(thing) is tuple or isinstance(thing, list):
        items = [deferred(item, values) for item in thing]
        kind = tuple if type(thing) is tuple else list
        return lambda given: kind(item(given) for item in items)
    if type(thing) is dict:
        entries = {key: deferred(item, values) for key, item in thing.items()}
        return lambda given: {key: item(given) for key, item in entries.items()}
    if is_symbolic(thing):
        recorder().unstageable(
            "S230-deferred", f"a {type(thing).__name__} that holds run-time values leaves the function"
        )
    return lambda given: thing


def _deferred_union(thing: Any, values: list[Value]) -> Callable[[tuple[Any, ...]], Any]:
    if not isinstance(thing, Union):
        return deferred(thing, values)
    tag = deferred(thing.tag, values)
    ways = [deferred(alternative, values) for alternative in thing.alternatives]
    return lambda given: ways[tag(given)](given)


@implements(print)
def print_(*things: Any, **options: Any) -> None:
    """Stand for `print`."""
    values: list[Value] = []
    make = deferred((things, options), values)

    def show(*given: Any) -> None:
        shown, chosen = make(given)
        print(*shown, **chosen)

    record = recorder()
    if STDOUT not in record.graph_frame.cells:
        record.start_resource(STDOUT)
    token = record.append("host_call", (record.read(STDOUT), *values), {"function": show})[-1]
    record.write(STDOUT, token)


def raise_(exception: Any, *causes: Any) -> NoReturn:
    """Stand for `raise`."""
    record = recorder()
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


def _deferred_exception(exception: Any, values: list[Value]) -> Callable[[tuple[Any, ...]], Any]:
    if isinstance(exception, type):
        return lambda given: exception()
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
    if not is_symbolic(value) and not isinstance(value, SymbolicText) and isinstance(specification, str):
        return _format(value, conversion, specification)
    return SymbolicText(_format, (as_now(value), conversion, specification))


def as_now(thing: Any) -> Any:
    """Return a thing as it is now, whatever is written into the arrays in it later."""
    if isinstance(thing, SymbolicArray):
        return fresh(thing.read())
    if isinstance(thing, StagedList) and thing.is_staged:
        recorder().unstageable("S233-text", "text is made of a list of run-time length before it is needed")
    if type(thing) in (tuple, list, StagedList):
        return (tuple if type(thing) is tuple else list)(map(as_now, thing))
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
    return SymbolicText(lambda *given: "".join(given), pieces)


def modulo(left: Any, right: Any) -> Any:
    """Stand for `left % right` where the left side is a literal string."""
    if is_symbolic(right):
        return SymbolicText(lambda a, b: a % b, (left, as_now(right)))
    return left % right


def _is_known(thing: Any) -> bool:
    return not is_symbolic(thing) and not isinstance(thing, SymbolicText)


@implements(str)
def text(thing: Any = "", *encoding: Any) -> Any:
    """Stand for `str`."""
    if encoding or (_is_known(thing) and id(thing) not in recorder().made):
        return str(thing, *encoding)
    return thing if isinstance(thing, SymbolicText) else SymbolicText(str, (as_now(thing),))


@implements(repr)
def representation(thing: Any) -> Any:
    """Stand for `repr`."""
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

