"""The calls of a converted function: traces, what they serve, and the fallback to the original."""

from __future__ import annotations

import inspect
import itertools
import threading
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np

from transpile.converters import convert as convert_syntax
from transpile.runtime.cache.match import match_function
from transpile.runtime.errors import ConversionError, StagingError, TranspileError
from transpile.runtime.ops.scalars import CannotDeoptimise, Deoptimise, NotAssumed
from transpile.runtime.passes import optimise
from transpile.runtime.positions import Location
from transpile.runtime.trace.guard import apart
from transpile.runtime.trace.tracer import Trace, trace

from .errstate import is_followed
from .outputs import builder, given_paths

# Kinds of arguments that cannot be staged, after which a function runs as plain Python for good.
_FAILURES = 8
# Traces made in vain, after which a call that no trace's assumptions fit runs as plain Python at once.
_REFUTED = 4
# The most traces of one function: more kinds of arguments than that run as plain Python.
_TRACES = 32


@dataclass
class Entry:
    """A trace, compiled: `match` gives what to feed `run` where it serves a call."""

    match: Callable[..., tuple[Any, ...] | None]
    run: Callable[..., Any]
    trace: Trace
    copies: list[Location] = field(default_factory=list)
    seconds: float = 0.0
    hits: int = 0
    deoptimised: int = 0


class Calls:
    """Calls of one converted function.

    `failures` are the kinds of arguments that the original runs, and why; `broken` is why it runs all calls. `warns` says so as it happens.
    """

    def __init__(self, function: types.FunctionType, strict: bool, device: str, warns: bool = True) -> None:
        self.function = function
        self.strict = strict
        self.device = device
        self.warns = warns
        code = function.__code__
        variadic = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + variadic]
        self.entries: list[Entry] = []
        self.failures: dict[Any, TranspileError] = {}
        self.broken: TranspileError | None = None
        self._lock = threading.RLock()
        # Traces that did not even serve the call that they were made for.
        self.refuted = 0
        self.hits = self.misses = 0

    def __call__(self, *values: Any) -> Any:
        if not is_followed():
            return self._original(values)
        unassumed = False
        for entry in self.entries:
            feeds = entry.match(*values)
            if feeds is not None:
                try:
                    result = self._run(entry, feeds, values)
                except NotAssumed:
                    unassumed = True
                    continue
                self.hits += 1
                return result
        if unassumed and self.refuted >= _REFUTED:
            return self._original(values)
        if self.broken is not None or len(self.entries) >= _TRACES:
            return self._original(values)
        made = fault = None
        try:
            made = self._make(values)
        except TranspileError:
            raise
        except Exception as error:
            fault = _fault(error)
        if fault is not None:
            # What the program itself raises, the original raises too; a fault of the tracer it shows to be one.
            result = self._original(values)
            self._fall_back(values, fault)
            return result
        feeds = made.match(*values) if made else None
        if made is None or feeds is None:
            return self._original(values)
        try:
            return self._run(made, feeds, values)
        except NotAssumed:
            # What the trace had to assume does not hold for the very arguments that it was made of: NumPy has an error for them.
            self.refuted += 1
            self.entries.remove(made)
        return self._original(values)

    def _run(self, entry: Entry, feeds: tuple[Any, ...], values: Sequence[Any]) -> Any:
        try:
            result = entry.run(*feeds)
            entry.hits += 1
            return result
        except NotAssumed:
            raise
        except Deoptimise:
            entry.deoptimised += 1
        # Not in the handler: what the original raises has nothing to do with ours.
        return self._original(values)

    def _original(self, values: Sequence[Any]) -> Any:
        args, kwargs = self.arguments(values)
        return self.function(*args, **kwargs)

    def arguments(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return values of the parameters as they are handed to a call."""
        code = self.function.__code__
        count, keywords = code.co_argcount, code.co_kwonlyargcount
        args = list(values[:count])
        kwargs = dict(
            zip(self.parameters[count : count + keywords], values[count : count + keywords], strict=True)
        )
        rest = list(values[count + keywords :])
        if code.co_flags & inspect.CO_VARARGS:
            args += rest.pop(0)
        if code.co_flags & inspect.CO_VARKEYWORDS:
            kwargs |= rest.pop(0)
        return args, kwargs

    # -- tracing -----------------------------------------------------------------------------------------------

    def _trace(self, values: Sequence[Any]) -> Trace:
        def call(converted: Any, wrapped: dict[str, Any]) -> Any:
            args, kwargs = self.arguments(list(wrapped.values()))
            return converted(*args, **kwargs)

        arguments = dict(zip(self.parameters, values, strict=True))
        found = trace(self.function, convert_syntax, arguments, call)
        optimise(found.graph)
        return found

    def _make(self, values: Sequence[Any]) -> Entry | None:
        """Trace and compile for a call that no trace serves; None where the original must run it."""
        if not self.strict and kinds_of(values) in self.failures:
            return None
        with self._lock:
            self.misses += 1
            try:
                entry = self._compile(values)
            except TranspileError as error:
                if self.strict:
                    raise
                self._fall_back(values, error)
                return None
            self.entries.insert(0, entry)
            return entry

    def _fall_back(self, values: Sequence[Any], error: TranspileError) -> None:
        """Note that the original runs calls of this kind. Under `strict` raises the error instead."""
        from .report import warn_of_fallback

        if self.strict:
            raise error
        self.failures[kinds_of(values)] = error
        if isinstance(error, ConversionError) or len(self.failures) >= _FAILURES:
            self.broken = error
        if self.warns:
            warn_of_fallback(self.function, error)

    def _compile(self, values: Sequence[Any]) -> Entry:
        start = perf_counter()
        found = self._trace(values)
        execute = executable(found, self.device)
        feeds = [i.path for i in found.graph.inputs if i.source != "dim"]
        given = given_paths(found.output)
        build = builder(found.output, given)
        count = len(feeds)

        def run(*values: Any) -> Any:
            return build(execute(*values[:count]), values[count:])

        match = match_function(self.parameters, found.guards, [*feeds, *given])
        copies = execute.program.copies if hasattr(execute, "program") else []
        return Entry(match, run, found, copies, perf_counter() - start)

    # -- looking into it ---------------------------------------------------------------------------------------

    def source(self) -> str:
        """Return the rewritten Python."""
        return str(convert_syntax(self.function).source())

    def graph(self, *args: Any, **kwargs: Any) -> Any:
        """Return the graph for the signature of these arguments."""
        return self._trace(self.bind(args, kwargs)).graph

    def kernels(self, *args: Any, **kwargs: Any) -> str:
        """Return the text of the kernel for the signature of these arguments."""
        from transpile.devices.cpu.emit import emit
        from transpile.devices.loops.schedule import schedule

        return emit(schedule(self.graph(*args, **kwargs))).text

    def trace(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """Trace and compile for the signature of these arguments, and return the function that runs it."""
        values = self.bind(args, kwargs)
        entry = next((e for e in self.entries if e.match(*values) is not None), None) or self._compile(values)

        def run(*args: Any, **kwargs: Any) -> Any:
            values = self.bind(args, kwargs)
            feeds = entry.match(*values)
            return self._original(values) if feeds is None else self._run(entry, feeds, values)

        return run

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return what is compiled, and what is not and why: for these arguments, or for all calls so far."""
        from .report import explain

        values = self.bind(args, kwargs) if args or kwargs else None
        if values is not None and not any(e.match(*values) is not None for e in self.entries):
            try:
                self.entries.insert(0, self._compile(values))
            except TranspileError as error:
                self.failures[kinds_of(values)] = error
        return explain(self, values)

    def cache_info(self) -> Any:
        """Return how many calls found a trace, how many did not, and how many traces there are."""
        from functools import _CacheInfo

        return _CacheInfo(self.hits, self.misses, None, len(self.entries))

    def cache_clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            self.entries.clear()
            self.failures.clear()
            self.broken = None

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the values of the parameters for a call."""
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return [bound.arguments[name] for name in self.parameters]


def executable(found: Trace, device: str) -> Callable[..., Any]:
    """Return what runs a trace on a device."""
    try:
        if device == "host":
            from transpile.devices.host.interpreter import Interpreter
            from transpile.devices.host.late import refuse_late

            refuse_late(found.graph)
            return lambda *values: Interpreter(found.graph).run(values)
        from transpile.devices.cpu.executable import Executable

        return Executable(found.graph)
    except CannotDeoptimise as error:
        raise StagingError(
            "S260-too-late",
            f"what may have to be left to plain Python comes after a visible effect: {error}",
            location=error.op.location,
        ) from None


def kinds_of(values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the kinds of arguments, and which share memory: on this it mostly depends whether a call can be staged."""
    arrays = [(place, value) for place, value in enumerate(values) if type(value) is np.ndarray]
    shared = tuple(
        (place, other)
        for (place, one), (other, two) in itertools.combinations(arrays, 2)
        if one is not two and not apart(one, two)
    )
    kinds = (
        (np.ndarray, value.dtype, value.ndim, value.flags.writeable)
        if type(value) is np.ndarray
        else type(value)
        for value in values
    )
    return (*kinds, shared)


def _fault(error: Exception) -> StagingError:
    """Return what is said of an error while tracing that the program does not raise."""
    fault = StagingError("S290-fault", f"tracing met {type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault
