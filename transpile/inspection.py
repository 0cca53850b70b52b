"""What can be asked of a converted function."""

from __future__ import annotations

from collections.abc import Callable
from functools import _CacheInfo
from typing import Any

from transpile.runtime.errors import ConversionError, TranspileError

from .calls import TRACES, Calls


class Inspection:
    """Looks into the calls of one converted function."""

    def __init__(self, calls: Calls) -> None:
        self.calls = calls

    def source(self) -> str:
        """Return the rewritten Python; where calls run in parts, those."""
        from transpile.converters import convert as convert_syntax

        parts = self.calls.parts
        if parts is not None:
            units = (str(convert_syntax(unit.function).source()) for unit in parts.units if unit.entries)
            return "\n\n".join((parts.source(), *units))
        try:
            return str(convert_syntax(self.calls.function).source())
        except ConversionError:
            if self.calls.strict:
                raise
            self.calls.part()
            if self.calls.parts is None:
                raise
            return self.source()

    def graph(self, *args: Any, **kwargs: Any) -> Any:
        """Return the graph for the signature of these arguments."""
        return self.calls.traced(self.calls.bind(args, kwargs)).graph

    def kernels(self, *args: Any, **kwargs: Any) -> str:
        """Return the text of the kernel for the signature of these arguments."""
        from transpile.devices.cpu.emit import emit
        from transpile.devices.loops.schedule import schedule

        return emit(schedule(self.graph(*args, **kwargs))).text

    def trace(self, *args: Any, **kwargs: Any) -> Callable[..., Any]:
        """Trace and compile for the signature of these arguments, and return the function that runs it."""
        calls = self.calls
        values = calls.bind(args, kwargs)
        entry = calls.entry_for(values) or calls.compiled(values)

        def run(*args: Any, **kwargs: Any) -> Any:
            values = calls.bind(args, kwargs)
            feeds = entry.match(*values)
            return calls.run_plain(values) if feeds is None else calls.run(entry, feeds, values)

        return run

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return what is compiled, and what is not and why: for these arguments, or for all calls so far."""
        from .report import explain

        calls = self.calls
        values = calls.bind(args, kwargs) if args or kwargs else None
        if values is not None and calls.entry_for(values) is None:
            try:
                calls.keep(calls.compiled(values))
            except TranspileError as error:
                calls.note_failure(values, error)
        return explain(calls, values)

    def explain_miss(self, *args: Any, **kwargs: Any) -> str:
        """Return, for each trace, the newest first, which argument or other value keeps it from serving a call, and why."""
        from transpile.runtime.cache.miss import first_miss

        values = self.calls.bind(args, kwargs)
        lines = []
        for entry in self.calls.entries:
            miss = first_miss(self.calls.parameters, entry.trace.guards, values)
            lines.append("a trace serves the call" if miss is None else miss.text)
        return "\n".join(lines) or "nothing has been traced"

    def cache_info(self) -> _CacheInfo:
        """Return how many calls found a trace, how many did not, and how many traces there are."""
        return _CacheInfo(self.calls.hits, self.calls.misses, TRACES, len(self.calls.entries))

    def cache_clear(self) -> None:
        """Forget all traces."""
        self.calls.clear()
