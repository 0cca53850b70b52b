"""An executable: a graph compiled by numba, and the Python around its kernel."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np

from transpile.devices.loops.expression import Buffer
from transpile.devices.loops.schedule import schedule
from transpile.devices.loops.statement import Body, For, If, Program, Site, Upcall, While
from transpile.runtime.errors import DeviceError
from transpile.runtime.graph.dim import DimLike, python_text
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.graph.types import ArrayType, ScalarType, TokenType
from transpile.runtime.ops.floating_errors import Flagged, Reporter, may_be_error
from transpile.runtime.ops.scalars import Deoptimise, NotAssumed
from transpile.runtime.tracebacks import raise_at

from . import copies, generators, halves, kept, pipeline, upcall
from .emit import Kernel, emit
from .exits import DEOPTIMISED, FLAGGED, REPORTED, UNASSUMED
from .toolkit import types

# The frame of kernels that hand nothing over.
_FRAME = np.zeros(1, np.int64)


class Executable:
    """A compiled graph.

    Calling it with what the graph's inputs name, dims left out, runs the kernel and returns the results of the graph's block; arrays that are
    written are written in place. Raises Deoptimise where the original must run the call, and what the program raises, with the user's lines.
    """

    def __init__(self, graph: Graph) -> None:
        if not halves.available():
            _refuse_halves(graph)
        self.program = schedule(graph)
        self.kernel = emit(self.program)
        # How many calls have met floating-point errors, of which the processor's flags do not tell where.
        self.flagged = 0
        # Its code lives as long as the dispatcher, which is not called itself: it takes memory that is in both C and Fortran order, as with
        # axes of length 1, for C order alone.
        self.dispatcher = compile_kernel(self.kernel, _signature(self.program, self.kernel), graph.name)
        (overload,) = self.dispatcher.overloads.values()
        self.compiled: Callable[..., Any] = overload.entry_point
        self._handlers = _handlers(self.program, self.kernel)
        self._allocate = _allocator(self.program.outputs, graph)
        # Whether the kernel never hands anything over in its frame.
        self._silent = self.kernel.slots == 1 and len(self._handlers) == 1 + len(self.program.sites)
        self._silent = self._silent and not any(self._handlers)
        self._results = _collector(self.program, self.kernel)
        sources = [item.source for item in graph.inputs if item.source != "dim"]
        self._arrays = _taker(
            [place for place, source in enumerate(sources) if source == "array"], len(sources)
        )
        self._scalars = _taker(
            [place for place, source in enumerate(sources) if source == "scalar"], len(sources)
        )
        buffers = [place for place, item in enumerate(self.program.inputs) if isinstance(item, Buffer)]
        self._saved = [buffers.index(place) for place in self.program.saved]
        # What is saved, too, where a warning may be an error.
        self._spared = [
            buffers.index(place)
            for place in graph.written
            if place in self.program.unread
            or (self.program.reporter is not None and place not in self.program.saved)
        ]

        # Whether a warning that is an error would come after something was shown that it should have kept from that.
        shows = self.program.noted and any(op.attributes.get("shows") for op in graph.block.walk())
        self._late = shows and bool(self.program.heeds or graph.watched)
        # What runs calls: by a shorter way where there is nothing to do for them but to make their results.
        is_straight = self._silent and not (self._saved or self._spared or self._late)
        self.run: Callable[..., Sequence[Any]] = self._straight() if is_straight else self

    def _straight(self) -> Callable[..., Sequence[Any]]:
        compiled, allocate, arrays_of, scalars_of = (
            self.compiled,
            self._allocate,
            self._arrays,
            self._scalars,
        )
        finish, out_of_memory, results_of = self._finish, self._out_of_memory, self._results

        def run(*inputs: Any) -> Sequence[Any]:
            arrays = arrays_of(inputs)
            outputs = allocate(arrays, inputs)
            try:
                status = compiled(_FRAME, *arrays, *outputs, *scalars_of(inputs))
            except MemoryError as error:
                raise out_of_memory(error) from None
            if status == 0:
                return results_of(arrays, outputs, None, ())
            return finish(None, arrays, outputs, (), status)

        return run

    def _out_of_memory(self, error: MemoryError) -> Exception:
        """Return what a call raises where a kernel has no memory: NumPy says how much it asked for, unless something is written already."""
        return error if self.program.graph.written else Deoptimise("there is not enough memory")

    def __call__(self, *inputs: Any) -> Sequence[Any]:
        if self._late and may_be_error():
            raise Deoptimise("a warning may be an error")
        arrays = self._arrays(inputs)
        outputs = self._allocate(arrays, inputs)
        places = self._saved
        if self._spared and may_be_error():
            places = [*places, *self._spared]
        scalars = self._scalars(inputs)
        if not places:
            return self._run(arrays, outputs, (), scalars)
        kept = [copies.copied(arrays[place]) for place in places]
        try:
            saved = [(arrays[place], copy) for place, (copy, _) in zip(places, kept, strict=True)]
            return self._run(arrays, outputs, saved, scalars)
        finally:
            for _, buffer in kept:
                copies.done_with(buffer)

    def _run(
        self, arrays: Sequence[Any], outputs: Sequence[Any], saved: Sequence[Any], scalars: Sequence[Any]
    ) -> Sequence[Any]:
        """Run the kernel, given what is saved of the arrays that it writes."""
        if self._silent:
            try:
                status = self.compiled(_FRAME, *arrays, *outputs, *scalars)
            except MemoryError as error:
                raise self._out_of_memory(error) from None
            return self._finish(None, arrays, outputs, saved, status)
        with upcall.Call(self._handlers, self.kernel.slots + 1) as call:
            call.late = {}  # type: ignore[attr-defined]
            call.reports = []  # type: ignore[attr-defined]
            status = self.compiled(call.frame, *arrays, *outputs, *scalars)
            results = self._finish(call, arrays, outputs, saved, status)
            if call.reports:  # type: ignore[attr-defined]
                self._report(call.reports, saved)  # type: ignore[attr-defined]
            return results

    def _report(self, reports: Sequence[tuple[Any, int]], saved: Sequence[Any]) -> None:
        """Warn of the floating-point errors that a call has met, in their order; leave that to the original where a warning may end the call."""
        if any(report.raises(errors) for report, errors in reports):
            for array, contents in saved:
                np.copyto(array, contents)
            raise Deoptimise("a warning may be an error")
        for report, errors in reports:
            report(errors)

    def _report_flags(self, errors: int) -> int:
        """Warn of the floating-point errors that a call has met, all of one op, and return the status: FLAGGED where a warning may end the call."""
        report = self.program.reporter
        if report.raises(errors):
            return FLAGGED
        report(errors)
        return 0

    def _finish(
        self, call: Any, arrays: Sequence[Any], outputs: Sequence[Any], saved: Sequence[Any], status: Any
    ) -> Sequence[Any]:
        """Return the results of a call of the kernel, which gave a status and, with it, scalars; or raise."""
        values: tuple[Any, ...] = ()
        if type(status) is tuple:
            values = status[1:]
            status = status[0]
        if status:
            is_left = call is not None and isinstance(call.error, Deoptimise)
            if 0 < status <= len(self.program.sites) and self.program.sites[status - 1].exception is None:
                is_left = True
            if is_left:
                status = DEOPTIMISED
            if call is not None and isinstance(call.error, Flagged):
                status = FLAGGED
            if status <= REPORTED:
                status = self._report_flags(REPORTED - status)
            if status in (DEOPTIMISED, UNASSUMED, FLAGGED):
                for array, contents in saved:
                    np.copyto(array, contents)
            if status > 0 and call is not None and call.reports:
                self._report(call.reports, saved)
            if status:
                self._fail(call, status)
        return self._results(arrays, outputs, call and call.late, values)

    def _fail(self, call: upcall.Call | None, status: int) -> None:
        if status == UNASSUMED:
            raise NotAssumed("what is assumed of the arguments does not hold")
        if status == FLAGGED:
            self.flagged += 1
            raise Flagged("NumPy warns of floating-point errors")
        if status == DEOPTIMISED:
            raise Deoptimise("the call takes a way that was not compiled")
        if call is not None:
            if call.error is not None and status <= len(self.program.sites):
                # A call of Python has failed: for the user, at the line that asked for it.
                raise_at(self.program.sites[status - 1].location, call.error)
            call.check()
        site = self.program.sites[status - 1]
        values: list[Any] = []
        if site.operands:
            assert call is not None, "a kernel with operands to hand over has a frame"
            values, _ = _reader(site)(call)
        raise_at(site.location, site.exception(*values))


def _refuse_halves(graph: Graph) -> None:
    """Raise DeviceError where a graph holds numbers of float16, of which the processor knows nothing."""
    made = ((op.location, result.type) for op in graph.block.walk() for result in op.results)
    for location, type_ in (*(((), argument.type) for argument in graph.block.arguments), *made):
        if not isinstance(type_, TokenType) and type_.dtype == np.float16:
            raise DeviceError("D110-float16", "numbers of float16 are not compiled", location=location)


def _signature(program: Program, kernel: Kernel) -> Any:
    """Return numba's types of a kernel's parameters."""
    kinds: list[Any] = [types.Array(types.int64, 1, "C")]
    for item, source in zip(program.inputs, program.graph.inputs, strict=True):
        if isinstance(item, Buffer):
            kinds.append(
                types.Array(
                    halves.stored(item.dtype), len(item.dims), _layout(item), readonly=not source.writable
                )
            )
    for buffer in program.outputs:
        kinds.append(types.Array(halves.stored(buffer.dtype), len(buffer.dims), _layout(buffer)))
    for item, source in zip(program.inputs, program.graph.inputs, strict=True):
        if source.source == "scalar":
            assert isinstance(item, Value) and isinstance(item.type, ScalarType)
            kinds.append(halves.held(item.type.dtype))
    return tuple(kinds)


def _layout(buffer: Buffer) -> str:
    return "C" if not buffer.dims else buffer.layout


def cache_folder() -> Path:
    """Return the folder of compiled kernels: `TRANSPILE_CACHE_DIR`, or a folder of the user's."""
    given = os.environ.get("TRANSPILE_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "transpile"


# Modules that matter to a kernel by the text that they print alone.
_PRINTERS = frozenset(
    ("blocks", "copies", "emit", "fused", "libraries", "reductions", "scalars", "searches", "writer")
)


@functools.cache
def _helpers() -> str:
    """Return a digest of the code that kernels are compiled with."""
    sources = sorted(p for p in Path(__file__).parent.glob("*.py") if p.stem not in _PRINTERS)
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


def compile_kernel(kernel: Kernel, signature: Any, name: str) -> Any:
    """Return numba's dispatcher of a compiled kernel, loaded where one of the same text and types was compiled before."""
    text = kernel.text
    content = "\n".join((text, repr(signature), numba.__version__, np.__version__, _helpers()))
    digest = hashlib.sha256(content.encode()).hexdigest()[:24]
    path = cache_folder() / f"{name.strip('<>')}_{digest}.py"
    cached = kept.prepare(path, text)
    # numba looks up the module of a cached function by its name when it loads it.
    namespace = {**kernel.namespace, "__name__": __name__}
    # It is for numba to look at: nobody runs it, and what a kernel does is parsed where there is no machine code of it.
    exec(compile(f"{text.splitlines()[0]} pass", str(path), "exec"), namespace)
    function = namespace[kernel.name]
    returned = [types.int64, *(halves.held(value.type.dtype) for value in kernel.scalars)]  # type: ignore[union-attr]
    function.plan = pipeline.Plan(text, types.Tuple(returned) if len(returned) > 1 else types.int64)
    # Kernels compiled by several processes are loaded into one: there, symbols of one name would be taken for each other.
    function.__qualname__ = f"{kernel.name}_{digest}"
    # What draws from Python's generators keeps the interpreter's lock; see Note [Python's generators in kernels].
    free = not any(name.startswith("Random_") for name in kernel.namespace)
    dispatcher: Any = numba.njit(error_model="numpy", nogil=free, pipeline_class=pipeline.Pipeline)(function)
    if cached:
        dispatcher._cache = kept.Cache(function)
    with pipeline.no_collections():
        dispatcher.compile(signature)
    if cached:
        kept.seal(path)
    return dispatcher


def _handlers(program: Program, kernel: Kernel) -> list[Any]:
    """Return what the sites of a kernel call in Python, by number."""
    handlers: list[Any] = [None]
    calls = {s.site.number: s for s in _upcalls(program.body)}
    for site in program.sites:
        statement = calls.get(site.number)
        handlers.append(_python_call(statement, program.noted, kernel.late) if statement else None)
    handlers += [_maker(buffer, number) for number, buffer in enumerate(kernel.late)]
    return handlers


def _upcalls(body: Body) -> Iterator[Upcall]:
    for statement in body:
        if isinstance(statement, Upcall):
            yield statement
        elif isinstance(statement, If):
            yield from _upcalls(statement.then)
            yield from _upcalls(statement.otherwise)
        elif isinstance(statement, While):
            yield from _upcalls(statement.head)
            yield from _upcalls(statement.body)
        elif isinstance(statement, For):
            yield from _upcalls(statement.body)


def _python_call(statement: Upcall, noted: bool, late: Sequence[Buffer]) -> Callable[[upcall.Call], None]:
    read, function, result = _reader(statement.site), statement.function, statement.result
    if noted:
        function = statement.noted or function
    if isinstance(function, Reporter):

        def note(call: upcall.Call) -> None:
            (errors,), _memory = read(call)
            call.reports.append((function, int(errors)))  # type: ignore[attr-defined]

        return note
    if statement.gives is not None:
        number, dtype = late.index(statement.gives), statement.gives.dtype

        def give(call: upcall.Call) -> None:
            values, _memory = read(call)
            call.late[number] = _own(function(*values), dtype)  # type: ignore[attr-defined]

        def give_with_number(call: upcall.Call) -> None:
            values, _memory = read(call)
            found = list(function(*values))
            write(call.memory, found[1])
            call.late[number] = _own(found.pop(0), dtype)  # type: ignore[attr-defined]

        if result is None:
            return give
        write = upcall.writer(result.type.dtype.char)  # type: ignore[union-attr]
        return give_with_number
    if result is None:

        def run(call: upcall.Call) -> None:
            values, _memory = read(call)
            function(*values)

        return run
    write = upcall.writer(result.type.dtype.char)  # type: ignore[union-attr]
    if statement.lends:

        def lend(call: upcall.Call) -> None:
            values, _memory = read(call)
            write(call.memory, generators.lend(call, *function(*values)))

        return lend

    def run_for_number(call: upcall.Call) -> None:
        values, _memory = read(call)
        write(call.memory, function(*values))

    return run_for_number


def _reader(site: Site) -> Callable[[upcall.Call], tuple[list[Any], Any]]:
    """Return what reads the run-time values of a site's operands, and what keeps their memory."""
    kinds = [
        ArrayType(operand.dtype, operand.dims) if isinstance(operand, Buffer) else operand.type
        for operand in site.operands
    ]
    return upcall.reader(kinds, site.shared)


def _taker(places: Sequence[int], count: int) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return what takes the items at some places of so many."""
    if len(places) == count:
        return lambda items: items
    texts = "".join(f"items[{place}], " for place in places)
    take: Callable[[Sequence[Any]], Sequence[Any]] = eval(f"lambda items: ({texts})")
    return take


def _own(result: Any, dtype: Any) -> Any:
    """Return what NumPy gives as a result of ours: itself where it is an array in C order that nobody else refers to, and views nothing else."""
    fits = type(result) is np.ndarray and result.dtype == dtype and result.flags.carray
    if fits and result.flags.owndata and sys.getrefcount(result) == 2:
        return result
    base = result.base if fits else None
    if type(base) is np.ndarray and base.flags.owndata and sys.getrefcount(result) == 2:
        # This name, the argument below, and what the result views.
        if sys.getrefcount(base) == 3:
            return result
    return np.array(result, dtype, order="C")


def _new_array(buffer: Buffer, dims: Sequence[int]) -> Any:
    """Return a new array of the dtype of a buffer, with its order in memory."""
    if buffer.layout in ("C", "F"):
        return np.empty(dims, buffer.dtype, buffer.layout)
    return np.empty([dims[axis] for axis in buffer.axes], buffer.dtype).transpose(buffer.places)


def _maker(buffer: Buffer, number: int) -> Callable[[upcall.Call], None]:
    """Return what makes the array of a result whose dims the kernel knows."""

    def make(call: upcall.Call) -> None:
        dims = call.frame[1 : len(buffer.dims) + 1].tolist()
        array = _new_array(buffer, dims)
        call.late[number] = array  # type: ignore[attr-defined]
        call.frame[len(dims) + 1] = array.__array_interface__["data"][0]

    return make


def _allocator(
    buffers: Sequence[Buffer], graph: Graph
) -> Callable[[Sequence[Any], Sequence[Any]], list[Any]]:
    """Return what makes the arrays of results whose dims the arguments tell."""
    texts: dict[Value, str] = {}
    arrays = [place for place, input_ in enumerate(graph.inputs) if input_.source == "array"]
    given = [place for place, input_ in enumerate(graph.inputs) if input_.source != "dim"]
    for place, (argument, input_) in enumerate(zip(graph.block.arguments, graph.inputs, strict=True)):
        if input_.source == "dim":
            texts[argument] = f"arrays[{arrays.index(input_.of)}].shape[{input_.axis}]"
        elif input_.source == "scalar":
            texts[argument] = f"inputs[{given.index(place)}]"

    def text(dim: DimLike) -> str:
        plain = python_text(dim, texts.__getitem__)
        return plain if plain in lengths else f"max({plain}, 0)"

    lengths = {texts[argument] for argument in texts if texts[argument].startswith("arrays")}
    shapes = [f"({''.join(text(dim) + ', ' for dim in buffer.dims)})" for buffer in buffers]
    items = ", ".join(
        f"empty({shape}, dtypes[{place}])" if buffer.layout == "C" else f"new(buffers[{place}], {shape})"
        for place, (buffer, shape) in enumerate(zip(buffers, shapes, strict=True))
    )
    names = {"new": _new_array, "buffers": buffers, "max": max, "empty": np.empty}
    names["dtypes"] = [buffer.dtype for buffer in buffers]
    make: Callable[[Sequence[Any], Sequence[Any]], list[Any]] = eval(
        f"lambda arrays, inputs: [{items}]", names
    )
    return make


def _collector(program: Program, kernel: Kernel) -> Callable[..., tuple[Any, ...]]:
    """Return what puts the results of a kernel in order."""
    inputs = [item for item in program.inputs if isinstance(item, Buffer)]
    sources: list[tuple[str, int, Any]] = []
    for result in program.results:
        if isinstance(result, Value):
            assert isinstance(result.type, ScalarType)
            kind = result.type.python if result.type.weak else result.type.dtype.type
            sources.append(("scalar", kernel.scalars.index(result), kind))
        elif result in inputs:
            sources.append(("input", inputs.index(result), None))
        elif result in program.outputs:
            sources.append(("output", program.outputs.index(result), None))
        else:
            sources.append(("late", kernel.late.index(result), None))

    texts = [
        f"kinds[{number}](scalars[{place}])" if source == "scalar" else f"{source}[{place}]"
        for number, (source, place, _) in enumerate(sources)
    ]
    collect: Callable[..., tuple[Any, ...]] = eval(
        f"lambda input, output, late, scalars: ({''.join(text + ', ' for text in texts)})",
        {"kinds": [kind for _, _, kind in sources]},
    )
    return collect
