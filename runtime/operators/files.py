"""Files of NumPy's formats: Python writes and reads them at run time, in the program's order."""

from __future__ import annotations

import io
import operator
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.functions import FUNCTIONS, METHODS
from transpile.runtime.arrays.handle import OBJECT_METHODS, SymbolicObject
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, ScalarType
from transpile.runtime.ops.handles import holding, keep
from transpile.runtime.ops.journal import journal
from transpile.runtime.ops.kept import ArrayPart, Pattern, SequenceParts, parts_of
from transpile.runtime.quiet import no_warnings

from .byte_strings import is_turned
from .deferred import SymbolicText, deferred
from .hosts import check_handed, host_call
from .opened import OpenedFile
from .paths import is_name
from .taking import Taking, new_place
from .trials import number_of, pattern_of

# Files that are larger are not read while tracing, and of texts so much at most.
_MOST = 1 << 26
_LINES = 1 << 18


def as_laid(thing: Any) -> Any:
    """Return an array so that Python's functions find it in Fortran's order where it lies so: what they are handed is in C order otherwise."""
    make: Any = np.asfortranarray
    is_array = isinstance(thing, SymbolicArray)
    return SymbolicText(make, (thing,), is_sure=True) if is_array and is_turned(thing) else thing


# -- writing -------------------------------------------------------------------------------------------------------


def _writes(
    function: Callable[..., None], name: str, place: int = 0, suffix: str = ""
) -> Callable[..., None]:
    """Return what stands for a function that writes a file, which it is handed at a place or under a name."""

    def noted(*args: Any, **kwargs: Any) -> None:
        path = os.fspath(args[place] if len(args) > place else kwargs[name])
        journal().keep_file(path if path.endswith(suffix) else path + suffix)
        function(*args, **kwargs)

    def write(*args: Any, **kwargs: Any) -> None:
        check_handed(function.__qualname__, args, kwargs, arrays=True)
        file = args[place] if len(args) > place else kwargs.get(name)
        is_file = isinstance(file, SymbolicObject) and issubclass(file.kind, io.IOBase)
        if not is_name(file) and not is_file:
            recorder().unstageable("S310-file", f"{function.__qualname__} writes to what is no file")
        args = tuple(map(as_laid, args))
        kwargs = {key: as_laid(thing) for key, thing in kwargs.items()}
        host_call(
            STDOUT,
            function,
            args,
            kwargs,
            seen=1,
            noted=noted if is_name(file) else function if type(file) is OpenedFile else None,
        )

    return write


FUNCTIONS[np.save] = _writes(np.save, "file", suffix=".npy")
FUNCTIONS[np.savez] = _writes(np.savez, "file", suffix=".npz")
FUNCTIONS[np.savez_compressed] = _writes(np.savez_compressed, "file", suffix=".npz")
FUNCTIONS[np.savetxt] = _writes(np.savetxt, "fname")
METHODS["tofile"] = _writes(np.ndarray.tofile, "fid", 1)
METHODS["dump"] = _writes(np.ndarray.dump, "file", 1)


# -- reading -------------------------------------------------------------------------------------------------------


def _reads(function: Callable[..., Any], is_text: bool = False) -> Callable[..., Any]:
    """Return what stands for a function that gives what is in a file. It is called while tracing, to see of which kind that is, which is checked at run time."""

    def read(*args: Any, **kwargs: Any) -> Any:
        check_handed(function.__qualname__, args, kwargs, arrays=True)
        found = _tried(function, args, kwargs, is_text)
        if isinstance(found, np.lib.npyio.NpzFile):
            return Archive(args, kwargs, found)
        return _taken(function, args, kwargs, found, is_text)

    return read


def _taken(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], found: Any, is_text: bool) -> Any:
    """Return what stands for what a function gives at run time: things of the kinds of what was found while tracing."""
    record, place, pattern = recorder(), new_place(), pattern_of(found)
    if pattern is None or not _is_own(found):
        what = f"an array of {found.dtype}" if type(found) is np.ndarray else f"a {type(found).__name__}"
        record.unstageable("S311-read", f"{function.__qualname__} gives {what} while tracing")

    def take(*args: Any, **kwargs: Any) -> int:
        parts = parts_of(pattern, function(*args, **kwargs), ())
        if parts is None:
            return -1
        keep(place, parts)
        return place

    record.holds = True
    handle = host_call(STDOUT, take, args, kwargs, INT, seen=1, noted=take).value
    record.deoptimise_if(
        record.emit("less", handle, record.constant(0, INT)),
        f"{function.__qualname__} gives what it did not give while tracing",
    )
    return Taking(record, handle, list(_dims(pattern, found, is_text))).taken(pattern)


class Archive(SymbolicObject):
    """Stands for what `numpy.load` gives of an archive, which is opened at run time."""

    __slots__ = ("found",)

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any], found: Any) -> None:
        opened = host_call(STDOUT, np.load, args, kwargs, type(found), seen=1, noted=np.load)
        super().__init__(opened.value, type(found))
        self.found = found

    def __getitem__(self, key: Any) -> Any:
        """Return an array of the archive."""
        if not isinstance(key, str):
            recorder().unstageable("S311-read", "run time says which array of an archive is read")
        try:
            found = self.found[key]
        except Exception as error:
            recorder().unstageable(
                "S311-read", f"an array of an archive cannot be read while tracing: {error}"
            )
        return _taken(operator.getitem, (self, key), {}, found, False)


def _close(archive: Any) -> None:
    """Stand for the method `close` of archives."""
    host_call(STDOUT, "close", (archive,), noted=type(archive.found).close)


OBJECT_METHODS[np.lib.npyio.NpzFile] = {"close": _close}


def _tried(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], is_text: bool) -> Any:
    """Return what a function gives now of a file, or of lines; of one of those that the numbers of a loop name."""
    values: list[Value] = []
    make = deferred(([*args], kwargs), values)
    reason: Exception | None = None
    texts = recorder().texts
    made = holding(lambda *given: make(given), [value in texts for value in values])
    if all(isinstance(value.type, ScalarType) for value in values):
        for number in range(2 if values else 1):
            try:
                positional, named = made(*(texts.get(v, number_of(v, number)) for v in values))
                positional[0] = _read_now(positional[0], is_text)
                with no_warnings():
                    return function(*positional, **named)
            except Exception as error:
                reason = error
    return recorder().unstageable("S311-read", f"{function.__qualname__} raises while tracing: {reason}")


def _read_now(source: Any, is_text: bool) -> Any:
    """Return what is read while tracing: of a long text the first lines. Raises ValueError where that would take something away, or take long."""
    if isinstance(source, (list, tuple)):
        return source
    size = os.path.getsize(source) if os.path.isfile(source) else None
    if size is not None and is_text and size > _LINES:
        with open(source) as file:
            return file.read(_LINES).splitlines()[:-1]
    if size is None or size > _MOST:
        raise ValueError(f"{source} is no file, or a large one")
    return source


def _is_own(found: Any) -> bool:
    return not isinstance(found, np.ndarray) or found.flags.writeable


def _dims(pattern: Pattern, found: Any, is_text: bool) -> Any:
    """Yield, for each array, the lengths along its axes that are taken for given: how many columns a text has. How many lines, run time says."""
    if isinstance(pattern, SequenceParts):
        for item, part in zip(pattern.items, found, strict=True):
            yield from _dims(item, part, is_text)
    elif isinstance(pattern, ArrayPart):
        lines = pattern.order[0] if pattern.order else 0
        yield tuple(length if is_text and axis != lines else None for axis, length in enumerate(found.shape))


FUNCTIONS[np.load] = _reads(np.load)
FUNCTIONS[np.fromfile] = _reads(np.fromfile)
FUNCTIONS[np.loadtxt] = _reads(np.loadtxt, is_text=True)
FUNCTIONS[np.genfromtxt] = _reads(np.genfromtxt, is_text=True)
FUNCTIONS[np.fromregex] = _reads(np.fromregex)
