"""Runs a function as it was and as it is converted, and compares all that can be seen of it."""

import contextlib
import copy
import io
import itertools
import linecache
import textwrap
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from transpile.converters import convert

from .eager import EagerOps

_numbers = itertools.count()


def module(text: str, **names: Any) -> types.SimpleNamespace:
    """Runs the text of a module whose source can be found, and gives its names."""
    text = textwrap.dedent(text)
    file = f"<module {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    globals_ = {"__name__": "module", **names}
    exec(compile(text, file, "exec", dont_inherit=True), globals_)
    return types.SimpleNamespace(**globals_)


def converted(function: Any, ops: EagerOps | None = None) -> Any:
    """Gives the converted function, bound to the eager operators."""
    return convert(function).bind(ops or EagerOps())


@dataclass(frozen=True)
class Failure:
    """What can be seen of an exception: ``place`` is the user's innermost line and columns."""

    kind: type[BaseException]
    message: str
    place: tuple[int | None, ...]
    cause: str
    suppresses: bool


@dataclass(frozen=True)
class Outcome:
    """What can be seen of a call."""

    result: str
    failure: Failure | None
    arguments: str
    output: str


def outcome(function: Callable[..., Any], arguments: Iterable[Any], file: str) -> Outcome:
    """Calls a function with copies of arguments."""
    arguments = copy.deepcopy(tuple(arguments))
    output = io.StringIO()
    failure, result = None, None
    with contextlib.redirect_stdout(output):
        try:
            given = function(*arguments)
            result = list(given) if isinstance(given, types.GeneratorType) else given
        except Exception as error:
            failure = _failure(error, file)
    return Outcome(f"{type(result)} {result!r}", failure, repr(arguments), output.getvalue())


def same(function: Any, *calls: tuple[Any, ...], columns: bool = True) -> list[Outcome]:
    """Checks that the converted function does what the function does, for each tuple of arguments."""
    outcomes = []
    file = function.__code__.co_filename
    for arguments in calls or [()]:
        expected = outcome(function, arguments, file)
        found = outcome(converted(function), arguments, file)
        if not columns:
            expected, found = without_columns(expected), without_columns(found)
        assert found == expected, f"{arguments!r}\n{convert(function).source()}"
        outcomes.append(expected)
    return outcomes


def _failure(error: BaseException, file: str) -> Failure:
    place: tuple[int | None, ...] = ()
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_filename == file:
            positions = itertools.islice(code.co_positions(), traceback.tb_lasti // 2, None)
            line, end_line, column, end_column = next(positions)
            assert traceback.tb_lineno == line
            place = (line, column, end_line, end_column)
        traceback = traceback.tb_next
    return Failure(type(error), str(error), place, repr(error.__cause__), error.__suppress_context__)


def without_columns(seen: Outcome) -> Outcome:
    """Gives an outcome in which an error has a line only."""
    if seen.failure is None:
        return seen
    failure = Failure(
        seen.failure.kind,
        seen.failure.message,
        seen.failure.place[:1],
        seen.failure.cause,
        seen.failure.suppresses,
    )
    return Outcome(seen.result, failure, seen.arguments, seen.output)
