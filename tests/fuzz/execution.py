"""Runs a random program plainly and converted, and compares everything that can be seen of each call."""

from __future__ import annotations

import ast
import linecache
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

import transpile
from transpile.calls import Calls
from transpile.runtime.errors import FallbackWarning, RetraceWarning

from ..end_to_end.comparison import Outcome, call, differences
from .description import Description
from .nans import has_both_signs
from .programs import module

# What is compiled is to be tested, however fast it is.
Calls.chooses = False

# State of every program's module, which a run may change; `KEPT` names a program's own.
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
    """A program makes no arguments, or takes more time or memory by itself than any should."""


class Stuck(BaseException):
    """A program takes longer than any should. No handler of the program's own catches it."""


class World:
    """A program's module, in which its function is called again and again: what one call leaves, the next one finds."""

    def __init__(self, text: str) -> None:
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            self.space = module(text)
        self.function: Callable[..., Any] = self.space["f"]
        self.kept = [*STATE, *self.space.get("KEPT", ())]

    def arguments(self, maker: str) -> tuple[Any, ...]:
        """Return the arguments of a call, as they are made."""
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made: tuple[Any, ...] = self.space[maker]()
        return made

    def run(self, arguments: tuple[Any, ...]) -> Outcome:
        """Call the function."""
        return call(lambda *_: self.function(*arguments), ())

    def call(self, arguments: tuple[Any, ...]) -> Callable[[bool], dict[str, Any]]:
        """Call the function; return what describes all that is seen, with signs of NaN or without."""
        errors = StringIO()
        with warnings.catch_warnings(record=True) as caught, redirect_stderr(errors):
            warnings.simplefilter("always")
            outcome = self.run(arguments)
        said = [
            f"{w.category.__name__}: {w.message}"
            for w in caught
            if not issubclass(w.category, (FallbackWarning, RetraceWarning))
        ]

        def seen(signs: bool) -> dict[str, Any]:
            described = Description(signs)
            return {
                "error": described.of(outcome.error),
                "result": described.of(outcome.result),
                "arguments": described.of(arguments),
                "state": described.names({name: self.space[name] for name in self.kept}),
                "shared memory": described.shared(),
                "output": described.of(outcome.output),
                "warnings": described.of(tuple(said)),
                "errors": described.of(errors.getvalue()),
            }

        return seen


def check(text: str, device: str, count: Count | None = None, strict: bool = False) -> None:
    """Compare a program with itself converted, on all of its calls, the first one twice. With `strict` it has to compile whole."""
    try:
        plain, other = World(text), World(text)
    except Exception as error:
        raise Unfit from error
    converted = transpile.convert(other.function, device=device)
    other.function = converted
    makers = [make.__name__ for make in plain.space["CALLS"]]
    called: list[str] = []
    for maker in [*makers, makers[0]]:
        called.append(maker)
        try:
            given = plain.arguments(maker)
        except Exception as error:
            raise Unfit from error
        try:
            expected = plain.call(given)
        except Stuck as stuck:
            raise Unfit from stuck
        error = expected(True)["error"]
        if error and error[0] == "MemoryError":
            raise Unfit
        found = other.call(other.arguments(maker))
        problems = differences(expected(True), found(True), f"call {len(called)}")
        # Of NaNs that meet, any may be left: see Note [Signs of NaN].
        if problems and has_both_signs(text, called):
            problems = differences(expected(False), found(False), f"call {len(called)}")
        assert not problems, "\n".join(problems)
        if count is not None:
            count.calls += 1
            count.raised += error is not None
    failures = list(converted.calls.failures.values())
    for failure in failures:
        assert getattr(failure, "code", "") != "S290-fault", f"{failure}\n{failure.__cause__!r}"
    assert not (strict and failures), "\n".join(map(str, failures))
    if count is not None:
        count.add(text, converted)
    for world in (plain, other):
        linecache.cache.pop(world.space["f"].__code__.co_filename, None)
