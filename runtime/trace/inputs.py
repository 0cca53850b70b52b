"""Inputs of a graph: numbers, and arrays with their dims."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.cells import Storage
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recarrays import hides
from transpile.runtime.arrays.recorder import Recorder
from transpile.runtime.arrays.records import RecordArray
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.graph.dim import Dim, DimLike, values_of
from transpile.runtime.graph.ir import Input, Value
from transpile.runtime.graph.records import overlap
from transpile.runtime.graph.types import INT, ArrayType, ScalarType, weak
from transpile.runtime.views.view import View

from .guard import LIES, ArrayKey, apart, goes_on, packed
from .handed_records import HandedFields, making
from .path import Path

# As many arrays are compared pair by pair.
_FEW = 5
# What every call looks up and checks one by one, and every branch while tracing looks through.
_MOST = 2000


class Inputs:
    """Adds inputs to a graph; `guard` notes what is asked of what is fed to them."""

    def __init__(
        self, recorder: Recorder, guard: Callable[[Path, str, Any], None], specialised: dict[str, Any]
    ) -> None:
        self.recorder = recorder
        self.guard = guard
        # Inputs that must be known while tracing, by the text of their path.
        self.specialised = specialised
        # By identity: where an array is found, what stands for it, and itself.
        self._arrays: dict[int, tuple[Path, SymbolicArray | RecordArray, Any]] = {}
        # The identity of the array that an input is, or is a field of.
        self._owners: dict[int, int] = {}
        # The arrays that classes hold, which the trace may have as they are, too.
        self._held: set[int] = set()
        self._fields: list[HandedFields] = []

    def scalar(self, path: Path, thing: Any) -> Any:
        """Return what stands for a number."""
        if str(path) in self.specialised:
            self.guard(path, "equals", thing)
            return thing
        if type(thing) is int and not -(2**63) <= thing < 2**63:
            self.recorder.unstageable("S120-big-integer", f"{path} does not fit into 64 bits")
        self.guard(path, "type", type(thing))
        type_ = weak(type(thing)) if type(thing) in (int, float, complex) else ScalarType(thing.dtype)
        value, _ = self.input(Input("scalar", path), type_, name_of(path))
        if type(thing) is int:
            self.recorder.samples[value] = thing
        return SymbolicScalar(value)

    def input(self, input_: Input, type_: Any, name: str) -> tuple[Value, int]:
        """Add an input to the graph; return its value and its place."""
        graph = self.recorder.graph
        if len(graph.inputs) >= _MOST:
            self.recorder.unstageable(
                "S317-handed",
                f"more than {_MOST} numbers and arrays are handed in",
                "hand in an array of them",
            )
        graph.inputs.append(input_)
        return graph.block.argument(type_, name), len(graph.inputs) - 1

    def array(self, path: Path, array: np.ndarray[Any, Any]) -> Any:
        """Return what stands for an array."""
        known = self._arrays.get(id(array))
        if known is not None:
            self.guard(path, "same", known[0])
            return known[1]
        if array.dtype.names is None:
            self._check_compiled(path, array)
        if not array.flags.aligned:
            self._refuse_unaligned(path, array)
        if array.dtype.names is not None:
            return self._records(path, array)
        key = ArrayKey.of(array)
        self.guard(path, "array", key)
        dims, sizes = self._dims(path, array)
        result = self._array(path, array, key, dims, array)
        for size_input in sizes:
            size_input.of = result.storage.input or 0
        self._arrays[id(array)] = (path, result, array)
        return result

    def _check_compiled(self, path: Path, array: np.ndarray[Any, Any]) -> None:
        """Refuse an array of what is not compiled."""
        if array.dtype not in DTYPES or not array.dtype.isnative:
            # Another integer type of the same size is written as one that is compiled.
            is_other = array.dtype.kind in "iu" and array.dtype.isnative
            name = array.dtype.type.__name__ if is_other else array.dtype
            self.recorder.unstageable("S122-dtype", f"{path} has the dtype {name}, which is not compiled")

    def _refuse_unaligned(self, path: Path, array: np.ndarray[Any, Any]) -> NoReturn:
        self.recorder.unstageable(
            "S297-unaligned", f"{path} does not lie at addresses that fit {array.dtype}", "hand in a copy"
        )

    def _dims(self, path: Path, array: np.ndarray[Any, Any]) -> tuple[list[DimLike], list[Input]]:
        """Return the dims of an array, and the inputs that give those that are not known."""
        dims: list[DimLike] = []
        sizes: list[Input] = []
        for axis, size in enumerate(array.shape):
            if size == 1:
                dims.append(1)
            elif f"{path}.shape[{axis}]" in self.specialised:
                self.guard(path, "dim", (axis, size))
                dims.append(size)
            else:
                source = Input("dim", path.attribute(f"shape[{axis}]"), axis=axis)
                sizes.append(source)
                value, _ = self.input(source, INT, f"{name_of(path)}{axis}")
                self.recorder.bounds.sizes.add(value)
                self.recorder.samples[value] = size
                dims.append(Dim.of_value(value))
        return dims, sizes

    def _array(
        self,
        path: Path,
        array: np.ndarray[Any, Any],
        key: ArrayKey,
        dims: Sequence[DimLike],
        owner: np.ndarray[Any, Any],
    ) -> SymbolicArray:
        """Add the input for an array, which is `owner` or a field of it, and return what stands for it."""
        aligned = bool(array.flags.aligned)
        source = Input("array", path, contiguous=key.contiguous, writable=bool(key.writable), aligned=aligned)
        # Axes that repeat the same elements are a view of one turn of them.
        own = tuple(1 if axis in key.repeated else dim for axis, dim in enumerate(dims))
        type_ = ArrayType(array.dtype, own, key.order)
        value, place = self.input(source, type_, name_of(path))
        self._owners[place] = id(owner)
        storage = Storage(type_, value.name, input_=place, contiguous=key.contiguous, writable=key.writable)
        self.recorder.graph_frame.cells[storage] = value
        self.recorder.at_hand[value] = array
        repeats = View.identity(own).broadcast(dims)
        result = SymbolicArray(storage, (repeats,) if key.repeated else ())
        result.region = None
        storage.owner = result
        return result

    def _records(self, path: Path, array: np.ndarray[Any, Any]) -> RecordArray:
        """Return what stands for an array of records."""
        key = ArrayKey.of(array)
        if type(array) is np.recarray and hides(array.dtype):
            self.recorder.unstageable("S323-records", f"a field of {path} has a name that is not compiled")
        if key.repeated or overlap(array.dtype):
            self.recorder.unstageable("S323-records", f"{path} is an array of records that share memory")
        self.guard(path, "array", key)
        dims, sizes = self._dims(path, array)
        fields = HandedFields(self, path, array, dims, sizes)
        self._fields.append(fields)
        self._arrays[id(array)] = (path, fields.whole, array)
        return fields.whole

    def leaf(
        self, path: Path, array: np.ndarray[Any, Any], dims: Sequence[DimLike], owner: np.ndarray[Any, Any]
    ) -> SymbolicArray:
        """Return what stands for a field of an array of records."""
        self._check_compiled(path, array)
        self.guard(path, "flags", array.flags.num & LIES)
        key = ArrayKey.of(array)
        if key.contiguous and not array.flags.aligned:
            self._refuse_unaligned(path, array)
        return self._array(path, array, key, dims, owner)

    def made(
        self, function: Callable[..., Any], dims: Sequence[DimLike], dtype: np.dtype[Any]
    ) -> RecordArray:
        """Return what stands for the array of records that `function`, of NumPy's, makes of a shape and a dtype: each call is handed a new one, as NumPy has it."""
        record = self.recorder
        dims = tuple(map(record.normal, dims))
        values = list(dict.fromkeys(value for dim in dims for value in values_of(dim)))
        inputs = dict(zip(record.graph.block.arguments, record.graph.inputs, strict=True))
        if record.frame is not record.graph_frame or not all(
            v in inputs and v in record.samples for v in values
        ):
            record.unstageable(
                "S323-records",
                "an array of records is made in a loop or branch, or of a size that is no argument's",
                "make it outside",
            )
        if overlap(dtype):
            record.unstageable("S323-records", "an array is made of records that share memory")
        make = making(function, dims, values, dtype)
        path = Path("made", (make, [inputs[value].path for value in values]))
        fields = HandedFields(self, path, make(*(record.samples[value] for value in values)), dims, ())
        self._fields.append(fields)
        return fields.whole

    def found(self, place: int) -> tuple[Path, np.ndarray[Any, Any]] | None:
        """Return where the array is found that is an input, and itself; None where it is a field of one, or made."""
        known = self._arrays.get(self._owners[place])
        if known is None or not isinstance(known[1], SymbolicArray) or known[1].storage.input != place:
            return None
        return known[0], known[2]

    def found_arrays(self) -> list[tuple[Path, np.ndarray[Any, Any]]]:
        """Return the arrays that were handed in, but for those that are made of lists, and where they are found."""
        return [
            (path, array)
            for path, _, array in self._arrays.values()
            if path.base is None or path.base.kind != "columns"
        ]

    def settle(self) -> None:
        """Have all dims something that they are read of."""
        for fields in self._fields:
            fields.settle()

    def release(self) -> None:
        """Let go of the arrays that were handed in."""
        self._arrays.clear()
        self._fields.clear()
        self.recorder.at_hand.clear()

    def are_apart(self, one: int, other: int) -> bool:
        """Whether the arrays at two inputs share no memory, which is guarded then."""
        if not {self._owners[one], self._owners[other]} <= self._arrays.keys():
            # One is new.
            return True
        (path, _, first), (other_path, _, second) = (
            self._arrays[self._owners[place]] for place in (one, other)
        )
        if not apart(first, second):
            return False
        self.guard(path, "apart", other_path)
        return True

    def lies_backwards(self, place: int, axis: int) -> bool:
        """Whether the stride along an axis of the array at an input is negative, which is guarded then."""
        array = self.recorder.at_hand[self.recorder.graph.block.arguments[place]]
        if array.flags.forc and array.shape[axis] > 1:
            # What has no gaps lies forward, but along axes of length 1.
            return False
        backwards = array.strides[axis] < 0
        self.guard(self.recorder.graph.inputs[place].path, "backwards", (axis, backwards))
        return bool(backwards)

    def goes_on(self, place: int, outer: int, inner: int) -> bool:
        """Whether the stride along an axis of the array at an input is that of another times its length, which is guarded then."""
        array = self.recorder.at_hand[self.recorder.graph.block.arguments[place]]
        found = goes_on(array, outer, inner)
        self.guard(self.recorder.graph.inputs[place].path, "goes on", (outer, inner, found))
        return found

    def lies_packed(self, place: int) -> bool:
        """Whether axes of length 1 of the array at an input, which has no gaps, have the strides of a new array, which is guarded then."""
        value = self.recorder.graph.block.arguments[place]
        order = value.type.axes  # type: ignore[union-attr]
        if not packed(self.recorder.at_hand[value], order):
            return False
        self.guard(self.recorder.graph.inputs[place].path, "packed", tuple(order))
        return True

    def keep_distinct(self) -> None:
        """Guard that arrays that were told apart are not one: pair by pair where there are few, which takes less time."""
        paths = [path for path, *_ in self._arrays.values()]
        if len(paths) > _FEW:
            self.guard(paths[0], "distinct", tuple(paths[1:]))
            return
        for path, other in itertools.combinations(paths, 2):
            self.guard(other, "not", path)

    def shares_memory(self, path: Path, thing: Any) -> bool:
        """Whether a thing is an array that shares memory with one that was handed in; it is guarded that it does not."""
        if not isinstance(thing, np.ndarray):
            return False
        self._held.add(id(thing))
        for other_path, _, other in self._arrays.values():
            if thing is other and str(path) == str(other_path):
                continue
            if not apart(thing, other):
                return True
            self.guard(other_path, "apart", path)
        return False

    def keep_apart(self) -> None:
        """Guard that no other array shares memory with one that is written; refuse a trace where one does so now."""
        graph = self.recorder.graph
        written = {self._owners[place] for place in graph.written}
        if written & self._held:
            self.recorder.unstageable("S249-held", "an array that a class holds is written")
        arrays = [(path, thing) for path, _, thing in self._arrays.values()]
        for place, (path, array) in enumerate(arrays):
            for other_path, other in arrays[place:]:
                if id(array) not in written and id(other) not in written:
                    continue
                if path is other_path and array.flags.forc:
                    continue
                self.guard(path, "apart", other_path)
                if not apart(array, other):
                    self.recorder.unstageable(
                        "S203-overlap", f"{path} is written, or {other_path}, and they share memory"
                    )


def name_of(path: Path) -> str:
    """Return a name for the value at a path."""
    base = path.base
    if (
        base is not None
        and base.base is not None
        and base.key == "__defaults__"
        and base.base.kind == "object"
    ):
        code = base.base.key.__code__
        return str(code.co_varnames[code.co_argcount - len(base.base.key.__defaults__) + path.key])
    text = str(
        path.key[1] if path.kind == "global" else path.key if path.kind in ("argument", "attribute") else path
    )
    return "".join(c if c.isalnum() else "_" for c in text).strip("_") or "value"
