"""Machine code as it is kept on disk, and as another process loads it."""

from __future__ import annotations

from typing import Any

from . import machine_function
from .machine_function import Lies, MachineFunction, Parts


def function_of(code: Any) -> MachineFunction:
    """Return the machine code of a kernel, of which numba has a record."""
    arguments, returned = _told(code.fndesc)
    address = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
    return MachineFunction(code.entry_point, address, arguments, returned)


def object_of(code: Any) -> bytes:
    """Return the machine code itself, as a linker takes it."""
    found: bytes = code.library._get_compiled_object()
    return found


def packed(code: Any) -> Any:
    """Return what is kept of a kernel, of which numba has a record."""
    if code.environment is not None:
        # numba has compiled it.
        from .numbas_code import packed as packed_by_numba

        return packed_by_numba(code)
    descriptor = code.fndesc
    names = descriptor.llvm_cpython_wrapper_name, descriptor.llvm_func_name
    return Parts(object_of(code), *names, *_told(descriptor))


def loaded(kept: Any) -> MachineFunction:
    """Return the kernel of which something was kept."""
    if isinstance(kept, Parts):
        return machine_function.loaded(kept)
    from .numbas_code import loaded as loaded_by_numba

    return function_of(loaded_by_numba(*kept))


def _told(descriptor: Any) -> tuple[tuple[Lies | str, ...], tuple[str, ...]]:
    """Return what a kernel takes and gives."""
    from .toolkit import as_dtype, types

    arguments = tuple(
        Lies(kind.ndim, as_dtype(kind.dtype).itemsize) if isinstance(kind, types.Array) else str(kind)
        for kind in descriptor.argtypes
    )
    returned = descriptor.restype
    return arguments, tuple(map(str, returned.types if isinstance(returned, types.BaseTuple) else [returned]))
