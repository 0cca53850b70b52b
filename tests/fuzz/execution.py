"""Runs a random program plainly and converted, and compares everything that can be seen of each call."""

from __future__ import annotations

import ast
import copy
import linecache
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import numpy as np

import transpile
from transpile.calls import Calls
from transpile.runtime.errors import FallbackWarning, RetraceWarning

from ..end_to_end.comparison import Outcome, call, compare
from .nans import has_both_signs, without_signs
from .programs import module

# What is compiled is to be tested, however fast it is.
Calls.chooses = False

# State of a program's module, which a run may change.
STATE = ("events", "totals", "TABLE", "WEIGHTS", "LIMIT")


@dataclass
class Count:
    """What programs consisted of, and what became of them."""

    programs: int = 0
    whole: int = 0
    calls: int = 0
    compiled_calls: int = 0
    raised: int = 0
    differences: int = 0
    constructs: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: Count) -> Count:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self

    def add_text(self, text: str) -> None:
        """Count what a program consists of."""
        self.programs += 1
        self.constructs.update({type(node).__name__ for node in ast.walk(ast.parse(text))})

    def add(self, text: str, converted: Any) -> None:
        """Count a program that was run."""
        self.add_text(text)
        failures = converted.calls.failures.values()
        self.whole += not failures
        self.compiled_calls += sum(entry.hits for entry in converted.calls.entries)
        self.reasons.update({error.code for error in failures})


class Unfit(Exception):
    """A program takes more time or memory by itself than any should."""


class Stuck(BaseException):
    """A program takes longer than any should. No handler of the program's own catches it."""


def check(text: str, device: str, count: Count | None = None, strict: bool = False) -> None:
    """Compare a program with itself converted, on all of its calls, the first one twice. With `strict` it has to compile whole."""
    space = module(text)
    function = space["f"]
    converted = transpile.convert(function, device=device)
    calls = space["CALLS"]
    for make in [*calls, calls[0]]:
        try:
            expected = observe(function, make, space)
        except Stuck as stuck:
            raise Unfit from stuck
        if type(expected.error) is MemoryError:
            raise Unfit
        found = observe(converted, make, space)
        try:
            compare(expected, found)
        except AssertionError:
            # Of NaNs that meet, any may be left: see Note [Signs of NaN].
            if found.error is not None or not has_both_signs(text, make.__name__):
                raise
            for outcome in (expected, found):
                without_signs((outcome.result, outcome.arguments))
            compare(expected, found)
        if count is not None:
            count.calls += 1
            count.raised += expected.error is not None
    failures = list(converted.calls.failures.values())
    for error in failures:
        assert getattr(error, "code", "") != "S290-fault", f"{error}\n{error.__cause__!r}"
    assert not (strict and failures), "\n".join(map(str, failures))
    if count is not None:
        count.add(text, converted)
    linecache.cache.pop(function.__code__.co_filename, None)


def observe(
    function: Callable[..., Any], make: Callable[[], tuple[Any, ...]], space: dict[str, Any]
) -> Outcome:
    """Call a function on arguments as they are made, and note all that is seen: what is shared, state, errors, warnings."""
    before = {name: copy.deepcopy(space[name]) for name in STATE}
    arguments = make()
    errors = StringIO()
    with warnings.catch_warnings(record=True) as caught, redirect_stderr(errors):
        warnings.simplefilter("always")
        outcome = call(lambda *_: function(*arguments), ())
    if isinstance(outcome.error, NameError):
        # Where CPython says that an unbound name was read depends on how often the function ran.
        outcome.error = raised_here(outcome.error)
    state = {name: space[name] for name in STATE}
    space.update(before)
    arrays = [*arrays_in(arguments), *arrays_in(outcome.result)]
    shared = [[np.shares_memory(one, other) for one in arrays] for other in arrays]
    same = [[one is other for one in arrays] for other in arrays]
    said = [
        f"{w.category.__name__}: {w.message}"
        for w in caught
        if not issubclass(w.category, (FallbackWarning, RetraceWarning))
    ]
    return Seen(
        (outcome.result, shared, same),
        outcome.error,
        (arguments, state, said, errors.getvalue()),
        outcome.output,
    )


class Seen(Outcome):
    """An outcome whose error is placed in the program: NumPy raises some errors in functions of its own, and some not."""

    @property
    def raised_at(self) -> tuple[str, int] | None:
        """File and line of the innermost frame that is the program's."""
        if self.error is None:
            return None
        frames = traceback.extract_tb(self.error.__traceback__)
        return next(
            ((f.filename, f.lineno or 0) for f in reversed(frames) if f.filename.startswith("<program ")),
            None,
        )


def raised_here(error: BaseException) -> BaseException:
    """Return an error as it is, raised at this line."""
    try:
        raise error.with_traceback(None)
    except type(error) as found:
        return found


def arrays_in(value: Any) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the arrays in a value."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from arrays_in(item)
    elif isinstance(value, dict):
        yield from arrays_in(list(value.values()))
