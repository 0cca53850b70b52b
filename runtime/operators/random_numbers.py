"""Random numbers: NumPy and Python draw them, in the order of the program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray, dim_scalar
from transpile.runtime.arrays.broadcasting import agree
from transpile.runtime.arrays.cells import Resource
from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.arrays.handle import OBJECT_METHODS
from transpile.runtime.arrays.indexing import as_dim
from transpile.runtime.arrays.numbers import DTYPES
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.composites.arguments import as_dims
from transpile.runtime.composites.sequences import as_array
from transpile.runtime.graph.dim import DimLike
from transpile.runtime.graph.types import FLOAT, INT, INT64, ArrayType, ScalarType
from transpile.runtime.ops.journal import journal

from .draws import PARAMETERS, Draw, draw_of
from .hosts import Result, host_call, is_handed
from .traversal import SymbolicRange

GENERATORS = Resource("random")

# Distributions of floats and of integers that all generators have.
_FLOATS = (
    "random", "standard_normal", "standard_exponential", "normal", "uniform", "exponential", "gamma", "standard_gamma", "beta", "chisquare", "f",
    "laplace", "logistic", "lognormal", "gumbel", "pareto", "power", "rayleigh", "standard_cauchy", "standard_t", "triangular", "vonmises", "wald",
    "weibull", "noncentral_chisquare", "noncentral_f",
)  # fmt: skip
_INTEGERS = ("poisson", "binomial", "geometric", "logseries", "negative_binomial", "zipf", "hypergeometric")
# Those that NumPy draws in float32, too.
_SINGLE = frozenset(("random", "standard_normal", "standard_exponential", "standard_gamma"))

# What is called: a method, by name, of a generator that is the first argument; or a function.
Target = Callable[..., Any] | str


def refuse(name: str, what: str) -> Any:
    """Refuse a draw."""
    return recorder().unstageable("S208-random", f"{name} {what}")


def drawn(
    target: Target,
    args: Sequence[Any],
    kwargs: dict[str, Any],
    scalar: Result,
    dims: Sequence[DimLike] | None,
    is_known: bool = True,
    draw: Draw | None = None,
) -> Any:
    """Return what a call gives: a number, or an array of `dims` where there are some. If it `is_known`, it is the same when it is made once more."""
    name = target if isinstance(target, str) else target.__name__
    if not all(is_handed(thing, arrays=True) for thing in (*args, *kwargs.values())):
        refuse(name, "is handed what is not staged")
    if dims is not None:
        assert isinstance(scalar, ScalarType)
        scalar = ArrayType(scalar.dtype, tuple(dims))
    marks = {} if is_known else {"differs": True}
    return host_call(
        GENERATORS, target, tuple(args), kwargs, scalar, noted=_noted(target), draw=draw, **marks
    )


def _noted(target: Target) -> Callable[..., Any]:
    """Return what is called as a function that notes the state of the generator which it draws from, if it does not make one."""
    if isinstance(target, str):

        def method(generator: Any, *args: Any, **kwargs: Any) -> Any:
            journal().keep_generator(generator)
            return getattr(generator, target)(*args, **kwargs)

        return method
    if isinstance(target, type) or target is np.random.default_rng:
        return target

    def function(*args: Any, **kwargs: Any) -> Any:
        journal().keep_generator(getattr(target, "__self__", np.random))
        return target(*args, **kwargs)

    return function


def _shared(parameters: Sequence[SymbolicArray]) -> Sequence[DimLike] | None:
    """Return the dims that arrays of parameters broadcast to, None where a number is drawn."""
    return agree([parameter.dims for parameter in parameters], _mismatch) or None


def _mismatch(shapes: Sequence[tuple[int, ...]]) -> Exception:
    try:
        np.broadcast_shapes(*shapes)
    except ValueError as error:
        return error
    raise AssertionError(f"{shapes} agree")


def sizes(dims: Sequence[DimLike]) -> tuple[Any, ...]:
    """Return dims as what `size=` is given."""
    return tuple(map(dim_scalar, dims))


def _distribution(name: str, target: Target, scalar: ScalarType, owned: bool) -> Callable[..., Any]:
    """Return what stands for a distribution whose parameters stand before `size`."""
    count = len(PARAMETERS[name])

    def draw(*args: Any, size: Any = None, out: Any = None, **kwargs: Any) -> Any:
        owner, args, behind = args[:owned], args[owned : owned + count], args[owned + count :]
        typed = name in _SINGLE and owned and issubclass(owner[0].kind, np.random.Generator)
        if behind and size is None:
            size, *behind = behind  # type: ignore[assignment]
        if behind and typed:
            kwargs["dtype"], *behind = behind  # type: ignore[assignment]
        dtype = np.dtype(kwargs.get("dtype") or np.float64)
        single = dtype == np.float32
        if (
            behind
            or not (typed or (out is None and "dtype" not in kwargs))
            or dtype not in (np.float32, np.float64)
        ):
            refuse(name, "with these arguments")
        if out is not None:
            return fill(owner, args, size, out, dtype, kwargs)
        options = {key: option for key, option in kwargs.items() if key != "dtype"}
        known = draw_of(f"{name}32" if single else name, owner[0] if owned else None, args, options)
        parameters = [thing for thing in (*args, *kwargs.values()) if isinstance(thing, SymbolicArray)]
        if size is None:
            return drawn(target, (*owner, *args), kwargs, scalar, _shared(parameters), draw=known)
        dims = as_dims(size)
        kind = ScalarType(dtype) if single else scalar
        return drawn(target, (*owner, *args), {**kwargs, "size": sizes(dims)}, kind, dims, draw=known)

    def fill(owner: Any, args: Any, size: Any, out: Any, dtype: np.dtype[Any], kwargs: dict[str, Any]) -> Any:
        plain = isinstance(out, SymbolicArray) and out.contiguous and out.type.order is None
        if size is not None or not plain or out.dtype != dtype:
            refuse(name, "into what is not an array in C order of these numbers")
        out.write(draw(*owner, *args, size=sizes(out.dims), **kwargs).read())
        return out

    return draw


def _integers(name: str, target: Target, owned: bool, default: Any) -> Callable[..., Any]:
    """Return what stands for `Generator.integers`, or `randint`."""

    def draw(*args: Any, size: Any = None, dtype: Any = default, **kwargs: Any) -> Any:
        owner, bounds = args[:owned], args[owned:]
        if len(bounds) > 2:
            bounds, size, *rest = bounds[:2], *bounds[2:]
            dtype, *rest = rest or [dtype]
            if rest:
                refuse(name, "with these arguments")
        arrays = [thing for thing in (*bounds, *kwargs.values()) if isinstance(thing, SymbolicArray)]
        own = np.dtype(dtype)
        if own not in DTYPES or own.kind not in "iub" or not isinstance(kwargs.get("endpoint", False), bool):
            refuse(name, "with these arguments")
        options = {**kwargs, "dtype": dtype}
        known = _bounds(name, owner[0] if owned else None, *bounds, **kwargs)
        if size is None:
            scalar, shared = ScalarType(own, weak=dtype in (int, bool)), _shared(arrays)
            return drawn(target, (*owner, *bounds), options, scalar, shared, draw=known)
        dims = as_dims(size)
        options["size"] = sizes(dims)
        return drawn(target, (*owner, *bounds), options, ScalarType(own), dims, draw=known)

    return draw


def _bounds(name: str, generator: Any, low: Any, high: Any = None, endpoint: bool = False) -> Draw | None:
    """Return what is known of a draw of integers in a range."""
    bounds = (0, low) if high is None else (low, high)
    return draw_of(f"{name}_closed" if endpoint else name, generator, bounds, {})


def _choice(target: Target, owned: bool, integers: str) -> Callable[..., Any]:
    def choice(*args: Any, **kwargs: Any) -> Any:
        owner, given = args[:owned], args[owned:]
        if not given and "a" not in kwargs:
            refuse("choice", "with these arguments")
        things, *rest = given or (kwargs.pop("a"),)
        options = dict(zip(("size", "replace", "p"), rest, strict=False)) | kwargs
        if len(rest) > 3 or not options.keys() <= {"size", "replace", "p", "shuffle"}:
            refuse("choice", "with these arguments")
        size = options.pop("size", None)
        dims = None if size is None else as_dims(size)
        if dims is not None:
            options["size"] = sizes(dims)
        # A choice that leaves all there is one of the places, in NumPy too.
        free = options.get("replace", True) is True and options.get("p") is None
        if not isinstance(things, (SymbolicArray, SymbolicRange, list, tuple, range)):
            known = _bounds(integers, owner[0] if owned else None, things) if free else None
            return drawn(target, (*owner, things), options, INT, dims, draw=known)
        things = as_array(things)
        if things.ndim != 1 or dims == ():
            refuse("choice", "of other than a vector, or in an array without axes")
        if free and recorder().assume_nonnegative(things.dims[0] - 1):
            return things[choice(*owner, dim_scalar(things.dims[0]), **options)]
        return drawn(target, (*owner, things), options, ScalarType(things.dtype), dims)

    return choice


def _is_first(kwargs: dict[str, Any], owner: Sequence[Any]) -> bool:
    """Whether no other axis than the first is named, which new generators alone take."""
    is_new = bool(owner) and getattr(owner[0], "kind", type(owner[0])) is np.random.Generator
    return not kwargs or (
        is_new and kwargs.keys() == {"axis"} and type(kwargs["axis"]) is int and not kwargs["axis"]
    )


def _permutation(target: Target, owned: bool) -> Callable[..., Any]:
    """Return what stands for `permutation`: of things, it is that of their places, in NumPy too."""

    def permutation(*args: Any, **kwargs: Any) -> Any:
        owner, (things, *rest) = args[:owned], args[owned:]
        if rest or not _is_first(kwargs, owner):
            refuse("permutation", "along an axis")
        if isinstance(things, (SymbolicArray, list, tuple)):
            things = as_array(things)
            if not things.ndim or (
                things.ndim > 1 and (things.type.order is not None or not things.contiguous)
            ):
                refuse("permutation", "of an array without axes, or not in C order")
            return things[permutation(*owner, dim_scalar(things.dims[0]))]
        size = as_dim(things)
        record = recorder()
        if not record.assume_nonnegative(size):
            none = record.constant(0, INT)
            size = record.dim(record.emit("slice_length", none, record.dim_value(size), step=1))
        known = draw_of("permutation", owner[0] if owned else None, (), {})
        return drawn(target, (*owner, things), {}, ScalarType(INT64), (size,), draw=known)

    return permutation


def _shuffle(permutation: Callable[..., Any], owned: bool) -> Callable[..., None]:
    """Return what stands for `shuffle`, which draws what `permutation` does."""

    def shuffle(*args: Any, **kwargs: Any) -> None:
        owner, (array, *rest) = args[:owned], args[owned:]
        along = not rest and _is_first(kwargs, owner)
        if not isinstance(array, SymbolicArray) or not array.ndim or not along:
            refuse("shuffle", "of other than an array, or along an axis")
        array.write(array[permutation(*owner, dim_scalar(array.dims[0]))].read())

    return shuffle


def _simple(target: Target, owned: bool, result: Result = None) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return drawn(target, args, kwargs, result, None)

    return call


def _grid(name: str, target: Target, owned: bool) -> Callable[..., Any]:
    """Return what stands for `rand` and `randn`, which take dims one by one."""

    def draw(*shape: Any) -> Any:
        owner, shape = shape[:owned], shape[owned:]
        dims = as_dims(shape) if shape else None
        known = draw_of(name, owner[0] if owned else None, (), {})
        return drawn(target, (*owner, *sizes(dims or ())), {}, FLOAT, dims, draw=known)

    return draw


def _stand_ins(
    target: Callable[[str], Target], owned: bool, integers: str, default: Any
) -> dict[str, Callable[..., Any]]:
    """Return what stands for the methods that NumPy's generators, new and old, have in common."""
    found = {
        name: _distribution(name, target(name), scalar, owned)
        for names, scalar in ((_FLOATS, FLOAT), (_INTEGERS, INT))
        for name in names
    }
    found[integers] = _integers(integers, target(integers), owned, default)
    found["choice"] = _choice(target("choice"), owned, integers)
    found["permutation"] = _permutation(target("permutation"), owned)
    found["shuffle"] = _shuffle(found["permutation"], owned)
    return found


def _method(name: str) -> Target:
    return name


def _legacy(name: str) -> Target:
    function: Callable[..., Any] = getattr(np.random, name)
    return function


OBJECT_METHODS[np.random.Generator] = _stand_ins(_method, True, "integers", np.int64)
OBJECT_METHODS[np.random.RandomState] = _stand_ins(_method, True, "randint", int)

for _name, _stand_in in _stand_ins(_legacy, False, "randint", int).items():
    FUNCTIONS[getattr(np.random, _name)] = _stand_in
for _name in ("random_sample", "sample", "ranf"):
    FUNCTIONS[getattr(np.random, _name)] = _distribution(_name, _legacy(_name), FLOAT, False)
OBJECT_METHODS[np.random.RandomState]["random_sample"] = _distribution(
    "random_sample", "random_sample", FLOAT, True
)
for _name in ("rand", "randn"):
    FUNCTIONS[getattr(np.random, _name)] = _grid(_name, _legacy(_name), False)
    OBJECT_METHODS[np.random.RandomState][_name] = _grid(_name, _name, True)
