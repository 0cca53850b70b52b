"""The arrays of a call: what makes those of its results, and what puts the results in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.devices.loops.expression import Buffer
from transpile.devices.loops.statement import Program
from transpile.runtime.graph.dim import DimLike, python_text
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.graph.types import ScalarType

from .emit import Kernel


def taker(places: Sequence[int], count: int) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Return what takes the items at some places of so many."""
    if len(places) == count:
        return lambda items: items
    texts = "".join(f"items[{place}], " for place in places)
    take: Callable[[Sequence[Any]], Sequence[Any]] = eval(f"lambda items: ({texts})")
    return take


def new_array(buffer: Buffer, dims: Sequence[int]) -> Any:
    """Return a new array of the dtype of a buffer, with its order in memory."""
    if buffer.layout in ("C", "F"):
        return np.empty(dims, buffer.dtype, buffer.layout)
    return np.empty([dims[axis] for axis in buffer.axes], buffer.dtype).transpose(buffer.places)


def allocator(buffers: Sequence[Buffer], graph: Graph) -> Callable[[Sequence[Any], Sequence[Any]], list[Any]]:
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
    names = {"new": new_array, "buffers": buffers, "max": max, "empty": np.empty}
    names["dtypes"] = [buffer.dtype for buffer in buffers]
    make: Callable[[Sequence[Any], Sequence[Any]], list[Any]] = eval(
        f"lambda arrays, inputs: [{items}]", names
    )
    return make


def collector(program: Program, kernel: Kernel) -> Callable[..., tuple[Any, ...]]:
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
