"""The text of objects that the function makes: what their classes write is traced."""

from __future__ import annotations

import dataclasses
import types
from typing import Any, NoReturn

from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder

from .deferred import SymbolicText


def is_made(thing: Any) -> bool:
    """Whether a thing is an instance of a user's class that the trace has made."""
    record = recorder()
    return id(thing) in record.pooled or (id(thing) in record.made and not isinstance(thing, Table))


def text_of(thing: Any, conversion: str | None, specification: Any = "") -> Any:
    """Return the text of an object that the trace has made, by what its class has for a conversion or a format."""
    class_: Any = thing.__class__
    if conversion == "a":
        _refuse(class_)
    name = {None: "__format__", "s": "__str__", "r": "__repr__"}[conversion]
    written = getattr(class_, name)
    if written is getattr(object, name) and name != "__repr__" and specification == "":
        # Python's own asks for the next one.
        return text_of(thing, "s" if conversion is None else "r")
    if not isinstance(written, types.FunctionType):
        _refuse(class_)
    if name == "__repr__" and is_generated(written) and dataclasses.is_dataclass(class_):
        return _fields(thing, class_)
    found = Operand.call(written, thing, *([specification] if conversion is None else []))
    return found if isinstance(found, (str, SymbolicText)) else _refuse(class_)


def is_generated(function: Any) -> bool:
    """Whether `dataclasses` has made a function, of text that is in no file."""
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _fields(thing: Any, class_: Any) -> Any:
    """Return what `dataclasses` writes of an instance."""
    from .text import formatted, fstring

    pieces: list[Any] = []
    for field in dataclasses.fields(class_):
        if field.repr:
            pieces += [", "] * bool(pieces) + [f"{field.name}=", formatted(getattr(thing, field.name), "r")]
    return fstring(f"{class_.__qualname__}(", *pieces, ")")


def _refuse(class_: Any) -> NoReturn:
    recorder().unstageable(
        "S230-deferred", f"a {class_.__name__} that the function makes is shown by what is not written in it"
    )
