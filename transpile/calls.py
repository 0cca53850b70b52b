"""The calls of a converted function: traces, what they serve, and the fallback to the original."""

from __future__ import annotations

import inspect
import threading
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from transpile.converters import convert as convert_syntax
from transpile.runtime.cache.match import match_function
from transpile.runtime.errors import ConversionError, StagingError, TranspileError
from transpile.runtime.ops.scalars import Deoptimise
from transpile.runtime.passes import optimise
from transpile.runtime.trace.tracer import Trace, trace

from .outputs import builder, given_paths


@dataclass
class Entry:
    """A trace, compiled: `match` gives what to feed it where it serves a call; `run` is None where the original must run it."""

    match: Callable[..., tuple[Any, ...] | None]
    run: Callable[..., Any] | None
    trace: Trace | None
    error: TranspileError | None = None


class Calls:
    """Calls of one converted function."""

    def __init__(self, function: types.FunctionType, strict: bool, device: str) -> None:
        self.function = function
        self.strict = strict
        self.device = device
        code = function.__code__
        variadic = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
        self.parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + variadic]
        self.entries: list[Entry] = []
        self.broken: TranspileError | None = None
        self._lock = threading.RLock()
        self.hits = self.misses = 0

    def __call__(self, *values: Any) -> Any:
        for entry in self.entries:
            feeds = entry.match(*values)
            if feeds is not None:
                self.hits += 1
                return self._run(entry, feeds, values)
        if self.broken is not None:
            return self._original(values)
        self.misses += 1
        with self._lock:
            entry = self._make(values)
        feeds = entry.match(*values)
        if feeds is None:
            return self._original(values)
        return self._run(entry, feeds, values)

    def _run(self, entry: Entry, feeds: tuple[Any, ...], values: tuple[Any, ...]) -> Any:
        if entry.run is None:
            return self._original(values)
        try:
            return entry.run(*feeds)
        except Deoptimise:
            return self._original(values)

    def _original(self, values: Sequence[Any]) -> Any:
        args, kwargs = self._arguments(values)
        return self.function(*args, **kwargs)

    def _arguments(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
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
            args, kwargs = self._arguments(list(wrapped.values()))
            return converted(*args, **kwargs)

        arguments = dict(zip(self.parameters, values, strict=True))
        found = trace(self.function, convert_syntax, arguments, call)
        optimise(found.graph)
        return found

    def _make(self, values: Sequence[Any]) -> Entry:
        """Trace and compile for a call that no trace serves."""
        from .convert import warn_of_fallback

        try:
            found = self._trace(values)
            entry = self._compile(found)
        except TranspileError as error:
            if self.strict:
                raise
            if isinstance(error, ConversionError):
                self.broken = error
            warn_of_fallback(self.function, error)
            entry = Entry(_never(values), None, None, error)
            self.broken = error
        self.entries.insert(0, entry)
        return entry

    def _compile(self, found: Trace) -> Entry:
        execute = executable(found, self.device)
        feeds = [i.path for i in found.graph.inputs if i.source != "dim"]
        given = given_paths(found.output)
        build = builder(found.output, given)
        count = len(feeds)

        def run(*values: Any) -> Any:
            return build(execute(*values[:count]), values[count:])

        return Entry(match_function(self.parameters, found.guards, [*feeds, *given]), run, found)

    # -- looking into it ---------------------------------------------------------------------------------------

    def source(self) -> str:
        """Return the rewritten Python."""
        return str(convert_syntax(self.function).source())

    def graph(self, *args: Any, **kwargs: Any) -> Any:
        """Return the graph for the signature of these arguments."""
        return self._trace(self._bind(args, kwargs)).graph

    def kernels(self, *args: Any, **kwargs: Any) -> str:
        """Return the text of the kernel for the signature of these arguments."""
        from transpile.devices.cpu.emit import emit
        from transpile.devices.loops.schedule import schedule

        return emit(schedule(self.graph(*args, **kwargs))).text

    def trace(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """Trace and compile for the signature of these arguments, and return the function that runs it."""
        values = self._bind(args, kwargs)
        entry = next((e for e in self.entries if e.match(*values) is not None), None) or self._make(values)
        return lambda *a, **k: self._run(entry, entry.match(*self._bind(a, k)) or (), self._bind(a, k))

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return what is compiled, and what is not and why."""
        return str(self.broken or "compiled whole")

    def cache_info(self) -> Any:
        """Return how many calls found a trace, how many did not, and how many traces there are."""
        from functools import _CacheInfo

        return _CacheInfo(self.hits, self.misses, None, len(self.entries))

    def cache_clear(self) -> None:
        """Forget all traces."""
        with self._lock:
            self.entries.clear()
            self.broken = None

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        bound = inspect.signature(self.function).bind(*args, **kwargs)
        bound.apply_defaults()
        return [bound.arguments[name] for name in self.parameters]


def executable(found: Trace, device: str) -> Callable[..., Any]:
    """Return what runs a trace on a device."""
    from transpile.devices.loops.schedule import CannotDeoptimise

    try:
        if device == "host":
            from transpile.devices.host.interpreter import Interpreter

            return lambda *values: Interpreter(found.graph).run(values)
        from transpile.devices.cpu.executable import Executable

        return Executable(found.graph)
    except CannotDeoptimise as error:
        raise StagingError(
            "S260-too-late",
            f"what may have to be left to plain Python comes after a visible effect: {error}",
            location=error.op.location,
        ) from None


def _never(values: Sequence[Any]) -> Callable[..., None]:
    return lambda *_: None
