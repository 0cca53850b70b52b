"""The arrays of a call: what makes those of its results, and what puts the results in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.program import Program
from transpile.runtime.graph.dim import DimLike, python_text
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.graph.types import ScalarType
from transpile.runtime.ops.floating_errors import may_be_error

from .kernel import Kernel
from .result_arrays import made


def taker(places: Sequence[int], count: int) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return what takes the items at some places of so many."""
    if len(places) == count:
        return lambda items: items
    texts = "".join(f"items[{place}], " for place in places)
    take: Callable[[Sequence[Any]], Sequence[Any]] = eval(f"lambda items: ({texts})")
    return take


def new_array(buffer: Buffer, dims: Sequence[int]) -> Any:
    """Return a new array of the dtype of a buffer, with its order in memory."""
    if buffer.layout == "C":
        return made(np.empty, dims, buffer.dtype)
    if buffer.layout == "F":
        return made(np.empty, dims, buffer.dtype, "F")
    if not all(dims):
        return np.empty([dims[axis] for axis in buffer.axes], buffer.dtype).transpose(buffer.places)
    strides, step = [0] * len(dims), buffer.dtype.itemsize
    for axis in reversed(buffer.axes):
        strides[axis], step = step, step * dims[axis]
    # It owns its memory, as NumPy's does, where a transposed one would be a view.
    return made(np.ndarray, dims, buffer.dtype, None, 0, strides)


class Names:
    """How a text refers to the arrays and the numbers that a call is given, to the arrays that are made for it, and to the numbers that a kernel gives."""

    array = "arrays[{}]"
    given = "inputs[{}]"
    output = "output[{}]"
    late = "late[{}]"
    scalar = "scalars[{}]"


class Variables(Names):
    """A variable for each of them."""

    array = "array{}"
    given = "given{}"
    output = "output{}"
    scalar = "scalar{}"


def allocation(buffers: Sequence[Buffer], graph: Graph, names: type[Names]) -> tuple[str, dict[str, Any]]:
    """Return the text of what makes the arrays of results whose dims the arguments tell, and what it uses."""
    texts: dict[Value, str] = {}
    arrays = [place for place, input_ in enumerate(graph.inputs) if input_.source == "array"]
    given = [place for place, input_ in enumerate(graph.inputs) if input_.source != "dim"]
    lengths = set()
    for place, (argument, input_) in enumerate(zip(graph.block.arguments, graph.inputs, strict=True)):
        if input_.source == "dim":
            texts[argument] = f"{names.array.format(arrays.index(input_.of))}.shape[{input_.axis}]"
            lengths.add(texts[argument])
        elif input_.source == "scalar":
            texts[argument] = names.given.format(given.index(place))

    def text(dim: DimLike) -> str:
        plain = python_text(dim, texts.__getitem__)
        return plain if plain in lengths else f"max({plain}, 0)"

    shapes = [f"({''.join(text(dim) + ', ' for dim in buffer.dims)})" for buffer in buffers]
    items = [
        f"made(empty, {shape}, dtypes[{place}])"
        if buffer.layout == "C"
        else f"new(buffers[{place}], {shape})"
        for place, (buffer, shape) in enumerate(zip(buffers, shapes, strict=True))
    ]
    used = {"new": new_array, "buffers": buffers, "max": max, "made": made, "empty": np.empty}
    return "".join(f"{item}, " for item in items), used | {"dtypes": [buffer.dtype for buffer in buffers]}


def allocator(buffers: Sequence[Buffer], graph: Graph) -> Callable[[Sequence[Any], Sequence[Any]], list[Any]]:
    """Return what makes the arrays of results whose dims the arguments tell."""
    text, used = allocation(buffers, graph, Names)
    make: Callable[[Sequence[Any], Sequence[Any]], list[Any]] = eval(f"lambda arrays, inputs: [{text}]", used)
    return make


def collection(program: Program, kernel: Kernel, names: type[Names]) -> tuple[str, dict[str, Any]]:
    """Return the text of a kernel's results in order, and what it uses."""
    inputs = [item for item in program.inputs if isinstance(item, Buffer)]
    texts: list[str] = []
    kinds: list[type] = []
    for result in program.results:
        if isinstance(result, Value):
            assert isinstance(result.type, ScalarType)
            texts.append(f"kinds[{len(kinds)}]({names.scalar.format(kernel.scalars.index(result))})")
            kinds.append(result.type.python if result.type.weak else result.type.dtype.type)
        elif result in inputs:
            texts.append(names.array.format(inputs.index(result)))
        elif result in program.outputs:
            texts.append(names.output.format(program.outputs.index(result)))
        else:
            texts.append(names.late.format(kernel.late.index(result)))
    return "".join(f"{text}, " for text in texts), {"kinds": kinds}


def collector(program: Program, kernel: Kernel) -> Callable[..., tuple[Any, ...]]:
    """Return what puts the results of a kernel in order."""
    text, used = collection(program, kernel, Names)
    collect: Callable[..., tuple[Any, ...]] = eval(f"lambda arrays, output, late, scalars: ({text})", used)
    return collect


# Of a kernel before which nothing has to be done, unless a warning may be an error: one that hands nothing over, and one that does.
_SILENT = """
def run({given}):
    {cares}
    {made}
    try:
        {returned} = compiled(frame, {arrays}{outputs}{numbers})
    except MemoryError as error:
        raise out_of_memory(error) from None
    if status == 0:
        return ({results})
    return finish(None, ({arrays}), ({outputs}), (), ({returned}))
"""
_WITH_FRAME = """
def run({given}):
    {cares}
    {made}
    try:
        call = idle.pop()
    except IndexError:
        call = new_call()
    call.begin()
    try:
        try:
            {returned} = compiled(call.frame, {arrays}{outputs}{numbers})
        except MemoryError as error:
            raise out_of_memory(error) from None
        if status == 0 and not call.reports:
            late = call.late
            return ({results})
        return finish(call, ({arrays}), ({outputs}), (), ({returned}))
    finally:
        call.end()
        idle.append(call)
"""


def straight(
    program: Program, kernel: Kernel, careful: Any, silent: bool, **used: Any
) -> Callable[..., tuple[Any, ...]]:
    """Return what runs a kernel that is given arrays as they are: `compiled(frame, ...)`, the rest as `finish` does; `careful`, if any, runs it where a warning may be an error.

    One that is `silent` is given `frame`; others have a call of `idle`, or a `new_call()`. `out_of_memory` says what to raise for want of memory.
    """
    graph = program.graph
    sources = [item.source for item in graph.inputs if item.source != "dim"]
    given: list[str] = []
    arrays: list[str] = []
    numbers: list[str] = []
    for place, source in enumerate(sources):
        # An array is numbered among arrays, a number among all that is given.
        name = f"array{len(arrays)}" if source == "array" else f"given{place}"
        given.append(name)
        if source in ("array", "scalar"):
            (arrays if source == "array" else numbers).append(name)
    outputs = [f"output{place}" for place in range(len(program.outputs))]
    scalars = [f"scalar{place}" for place in range(len(kernel.scalars))]
    made, makes = allocation(program.outputs, graph, Variables)
    results, collects = collection(program, kernel, Variables)
    text = (_SILENT if silent else _WITH_FRAME).format(
        given=", ".join(given),
        cares=f"if may_be_error(): return careful({', '.join(given)})" if careful else "",
        made=f"{_row(outputs)} = {made}" if outputs else "",
        returned=", ".join(["status", *scalars]),
        arrays=_row(arrays),
        outputs=_row(outputs),
        numbers=_row(numbers),
        results=results,
    )
    namespace = {**used, **makes, **collects, "careful": careful, "may_be_error": may_be_error}
    exec(text, namespace)
    run: Callable[..., tuple[Any, ...]] = namespace["run"]
    return run


def _row(names: Sequence[str]) -> str:
    return "".join(f"{name}, " for name in names)
