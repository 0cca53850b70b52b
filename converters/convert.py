"""The conversion of a function: what the rest of transpile sees of this room."""

import weakref
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import Any, Protocol

from .content import content_of
from .located import known
from .rewritten import Others, Rewritten, packed, unpacked, with_sets_of

# What rewrites is loaded only where something is to be rewritten: mostly, what was made of a function is kept.


class Kept(Protocol):
    """Keeps bytes by a text that says of what they were made."""

    def load(self, content: str) -> bytes | None:
        """Gives what was kept, if anything was."""

    def save(self, content: str, data: bytes) -> None:
        """Keeps something."""

    def digest_of(self, folders: Iterable[Path]) -> str:
        """Gives a digest of the Python files of folders, nothing where there are none."""


class Conversion:
    """A function and its rewritten form, to be bound to operators."""

    def __init__(
        self,
        function: FunctionType,
        rewritten: Rewritten,
        others: Others | None = None,
        loops: frozenset[str] = frozenset(),
    ) -> None:
        self.function = function
        self._rewritten = rewritten
        self._others, self._loops = others, loops

    @property
    def codes(self) -> Mapping[CodeType, str]:
        """All code that was made, each with the qualified name of the user's function that it belongs to."""
        return self._rewritten.codes

    def source(self) -> str:
        """Prints the rewritten function for people."""
        from .unparse import unparse

        tree = self._rewritten.tree or _made(self.function, self._others, self._loops).tree
        assert tree is not None
        return unparse(tree)

    def bind(
        self,
        ops: object,
        globals: dict[str, Any] | None = None,
        closure: Mapping[str, CellType] | None = None,
    ) -> FunctionType:
        """Makes a function that calls ``ops``, over the original's globals and closure cells.

        ``globals`` replaces the globals, and ``closure`` the cells that it names.
        """
        function, code = self.function, self._rewritten.code
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        cells |= closure or {}
        cells[self._rewritten.ops] = CellType(ops)
        converted = FunctionType(
            code,
            function.__globals__ if globals is None else globals,
            function.__name__,
            function.__defaults__,
            tuple(cells[name] for name in code.co_freevars),
        )
        for name in ("kwdefaults", "annotations", "doc", "qualname", "module", "type_params"):
            if hasattr(function, f"__{name}__"):
                setattr(converted, f"__{name}__", getattr(function, f"__{name}__"))
        vars(converted).update(vars(function))
        return converted


# Code objects compare by content, and not by file, so they are told apart by identity. Those of the functions that are rewritten with one
# are kept with it.
_Key = tuple[int, frozenset[tuple[str, int]] | None, frozenset[str]]
_cache: dict[_Key, tuple[weakref.ref[CodeType], Rewritten, list[CodeType]]] = {}


def convert(
    function: FunctionType,
    others: Others | None = None,
    kept: Kept | None = None,
    loops: frozenset[str] = frozenset(),
) -> Conversion:
    """Rewrites a function or lambda for ``ops``. Raises ``ConversionError`` for anything that is not understood.

    With ``others``, it calls itself, by its own name, and becomes a loop; they are the functions over the same globals that call it and that it calls, by name.
    So do the functions inside that are called ``loops``, and the function itself where it is: a method, which calls itself through its first parameter.
    The work is done once for each code object, and, where it is ``kept``, once for each text of one.
    """
    if not isinstance(function, FunctionType):
        from .refusals import refuse

        raise refuse("C001-not-a-function", None, name=repr(function))
    code = function.__code__
    codes = {name: other.__code__ for name, other in (others or {}).items()}
    together = None if others is None else frozenset((name, id(own)) for name, own in codes.items())
    key = id(code), together, loops
    if key not in _cache:
        rewritten = with_sets_of(_found(function, others, kept, loops), (code, *codes.values()))
        _cache[key] = weakref.ref(code, partial(_forget, _cache, key)), rewritten, [*codes.values()]
    return Conversion(function, _cache[key][1], others, loops)


def _forget(cache: dict[_Key, Any], key: _Key, _: Any) -> None:
    """Drop what is kept of code that is gone; when the interpreter ends, that may be after the names of this module are."""
    cache.pop(key, None)


def _found(
    function: FunctionType, others: Others | None, kept: Kept | None, loops: frozenset[str]
) -> Rewritten:
    """Finds what was made of a function in another process, or makes it."""
    content = None
    if kept is not None and not any(known(each.__code__) for each in (function, *(others or {}).values())):
        content = content_of(function, others, loops, kept.digest_of)
    if kept is None or content is None:
        return _made(function, others, loops)
    data = kept.load(content)
    if data is not None:
        return unpacked(data, function.__code__.co_filename)
    rewritten = _made(function, others, loops)
    kept.save(content, packed(rewritten))
    return rewritten


def _made(function: FunctionType, others: Others | None, loops: frozenset[str]) -> Rewritten:
    from .rewriting import rewritten

    return rewritten(function, others, loops)
