"""Inner loops of `accuracy="fast"`: vector code where NumPy has none, or none within two units in the last place."""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable, Sequence
from functools import cache
from threading import RLock
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from . import fast_math, symbols, ufunc_loops
from .flags import move_state
from .lanes import Lane
from .toolkit import cgutils, ir
from .ufunc_loops import Loop

# Note [Fast loops]
# A fast loop has the signature of NumPy's inner loops and stands beside one of them, under ``transpile_fast_exp_d_d``; all that calls
# NumPy's loops calls it as well. It takes a vector of operands at a time; what does not lie side by side in memory, and what is left at
# the end, goes through a buffer. Where a number is not a normal one, or the formula is not made for it, NumPy's loop
# computes that group again, but for what is right: zeros, infinities, NaN and denormals are NumPy's, and so are the status flags, of which those are
# dropped that the vector code raises.
#
# The functions are our own (fast_math.py) or those of glibc's libmvec, whose bound is four units in the last place: of doubles those
# are used that were measured to stay within two, and for floats all, computed in doubles and rounded once. What has no row here is
# NumPy's, which is within two units everywhere else (tests/devices/cpu/test_fast_loops.py measures both). With AVX-512, NumPy has vector code for most functions,
# which is as fast and more exact than libmvec's, except of floats; with AVX2 alone it has next to none.

Formula = Callable[[Lane], "tuple[Lane, Lane]"]

# Our own functions, and the types that they are made for.
_OWN: dict[str, tuple[str, Formula]] = {
    "exp": ("df", fast_math.exp),
    "sin": ("d", fast_math.sin),
    "cos": ("d", fast_math.cos),
    "tan": ("d", fast_math.tan),
}
# Functions of libmvec's by NumPy's names; those of doubles that stay within two units in the last place.
_LIBRARY = {
    **{name: name for name in ("cbrt", "cosh", "exp2", "expm1", "log", "log10", "log1p", "log2", "sinh", "tan", "tanh")},
    **{f"arc{name}": f"a{name}" for name in ("cos", "cosh", "sin", "sinh", "tan", "tanh", "tan2")},
    "hypot": "hypot",
    "power": "pow",
}  # fmt: skip
_DOUBLES = frozenset(("cbrt", "arccos", "exp2", "log", "hypot", "power"))
# What NumPy has vector code for that stays within two units, by the features of the processor that it takes.
_NUMPYS = {
    "AVX512_SKX": {
        **dict.fromkeys(("exp", "log", "exp2", "arccos", "tan"), "d"),
        **dict.fromkeys(("log1p", "sinh", "tanh", "arccosh", "arcsinh", "arctanh"), "f"),
        **dict.fromkeys(("cbrt", "power"), "df"),
    }
}

_BYTES = ir.IntType(8).as_pointer()
_INTP = ir.IntType(64)
_LOOP = ir.FunctionType(ir.VoidType(), [_BYTES.as_pointer(), _INTP.as_pointer(), _INTP.as_pointer(), _BYTES])
_CELL = ir.LiteralStructType([_LOOP.as_pointer(), _BYTES])

_lock = RLock()
# Never emptied: linked code lives in them.
_cells: dict[str, Any] = {}
_engines: list[Any] = []


def find(ufunc: np.ufunc, wanted: str) -> Loop | None:
    """Return a ufunc's fast loop for a signature; NumPy's own where that is as fast, or there is no other."""
    numpys = ufunc_loops.find(ufunc, wanted)
    if numpys is None or not has(ufunc.__name__, numpys):
        return numpys
    name = numpys.symbol.replace("transpile_np_", "transpile_fast_")
    symbols.register([name])
    return numpys._replace(symbol=name)


def is_fast(found: Loop) -> bool:
    """Whether a loop is one of those here."""
    return found.symbol.startswith("transpile_fast_")


def has(name: str, numpys: Loop) -> bool:
    """Whether there is a fast loop on this machine, for one of NumPy's."""
    kind = numpys.outputs
    if kind not in ("d", "f") or set(numpys.inputs) != {kind} or not _width():
        return False
    if any(_features().get(feature) and kind in own.get(name, "") for feature, own in _NUMPYS.items()):
        return False
    if kind in _OWN.get(name, ("",))[0]:
        return True
    return name in _LIBRARY and (kind == "f" or name in _DOUBLES) and _library_function(name) != 0


@cache
def _features() -> dict[str, bool]:
    """What NumPy knows of the processor."""
    return dict(np._core._multiarray_umath.__cpu_features__)  # type: ignore[attr-defined]


@cache
def _width() -> int:
    """How many doubles a vector holds; 0 where the processor has none with fused operations."""
    host = llvm.get_host_cpu_features()
    if platform.machine() not in ("x86_64", "AMD64") or sys.platform == "win32":
        return 0
    if host.get("avx512f") and host.get("avx512dq"):
        return 8
    return 4 if host.get("avx2") and host.get("fma") else 0


@cache
def _library_function(name: str) -> int:
    """The address of libmvec's function of vectors of doubles; 0 where there is none."""
    try:
        library = ctypes.CDLL("libmvec.so.1")
        prefix = {8: "_ZGVeN8", 4: "_ZGVdN4"}[_width()]
        many = "vv" if name in ("hypot", "power", "arctan2") else "v"
        return ctypes.cast(library[f"{prefix}{many}_{_LIBRARY[name]}"], ctypes.c_void_p).value or 0
    except (OSError, AttributeError):
        return 0


def _resolve(rest: str) -> int | None:
    """Return the cell of a fast loop, or of NumPy's where there is none on this machine."""
    with _lock:
        if rest not in _cells:
            numpys = ufunc_loops.named(f"transpile_np_{rest}")
            name = rest.rsplit("_", 2)[0]
            cell = ufunc_loops._cells[numpys.symbol]
            if has(name, numpys):
                function = _compiled(rest, name, numpys)
                cell = type(cell)(function, ctypes.addressof(cell))
            _cells[rest] = cell
        return ctypes.addressof(_cells[rest])


symbols.provide("fast", _resolve)


def _compiled(key: str, name: str, numpys: Loop) -> int:
    """Return the address of a loop made for this process."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = ir.Module(f"fast_{key}")
    target = llvm.Target.from_default_triple()
    features = llvm.get_host_cpu_features().flatten()
    machine = target.create_target_machine(llvm.get_host_cpu_name(), features, opt=2, jit=True)
    module.triple, module.data_layout = llvm.get_default_triple(), str(machine.target_data)
    function = ir.Function(module, _LOOP, f"fast_{key}")
    _Loop(function, ir.DoubleType() if numpys.outputs == "d" else ir.FloatType(), len(numpys.inputs)).emit(
        _formula(name, numpys.outputs)
    )
    parsed = llvm.parse_assembly(str(module))
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    llvm.create_pass_builder(machine, options).getModulePassManager().run(
        parsed, llvm.create_pass_builder(machine, options)
    )
    engine = llvm.create_mcjit_compiler(parsed, machine)
    engine.finalize_object()
    _engines.append(engine)
    return int(engine.get_function_address(function.name))


def _formula(name: str, kind: str) -> Callable[..., tuple[Lane, Lane]]:
    """Return what computes vectors of results of a type, and which of them are right."""
    if kind in _OWN.get(name, ("",))[0]:
        return _OWN[name][1]

    def call(*operands: Lane) -> tuple[Lane, Lane]:
        value = _from_library(name, [operand.to_float() for operand in operands])
        return value.to_float(single=kind == "f"), value == value

    return call


def _from_library(name: str, operands: Sequence[Lane]) -> Lane:
    """A vector of results of libmvec's."""
    first = operands[0]
    kind = ir.FunctionType(first.type, [first.type] * len(operands))
    pointer = first.builder.inttoptr(ir.Constant(_INTP, _library_function(name)), kind.as_pointer())
    return first.like(first.builder.call(pointer, [operand.value for operand in operands]))


class _Loop:
    """Prints a loop over vectors."""

    def __init__(self, function: Any, number: Any, inputs: int) -> None:
        self.function, self.number, self.inputs = function, number, inputs
        self.width = _width()
        self.size = 8 if isinstance(number, ir.DoubleType) else 4
        self.vector = ir.VectorType(number, self.width)
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))

    def emit(self, formula: Callable[..., tuple[Lane, Lane]]) -> None:
        """Print the loop."""
        builder = self.builder
        pointers, dimensions, steps, data = self.function.args
        count = builder.load(dimensions)
        operands = range(self.inputs + 1)
        bases = [builder.load(self._item(pointers, k)) for k in operands]
        strides = [builder.load(self._item(steps, k)) for k in operands]
        self.state = cgutils.alloca_once(builder, ir.IntType(32))
        places = cgutils.alloca_once(builder, ir.ArrayType(_BYTES, len(operands)))
        length = cgutils.alloca_once(builder, _INTP)
        move_state(builder, "stmxcsr", self.state)
        with cgutils.for_range_slice(
            builder, ir.Constant(_INTP, 0), count, ir.Constant(_INTP, self.width), _INTP
        ) as (first, _):
            left = builder.sub(count, first)
            whole = builder.icmp_signed(">=", left, ir.Constant(_INTP, self.width))
            taken = builder.select(whole, ir.Constant(_INTP, self.width), left)
            here = [
                builder.gep(base, [builder.mul(first, stride)])
                for base, stride in zip(bases, strides, strict=True)
            ]
            straight = [
                builder.and_(whole, builder.icmp_signed("==", stride, ir.Constant(_INTP, self.size)))
                for stride in strides
            ]
            lanes = [
                Lane(builder, self._load(here[k], strides[k], straight[k], taken)) for k in range(self.inputs)
            ]
            value, valid = formula(*lanes)
            tiny = float(np.finfo("d" if self.size == 8 else "f").tiny)
            right = valid & (value.magnitude() < float("inf"))
            right = right & ((value.magnitude() >= tiny) | self._zero(value, lanes))
            for lane in lanes:
                right = right & ((lane.magnitude() >= tiny) | (lane == 0.0))
            every = self._all(right)
            with builder.if_then(builder.not_(every), likely=False):
                # As if the vector code had not run.
                move_state(builder, "ldmxcsr", self.state)
                for k, place in enumerate(here):
                    builder.store(place, cgutils.gep_inbounds(builder, places, 0, k))
                builder.store(taken, length)
                cell = builder.bitcast(data, _CELL.as_pointer())
                loop = builder.load(cgutils.gep_inbounds(builder, cell, 0, 0))
                own = builder.load(cgutils.gep_inbounds(builder, cell, 0, 1))
                builder.call(loop, [cgutils.gep_inbounds(builder, places, 0, 0), length, steps, own])
                move_state(builder, "stmxcsr", self.state)
            with builder.if_else(builder.and_(every, straight[-1]), likely=True) as (then, otherwise):
                with then:
                    builder.store(value.value, builder.bitcast(here[-1], self.vector.as_pointer()), align=1)
                with otherwise:
                    self._store(value, right, here[-1], strides[-1], taken)
        move_state(builder, "ldmxcsr", self.state)
        builder.ret_void()

    def _item(self, table: Any, place: int) -> Any:
        return self.builder.gep(table, [ir.Constant(_INTP, place)])

    def _zero(self, value: Lane, operands: Sequence[Lane]) -> Lane:
        """Where zero is a function's value, not what it comes to when it is too small for a number."""
        return (value == 0.0) & (operands[0].magnitude() < 2.0) if self.inputs == 1 else value != value

    def _all(self, right: Lane) -> Any:
        """Whether all of a vector is right."""
        kind = ir.FunctionType(ir.IntType(1), [right.type])
        name = f"llvm.vector.reduce.and.v{self.width}i1"
        return self.builder.call(
            cgutils.get_or_insert_function(self.builder.module, kind, name), [right.value]
        )

    def _load(self, place: Any, stride: Any, direct: Any, taken: Any) -> Any:
        """Load a vector from where it lies, or number by number, filled up with the last one."""
        builder = self.builder
        numbers = self.number.as_pointer()
        buffer = cgutils.alloca_once(builder, self.vector)
        with builder.if_then(builder.not_(direct), likely=False):
            last = builder.sub(taken, ir.Constant(_INTP, 1))
            with cgutils.for_range(builder, ir.Constant(_INTP, self.width), intp=_INTP) as turn:
                inside = builder.icmp_signed("<", turn.index, last)
                at = builder.mul(builder.select(inside, turn.index, last), stride)
                number = builder.load(builder.bitcast(builder.gep(place, [at]), numbers), align=1)
                builder.store(number, builder.gep(builder.bitcast(buffer, numbers), [turn.index]))
        chosen = builder.select(direct, place, builder.bitcast(buffer, _BYTES))
        return builder.load(builder.bitcast(chosen, self.vector.as_pointer()), align=1)

    def _store(self, value: Lane, right: Lane, place: Any, stride: Any, taken: Any) -> None:
        """Store the numbers of a vector that are right, one by one."""
        builder = self.builder
        truths = ir.VectorType(ir.IntType(8), self.width)
        spilled = [cgutils.alloca_once(builder, self.vector), cgutils.alloca_once(builder, truths)]
        builder.store(value.value, spilled[0])
        builder.store(builder.zext(right.value, truths), spilled[1])
        kinds = self.number.as_pointer(), _BYTES
        with cgutils.for_range(builder, taken, intp=_INTP) as turn:
            number, truth = (
                builder.load(builder.gep(builder.bitcast(slot, kind), [turn.index]))
                for slot, kind in zip(spilled, kinds, strict=True)
            )
            with builder.if_then(builder.trunc(truth, ir.IntType(1))):
                target = builder.gep(place, [builder.mul(turn.index, stride)])
                builder.store(number, builder.bitcast(target, kinds[0]), align=1)
