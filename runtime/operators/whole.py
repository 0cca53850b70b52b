"""Functions of NumPy's that are called whole, at run time, because they look at numbers to decide what they do or how much they give."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.cells import STDOUT
from transpile.runtime.arrays.checkpoint import Checkpoint
from transpile.runtime.arrays.recorder import Recorder, recorder
from transpile.runtime.arrays.references import references
from transpile.runtime.arrays.signals import NeedsValue
from transpile.runtime.arrays.strides import lies_backwards
from transpile.runtime.errors import AlwaysRaises
from transpile.runtime.frames import call_from, home_of, original_of
from transpile.runtime.graph.ir import Value
from transpile.runtime.graph.types import INT
from transpile.runtime.ops.journal import telling

from .deferred import SymbolicText, as_printed, deferred
from .hosts import host_call, is_handed
from .program import places
from .taking import Taking, new_place
from .text import as_now, made_text
from .trials import Trials

# Note [Whole calls]
# `numpy.roots` strips zeros, `numpy.histogram(x, "auto")` chooses bins: how much they give is for run time to say. The graph calls such a function as it
# is, keeps what it gives (`kept`), and takes out its parts with the sizes that they have (`kept_part`). Of which kinds the parts are is found by
# calling the function while tracing, on small arrays of the same dtypes; and which dims of theirs are dims of the operands, by calling it on other
# sizes and other numbers. Both are checked at run time, and the original runs a call where they are not so. What a function gives must be new.
# Such calls are of numbers that nobody has chosen. So a function has to look at what it is handed before it goes through memory by that: those that
# modules show to their users do, those behind them, which are handed knots or pivots, do not.

# Modules with such functions, and the kinds of arrays that these can be tried on, whatever the numbers: pivots are integers.
_ANY = "biufc"
_HOMES = {
    "numpy": _ANY, "numpy.linalg": _ANY, "numpy.fft": _ANY, "numpy.lib.scimath": _ANY, "numpy.polynomial.polynomial": _ANY,
    "numpy.polynomial.chebyshev": _ANY, "numpy.polynomial.hermite": _ANY, "numpy.polynomial.hermite_e": _ANY,
    "numpy.polynomial.laguerre": _ANY, "numpy.polynomial.legendre": _ANY, "scipy.special": _ANY, "scipy.linalg": "fc", "scipy.fft": _ANY,
    "scipy.signal": _ANY, "scipy.ndimage": _ANY, "scipy.integrate": _ANY, "scipy.spatial.distance": _ANY,
}  # fmt: skip
# Modules whose ufuncs over core dimensions look at what they are handed.
_MAKERS = ("numpy", "numpy._core.umath", "numpy.linalg._umath_linalg", "scipy.special")
# Functions of NumPy's that do what can be seen, speak of memory or settings, or give what no graph holds.
_OTHERS = frozenset((
    "save", "savetxt", "savez", "savez_compressed", "load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "info", "show_config", "show_runtime", "test",
    "seterr", "seterrcall", "geterr", "geterrcall", "setbufsize", "getbufsize", "set_printoptions", "get_printoptions", "printoptions", "nested_iters",
    "shares_memory", "may_share_memory", "empty", "empty_like", "frombuffer", "from_dlpack", "frompyfunc", "get_include", "asmatrix", "bmat",
    "busday_count", "busday_offset", "is_busday", "datetime_as_string", "datetime_data",
))  # fmt: skip
_OPTIONS = [
    "out",
    "output",
    "overwrite_input",
    "overwrite_a",
    "overwrite_b",
    "overwrite_x",
    "random_state",
    "rng",
]


def is_whole(function: Any) -> bool:
    """Whether a function of NumPy's or SciPy's computes something of its arguments, and does nothing else."""
    if isinstance(function, np.ufunc):
        # Not one that `numpy.frompyfunc` made of a function of the user's, nor one over core dimensions, of which only its maker knows what they have to be.
        own = function.signature is None or any(
            getattr(sys.modules.get(module), function.__name__, None) is function for module in _MAKERS
        )
        return own and any("O" not in loop for loop in function.types)
    name, module = getattr(function, "__name__", None), getattr(function, "__module__", None)
    if isinstance(function, types.BuiltinMethodType) and isinstance(function.__self__, np.ufunc):
        return name != "at" and is_whole(function.__self__)
    if (
        isinstance(function, (type, types.MethodType))
        or not isinstance(name, str)
        or not isinstance(module, str)
    ):
        return False
    if home_of(function).partition(".")[0] not in ("numpy", "scipy"):
        # One of the user's around it.
        return False
    return _home(function) is not None and name not in _OTHERS and not name.startswith("_")


def _home(function: Any) -> str | None:
    """Return the module that shows a function to its users, which may be another one than that in which it is written; None where none is known."""
    home = str(getattr(function, "__module__", "")).partition("._")[0]
    shown = getattr(sys.modules.get(home), function.__name__, None)
    return home if home in _HOMES and original_of(shown) is original_of(function) else None


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
        found = self._made(reason)
        if found is None:
            raise reason
        return found[0]

    def _is_handed(self) -> bool:
        things = [*self.args, *self.kwargs.values()]
        given = (self.kwargs.get(option) for option in _OPTIONS)
        if any(option is not None and option is not False for option in given):
            return False
        arrays = list(_arrays_in(things))
        if any(array.dtype.kind not in _HOMES[_home(self.function) or "numpy"] for array in arrays):
            return False
        # Memory without gaps is handed on as if it lay forward.
        return all(is_handed(thing, arrays=True) for thing in things) and not any(
            array.copied
            or (array.ndim == 1 and 1 in (*array.dims, *array.storage.dims) and lies_backwards(array))
            for array in arrays
        )

    def _made(self, reason: BaseException) -> tuple[Any] | None:
        """Return what stands for what the function gives; None where it gives what cannot be kept. The graph says the reason."""
        values: list[Value] = []
        make, function = deferred(([*self.args], self.kwargs), values), self.function
        trials = Trials(self.record, make, function, values)
        if trials.gives_text:
            parts = (as_now(self.args), as_now(self.kwargs))
            if function in _OF_ARRAYS:
                return (SymbolicText(as_printed(_text_of, parts), (function, *parts)),)
            return (made_text(functools.partial(_text_of, function), False, *parts),)
        if trials.kind is not None:
            return (trials.kind,)
        if trials.pattern is None:
            return None

        stack = places()[-1:]

        def call(given: tuple[Any, ...]) -> Any:
            positional, named = make(given)
            return call_from(stack, 1, functools.partial(function, *positional, **named))

        record = self.record
        record.holds = True
        place = new_place()
        if not trials.is_silent:
            # From here on, the original must not show anew what it warns of.
            host_call(STDOUT, _warns, (), tells=True)
            call = telling(call)
        call.__name__, call.__doc__ = function.__name__, str(reason).partition("\n")[0]
        handle = record.emit("kept", *values, function=call, pattern=trials.pattern, place=place)
        name = f"{getattr(function, '__module__', 'numpy')}.{function.__name__}"
        record.deoptimise_if(
            record.emit("less", handle, record.constant(0, INT)),
            f"{name} gives what it did not give while tracing",
        )
        return (Taking(record, handle, trials.dims).taken(trials.pattern),)


# What gives text of all arrays; other functions have none of some numbers.
_OF_ARRAYS = frozenset((np.array2string, np.array_repr, np.array_str))


def _warns() -> None:
    """Stand for warnings that may be given."""


def _text_of(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    found: str = function(*args, **kwargs)
    return found


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
