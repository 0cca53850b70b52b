"""The interpreter: runs a graph op by op on NumPy values. It is the oracle for every other device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transpile.runtime.errors import Deoptimise
from transpile.runtime.graph.ir import Graph
from transpile.runtime.ops.floating_errors import Flagged, raising
from transpile.runtime.ops.journal import may_run_anew
from transpile.runtime.positions import Location
from transpile.runtime.tracebacks import raise_at

from .error_modes import computing
from .program import Program


class Interpreter:
    """Runs calls of a graph, which must not change any more.

    Nothing of the caller's is written while a call runs: its arrays get their new contents at the end, or, where an op fails, those they have by then.
    """

    def __init__(self, graph: Graph, in_place: bool = True) -> None:
        self.graph = graph
        self.program = Program(graph, in_place)
        # Whether the original can run a call anew wherever an op fails.
        self._may_run_anew = may_run_anew(graph)
        self._modes = raising(graph.heeds if self._may_run_anew else 0)

    def run(self, inputs: Sequence[Any]) -> tuple[Any, ...]:
        """Run the graph on what its inputs name, dims left out; return the results of its block."""
        # Referred to from here until the end, so that none of them is written in place.
        arguments = tuple(inputs)
        contents: dict[int, Any] = {}
        try:
            with computing(self._modes):
                return self.program.function(arguments, contents)
        except Deoptimise as error:
            contents.clear()
            raise_at(self._location(error), error)
        except Exception as error:
            if isinstance(error, FloatingPointError) and self._modes:
                contents.clear()
                raise Flagged("NumPy warns of floating-point errors") from None
            if self.graph.stores or self._line(error) in self.program.handled:
                contents.clear()
                raise Deoptimise("an error that a handler may catch") from None
            if isinstance(error, OverflowError) and "C long" in str(error) and self._may_run_anew:
                # Of ways that are not taken, too, ops are computed.
                contents.clear()
                raise Deoptimise("an integer leaves 64 bits") from None
            raise_at(self._location(error), error)
        finally:
            if contents:
                given = iter(arguments)
                places = [None if i.source == "dim" else next(given) for i in self.graph.inputs]
                for place, content in contents.items():
                    array = places[place]
                    assert array is not None
                    array[...] = content.reshape(array.shape)

    def _location(self, error: BaseException) -> Location:
        """Return the user's position of the op that failed."""
        line = self._line(error)
        return () if line is None else self.program.locations[line]

    def _line(self, error: BaseException) -> int | None:
        """Return the line of the program that failed."""
        entry = error.__traceback__
        while entry is not None:
            if entry.tb_frame.f_code is self.program.code:
                return entry.tb_lineno
            entry = entry.tb_next
        return None
