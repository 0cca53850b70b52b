"""Machine code that numba has compiled, of what is not lowered, as it is kept on disk, and as another process loads it."""

from __future__ import annotations

from typing import Any

from .machine_function import bind_memory_helpers
from .toolkit import JITCodeLibrary, compile_result, cpu_target, runtime


class Loaded(JITCodeLibrary):  # type: ignore[misc]
    """A library of machine code that another process has made. Nothing is linked with it any more, so that LLVM need not know what it was made of."""

    def __init__(self, codegen: Any, name: str, code: bytes) -> None:
        super().__init__(codegen, name)
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """Return the address of one of its functions."""
        address: int = self._codegen._engine.get_function_address(name)
        return address


def packed(code: Any) -> tuple[Any, ...]:
    """Return what is kept of a compiled function."""
    descriptor = code.fndesc
    # They speak of numba's own, and are for its compiler.
    descriptor.typemap = descriptor.calltypes = None
    environments = tuple(code._find_referenced_environments())
    library = code.library
    kept = library.name, library._get_compiled_object()
    return *kept, descriptor, code.environment, code.signature, environments


def loaded(
    name: str,
    code: bytes,
    descriptor: Any,
    environment: Any,
    signature: Any,
    environments: tuple[Any, ...],
) -> Any:
    """Return numba's record of a function that was kept, compiled."""
    context = cpu_target.target_context
    runtime.initialize(context)
    bind_memory_helpers()
    library = Loaded(context.codegen(), name, code)
    made = compile_result(
        typing_context=context.typing_context,
        target_context=context,
        entry_point=context.get_executable(library, descriptor, environment),
        library=library,
        fndesc=descriptor,
        environment=environment,
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=[],
    )
    for each in environments:
        library.codegen.set_env(each.env_name, each)
    return made
