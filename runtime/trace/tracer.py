"""The tracer: runs a converted function on symbolic values and returns the graph it records."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import transpile.runtime.composites  # noqa: F401 (declares what stands for functions)
import transpile.runtime.operators as ops
from transpile.runtime.arrays.hash_tables import NotATable
from transpile.runtime.arrays.lacking_dicts import MakesKeys
from transpile.runtime.arrays.recorder import FOR_ONE_SIZE, Recorder
from transpile.runtime.arrays.signals import Diverged, NeedsHash, NeedsStep, NeedsText, NeedsValue, ReadsText
from transpile.runtime.arrays.unseen import detach
from transpile.runtime.errors import AlwaysRaises, ConversionError, OutOfTime, StagingError
from transpile.runtime.graph.ir import Graph, Op, Value
from transpile.runtime.graph.naming import assign_names
from transpile.runtime.operators.containers import check_settled
from transpile.runtime.operators.generators import closing_generators, refuse_abandoned
from transpile.runtime.operators.program import globals_here, register, variables_of, where
from transpile.runtime.operators.recursion import Recurs
from transpile.runtime.ops.floating_errors import Reporter, calling
from transpile.runtime.ops.journal import may_run_anew
from transpile.runtime.ops.settings import kept_settings

from .appended import Appends, LooksInto
from .guard import Guard
from .output import Outputs
from .outside import Outside
from .path import Path
from .proxies import OutsideGlobals
from .recursions import Recursions
from .settings import GuardedSettings
from .state import Store
from .stores import stores_of
from .tables import Tables
from .texts import AnyText, any_text

# How often a function is traced anew because something must be known while tracing.
_SPECIALISATIONS = 40
# How many numbers may have to be known before a list that was handed in is rather staged.
_ITEMS = 8

# The codes of errors that may have to do with arrays of which one way, or one turn of a loop, leads to others than another.
_OF_ARRAYS = ("S110-alias", "S213-alias")
# Those that may have to do with texts that are known, but asked for characters at places that are not.
_OF_TEXTS = ("S130-value", "S132-too-long", "S133-unroll")
# Characters of a text, or bytes, from which on it is first traced for any.
_LONG = 256
# The codes of errors that may have to do with objects of which one way, or one turn of a loop, leads to others than another.
_OF_OBJECTS = ("S110-alias", "S150-structure", "S151-thing", "S152-unstable", "S161-attribute", "S163-items")

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


def trace(
    function: types.FunctionType,
    convert: Convert,
    arguments: Mapping[str, Any],
    call: Callable[..., Any],
    repeats: bool = False,
    until: float | None = None,
    for_one_size: bool = True,
) -> Trace:
    """Trace `function` on arguments by name; `call(converted, wrapped)` calls it with the arguments that stand for them.

    With `repeats`, ops are recorded as often as the program asks for them. `until` is when that has to have come to an end, by `time.thread_time`;
    `for_one_size` whether it may be for one size alone, so that loops over lists of what is no row can be written out.

    Raises StagingError where the call cannot be staged, ConversionError where a function cannot be rewritten, OutOfTime, and whatever
    the function itself raises on every way.
    """
    ways: dict[Any, bool] = {}
    if any(type(thing) in (str, bytes) and len(thing) >= _LONG for thing in arguments.values()):
        # A loop over a long one would be written out, only to be found too long. Python's own functions, too, take no stand-in for a text.
        try:
            return _trace(function, convert, arguments, call, repeats, until, for_one_size, "texts", {})
        except OutOfTime:
            raise
        except Exception:
            pass
    try:
        return _trace(function, convert, arguments, call, repeats, until, for_one_size, None, ways)
    except StagingError as error:
        # Other ways to take lists that were handed in may do: all staged, or none. Or to have objects lie in pools from the beginning, or nowhere. Or to have
        # lists hold arrays of several sizes, where loops over them are not written out. Or to ask generators for each item. Or to have names stand for one of several arrays;
        # or texts for any.
        pools = ("pools", "apart") if error.code in _OF_OBJECTS else ("apart",)
        first = ["arrays"] if error.code in _OF_ARRAYS else []
        if error.code in _OF_TEXTS and any(type(thing) in (str, bytes) for thing in arguments.values()):
            first.append("texts")
        for way in (*first, *filter(ways.get, ("pulled", True, False, *pools, "sizes"))):
            with suppress(StagingError):
                return _trace(function, convert, arguments, call, repeats, until, for_one_size, way, {})
        raise


def _trace(
    function: types.FunctionType,
    convert: Convert,
    arguments: Mapping[str, Any],
    call: Callable[..., Any],
    repeats: bool,
    until: float | None,
    for_one_size: bool,
    way: bool | str | None,
    ways: dict[Any, bool],
) -> Trace:
    """Trace a function in one of the ways that there are; note in `ways` whether lists that were handed in could be staged, or not be, or objects lie in pools."""
    stages_lists = way if isinstance(way, bool) else None
    specialised: dict[str, Any] = {}
    tables = Tables()
    eager = False
    late: Trace | None = None
    appended: dict[str, bool] = {}
    recursions = Recursions()
    # Why sizes have to be known, where that is to write out loops.
    unfit: StagingError | None = None
    texts = {name for name, thing in arguments.items() if way == "texts" and type(thing) in (str, bytes)}
    for _ in range(_SPECIALISATIONS):
        attempt = _Attempt(function, convert, specialised, eager, appended, repeats, recursions, stages_lists)
        tables.tell(attempt.recorder)
        attempt.recorder.pools_objects, attempt.recorder.may_pool = way == "pools", way != "apart"
        attempt.recorder.takes_sizes, attempt.recorder.may_push = way == "sizes", way != "pulled"
        attempt.recorder.keeps_arrays, attempt.recorder.gives_characters = way == "arrays", way == "texts"
        attempt.recorder.until = until
        attempt.recorder.longest = FOR_ONE_SIZE if unfit else attempt.recorder.longest
        try:
            attempt.recorder.check_time()
            found = attempt.run({n: AnyText(a) if n in texts else a for n, a in arguments.items()}, call)
            if (
                eager
                or not found.graph.stores
                or not any(op.name == "host_call" for op in found.graph.block.walk())
            ):
                found.graph.stores &= not eager or bool(found.ends)
                found.for_one_size = unfit is not None
                return found
            # What is shown sees nothing of what is stored: that may as well come at the end, where the original can run the call anew instead of failing.
            late = found if may_run_anew(found.graph) else None
            eager = True
        except Appends as appends:
            appended[str(appends.path)] = False
        except LooksInto as looks:
            appended[str(looks.path)] = True
        except Recurs as recurs:
            recursions.note(recurs)
        except ReadsText as reads:
            if reads.name not in texts:
                raise StagingError(NeedsText.code, NeedsText.reason) from None
            texts.remove(reads.name)
        except NotATable as refused:
            tables.leave_out(refused)
        except MakesKeys as makes:
            tables.note_lacking(makes.site)
        except (StagingError, ConversionError) as error:
            if late is not None:
                late.for_one_size = unfit is not None
                return late
            ways |= attempt.other_ways(ways)
            if tables.turn_to_steps(attempt.recorder, specialised):
                continue
            if unfit and error.code == "S132-too-long":
                error = unfit
            if tables.give_up_lacking():
                continue
            if not tables.turn(attempt.recorder, error) and not recursions.give_up(error):
                raise tables.reason(error) from None
        except Diverged:
            # Code of the user's, a `__getattr__` say, that ran where tracing looks at what it has found.
            raise StagingError(
                "S290-fault", "what stands for an object is asked for more than it has"
            ) from None
        except NeedsValue as need:
            ways |= attempt.other_ways(ways)
            if isinstance(need, NeedsStep) and attempt.paths_of(need.value) is None:
                # It is the turn of a loop that would have to be written out.
                if tables.turn_to_steps(attempt.recorder, specialised):
                    continue
            if isinstance(need, NeedsHash) and tables.turn(attempt.recorder):
                specialised.clear()
                continue
            wanted = attempt.paths_of(need.value)
            if ways.get(True) and len(specialised) >= _ITEMS:
                break
            if wanted is None or wanted <= specialised.keys() or (need.instead and not for_one_size):
                needs = need.instead or StagingError(need.code, need.reason, location=need.location)
                if tables.turn_to_steps(attempt.recorder, specialised):
                    continue
                if tables.give_up_lacking():
                    continue
                if not tables.turn(attempt.recorder, needs) and not recursions.give_up(needs):
                    raise tables.reason(needs) from None
            else:
                unfit = unfit or need.instead
                specialised.update(dict.fromkeys(wanted))
        finally:
            attempt.outside.release()
            detach(attempt.recorder.stand_ins)
    raise StagingError("S131-specialise", "too many arguments must be known while tracing")


def _with_globals(function: types.FunctionType, namespace: dict[str, Any]) -> types.FunctionType:
    return types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__
    )


class _Attempt:
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
        return {True: lists.left, False: lists.staged, **pools, "sizes": sizes, "pulled": pulled}

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
            elif item.op is None or item.op.regions or item.op.name == "load":
                return None
            else:
                stack.extend(item.op.operands)
        return paths


__all__ = ["Trace", "trace"]
