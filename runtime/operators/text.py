"""Text that is made of run-time values: f-strings, `%`, `str`, `repr` and methods of literal strings."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import FUNCTIONS, implements
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.ir import Value
from transpile.runtime.quiet import noted_warnings

from .deferred import TEXT_METHODS, SymbolicText, as_printed, deferred
from .leaks import told
from .object_text import is_made, text_of


def formatted(value: Any, conversion: str | None = None, specification: Any = "") -> Any:
    """Stand for a replacement field of an f-string."""
    if is_made(value):
        if conversion is None:
            return text_of(value, None, specification)
        value, conversion = text_of(value, conversion), None
    if _is_known(value) and isinstance(specification, str):
        return told(_format(value, conversion, specification))
    is_sure = isinstance(specification, str) and (not specification or _formats(value, specification))
    return made_text(_format, is_sure, as_now(value), conversion, specification)


def as_now(thing: Any) -> Any:
    """Return a thing as it is now, whatever is written into the arrays in it later."""
    if isinstance(thing, SymbolicArray):
        value = thing.read()
        # The caller's own array is written before what is returned is made.
        own = {thing.storage, *thing.storage.relatives, *thing.storage.origins}
        is_callers = any(storage.input is not None for storage in own)
        return fresh(recorder().emit("copy", value, order=None) if is_callers else value)
    if isinstance(thing, Union):
        return Union(thing.tag, tuple(map(as_now, thing.alternatives)))
    if isinstance(thing, Table) or (isinstance(thing, StagedList) and thing.is_staged):
        recorder().unstageable("S233-text", "text is made of a list of run-time length before it is needed")
    if is_tuple(thing) or type(thing) is list or isinstance(thing, StagedList):
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
    return made_text(_joined, True, *pieces)


def _joined(*given: str) -> str:
    return "".join(given)


def modulo(left: Any, right: Any) -> Any:
    """Stand for `left % right` where the left side is a literal string."""
    things = right if is_tuple(right) else (right,)
    if is_symbolic(right) or any(map(is_made, things)):
        return made_text(operator.mod, _fills(left, right), left, as_now(right))
    return told(left % right)


def _is_known(thing: Any) -> bool:
    return not is_symbolic(thing) and not isinstance(thing, SymbolicText)


@implements(str)
def text(object: Any = "", *encoding: Any, **by_name: Any) -> Any:
    """Stand for `str`."""
    if is_made(object):
        return text_of(object, "s")
    if encoding or by_name or _is_known(object):
        return told(str(object, *encoding, **by_name))
    is_text = isinstance(object, SymbolicText) and object.stands_for is str
    return object if is_text else made_text(str, True, as_now(object))


@implements(repr)
def representation(thing: Any) -> Any:
    """Stand for `repr`."""
    if is_made(thing):
        return text_of(thing, "r")
    return told(repr(thing)) if _is_known(thing) else made_text(repr, True, as_now(thing))


@implements(str.__mul__)
def repeated(text: str, count: SymbolicScalar) -> Any:
    """Stand for `text * count`."""
    return made_text(operator.mul, False, text, count)


@implements(format)
def format_(thing: Any, specification: Any = "") -> Any:
    """Stand for `format`."""
    return formatted(thing, None, specification)


def _in_base(function: Callable[[Any], str], specification: str) -> None:
    """Declare what stands for `bin`, `oct` or `hex`."""

    def digits(number: Any, /) -> Any:
        if not isinstance(number, SymbolicScalar):
            return told(function(number))
        kinds = "biu" if number.weak else "iu"
        if number.type.dtype.kind not in kinds:
            text = f"{number.type_name!r} object cannot be interpreted as an integer"
            raise recorder().unsure(TypeError(text))
        return format_(number, specification)

    FUNCTIONS[function] = digits


_in_base(bin, "#b")
_in_base(oct, "#o")
_in_base(hex, "#x")


def text_method(text: str, name: str, things: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Stand for a method of a known text that makes one of things that run time gives: `format` or `join`."""
    return made_text(
        _of_method, _joins(text, name, things, options), text, name, as_now(things), as_now(options)
    )


def _text_of_text(name: str) -> Callable[..., Any]:
    def method(text: SymbolicText, *things: Any) -> Any:
        kinds = (str, int, SymbolicScalar)
        if not all(
            type(thing) in kinds or getattr(type(thing), "stands_for", None) is str for thing in things
        ):
            recorder().unstageable("S232-text", f"str.{name} is handed what is neither text nor a number")
        return made_text(_of_method, not things, text, name, things, {})

    return method


for _name in (
    "capitalize", "casefold", "center", "expandtabs", "ljust", "lower", "lstrip", "removeprefix", "removesuffix", "replace",
    "rjust", "rstrip", "strip", "swapcase", "title", "upper", "zfill",
):  # fmt: skip
    TEXT_METHODS[_name] = _text_of_text(_name)


def _of_method(text: str, name: str, things: tuple[Any, ...], options: dict[str, Any]) -> str:
    made: str = getattr(text, name)(*things, **options)
    return made


# -- what may fail -----------------------------------------------------------------------------------------


def made_text(make: Callable[..., str], is_sure: bool, *parts: Any) -> SymbolicText:
    """Return the text that a function makes of parts. It is made where it is needed; if run time may give what has none, it is made here as well."""
    made = SymbolicText(as_printed(make, parts), parts, is_sure and all(map(always_has_text, parts)))
    if not made.is_sure and _is_plain(made):
        _try(made)
        made.is_sure = True
    return made


def _try(text: SymbolicText) -> None:
    """Record that a text is made, for the error it may raise."""
    values: list[Value] = []
    make = deferred(text, values)

    def run(*given: Any) -> None:
        make(given)

    record = recorder()
    if STDOUT not in record.graph_frame.cells:
        record.start_resource(STDOUT)
    token = record.append("host_call", (record.read(STDOUT), *values), {"function": run, "noted": run})[-1]
    record.write(STDOUT, token)


def always_has_text(thing: Any) -> bool:
    """Whether no value that run time may give keeps the text of a thing from being made."""
    if isinstance(thing, SymbolicText):
        return thing.is_sure
    if isinstance(thing, Union):
        return all(map(always_has_text, thing.alternatives))
    if isinstance(thing, StagedList) and thing.is_staged:
        return True
    if isinstance(thing, (tuple, list, dict)):
        return all(map(always_has_text, thing.items() if isinstance(thing, dict) else thing))
    return isinstance(thing, (SymbolicScalar, SymbolicArray, *_KNOWN))


_KNOWN = (bool, int, float, complex, str, type(None), np.generic)


def _is_plain(thing: Any) -> bool:
    """Whether text can be made of a thing as often as one likes: there is no code of the user's in it."""
    if isinstance(thing, SymbolicText):
        return all(map(_is_plain, thing.parts))
    if isinstance(thing, Union):
        return all(map(_is_plain, thing.alternatives))
    if isinstance(thing, (tuple, list, dict)) and not isinstance(thing, StagedList):
        return all(map(_is_plain, thing.items() if isinstance(thing, dict) else thing))
    return isinstance(thing, (SymbolicScalar, SymbolicArray, *_KNOWN))


def _formats(value: Any, specification: str) -> bool:
    """Whether a specification is one for what a value may be."""
    if isinstance(value, Union):
        return all(_formats(alternative, specification) for alternative in value.alternatives)
    if not isinstance(value, SymbolicScalar) or specification.endswith("c"):
        return False
    return _works(format, value.python_type(1), specification)


# A conversion of `%`: its width and precision if they are taken from the arguments, and its letter.
_CONVERSION = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?(.)")


def _fills(text: Any, things: Any) -> bool:
    """Whether things go into the places of a text, whatever numbers they are."""
    if not isinstance(text, str):
        return False
    found = _CONVERSION.findall(text)
    letters = [letter for *_, letter in found if letter != "%"]
    if "c" in letters or any("*" in sizes for *sizes, _ in found) or isinstance(things, dict):
        return False
    given = things if is_tuple(things) else (things,)
    whole = zip(letters, given, strict=False)
    return _works(operator.mod, text, _sample(things)) and not any(
        letter in "diuoxX" and _is_float(thing) for letter, thing in whole
    )


def _joins(text: str, name: str, things: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether a method of a text takes things, whatever numbers they are."""
    if name == "format" and re.search(r"c\}|\{[^}]*[{.[]", text):
        return False
    return _works(_of_method, text, name, _sample(things), _sample(options))


def _is_float(thing: Any) -> bool:
    return isinstance(thing, SymbolicScalar) and thing.type.dtype.kind not in "biu"


def _sample(thing: Any) -> Any:
    """Return one of the things that a thing may be at run time; of arrays, nothing that has a format."""
    if isinstance(thing, SymbolicScalar):
        return thing.python_type(1)
    if isinstance(thing, SymbolicText):
        return ""
    if isinstance(thing, Mapping):
        return {key: _sample(item) for key, item in thing.items()}
    if is_tuple(thing) or type(thing) is list or isinstance(thing, StagedList):
        return (tuple if is_tuple(thing) else list)(map(_sample, thing))
    return thing if isinstance(thing, _KNOWN) else None


def _works(function: Callable[..., str], *things: Any) -> bool:
    """Whether a function makes a text of things; where NumPy warns that it does, the trace ends."""
    with noted_warnings() as kinds:
        try:
            function(*things)
        except Exception:
            return False
    if any(issubclass(kind, np.exceptions.ComplexWarning) for kind in kinds):
        reason = "a complex number is written as a real one, of which NumPy warns"
        recorder().unstageable("S146-imaginary", reason, "use .real")
    return True
