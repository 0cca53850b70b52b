"""Machine code of lowered kernels gets on with numba's own in one process."""

from __future__ import annotations

import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target

from transpile.devices.cpu import machine_code, memory
from transpile.devices.cpu.arithmetic import NotLowered

from .kernels import by_numba, lowered

NAMES = {"empty": memory.empty, "float64": types.float64}
VECTOR = types.Array(types.float64, 1, "C")
# What numba compiles `transpose` with takes and gives shares in arrays, by functions that are linked by name.
TEXT = """
def kernel(x, n):
    y = empty((n, 2), float64).transpose((1, 0))
    for i in range(n):
        y[1, i] = x[i] * 2
    z = y
    if n > 3:
        z = empty((2, n), float64)
        z[1, 0] = 1.0
    return 0, z[1, 0]
"""


def test_shares_of_numbas_are_its_own():
    returned = types.Tuple([types.int64, types.float64])
    kernels = []
    for _ in range(2):
        kernels.append(lowered(TEXT, NAMES, (VECTOR, types.int64), returned))
        kernels.append(by_numba(TEXT, NAMES, (VECTOR, types.int64)))
        for kernel in kernels:
            assert kernel(np.full(3, 4.0), 3) == (0, 8.0)
            assert kernel(np.full(4, 4.0), 4) == (0, 1.0)


def test_a_kernel_has_no_symbols_that_another_could_take_for_its_own(monkeypatch):
    held = []
    hold = machine_code.Library.hold
    monkeypatch.setattr(
        machine_code.Library, "hold", lambda library, module: (held.append(module), hold(library, module))
    )
    lowered(TEXT, NAMES, (VECTOR, types.int64), types.Tuple([types.int64, types.float64]))
    (module,) = held
    defined = [function for function in module.functions if not function.is_declaration]
    shown = [function.name for function in defined if function.linkage not in ("private", "internal")]
    assert len(shown) == 2
    assert all("kernel_" in name for name in shown)
    assert {"release", "release_all", "NRT_incref", "NRT_decref", "allocate_2"} <= {
        f.name for f in defined
    } - {*shown}


def test_code_that_llvm_refuses_is_left_to_numba():
    library = machine_code.Library(cpu_target.target_context.codegen(), "refused")
    module = library.create_ir_module("refused")
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.IntType(64)]), "refused")
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(function.args[0])
    with pytest.raises(NotLowered):
        library.hold(module)


def test_huge_code_is_made_as_it_is(monkeypatch):
    passed = []
    optimise = machine_code.Library._optimize_final_module
    monkeypatch.setattr(
        machine_code.Library, "_optimize_final_module", lambda self: passed.append(optimise(self))
    )
    returned = types.Tuple([types.int64, types.float64])
    for large in (machine_code._LARGE, 10):
        monkeypatch.setattr(machine_code, "_LARGE", large)
        kernel = lowered(TEXT, NAMES, (VECTOR, types.int64), returned)
        assert kernel(np.full(3, 4.0), 3) == (0, 8.0)
    assert len(passed) == 1


def test_long_code_is_made_for_fewer_turns_at_once(monkeypatch):
    options = []
    make = machine_code.llvm.create_pipeline_tuning_options

    def made(**given):
        options.append(make(**given))
        return options[-1]

    monkeypatch.setattr(machine_code.llvm, "create_pipeline_tuning_options", made)
    returned = types.Tuple([types.int64, types.float64])
    for long in (machine_code._LONG, 10):
        monkeypatch.setattr(machine_code, "_LONG", long)
        kernel = lowered(TEXT, NAMES, (VECTOR, types.int64), returned)
        assert kernel(np.full(3, 4.0), 3) == (0, 8.0)
    assert [(each.loop_vectorization, each.loop_interleaving) for each in options] == [
        (True, True),
        (True, False),
    ]
