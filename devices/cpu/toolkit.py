"""What numba offers to those who extend it; untyped here, as it is there. It is loaded when something of it is asked for: kernels that are kept run without numba."""

from importlib import import_module
from typing import Any

from llvmlite import binding as _binding
from llvmlite import ir as _ir


class _Module:
    """A module that is loaded when something is taken out of it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._name), name)
        setattr(self, name, found)
        return found


ir: Any = _ir
llvm: Any = _binding
types: Any = _Module("numba.types")
cgutils: Any = _Module("numba.core.cgutils")
_arrayobj: Any = _Module("numba.np.arrayobj")

# What is loaded where it is imported from here: its module, and its name there.
_THINGS = {
    "parse_dtype": ("core.typing.npydecl", "parse_dtype"),
    "borrowed": ("core.imputils", "impl_ret_borrowed"),
    "from_dtype": ("np.numpy_support", "from_dtype"),
    "as_dtype": ("np.numpy_support", "as_dtype"),
    "CompilerBase": ("core.compiler", "CompilerBase"),
    "runtime": ("core.runtime.nrt", "rtsys"),
    "builtin_registry": ("core.imputils", "builtin_registry"),
    "cpu_target": ("core.registry", "cpu_target"),
    "PassManager": ("core.compiler_machinery", "PassManager"),
    "RETCODE_OK": ("core.callconv", "RETCODE_OK"),
    "RETCODE_EXC": ("core.callconv", "RETCODE_EXC"),
    "PyCallWrapper": ("core.callwrapper", "PyCallWrapper"),
    "ArgumentManager": ("core.callwrapper", "_ArgManager"),
    "FunctionDescriptor": ("core.funcdesc", "PythonFunctionDescriptor"),
    "default_mangler": ("core.funcdesc", "default_mangler"),
    "Environment": ("core.environment", "Environment"),
    "compile_result": ("core.compiler", "compile_result"),
    "make_signature": ("core.typing.templates", "signature"),
    "make_intrinsic_template": ("core.typing.templates", "make_intrinsic_template"),
    "JITCodeLibrary": ("core.codegen", "JITCodeLibrary"),
}
# The passes of numba's that kernels need, in order.
_PASSES = {
    "untyped_passes": ("TranslateByteCode", "FixupArgs", "IRProcessing", "GenericRewrites", "ReconstructSSA"),
    "typed_passes": (
        "NopythonTypeInference",
        "PreLowerStripPhis",
        "IRLegalization",
        "NativeLowering",
        "NoPythonBackend",
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _THINGS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, own = _THINGS[name]
    found = globals()[name] = getattr(import_module(f"numba.{module}"), own)
    return found


def itemsize_of(context: Any, kind: Any) -> Any:
    """Return the size of an array's elements, in bytes."""
    return _arrayobj.get_itemsize(context, kind)


def populate_array(array: Any, **parts: Any) -> Any:
    """Fill the structure that an array is."""
    return _arrayobj.populate_array(array, **parts)


def passes() -> list[Any]:
    """Return the passes of numba's that kernels need, in order."""
    return [
        getattr(import_module(f"numba.core.{module}"), name)
        for module, names in _PASSES.items()
        for name in names
    ]
