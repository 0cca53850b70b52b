"""One attempt to trace a call: the converted function is run once on what stands for its arguments."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import transpile.runtime.composites  # noqa: F401 (declares what stands for functions)
import transpile.runtime.operators as ops
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.signals import Diverged
from transpile.runtime.errors import AlwaysRaises, ConversionError
from transpile.runtime.graph.ir import Graph, Op, Value
from transpile.runtime.graph.naming import assign_names
from transpile.runtime.operators.containers import check_settled
from transpile.runtime.operators.generators import closing_generators, refuse_abandoned
from transpile.runtime.operators.program import globals_here, register, variables_of, where
from transpile.runtime.ops.floating_errors import Reporter, calling
from transpile.runtime.ops.settings import kept_settings

from .guard import Guard
from .output import Outputs
from .outside import Outside
from .path import Path
from .proxies import OutsideGlobals
from .recursions import Recursions
from .settings import GuardedSettings
from .state import Store
from .stores import stores_of
from .texts import AnyText, any_text

# Converts a function: returns an object with `bind` and `codes`, as `transpile.converters` makes them.
Convert = Callable[..., Any]


@dataclass
class Trace:
    """A recorded call: the graph, what it was specialised on, and how its results make up the returned thing."""

    graph: Graph
    guards: list[Guard]
    output: Any
    results: int
    # Whether its graph holds objects of Python's own, by handles.
    holds: bool = False
    # What it stores at its end.
    stores: list[Store] = field(default_factory=list)
    # What reports the floating-point errors of ops, and which are reported of those with `numpy.errstate` around.
    reporters: dict[Op, Reporter] = field(default_factory=dict)
    heeds: dict[Op, int] = field(default_factory=dict)
    # The errors that NumPy was told to warn of; None where it has none to warn of.
    told: int | None = None
    # What it does when all is stored: it changes settings of NumPy's.
    ends: list[Callable[[], object]] = field(default_factory=list)
    # Whether it is for one size alone, so that loops over lists of what is no row can be written out.
    for_one_size: bool = False
    # Whether it is for values that a trace for all of them would leave to the original.
    for_one_way: bool = False

    @property
    def goes_first(self) -> bool:
        """Whether a call that it serves is not served by another."""
        return self.for_one_size or self.for_one_way


def _with_globals(function: types.FunctionType, namespace: dict[str, Any]) -> types.FunctionType:
    return types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )


class Attempt:
    """What is recorded in one run of a function, and how what it reads and stores outside is followed."""

    def __init__(
        self,
        function: types.FunctionType,
        convert: Convert,
        specialised: dict[str, Any],
        eager: bool,
        appended: Mapping[str, bool],
        repeats: bool,
        recursions: Recursions,
        stages_lists: bool | None,
    ) -> None:
        self.function = function
        self.conversions = convert
        # The names that occur in what was converted.
        self.names: set[str] = set()
        self.recorder = Recorder(function.__name__, where, self.convert)
        self.recorder.globals_here = globals_here
        self.recorder.repeats = repeats
        self.outside = Outside(self.recorder, specialised, eager, appended, stages_lists)
        self.recorder.rests_on = GuardedSettings(self.outside).found
        self.recorder.are_apart = self.outside.inputs.are_apart
        self.recorder.lies_backwards = self.outside.inputs.lies_backwards
        self.recorder.goes_on = self.outside.inputs.goes_on
        self.recorder.lies_packed = self.outside.inputs.lies_packed
        self.recorder.make_records = self.outside.inputs.made
        self.recorder.given_attribute = self.outside.given_attribute
        self.recorder.set_writable = self.outside.set_writable
        self.recorder.follows_recursion = recursions.followed
        self.recorder.entered = function.__code__
        self.recursions = recursions
        # What stands for the defaults of the functions that were called.
        self.defaults: dict[types.FunctionType, tuple[Any, Any]] = {}

    def other_ways(self, before: Mapping[Any, bool]) -> dict[Any, bool]:
        """Return whether more lists that were handed in could be staged, or fewer, whether more objects could lie in pools, and whether lists could hold arrays of several sizes now, or before."""
        lists = self.outside.stand_ins.lists
        pools = {"pools": self.recorder.makes_objects, "apart": bool(self.recorder.object_pools)}
        sizes = self.recorder.asks_sizes or before.get("sizes", False)
        pulled = self.recorder.pushes or before.get("pulled", False)
        turns = self.recorder.writes_turns or before.get("turns", False)
        return {
            True: lists.left,
            False: lists.staged,
            **pools,
            "sizes": sizes,
            "pulled": pulled,
            "turns": turns,
        }

    def convert(
        self, function: types.FunctionType, called: types.FunctionType | None = None, defaults: bool = True
    ) -> types.FunctionType:
        """Return the converted function, with globals, cells and, if they may be needed, defaults that are followed: those of what is called."""
        called = called or function
        namespace = function.__globals__
        made_here = isinstance(namespace, OutsideGlobals)
        if isinstance(namespace, OutsideGlobals):
            # A function that the trace has made, of code that was left as it is.
            cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
            conversion = self.conversions(_with_globals(function, namespace.namespace))
        else:
            namespace = self.outside.globals_of(function)
            others = self.recursions.loop(function, self.outside)
            loops = self.recursions.loops(function) if others is None else frozenset()
            conversion = self.conversions(function, others=others, loops=loops)
            cells = self.outside.cells(function)
            for other in (others or {}).values():
                cells = self.outside.cells(other) | cells
        together = [function, *(others or {}).values()] if not made_here else [function]
        variables = frozenset().union(*(variables_of(each.__code__) for each in together))
        for code, name in conversion.codes.items():
            register(code, name, variables)
            self.names.update(code.co_names)
            self.outside.note_names(code.co_names)
        converted: types.FunctionType = conversion.bind(ops, globals=namespace, closure=cells)
        if made_here:
            converted.__kwdefaults__ = function.__kwdefaults__
        if made_here or not defaults:
            return converted
        if called not in self.defaults:
            self.defaults[called] = self._wrap_defaults(function, called)
        converted.__defaults__, converted.__kwdefaults__ = self.defaults[called]
        return converted

    def _wrap_defaults(self, function: types.FunctionType, called: types.FunctionType) -> tuple[Any, Any]:
        """Guard the code of a function, and return the defaults of what is called, followed."""
        stand_ins = self.outside.stand_ins
        self.outside.guard(stand_ins.path_of(function).attribute("__code__"), "is", function.__code__)
        path = stand_ins.path_of(called)
        defaults, named = called.__defaults__, called.__kwdefaults__
        return (
            defaults and self.outside.wrap(path.attribute("__defaults__"), defaults),
            named and self.outside.wrap(path.attribute("__kwdefaults__"), named),
        )

    @contextmanager
    def left_alone(self) -> Iterator[None]:
        """Take back what is stored into classes, functions and libraries, and refuse a trace that does so."""
        try:
            yield
        except BaseException:
            self.outside.restore()
            raise
        for label in self.outside.restore():
            self.recorder.unstageable("S200-store", f"{label}, which was there before the call, is stored to")

    def wrapped(self, path: Path, thing: Any) -> Any:
        """Return what stands for an argument."""
        if type(thing) is AnyText:
            return any_text(self.outside, path, thing.text)
        return self.outside.wrap(path, thing)

    def _warned(self, kind: str) -> None:
        self.recorder.unstageable(
            "S322-known-error", f"NumPy warns in each call of numbers that are known while tracing: {kind}"
        )

    def run(self, arguments: Mapping[str, Any], call: Callable[..., Any]) -> Trace:
        """Trace once."""
        recorder, outside = self.recorder, self.outside
        if self.function.__code__.co_flags & inspect.CO_GENERATOR:
            raise ConversionError(
                "C010-yield", f"{self.function.__qualname__} is a generator", why="it runs on between calls"
            )
        with (
            recorder.active(),
            closing_generators(),
            self.left_alone(),
            kept_settings(),
            calling(self._warned),
        ):
            wrapped = {name: self.wrapped(Path("argument", name), thing) for name, thing in arguments.items()}
            try:
                result = call(self.convert(self.function, defaults=False), wrapped)
            except Diverged:
                raise AlwaysRaises(
                    "S211-raises", "the function raises on every way", location=recorder.location()
                ) from None
            recorder.before_effect = None
            refuse_abandoned()
            outside.guard_selves(self.names)
            outputs = Outputs(recorder, outside)
            output = outputs.describe(result)
            stores = stores_of(outside, outputs.describe)
            outside.stand_ins.keep_stores_from(stores)
            check_settled(outputs.described())
            values = list(outputs.values)
            graph = recorder.graph
            for storage, value in recorder.frame.cells.items():
                place = getattr(storage, "input", None)
                if place is not None and value is not graph.block.arguments[place]:
                    graph.written[place] = len(values)
                    values.append(value)
            outside.inputs.settle()
            outside.inputs.keep_distinct()
            outside.inputs.keep_apart()
            outside.stand_ins.keep_distinct()
            graph.block.results = tuple(values)
            assign_names(graph)
        holds = recorder.holds or any(input_.held for input_ in graph.inputs)
        graph.stores = bool(stores) or outside.state.is_pending or bool(recorder.ends)
        return Trace(
            graph,
            outside.guards,
            output,
            len(outputs.values),
            holds,
            stores,
            recorder.reporters,
            recorder.heeds,
            ends=recorder.ends,
        )

    def paths_of(self, value: Value) -> set[str] | None:
        """Return the paths of the arguments that a value is computed of; None where it depends on more than scalars and dims."""
        block = self.recorder.graph.block
        paths: set[str] = set()
        stack, seen = [value], set()
        while stack:
            item = stack.pop()
            if item in seen:
                continue
            seen.add(item)
            if item.owner is block:
                input_ = self.recorder.graph.inputs[item.index]
                if input_.source == "array":
                    return None
                paths.add(str(input_.path))
            elif item.op is not None and item.op.name == "cond":
                ways = [region.results for region in item.op.regions]
                stack.extend([*item.op.operands, *(way[item.index] for way in ways if way is not None)])
            elif item.op is None or item.op.regions or item.op.name == "load":
                return None
            else:
                stack.extend(item.op.operands)
        return paths
