"""What the conversion of a function depends on, as a text: what is kept of it is found by that."""

import hashlib
import linecache
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType

from .located import imported_names
from .rewritten import Others

# The lines of files that were looked at, as the interpreter holds them, and their digests.
_digests: dict[str, tuple[list[str], str]] = {}


# Gives a digest of the Python files of folders, nothing where there are none.
Digest = Callable[[Iterable[Path]], str]


def content_of(
    function: FunctionType, others: Others | None, loops: frozenset[str], digest: Digest
) -> str | None:
    """Gives all that decides what a function becomes, with the others that it becomes a loop with; None where there is no source."""
    converters = _converters(digest)
    if not converters:
        return None
    parts = [converters, str(others is not None), " ".join(sorted(loops))]
    named = {"": function, **(others or {})}
    for name in sorted(named):
        each = named[name]
        lines = linecache.getlines(each.__code__.co_filename, each.__globals__)
        if not lines:
            return None
        parts += [name, each.__name__, str(each.__module__), _digest(each.__code__.co_filename, lines)]
        parts += [repr(_code(each.__code__)), " ".join(sorted(imported_names(each)))]
    # What the interpreter adds to them says nothing of names.
    parts += sorted(name for name in function.__globals__ if not name.startswith("__"))
    return "\n".join(parts)


@cache
def _converters(digest: Digest) -> str:
    """Gives what holds for all functions: the code of this room and of what it is made with, and what the compiler of this process makes; nothing, where the code is not there to be read."""
    ours = digest([Path(__file__).parent])
    if not ours:
        return ""
    found = find_spec("gast")
    theirs = "" if found is None or found.origin is None else digest([Path(found.origin).parent])
    compiler = compile("x + y", "", "eval").co_linetable.hex()
    return f"{sys.version} {sys.flags.optimize} {compiler} {ours} {theirs}"


def _digest(file: str, lines: list[str]) -> str:
    known = _digests.get(file)
    if known is None or known[0] is not lines:
        known = _digests[file] = (
            lines,
            hashlib.sha256("".join(lines).encode(errors="surrogatepass")).hexdigest(),
        )
    return known[1]


def _code(code: CodeType) -> tuple[object, ...]:
    """Gives all of a code object, in the same order in every process."""
    return (
        code.co_name, code.co_qualname, code.co_firstlineno, code.co_flags,
        code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
        code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars,
        code.co_code, code.co_linetable, code.co_exceptiontable, list(map(_constant, code.co_consts)),
    )  # fmt: skip


def _constant(value: object) -> object:
    if isinstance(value, CodeType):
        return _code(value)
    return sorted(map(repr, value)) if isinstance(value, frozenset) else value
