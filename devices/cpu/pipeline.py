"""What numba does with a kernel: the passes that its text can need, and LLVM's once instead of thrice."""

from __future__ import annotations

import ast
import copy
import functools
from typing import Any, NamedTuple

from .machine_code import NotLowered, compiled, refused
from .toolkit import CompilerBase, JITCodeLibrary, PassManager, builtin_registry, passes

# Note [Lean compilation]
# numba's own pipeline also inlines closures and overloads, prunes branches by types, lifts `with`, unrolls over literals and rewrites array
# expressions: a kernel has none of these, and each pass looks through the whole function again. Of LLVM, numba runs the passes for functions,
# then cheap ones, then all of them: what the first ones do, the last ones do anyhow. Nobody calls a kernel from C.
# It also asks anew for each `a + b` which of many functions is meant, and looks through its registries for new ones wherever it finds none.


class Library(JITCodeLibrary):  # type: ignore[misc]
    """A library of machine code whose functions are optimised once, when it is whole."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout


class Plan(NamedTuple):
    """What a kernel's function stands for: a text, and the type of what it returns."""

    text: str
    returned: Any


class Pipeline(CompilerBase):  # type: ignore[misc]
    """Compiles a kernel: lowers it, or, where that knows not how, leaves it to numba."""

    def __init__(self, *given: Any) -> None:
        # numba's own set-up loads most of what numba knows of Python and NumPy: it is for those kernels that are left to it.
        self._given = given

    def compile_extra(self, function: Any) -> Any:
        """Compile a function into a library of its own."""
        typing_context, target_context, _, kinds, _, flags, _ = self._given
        plan = getattr(function, "plan", None)
        if plan is not None:
            tree, returned = ast.parse(plan.text), plan.returned
            try:
                return compiled(
                    typing_context, target_context, function, tree, returned, kinds, flags.release_gil
                )
            except NotLowered as reason:
                refused.append(str(reason))
            function = _whole(function, tree)
        super().__init__(*self._given)
        self.state.flags.no_cfunc_wrapper = True
        self.state.typingctx = _remembering(typing_context)
        _refresh_for_new(self.state.targetctx)
        self.state.library = Library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """Return the one pipeline there is."""
        manager = PassManager("kernel")
        for each in passes():
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]


def _whole(function: Any, tree: ast.Module) -> Any:
    """Return a kernel's function with its statements."""
    namespace = dict(function.__globals__)
    exec(compile(tree, function.__code__.co_filename, "exec"), namespace)
    whole = namespace[function.__name__]
    whole.__qualname__ = function.__qualname__
    return whole


@functools.cache
def _remembering(typing_context: Any) -> Any:
    """Return a typing context that finds out only once what a call with arguments of some types is."""
    context = copy.copy(typing_context)
    resolve = context.resolve_function_type
    known: dict[Any, Any] = {}

    def resolve_once(function: Any, arguments: Any, keywords: Any) -> Any:
        key = function, tuple(arguments)
        found = None if keywords else known.get(key)
        if found is None:
            found = resolve(function, arguments, keywords)
            if found is not None and not keywords:
                known[key] = found
        return found

    context.resolve_function_type = resolve_once
    return context


def _refresh_for_new(target_context: Any) -> None:
    """Have a target look through its registries only where there is something new."""
    refresh, seen = target_context.refresh, -1

    def refresh_for_new() -> None:
        nonlocal seen
        count = len(builtin_registry.functions)
        if count != seen:
            seen = count
            refresh()

    target_context.refresh = refresh_for_new
