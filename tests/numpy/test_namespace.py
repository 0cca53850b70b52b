"""`transpile.numpy` has every function of the Array API standard, and each does what the standard says, wherever NumPy's own does."""

from __future__ import annotations

import importlib
import itertools
import pickle
import types
from typing import Any

import numpy as np
import pytest

import transpile
import transpile.numpy
from transpile.numpy import Namespace

from . import elementwise, names
from .rows import ROWS

# What no array is computed by, so that there is no graph.
NO_GRAPH = frozenset((*names.DTYPES, "from_dlpack", "asarray", "empty", "empty_like")) - {"astype"}
# What NumPy lacks of the standard before 2.5.
GAPS = {
    "argsort(asarray([3, 1, 2, 1]), descending=True)": "it sorts in ascending order only",
    "sort(asarray([3, 1, 2, 1]), descending=True)": "it sorts in ascending order only",
}
# What is left to NumPy where it has it.
LEFT = GAPS.keys() if np.lib.NumpyVersion(np.__version__) >= "2.5.0" else ()
DEVICES = ["host", pytest.param("cpu", marks=pytest.mark.slow)]

STRICT = {device: Namespace(f"strict_{device}", np, strict=True, device=device) for device in ("host", "cpu")}


class Names(dict[str, Any]):
    """The names of a namespace, as a call sees them."""

    def __init__(self, namespace: Any) -> None:
        super().__init__()
        self.namespace = namespace

    def __missing__(self, name: str) -> Any:
        return getattr(self.namespace, name)


def outcome(call: str, namespace: Any) -> Any:
    """Returns what a call gives in a namespace, or the error that it raises; what the call is handed is NumPy's."""
    with np.errstate(all="ignore"):
        try:
            return eval(call, {"__builtins__": {}}, Names(namespace))
        except (TypeError, ValueError, IndexError) as error:
            return error


def says(found: Any, stated: Any) -> str:
    """Returns how a result differs from what is stated of it; nothing where it does not."""
    if isinstance(stated, list):
        if not isinstance(found, (tuple, list)) or len(found) != len(stated):
            return f"{found!r} instead of {len(stated)} results"
        return "; ".join(filter(None, map(says, found, stated)))
    if not isinstance(stated, tuple):
        return (
            "" if found == stated and not isinstance(found, Exception) else f"{found!r} instead of {stated!r}"
        )
    dtype, elements = stated
    if isinstance(found, Exception) or found.dtype.name != dtype:
        return f"{found!r} instead of {dtype}"
    if isinstance(elements, tuple):
        return "" if found.shape == elements else f"shape {found.shape} instead of {elements}"
    if isinstance(elements, set):
        return (
            "" if set(found.tolist()) == elements and found.ndim == 1 else f"{found!r} instead of {elements}"
        )
    wanted = np.asarray(elements)
    if found.shape != wanted.shape:
        return f"shape {found.shape} instead of {wanted.shape}"
    close = {"float32": 1e-6, "complex64": 1e-6}.get(dtype, 1e-14)
    same = np.isclose(found, wanted, rtol=close, atol=close, equal_nan=True)
    return "" if same.all() else f"{found!r} instead of {elements}"


def exactly(found: Any, stated: Any) -> bool:
    """Whether a number is what is stated: NaN for NaN, zero of the same sign, and close to it otherwise."""
    parts = [(complex(found), complex(stated))]
    for one, other in [p for f, s in parts for p in ((f.real, s.real), (f.imag, s.imag))]:
        if one != one or other != other:
            if (one != one) != (other != other):
                return False
        elif other == 0 and not isinstance(stated, complex):
            if one != 0 or np.signbit(one) != np.signbit(other):
                return False
        elif not np.isclose(one, other, rtol=1e-6, atol=1e-7):
            return False
    return True


# -- the names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names.FUNCTIONS)
def test_every_function_of_the_standard_is_there_and_stated(name: str) -> None:
    thing = outcome(name, transpile.numpy)
    assert callable(thing)
    assert name in ROWS or name in elementwise.DOMAINS


def test_rows_state_no_other_functions() -> None:
    assert set(ROWS) | set(elementwise.DOMAINS) == set(names.FUNCTIONS)
    assert set(elementwise.DOMAINS) == set(names.ELEMENTWISE)


def test_constants_dtypes_and_information() -> None:
    assert [getattr(transpile.numpy, name) for name in names.CONSTANTS if name != "nan"] == [
        np.e,
        np.inf,
        None,
        np.pi,
    ]
    assert np.isnan(transpile.numpy.nan)
    assert all(np.dtype(getattr(transpile.numpy, name)).name == name for name in names.ALL_DTYPES)
    assert transpile.numpy.__array_api_version__ >= "2024.12"
    info = transpile.numpy.__array_namespace_info__()
    assert set(info.capabilities()) == {"boolean indexing", "data-dependent shapes", "max dimensions"}
    assert info.default_device() == "cpu" and list(info.devices()) == ["cpu"]
    assert set(info.default_dtypes()) == {"real floating", "complex floating", "integral", "indexing"}
    assert set(info.dtypes(kind="bool")) == {"bool"} and set(info.dtypes()) == set(names.ALL_DTYPES)


# -- what they do ----------------------------------------------------------------------------------------------------

CASES = [(name, call) for name, rows in ROWS.items() for call, _ in rows]
STATED = {call: stated for rows in ROWS.values() for call, stated in rows}


def calling(name: str, device: str) -> Any:
    """Returns NumPy's namespace with one function of the device in it; all else in a call is NumPy's."""
    parts = name.split(".")
    mixed = types.SimpleNamespace(
        **{other: getattr(np, other) for other in dir(np) if not other.startswith("__")}
    )
    place: Any = mixed
    if len(parts) == 2:
        inner = vars(getattr(np, parts[0])).copy()
        place = types.SimpleNamespace(
            **{key: value for key, value in inner.items() if not key.startswith("__")}
        )
        setattr(mixed, parts[0], place)
    namespace = transpile.numpy if parts[-1] in NO_GRAPH else STRICT[device]
    setattr(place, parts[-1], outcome(name, namespace))
    return mixed


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name, call", CASES)
def test_functions_give_what_the_standard_says(name: str, call: str, device: str) -> None:
    if call in LEFT:
        assert not says(outcome(call, transpile.numpy), STATED[call])
        return
    expected, found = outcome(call, np), outcome(call, calling(name, device))
    assert bool(says(expected, STATED[call])) is (call in GAPS)
    if call in GAPS:
        assert (type(found), str(found)) == (type(expected), str(expected))
    else:
        assert not says(found, STATED[call])


SPECIAL = [
    (name, dtype, rows)
    for table, dtype in ((elementwise.SPECIAL, "float64"), (elementwise.SPECIAL, "float32"), (elementwise.OF_COMPLEX, "complex128"), (elementwise.EXACT, "int64"))
    for name, rows in table.items()
]  # fmt: skip


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name, dtype, rows", SPECIAL)
def test_special_values(name: str, dtype: str, rows: Any, device: str) -> None:
    dtype = "bool" if name.startswith("logical_") else dtype
    *operands, stated = (list(column) for column in zip(*rows, strict=True))
    arrays = [np.asarray(operand, dtype=dtype) for operand in operands]
    with np.errstate(all="ignore"):
        found = getattr(STRICT[device], name)(*arrays)
        assert found.dtype.name == elementwise.gives(name, dtype)
        expected = getattr(np, name)(*arrays)
    for given, one, other, wanted in zip(zip(*operands, strict=True), found, expected, stated, strict=True):
        # Where NumPy's own does.
        assert exactly(one, wanted) or not exactly(other, wanted), f"{name}{given} is {one}, not {wanted}"
        assert exactly(one, other.item())


@pytest.mark.parametrize("name", names.ELEMENTWISE)
def test_dtypes_and_shapes_of_elementwise_functions(name: str) -> None:
    count, dtypes = elementwise.DOMAINS[name]
    function = getattr(STRICT["host"], name)
    for dtype in dtypes:
        for shape in ((), (3,), (2, 0), (2, 3)):
            with np.errstate(all="ignore"):
                found = function(*[np.ones(shape, dtype)] * count)
            assert found.dtype.name == elementwise.gives(name, dtype) or _numpy_differs(name, dtype), dtype
            assert found.shape == shape


def _numpy_differs(name: str, dtype: str) -> bool:
    count = elementwise.DOMAINS[name][0]
    return getattr(np, name)(*[np.ones(3, dtype)] * count).dtype.name != elementwise.gives(name, dtype)


BINARY = [name for name in names.ELEMENTWISE if elementwise.DOMAINS[name][0] == 2]


@pytest.mark.parametrize("name", BINARY)
def test_operands_are_promoted_and_broadcast(name: str) -> None:
    function = getattr(STRICT["host"], name)
    for one, other in itertools.product(elementwise.DOMAINS[name][1], repeat=2):
        dtype = elementwise.promoted(one, other)
        if dtype is not None:
            found = function(np.ones((2, 1), one), np.ones(3, other))
            assert (found.dtype.name, found.shape) == (elementwise.gives(name, dtype), (2, 3)), (one, other)


@pytest.mark.parametrize("name", BINARY)
def test_python_scalars_take_the_dtype_of_the_array(name: str) -> None:
    function = getattr(STRICT["host"], name)
    dtype = elementwise.DOMAINS[name][1][0]
    scalar = True if dtype == "bool" else 1 if "int" in dtype else 1.0
    for operands in ((np.ones(3, dtype), scalar), (scalar, np.ones(3, dtype))):
        found = function(*operands)
        assert (found.dtype.name, found.shape) == (elementwise.gives(name, dtype), (3,))


# -- how it is made --------------------------------------------------------------------------------------------------


def test_functions_run_compiled_in_time_to_spare() -> None:
    x = np.arange(12.0).reshape(3, 4)
    assert transpile.numpy.linalg.norm(x) == np.linalg.norm(x)
    assert importlib.import_module("transpile.numpy.linalg").norm is transpile.numpy.linalg.norm
    assert transpile.numpy.random is np.random and transpile.numpy.float32 is np.float32
    assert set(dir(transpile.numpy)) >= {name for name in dir(np) if not name.startswith("_")}
    assert not hasattr(transpile.numpy, "__path__")
    with pytest.raises(AttributeError):
        _ = transpile.numpy.no_such_name


def test_functions_are_named_as_numpys_and_can_be_pickled() -> None:
    assert transpile.numpy.sum.__doc__ == np.sum.__doc__
    assert pickle.loads(pickle.dumps(transpile.numpy.sum)) is transpile.numpy.sum
    assert pickle.loads(pickle.dumps(transpile.numpy.linalg.norm)) is transpile.numpy.linalg.norm


def test_converted_functions_are_compiled_with_what_they_call_of_it() -> None:
    def distance(x: Any, y: Any) -> Any:
        return transpile.numpy.sqrt(transpile.numpy.sum((x - y) ** 2, axis=-1)) + transpile.numpy.linalg.norm(
            x
        )

    x = np.arange(12.0).reshape(3, 4)
    converted = transpile.convert(distance, strict=True, device="host")
    assert np.array_equal(converted(x, x[::-1].copy()), distance(x, x[::-1].copy()))


def test_errors_are_numpys() -> None:
    for call in (
        "sum(ones(3), axis=1)",
        "add(ones(2), ones(3))",
        "add(ones(2))",
        "sum(ones(2), no=1)",
        "sum(ones(2), **{'a b': 1})",
    ):
        expected, found = outcome(call, np), outcome(call, transpile.numpy)
        assert isinstance(expected, Exception)
        assert (type(found), str(found)) == (type(expected), str(expected))
