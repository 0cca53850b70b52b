"""Shares in the memory that a kernel makes: functions that stand once in its code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from . import memory
from .toolkit import cgutils, ir

_COUNT = ir.IntType(64 if sys.maxsize > 2**32 else 32)
_POINTER = memory.BYTES.as_pointer()
_VOID = ir.VoidType()


def own_function(module: Any, name: str, result: Any, arguments: Sequence[Any]) -> tuple[Any, Any]:
    """Return a function of the module's own, and what writes its body."""
    function = ir.Function(module, ir.FunctionType(result, arguments), name)
    # LLVM's linker would take a symbol of numba's own code by one of these names for them.
    function.linkage = "private"
    function.attributes.add("noinline")
    return function, ir.IRBuilder(function.append_basic_block("entry"))


def _call_end(builder: Any, owner: Any) -> None:
    kind = ir.FunctionType(_VOID, [memory.BYTES])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, "NRT_MemInfo_call_dtor"), [owner])


def define(module: Any) -> None:
    """Write what numba's wrapper calls, `NRT_incref` and `NRT_decref`, and what gives back what a slot holds, and empties it: `release`, and `release_all` for so many."""
    retain, builder = own_function(module, "NRT_incref", _VOID, [memory.BYTES])
    (owner,) = retain.args
    with builder.if_then(cgutils.is_not_null(builder, owner)):
        counter = builder.bitcast(owner, _COUNT.as_pointer())
        builder.atomic_rmw("add", counter, ir.Constant(_COUNT, 1), "monotonic")
    builder.ret_void()

    give_back, builder = own_function(module, "NRT_decref", _VOID, [memory.BYTES])
    (owner,) = give_back.args
    with builder.if_then(cgutils.is_not_null(builder, owner)):
        counter = builder.bitcast(owner, _COUNT.as_pointer())
        before = builder.atomic_rmw("sub", counter, ir.Constant(_COUNT, 1), "acq_rel")
        with builder.if_then(builder.icmp_unsigned("==", before, ir.Constant(_COUNT, 1))):
            _call_end(builder, owner)
    builder.ret_void()

    release, builder = own_function(module, "release", _VOID, [_POINTER])
    (slot,) = release.args
    owner = builder.load(slot)
    builder.store(ir.Constant(memory.BYTES, None), slot)
    builder.call(give_back, [owner])
    builder.ret_void()

    everything, builder = own_function(module, "release_all", _VOID, [_POINTER, memory.INTP])
    slots, count = everything.args
    with cgutils.for_range(builder, count, intp=memory.INTP) as loop:
        builder.call(release, [builder.gep(slots, [loop.index])])
    builder.ret_void()


def allocator(context: Any, module: Any, rank: int) -> Any:
    """Return the function that makes memory for so many dims and an item size, or nothing where there is none left."""
    name = f"allocate_{rank}"
    if name in module.globals:
        return module.globals[name]
    function, builder = own_function(module, name, memory.BYTES, [memory.INTP] * (rank + 1))
    *lengths, itemsize = function.args
    builder.ret(memory.new_block(context, builder, memory.size_of(builder, itemsize, lengths)))
    return function
