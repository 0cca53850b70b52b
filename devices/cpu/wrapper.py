"""How Python calls a lowered kernel."""

from __future__ import annotations

from typing import Any

from . import symbols
from .memory import BYTES, INTP
from .toolkit import ArgumentManager, PyCallWrapper, cgutils, ir, types

# Note [Arguments]
# numba's wrapper asks of each array whether it is one, how many elements it has and who owns it, and takes a share in it. The arrays that a kernel is called with
# are looked at before, and held by who calls it. So the wrapper reads where they are, and how they lie: NumPy promises where in an array it keeps that. It asks
# only whether they are arrays of so many axes.

_INT = ir.IntType(32)
_POINTER = BYTES.as_pointer()
_NDARRAY = "transpile_types_ndarray"
symbols.register([_NDARRAY])


class Arguments(ArgumentManager):  # type: ignore[misc]
    """Takes the arguments of a kernel out of Python's objects."""

    def add_arg(self, obj: Any, ty: Any) -> Any:
        """Return an argument as numba has it."""
        if ty == types.complex64:
            return self.single(super().add_arg(obj, types.complex128))
        if not isinstance(ty, types.Array):
            return super().add_arg(obj, ty)
        builder = self.builder
        fields = builder.bitcast(builder.gep(obj, [ir.Constant(INTP, object.__basicsize__)]), _POINTER)

        def field(place: int) -> Any:
            return builder.load(builder.gep(fields, [ir.Constant(INTP, place)]))

        expected = builder.module.globals.get(_NDARRAY)
        if expected is None:
            expected = cgutils.add_global_variable(builder.module, ir.IntType(8), _NDARRAY)
        # The type stands before the fields.
        with builder.if_then(builder.icmp_unsigned("!=", field(-1), expected), likely=False):
            self.refuse("an argument of a kernel is no array")
        axes = builder.load(builder.bitcast(builder.gep(fields, [ir.Constant(INTP, 1)]), _INT.as_pointer()))
        with builder.if_then(builder.icmp_signed("!=", axes, ir.Constant(_INT, ty.ndim)), likely=False):
            self.refuse("an argument of a kernel has other axes")

        def numbers(place: int) -> Any:
            first = builder.bitcast(field(place), INTP.as_pointer())
            parts = [builder.load(builder.gep(first, [ir.Constant(INTP, axis)])) for axis in range(ty.ndim)]
            return cgutils.pack_array(builder, parts, INTP)

        array = cgutils.create_struct_proxy(ty)(self.context, builder)
        array.data = builder.bitcast(field(0), array.data.type)
        array.shape, array.strides = numbers(2), numbers(3)
        return array._getvalue()

    def single(self, number: Any) -> Any:
        """Return a complex128, as which Python hands over all complex numbers, as a complex64."""
        wide = self.context.make_complex(self.builder, types.complex128, value=number)
        narrow = self.context.make_complex(self.builder, types.complex64)
        narrow.real, narrow.imag = (
            self.builder.fptrunc(part, ir.FloatType()) for part in (wide.real, wide.imag)
        )
        return narrow._getvalue()

    def refuse(self, message: str) -> None:
        """Write the way out for an argument that is another one."""
        self.api.err_set_string("PyExc_TypeError", message)
        self.builder.branch(self.nextblk)


class Wrapper(PyCallWrapper):  # type: ignore[misc]
    """Writes a function for Python that calls a kernel, whose status is always there."""

    def build_wrapper(self, api: Any, builder: Any, closure: Any, args: Any, kws: Any) -> None:
        """Write the function."""
        kinds = self.fndesc.argtypes
        objects = [api.alloca_obj() for _ in kinds]
        taken = api.unpack_tuple(args, self.fndesc.qualname, len(kinds), len(kinds), *objects)
        failed = builder.append_basic_block("failed")
        with builder.goto_block(failed):
            builder.ret(api.get_null_object())
        given = builder.append_basic_block("given")
        builder.cbranch(builder.icmp_unsigned("!=", taken, ir.Constant(taken.type, 0)), given, failed)
        builder.position_at_end(given)
        # It holds no objects of Python's, of which numba keeps those of a function in an environment.
        arguments = Arguments(self.context, builder, api, None, failed, len(kinds))
        values = [
            arguments.add_arg(builder.load(place), kind) for place, kind in zip(objects, kinds, strict=True)
        ]
        thread = api.save_thread() if self.release_gil else None
        status, returned = self.context.call_conv.call_function(
            builder, self.func, self.fndesc.restype, kinds, values, attrs=("noinline",)
        )
        if thread is not None:
            api.restore_thread(thread)
        with builder.if_then(status.is_ok, likely=True):
            builder.ret(api.from_native_return(self._simplified_return_type(), returned, None))
        # Nothing else ends a kernel so.
        api.err_set_string("PyExc_MemoryError", "Unable to allocate an array")
        builder.ret(api.get_null_object())
