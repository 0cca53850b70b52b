"""Machine code of lowered kernels, in numba's libraries and behind numba's wrappers."""

from __future__ import annotations

import ast
from typing import Any

from . import bit_tests, owners
from .arithmetic import NotLowered
from .lowering import Lowering
from .machine_function import callable_at
from .toolkit import (
    FunctionDescriptor,
    JITCodeLibrary,
    cgutils,
    compile_result,
    default_mangler,
    ir,
    llvm,
    make_signature,
    runtime,
)
from .wrapper import Wrapper

# Lines of LLVM's text, from which on code is made of a module as it is: what its passes make of one huge function, with all values in registers, takes
# minutes to be turned into code, and the same function with its variables in memory a second.
_LARGE = 16_000
# And from which on loops are written for as many turns at once as a vector holds, and no more: a third of what takes long goes to the rest, and little is gained.
_LONG = 8_000

# The reasons for which kernels were left to numba, in this process.
refused: list[str] = []


class Library(JITCodeLibrary):  # type: ignore[misc]
    """A library of machine code that is made of one module, and needs nothing of numba's own."""

    def hold(self, module: Any) -> None:
        """Take the one module, where LLVM finds nothing wrong with it: its passes would take anything."""
        text = str(module)
        self.lines = text.count("\n")
        try:
            self._final_module = llvm.parse_assembly(text)
            self._final_module.verify()
        except RuntimeError as error:
            raise NotLowered(f"code that LLVM refuses: {error}") from None
        self._final_module.name = self.name

    def finalize(self) -> None:
        """Optimise the module, and have machine code made of it."""
        self._raise_if_finalized()
        if self.lines <= _LARGE:
            self._optimize_final_module()
        self._finalize_final_module()

    def _optimize_final_module(self) -> None:
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = True
        options.slp_vectorization = options.loop_interleaving = self.lines <= _LONG
        # Loops that are no vector code grow to eight times their size, which takes as long as all else, and are seldom faster.
        options.loop_unrolling = False
        builder = llvm.create_pass_builder(self._codegen._tm, options)
        builder.getModulePassManager().run(self._final_module, builder)
        text = bit_tests.without_jumps(str(self._final_module))
        if text is not None:
            self._final_module = llvm.parse_assembly(text)
            self._final_module.name = self.name


def compiled(
    typing_context: Any,
    context: Any,
    function: Any,
    tree: ast.Module,
    returned: Any,
    kinds: Any,
    free: bool,
) -> Any:
    """Return numba's record of a compiled function, whose text is given; raise NotLowered where it holds what only numba compiles."""
    (kernel,) = tree.body
    if not isinstance(kernel, ast.FunctionDef):
        raise NotLowered("a text that is no function")
    runtime.initialize(context)
    context = context.subtarget(enable_nrt=True)
    # numba's own looks for other ways to see a thing as an array, for which it loads all that it knows.
    context.make_array = cgutils.create_struct_proxy
    descriptor = FunctionDescriptor(
        native=True,
        modname=function.__module__,
        qualname=function.__qualname__,
        unique_name=function.__qualname__,
        doc="",
        typemap={},
        restype=returned,
        calltypes={},
        args=tuple(argument.arg for argument in kernel.args.args),
        kws=(),
        mangler=default_mangler,
        argtypes=tuple(kinds),
    )
    library = Library(context.codegen(), function.__qualname__)
    library.enable_object_caching()
    module = library.create_ir_module(function.__qualname__)
    owners.define(module)
    kind = context.call_conv.get_function_type(returned, kinds)
    body = ir.Function(module, kind, descriptor.llvm_func_name)
    context.call_conv.decorate_function(body, descriptor.args, kinds, noalias=False)
    Lowering(context, kernel, function.__globals__, body, kinds, returned).run()
    Wrapper(context, module, body, descriptor, None, call_helper=None, release_gil=free).build()
    library.hold(module)
    # numba's own way to make a function of Python's has an environment in the code.
    address = library.get_pointer_to_function(descriptor.llvm_cpython_wrapper_name)
    return compile_result(
        typing_context=typing_context,
        target_context=context,
        entry_point=callable_at(address, descriptor.qualname, library),
        typing_error=None,
        type_annotation=None,
        library=library,
        call_helper=None,
        signature=make_signature(returned, *kinds),
        objectmode=False,
        lifted=(),
        fndesc=descriptor,
        metadata={},
        reload_init=[],
    )


__all__ = ["NotLowered", "compiled", "refused"]
