"""Functions of NumPy's that are called whole, at run time, because they look at numbers to decide what they do or how much they give."""

from __future__ import annotations

import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, fresh
from transpile.runtime.arrays.checkpoint import Checkpoint
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import NeedsValue, Recorder, recorder
from transpile.runtime.arrays.references import references
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.errors import AlwaysRaises
from transpile.runtime.graph.dim import Dim, DimLike, substitute
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT, PYTHON_TYPES, ArrayType, ScalarType, dims_of, weak
from transpile.runtime.ops.creation import laid_out
from transpile.runtime.ops.kept import (
    ArrayPart,
    ConstantPart,
    NumberPart,
    Pattern,
    SequenceParts,
    parts_of,
    stepping,
)

from .deferred import SymbolicText, deferred
from .effects import as_now
from .hosts import is_handed

# Note [Whole calls]
# `numpy.roots` strips zeros, `numpy.histogram(x, "auto")` chooses bins: how much they give is for run time to say. The graph calls such a function as it
# is, keeps what it gives (`kept`), and takes out its parts with the sizes that they have (`kept_part`). Of which kinds the parts are is found by
# calling the function while tracing, on small arrays of the same dtypes; and which dims of theirs are dims of the operands, by calling it on other
# sizes and other numbers. Both are checked at run time, and the original runs a call where they are not so. What a function gives must be new.

_MODULES = ("numpy", "numpy.linalg", "numpy.lib", "numpy.fft", "numpy.polynomial", "numpy._core")
_SCIENCE = (
    "scipy.special",
    "scipy.linalg",
    "scipy.fft",
    "scipy.signal",
    "scipy.ndimage",
    "scipy.interpolate",
    "scipy.integrate",
    "scipy.spatial.distance",
)
# Functions that write into what they are handed, or do what can be seen.
_WRITERS = frozenset(
    [
        "copyto",
        "put",
        "place",
        "putmask",
        "put_along_axis",
        "fill_diagonal",
        "fromfile",
        "fromregex",
        "genfromtxt",
        "load",
        "loadtxt",
        "save",
        "savetxt",
        "savez",
        "savez_compressed",
        "show_config",
        "show_runtime",
        "set_printoptions",
        "setbufsize",
        "seterr",
        "seterrcall",
        "info",
        "test",
        "nditer",
        "nested_iters",
        "printoptions",
        "errstate",
        "geterr",
        "get_printoptions",
        "getbufsize",
        "geterrcall",
        "empty",
        "empty_like",
        "shares_memory",
        "may_share_memory",
        "byte_bounds",
        "setflags",
    ]
)
# Arrays at hand that are larger are not tried.
_MOST = 100_000
_OPTIONS = (
    "out",
    "overwrite_input",
    "overwrite_a",
    "overwrite_b",
    "overwrite_x",
    "output",
    "random_state",
    "rng",
)


def is_whole(function: Any) -> bool:
    """Whether a function of NumPy's or SciPy's computes something of its arguments, and does nothing else."""
    module, name = getattr(function, "__module__", None), getattr(function, "__name__", None)
    if isinstance(function, np.ufunc):
        return True
    if not isinstance(module, str) or not isinstance(name, str) or isinstance(function, type):
        return False
    if isinstance(function, types.BuiltinMethodType) and not isinstance(
        function.__self__, (types.ModuleType, type(None))
    ):
        return False
    public = name not in _WRITERS and not name.startswith("_")
    named = module in ("numpy",) or any(
        module == home or module.startswith(home + ".") for home in (*_MODULES[1:], *_SCIENCE)
    )
    return public and named


class Whole:
    """A call that may have to be made whole, from where tracing stood before it was traced."""

    def __init__(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function, self.args, self.kwargs = function, args, kwargs
        self.record = recorder()
        self.checkpoint = Checkpoint(self.record)

    def attempt(self, trace: Callable[..., Any]) -> Any:
        """Return what tracing the call gives, or what the call made whole gives where it cannot be traced."""
        try:
            return trace(*self.args, **self.kwargs)
        except AlwaysRaises:
            raise
        except Exception as error:
            reason: BaseException = error
        except NeedsValue as need:
            if _is_of_scalars(self.record, need.value):
                raise
            reason = need
        if not self.checkpoint.is_silent or not self._is_handed():
            raise reason
        self.checkpoint.restore()
        found = self._made()
        if found is None:
            raise reason
        return found[0]

    def _is_handed(self) -> bool:
        things = [*self.args, *self.kwargs.values()]
        given = (self.kwargs.get(option) for option in _OPTIONS)
        if any(option is not None and option is not False for option in given):
            return False
        arrays = list(_arrays_in(things))
        return all(is_handed(thing, arrays=True) for thing in things) and not any(
            array.storage.copied for array in arrays
        )

    def _made(self) -> tuple[Any] | None:
        """Return what stands for what the function gives; None where it gives what cannot be kept."""
        values: list[Value] = []
        make, function = deferred(([*self.args], self.kwargs), values), self.function
        trials = _Trials(self.record, make, function, values)
        if trials.gives_text:
            return (SymbolicText(_text_of, (function, as_now(self.args), as_now(self.kwargs))),)
        if trials.pattern is None:
            return None

        def call(given: tuple[Any, ...]) -> Any:
            positional, named = make(given)
            return function(*positional, **named)

        call.__name__ = function.__name__
        record = self.record
        record.holds = True
        place = next(_places)
        handle = record.emit("kept", *values, function=call, pattern=trials.pattern, place=place)
        name = f"{getattr(function, '__module__', 'numpy')}.{function.__name__}"
        record.deoptimise_if(
            record.emit("less", handle, record.constant(0, INT)),
            f"{name} gives what it did not give while tracing",
        )
        return (_Taking(record, handle, trials.dims).taken(trials.pattern),)


def _text_of(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    found: str = function(*args, **kwargs)
    return found


def _numbers() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


_places = _numbers()


def _arrays_in(thing: Any) -> Iterator[SymbolicArray]:
    if isinstance(thing, SymbolicArray):
        yield thing
    elif isinstance(thing, (list, tuple, dict)):
        for item in references(thing):
            yield from _arrays_in(item)


def _is_of_scalars(record: Recorder, value: Value) -> bool:
    """Whether a value is computed of scalar arguments alone, for which tracing can ask."""
    stack, seen, asks = [value], set(), False
    while stack:
        item = stack.pop()
        if item in seen:
            continue
        seen.add(item)
        if item.owner is record.graph.block:
            if record.graph.inputs[item.index].source == "array":
                return False
            asks = True
        elif item.op is None or item.op.regions or item.op.name == "load":
            return False
        else:
            stack.extend(item.op.operands)
    return asks


class _Trials:
    """What a function gives of arrays of several sizes: the pattern of it, and for each array in it the dims, None where run time has to say."""

    def __init__(self, record: Recorder, make: Any, function: Any, values: Sequence[Value]) -> None:
        self.record, self.make, self.function, self.values = record, make, function, values
        self.pattern: Pattern | None = None
        self.gives_text = False
        self.dims: list[tuple[DimLike | None, ...]] = []
        self.known = {dim for value in values for dim in map(record.normal, dims_of(value.type))} | {1}
        runs = self._runs()
        if not runs:
            return
        found, operands, _ = runs[0]
        self.gives_text = all(type(run[0]) is str for run in runs)
        self.pattern = _pattern_of(found)
        parts = [] if self.pattern is None else parts_of(self.pattern, found, operands)
        if self.pattern is None or parts is None:
            self.pattern = None
            return
        shapes = []
        for run_found, run_operands, sizes in runs:
            other = parts_of(self.pattern, run_found, run_operands)
            if other is not None:
                shapes.append(([part.shape for part in other if isinstance(part, np.ndarray)], sizes))
        for number, part in enumerate(p for p in parts if isinstance(p, np.ndarray)):
            self.dims.append(tuple(self._dim(number, axis, shapes) for axis in range(part.ndim)))

    def _dim(self, number: int, axis: int, shapes: Sequence[Any]) -> DimLike | None:
        """Return the dim, among those of the operands, that an array's length along an axis is in all trials."""
        if len(shapes) < 3:
            return None
        for dim in sorted(self.known, key=str):
            if all(found[number][axis] == substitute(dim, sizes) for found, sizes in shapes):
                return dim
        return None

    def _runs(self) -> list[Any]:
        """Return what the function gives, of what operands and sizes: first of the arrays at hand, then of small ones, or of ones of about their size."""
        at_hand = self._run(0, at_hand=True) if self._are_at_hand() else None
        for small in (True, False):
            runs = [run for trial in range(3) if (run := self._run(trial, small)) is not None]
            if len(runs) == 3:
                break
        return runs if at_hand is None else [at_hand, *runs]

    def _are_at_hand(self) -> bool:
        arrays = [value for value in self.values if isinstance(value.type, ArrayType)]
        record = self.record
        return all(value in record.at_hand and record.at_hand[value].size <= _MOST for value in arrays)

    def _run(self, trial: int, small: bool = False, at_hand: bool = False) -> Any:
        sizes: dict[Value, int] = {}
        samples = self.record.samples

        def size(value: Value) -> int:
            if value not in sizes:
                sample = samples.get(value)
                grows = value in self.record.bounds.sizes or sample is None
                if sample is None or (small and grows):
                    sizes[value] = 4 + trial + 2 * len(sizes)
                else:
                    sizes[value] = sample + trial if grows else sample
            return sizes[value]

        try:
            operands = tuple(_locked(self._example(value, size, trial, at_hand)) for value in self.values)
            positional, named = self.make(operands)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                return self.function(*positional, **named), operands, size
        except Exception:
            return None

    def _example(self, value: Value, size: Callable[[Value], int], trial: int, at_hand: bool) -> Any:
        type_, record = value.type, self.record
        if isinstance(type_, ArrayType):
            if at_hand:
                return record.at_hand[value]
            dims = [int(substitute(record.normal(dim), size)) for dim in type_.dims]  # type: ignore[arg-type]
            array = laid_out(dims, type_.dtype, type_.order)
            array[...] = _filling(trial, array.size, type_.dtype).reshape(dims)
            return array
        assert isinstance(type_, ScalarType)
        if value.op is not None and value.op.name == "constant":
            return value.op.attributes["value"]
        number: Any = substitute(record.dim(value), size) if type_ == INT else 1
        return type_.python(number) if type_.weak else type_.dtype.type(number)


def _locked(operand: Any) -> Any:
    """Return an operand that a function cannot write into."""
    if not isinstance(operand, np.ndarray):
        return operand
    view = operand.view()
    view.flags.writeable = False
    return view


def _filling(trial: int, count: int, dtype: np.dtype[Any]) -> Any:
    """Return the numbers of an array for a trial: ones, then two kinds of different ones."""
    numbers = (
        np.ones(count) if trial == 0 else np.arange(count) * (0.37, 1.0)[trial - 1] - (0.5, 0.0)[trial - 1]
    )
    return (
        numbers % 2 > 0.6 if dtype.kind == "b" else abs(numbers) if dtype.kind == "u" else numbers
    ).astype(dtype)


def _pattern_of(thing: Any) -> Pattern | None:
    """Return the pattern of what a function gave; None where the graph cannot hold it."""
    if type(thing) is np.ndarray:
        if thing.dtype not in DTYPES:
            return None
        order = tuple(int(axis) for axis in np.argsort([-stride for stride in thing.strides], kind="stable"))
        gap = stepping(thing)
        if gap is None or gap > 0:
            return ArrayPart(thing.dtype, thing.ndim, None, gap or 1)
        packed = stepping(thing.transpose(order)) == 1
        return ArrayPart(thing.dtype, thing.ndim, order) if packed else None
    if isinstance(thing, np.generic):
        return NumberPart(ScalarType(thing.dtype)) if thing.dtype in DTYPES else None
    if type(thing) in PYTHON_TYPES:
        return NumberPart(weak(type(thing)))
    if thing is None:
        return ConstantPart(thing)
    if isinstance(thing, (tuple, list)) and (type(thing) in (tuple, list) or hasattr(thing, "_fields")):
        items = [_pattern_of(item) for item in thing]
        return None if any(item is None for item in items) else SequenceParts(type(thing), tuple(items))
    return None


class _Taking:
    """Takes the parts out of what is kept."""

    def __init__(self, record: Recorder, handle: Value, dims: Sequence[tuple[DimLike | None, ...]]) -> None:
        self.record, self.handle = record, handle
        self.dims = iter(dims)
        self.count = -1

    def taken(self, pattern: Pattern) -> Any:
        """Return what stands for a thing of a pattern."""
        if isinstance(pattern, SequenceParts):
            items = [self.taken(item) for item in pattern.items]
            return pattern.kind(*items) if hasattr(pattern.kind, "_fields") else pattern.kind(items)
        self.count += 1
        if isinstance(pattern, ConstantPart):
            return pattern.thing
        if isinstance(pattern, NumberPart):
            return SymbolicScalar(self._part(pattern.type))
        dims = tuple(self._dim(axis, dim) for axis, dim in enumerate(next(self.dims)))
        if pattern.gap == 1:
            return fresh(self._part(None, dtype=pattern.dtype, dims=dims, order=pattern.order))
        dims = (*dims, pattern.gap)
        repeated = self._part(None, dtype=pattern.dtype, dims=dims, order=None, gap=pattern.gap)
        return fresh(repeated)[..., 0]

    def _part(self, type_: ScalarType | None, axis: int | None = None, **attributes: Any) -> Value:
        return self.record.emit(
            "kept_part", self.handle, part=self.count, type=type_, axis=axis, **attributes
        )

    def _dim(self, axis: int, dim: DimLike | None) -> DimLike:
        """Return the length of the part along an axis: the one that it should have, which is checked, or what run time says."""
        record = self.record
        length = self._part(INT, axis)
        if dim is None:
            record.bounds.sizes.add(length)
            return record.dim(length)
        differs = record.emit("not_equal", length, record.dim_value(dim))
        record.deoptimise_if(differs, "a function gives an array of another size than while tracing")
        return dim if isinstance(dim, (int, Dim)) else record.dim(length)
