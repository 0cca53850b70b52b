"""Programs with their machine code that are kept on disk, by the graphs of which they were made."""

from __future__ import annotations

import dataclasses
import io
import pickle
import re
import sys
import types
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import llvmlite.binding as llvm
import numpy as np

from transpile.devices.loops.buffer import Buffer, Variable
from transpile.devices.loops.program import Program, Site
from transpile.runtime.disk import Store, digest_of
from transpile.runtime.graph.content import Content, Untold
from transpile.runtime.graph.ir import Graph, Value
from transpile.runtime.recipes import made_of

from . import numbas_settings, symbols
from .handlers import upcalls
from .kept_code import loaded, object_of, packed
from .kernel import Kernel
from .machine_function import MachineFunction
from .processor import c_library

if TYPE_CHECKING:
    from transpile.devices.loops.expression import Expression
    from transpile.devices.loops.statement import Body

# Note [Kept programs]
# What a graph says decides which program it becomes, and that which machine code: so both are kept, and found by the text of a graph, and by all
# the code that schedules, prints and compiles. Of the program that is what runs it: not its statements, but for those that call Python. What
# it takes of the graph itself (values, locations, objects that are handed on) it takes of the graph at hand, by the place where that speaks of it;
# functions that were made for it are made again. A program that holds anything else is not kept.

_STORE = Store("kernel")
_FOLDERS = ("devices/cpu", "devices/loops", "runtime/graph", "runtime/ops", "runtime/views")


class Made(NamedTuple):
    """A program, its kernel, and the machine code; what has to live as long as that, and numba's record of it where it was made in this process."""

    program: Program
    kernel: Kernel
    code: MachineFunction
    keeps: Any = None
    record: Any = None


def content_of(graph: Graph) -> Content | None:
    """Return the content of a graph, if there is a text for all of it, and of all that makes programs."""
    try:
        return Content(graph) if _state() else None
    except Untold:
        return None


def load(content: Content) -> Made | None:
    """Return what was made of a graph of this content."""
    data = _STORE.load(_key(content))
    if data is None:
        return None
    try:
        program, kernel, names, code = _Unpickler(data, content.things).load()
        symbols.register(names)
        found = loaded(code)
    except (LookupError, ImportError, AttributeError):
        # Another version of SciPy has no such functions, say.
        return None
    return Made(program, kernel, found)


def save(content: Content, made: Made) -> None:
    """Keep what was made of a graph of this content, where another process can make use of it."""
    program, kernel, code = made.program, made.kernel, made.record
    sites = {site.number: _told(site) for site in program.sites}
    calls: Body = [dataclasses.replace(call, site=sites[call.site.number]) for call in upcalls(program.body)]
    program = dataclasses.replace(program, body=calls, sites=[*sites.values()])
    kernel = dataclasses.replace(kernel, namespace={})
    file = io.BytesIO()
    try:
        names = sorted({name.decode() for name in _SYMBOL.findall(object_of(code))})
        _Pickler(file, content.places).dump((program, kernel, names, packed(code)))
    except (pickle.PicklingError, TypeError, AttributeError, RuntimeError):
        # It holds what only this process has, or numba has no code of it that can be kept.
        return
    _STORE.save(_key(content), file.getvalue())


_SYMBOL = re.compile(rb"(?<=\0)_?(transpile_[a-z]+_[A-Za-z0-9_.]+)(?=\0)")


def _told(site: Site) -> Site:
    """Return a site without what its operands are computed of: of them the types are asked for."""
    operands: list[Expression | Buffer] = [
        operand if isinstance(operand, Buffer) else Variable(Value(operand.type)) for operand in site.operands
    ]
    return dataclasses.replace(site, operands=operands)


class _Pickler(pickle.Pickler):
    """Pickles what a graph speaks of by the place where it does, and functions by what they were made of."""

    def __init__(self, file: io.BytesIO, places: dict[int, int]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._places = places

    def persistent_id(self, thing: Any) -> int | None:
        return self._places.get(id(thing))

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, np.dtype) and np.dtype(thing.char) is thing:
            # Of these there is one, by which NumPy and programs tell them; it pickles them as copies.
            return np.dtype, (thing.char,)
        recipe = made_of(thing) if isinstance(thing, types.FunctionType) else None
        return NotImplemented if recipe is None else (recipe, ())


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, things: Sequence[Any]) -> None:
        super().__init__(io.BytesIO(data))
        self._things = things

    def persistent_load(self, place: int) -> Any:
        return self._things[place]


def _key(content: Content) -> str:
    return f"{_state()}\n{content.text}"


@cache
def _state() -> str:
    """Return what holds for all programs: the code that makes them, the libraries, and the processor; nothing, where the code is not there to be read."""
    root = Path(__file__).parents[2]
    digest = digest_of(root / folder for folder in _FOLDERS)
    if not digest:
        return ""
    target = (
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
        c_library(),
    )
    numba = numbas_settings.version(), numbas_settings.told()
    return "\n".join(map(str, (sys.version, np.__version__, *numba, llvm.llvm_version_info, *target, digest)))
