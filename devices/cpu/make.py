"""Makes a program of a graph, and machine code of that."""

from __future__ import annotations

from transpile.devices.loops.schedule import schedule
from transpile.runtime.graph.ir import Graph

from .compile_kernel import compile_kernel, kernel_types
from .emit import emit
from .kept import Made
from .kept_code import function_of


def make(graph: Graph) -> Made:
    """Schedule a graph, print the kernel, and compile it."""
    program = schedule(graph)
    kernel = emit(program)
    # The code lives as long as the dispatcher, which is not called itself: it takes memory that is in both C and Fortran order, as with
    # axes of length 1, for C order alone.
    dispatcher = compile_kernel(kernel, kernel_types(program, kernel))
    (code,) = dispatcher.overloads.values()
    return Made(program, kernel, function_of(code), dispatcher, code)
