"""Compiles the text of a kernel, or loads what was compiled of it before."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

import numba
import numpy as np

from transpile.devices.loops.expression import Buffer
from transpile.devices.loops.statement import Program
from transpile.runtime.disk import cache_folder
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import ScalarType

from . import halves, kept, pipeline
from .emit import Kernel
from .toolkit import types


def kernel_types(program: Program, kernel: Kernel) -> Any:
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


# Modules that matter to machine code by the text that they print alone, or not at all.
_APART = {"blocks", "copies", "emit", "executable", "fused", "handlers"}
_APART |= {"libraries", "reductions", "results", "scalars", "searches", "writer"}


@functools.cache
def _helpers() -> str:
    """Return a digest of the code that kernels are compiled with."""
    sources = sorted(p for p in Path(__file__).parent.glob("*.py") if p.stem not in _APART)
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


def compile_kernel(kernel: Kernel, signature: Any, name: str) -> Any:
    """Return numba's dispatcher of a compiled kernel, loaded where one of the same text and types was compiled before."""
    text = kernel.text
    content = "\n".join((text, repr(signature), numba.__version__, np.__version__, _helpers()))
    digest = hashlib.sha256(content.encode()).hexdigest()[:24]
    # What there is of a kernel is looked for in its folder: there is one for few of them.
    path = cache_folder() / digest[:2] / f"{name.strip('<>')}_{digest}.py"
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
