"""What numba offers to those who extend it; untyped here, as it is there."""

from typing import Any

from llvmlite import binding as _binding
from llvmlite import ir as _ir
from numba import types as _types
from numba.core import callconv as _callconv
from numba.core import callwrapper as _callwrapper
from numba.core import cgutils as _cgutils
from numba.core import codegen as _codegen
from numba.core import compiler as _compiler
from numba.core import compiler_machinery as _compiler_machinery
from numba.core import config as _config
from numba.core import environment as _environment
from numba.core import funcdesc as _funcdesc
from numba.core import imputils as _imputils
from numba.core import typed_passes as _typed_passes
from numba.core import untyped_passes as _untyped_passes
from numba.core.runtime import _nrt_python as _records  # type: ignore[attr-defined]
from numba.core.runtime import nrt as _nrt
from numba.core.typing import npydecl as _npydecl
from numba.core.typing import templates as _templates
from numba.np import arrayobj as _arrayobj
from numba.np import numpy_support as _numpy_support

ir: Any = _ir
llvm: Any = _binding
types: Any = _types
cgutils: Any = _cgutils
config: Any = _config
parse_dtype: Any = _npydecl.parse_dtype
borrowed: Any = _imputils.impl_ret_borrowed
MemInfo: Any = _nrt.MemInfo
# Gives the address of the record of memory that belongs to an object of Python's, with one share in it.
record_of: Any = _records.meminfo_new
# The addresses, by name, of what manages memory for compiled code.
memory_helpers: Any = _records.c_helpers
itemsize_of: Any = _arrayobj.get_itemsize
populate_array: Any = _arrayobj.populate_array
from_dtype: Any = _numpy_support.from_dtype
as_dtype: Any = _numpy_support.as_dtype
CompilerBase: Any = _compiler.CompilerBase
runtime: Any = _nrt.rtsys
builtin_registry: Any = _imputils.builtin_registry
PassManager: Any = _compiler_machinery.PassManager
RETCODE_OK: Any = _callconv.RETCODE_OK
PyCallWrapper: Any = _callwrapper.PyCallWrapper
ArgumentManager: Any = _callwrapper._ArgManager
FunctionDescriptor: Any = _funcdesc.PythonFunctionDescriptor
default_mangler: Any = _funcdesc.default_mangler
Environment: Any = _environment.Environment
compile_result: Any = _compiler.compile_result
make_signature: Any = _templates.signature
make_intrinsic_template: Any = _templates.make_intrinsic_template
JITCodeLibrary: Any = _codegen.JITCodeLibrary
# The passes of numba's that kernels need, in order.
passes: tuple[Any, ...] = (
    _untyped_passes.TranslateByteCode,
    _untyped_passes.FixupArgs,
    _untyped_passes.IRProcessing,
    _untyped_passes.GenericRewrites,
    _untyped_passes.ReconstructSSA,
    _typed_passes.NopythonTypeInference,
    _typed_passes.PreLowerStripPhis,
    _typed_passes.IRLegalization,
    _typed_passes.NativeLowering,
    _typed_passes.NoPythonBackend,
)
