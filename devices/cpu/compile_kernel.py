"""Compiles the text of a kernel."""

from __future__ import annotations

import os
from typing import Any

import numba

from transpile.devices.loops.buffer import Buffer
from transpile.devices.loops.program import Program
from transpile.runtime.garbage import no_collections
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

from . import halves, kept, pipeline
from .kernel import Kernel
from .toolkit import types


def kernel_types(program: Program, kernel: Kernel) -> Any:
    """Return numba's types of a kernel's parameters."""
    kinds: list[Any] = [types.Array(types.int64, 1, "C")]
    for item, source in zip(program.inputs, program.graph.inputs, strict=True):
        if isinstance(item, Buffer):
            kinds.append(
                types.Array(
                    halves.stored(item.dtype),
                    len(item.dims),
                    _layout(item),
                    readonly=not source.writable,
                    aligned=item.aligned,
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


def compile_kernel(kernel: Kernel, signature: Any) -> Any:
    """Return numba's dispatcher of a compiled kernel."""
    # numba looks up the module of a function by its name when it loads what was compiled of it.
    namespace = {**kernel.namespace, "__name__": kept.__name__}
    # It is for numba to look at: nobody runs it, and what a kernel does is parsed.
    exec(compile(f"{kernel.text.splitlines()[0]} pass", "<kernel>", "exec"), namespace)
    function = namespace[kernel.name]
    returned = [types.int64, *(halves.held(value.type.dtype) for value in kernel.scalars)]  # type: ignore[union-attr]
    function.plan = pipeline.Plan(kernel.text, types.Tuple(returned) if len(returned) > 1 else types.int64)
    # Kernels compiled by several processes are loaded into one: there, symbols of one name would be taken for each other.
    function.__qualname__ = f"{kernel.name}_{os.urandom(12).hex()}"
    # What draws from Python's generators keeps the interpreter's lock; see Note [Python's generators in kernels].
    free = not any(name.startswith("Random_") for name in kernel.namespace)
    dispatcher: Any = numba.njit(error_model="numpy", nogil=free, pipeline_class=pipeline.Pipeline)(function)
    with no_collections():
        dispatcher.compile(signature)
    return dispatcher
