"""Calls: what the callee is decides whether it is an op, is traced into, or cannot be staged."""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import enum
import functools
import inspect
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from transpile.runtime.arrays.array import SymbolicArray
from transpile.runtime.arrays.deques import StagedDeque
from transpile.runtime.arrays.functions import FUNCTIONS, PYTHON_METHODS, Method, implementation_of, within
from transpile.runtime.arrays.hash_tables import Table
from transpile.runtime.arrays.lacking_dicts import LackingDict
from transpile.runtime.arrays.list_methods import searched_tuple
from transpile.runtime.arrays.lists import StagedList
from transpile.runtime.arrays.object_pools import settle_in
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.ordered_dicts import Ordered
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.records import RecordArray
from transpile.runtime.arrays.references import is_symbolic
from transpile.runtime.arrays.staged_tuples import StagedTuple
from transpile.runtime.arrays.table_views import TableView
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.union import Union
from transpile.runtime.composites.owners import made_by
from transpile.runtime.errors import ConversionError, StagingError, TranspileError
from transpile.runtime.frames import original_of

from .cached import CACHED, cached
from .checks import check, is_check
from .default_factories import construct_by_fields
from .deferred import SymbolicText
from .dispatchers import DISPATCHED, check_sequences
from .effects import DeferredException, has_constructor
from .leaks import told
from .object_text import is_generated
from .objects import MADE_BY_PYTHON, as_written, can_stand_in, is_written, new_instance
from .pending import note_given, note_operands
from .program import is_converted, standing
from .recursion import inside, notice_recursion
from .text import text_method
from .traversal import Stream
from .whole import Whole, is_whole

# Types whose methods, and modules whose functions, do nothing but compute, so that calling them on known things while tracing is the same.
_PURE_TYPES = (str, bytes, tuple, int, float, complex, frozenset, range, np.dtype, np.generic, slice)
_LOCAL_TYPES = (list, dict, set)
_CALLED = (types.FunctionType, types.MethodType, functools.partial)
_PURE_MODULES = frozenset(
    (
        "math",
        "cmath",
        "operator",
        "itertools",
        "functools",
        "builtins",
        "collections",
        "_operator",
        "_collections",
    )
)

# Methods that change more than the elements of their array.
_NEVER_WHOLE = frozenset(("resize", "setflags", "tofile", "dump"))

# Functions and methods written in C, whose errors NumPy reports as of the user's line.
_IN_C = frozenset((np.dot, np.inner, np.matmul))
_METHODS_IN_C = frozenset(("dot", "astype"))
# Modules of Python's written in C: what their functions have NumPy's scalars do is reported so, too.
_MODULES_IN_C = frozenset(("builtins", "itertools", "_functools", "math", "_operator"))

# What is done with a tuple as with a list.
_RUN_OVER = (
    len, list, tuple, set, sum, min, max, any, all, sorted, enumerate, zip, map, filter, iter, bool, type, isinstance, np.array, np.asarray
)  # fmt: skip

# The flag of classes that are written in Python.
_DEFINED_IN_PYTHON = 1 << 9

# Converts a Python function to one that can be traced; given by the tracer.
Converter = Callable[[types.FunctionType], Callable[..., Any]]


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Stand for a call.

    Raises StagingError where the callee is unknown and is handed something symbolic.
    """
    recorder().advance()
    if any(isinstance(thing, StagedTuple) for thing in (*args, *kwargs.values())):
        args, kwargs = _with_tuples(function, args, kwargs)
    if isinstance(function, Method):
        return _method(function, args, kwargs)
    if isinstance(function, DISPATCHED):
        check_sequences(function, args, kwargs)
    if is_whole(function):
        union = _in_a_sequence(args)
        if union is not None:
            return union.on_each_way(
                lambda way: call(function, _replaced(args[0], union, way), *args[1:], **kwargs)
            )
        return Whole(function, args, kwargs).attempt(functools.partial(_call, function))
    return _call(function, *args, **kwargs)


def _with_tuples(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with the tuples in them known one by one, but for what runs over tuples of run time's length, or hands them on."""
    is_users = isinstance(function, type) and function.__flags__ & _DEFINED_IN_PYTHON
    if isinstance(function, _CALLED) or is_users or any(function is known for known in _RUN_OVER):
        return args, kwargs

    def known(thing: Any) -> Any:
        return thing.known() if isinstance(thing, StagedTuple) else thing

    return tuple(map(known, args)), {name: known(thing) for name, thing in kwargs.items()}


def _in_a_sequence(args: tuple[Any, ...]) -> Union | None:
    """Return the first in a tuple or list of arrays, as `numpy.vstack` takes them, that may be an array of several kinds."""
    if not args or not (is_tuple(args[0]) or _is_known_list(args[0])):
        return None
    return next((item for item in args[0] if isinstance(item, Union) and item.has_others), None)


def _replaced(things: Any, union: Union, way: Any) -> Any:
    """Return a tuple or list with one of a union's alternatives in its place."""
    items = (way if item is union else item for item in things)
    return [*items] if _is_known_list(things) else (*items,)


def _is_known_list(thing: Any) -> bool:
    """Whether a thing is a list whose items are known one by one."""
    return type(thing) is list or (isinstance(thing, StagedList) and not thing.is_staged)


@contextlib.contextmanager
def _in_words_of_numpy() -> Iterator[None]:
    """Have plain Python handle what a function of NumPy's raises, which may say it in other words, or find something else wrong first."""
    try:
        yield
    except TranspileError:
        raise
    except Exception as error:
        recorder().unsure(error)
        raise


def _method(method: Method, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if not isinstance(method.owner, SymbolicArray) or method.name in _NEVER_WHOLE:
        # What is handed to a call made whole is another object on the same memory; and it is called while tracing.
        says_the_same = method.name in PYTHON_METHODS or method.name in _NEVER_WHOLE
        with contextlib.nullcontext() if says_the_same else _in_words_of_numpy():
            return within(True, method, args, kwargs)
    _no_iterators(method.name, args, kwargs)
    unbound = getattr(np.ndarray, method.name)
    whole = Whole(unbound, (method.owner, *args), kwargs)
    inside = method.name not in _METHODS_IN_C
    with _in_words_of_numpy():
        return whole.attempt(
            lambda _, *given, **named: made_by(
                method.name, within(inside, method, given, named), (method.owner, *args)
            )
        )


def _call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    try:
        implementation = implementation_of(function)
    except (TypeError, StagingError):
        implementation = None
    is_method = isinstance(function, types.BuiltinFunctionType) and isinstance(function.__self__, np.ufunc)
    if implementation is not None or is_method or isinstance(function, np.ufunc):
        union = next((a for a in args if isinstance(a, Union) and a.has_others), None)
        if union is not None and (is_method or _is_of_numpy(function)):
            return union.on_each_way(
                lambda way: call(function, *(way if a is union else a for a in args), **kwargs)
            )
    if implementation is not None:
        is_of_numpy = _is_of_numpy(function)
        if is_of_numpy and function is not np.fromiter:
            _no_iterators(function.__name__, args, kwargs)
            if args and isinstance(args[0], Union):
                # A number that may be None is one, for what gives numbers for numbers and arrays for arrays.
                args = (args[0].present(), *args[1:])
        # Of `divmod` NumPy tells once, under a name of its own: that is left to it.
        in_c = getattr(function, "__module__", None) in _MODULES_IN_C and function is not divmod
        in_c = in_c or function in _IN_C
        with _in_words_of_numpy() if is_of_numpy else contextlib.nullcontext():
            return made_by(function, within(not in_c, implementation, args, kwargs), args)
    if isinstance(function, np.ufunc):
        with _in_words_of_numpy():
            return _ufunc(function, *args, **kwargs)
    if is_check(function):
        check(function, args, kwargs)
        return None
    if isinstance(function, types.FunctionType):
        return python_function(function, args, kwargs)
    if isinstance(function, types.MethodType) and isinstance(
        function.__self__,
        (StagedList, StagedDeque, StagedTuple, Table, TableView, RecordArray, LackingDict, Ordered),
    ):
        return function(*args, **kwargs)
    if isinstance(function, types.MethodType) and isinstance(function.__self__, SymbolicArray):
        # As a key, say: `min(places, key=x.__getitem__)`.
        if function.__name__ not in ("__getitem__", "__setitem__", "__contains__", "__array_wrap__"):
            return _unknown(function, args, kwargs)
        return function(*args, **kwargs)
    if isinstance(function, types.MethodType):
        return call(as_written(function.__func__), function.__self__, *args, **kwargs)
    if isinstance(function, functools.partial):
        return call(function.func, *function.args, *args, **{**function.keywords, **kwargs})
    if isinstance(function, type):
        return _construct(function, args, kwargs)
    if isinstance(function, (types.BuiltinFunctionType, types.BuiltinMethodType, types.MethodWrapperType)):
        return _builtin(function, args, kwargs)
    if isinstance(function, CACHED):
        return cached(function, args, kwargs, call)
    if isinstance(function, (operator.itemgetter, operator.attrgetter)):
        return function(*args, **kwargs)
    method = getattr(function.__class__, "__call__", None)  # noqa: B004 (the method itself is called)
    if isinstance(method, types.FunctionType):
        return call(method, function, *args, **kwargs)
    written = getattr(function, "_implementation", None)
    if isinstance(function, DISPATCHED) and isinstance(written, types.FunctionType):
        return python_function(written, args, kwargs)
    return _unknown(function, args, kwargs)


def _no_iterators(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Leave iterators to NumPy, which takes some for sequences, some for single things, and refuses others."""
    if any(isinstance(arg, Stream) for arg in (*args, *kwargs.values())):
        recorder().unstageable("S168-iterator", f"numpy.{name} is handed an iterator")


def _is_of_numpy(function: Any) -> bool:
    return isinstance(function, np.ufunc) or str(getattr(function, "__module__", "")).startswith("numpy")


def python_function(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Trace into a Python function: for a converted one, into what it was made from."""
    record = recorder()
    given, function = function, original_of(function)
    if function.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        # One that is made here, and waited for by nobody, Python warns of.
        text = f"{function.__qualname__} cannot be converted: asynchronous code"
        record.unstageable("S140-callee", text)
    is_inside = is_converted(function.__code__)
    notice_recursion(function)
    try:
        converted = function if is_inside else record.convert(function, given)
    except ConversionError as error:
        record.unstageable(
            "S140-callee", f"{function.__qualname__} cannot be converted: {error.message}", error.hint
        )
    note_operands()
    with inside(function.__code__, function.__qualname__), standing():
        found = within(False, converted, args, kwargs, composes=False)
    note_given(found)
    return found


def _construct(class_: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make an instance: of a user's class by tracing its constructor."""
    if issubclass(class_, BaseException):
        return DeferredException(class_, args, kwargs) if has_constructor(class_) else class_(*args, **kwargs)
    # A class that is made where no `__name__` is known says that it is of the builtins, too.
    is_builtin = class_.__module__ == "builtins" and not class_.__flags__ & MADE_BY_PYTHON
    if is_builtin or not hasattr(class_, "__dict__") or _finds_member(class_):
        return known(class_, args, kwargs)
    if class_.__new__ is not object.__new__ or type(class_) not in (type, abc.ABCMeta):
        if not issubclass(class_, tuple) or any(map(is_written, (class_.__new__, class_.__init__))):
            return _unknown(class_, args, kwargs)
        return class_(*args, **kwargs)
    if not can_stand_in(class_):
        return _unknown(class_, args, kwargs)
    instance = new_instance(class_, call)
    init = class_.__init__
    if dataclasses.is_dataclass(class_) and is_generated(init):
        construct_by_fields(class_, instance, args, kwargs, call)
    elif isinstance(init, types.FunctionType):
        call(init, instance, *args, **kwargs)
    elif init is not object.__init__:
        return _unknown(class_, args, kwargs)
    elif args or kwargs:
        raise TypeError(f"{class_.__name__}() takes no arguments")
    settle_in(instance)
    return instance


def _finds_member(class_: type) -> bool:
    """Whether a call of a class gives a member of an enumeration, by its value, and runs no code of the user's."""
    return issubclass(class_, enum.Enum) and bool(class_.__members__) and "_missing_" not in _names_of(class_)


def _names_of(class_: type) -> set[str]:
    return {name for base in class_.__mro__ if base.__module__ != "enum" for name in vars(base)}


def _builtin(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function made in C: methods of containers do their work now; functions of pure modules, on known things."""
    owner = function.__self__
    if isinstance(owner, np.ufunc):
        return FUNCTIONS[np.ufunc](owner, function.__name__, *args, **kwargs)
    if isinstance(owner, _LOCAL_TYPES):
        return function(*args, **kwargs)
    if isinstance(owner, str) and function.__name__ == "join":
        # Python, too, takes all that there is before it joins it.
        args = tuple(FUNCTIONS[list](thing) if isinstance(thing, Stream) else thing for thing in args)
    if isinstance(owner, str) and function.__name__ in ("format", "join") and not _are_known(args, kwargs):
        return text_method(owner, function.__name__, args, kwargs)
    if isinstance(owner, slice) and function.__name__ == "indices":
        return FUNCTIONS[slice.indices](owner, *args, **kwargs)
    if isinstance(owner, tuple) and function.__name__ in ("index", "count") and is_symbolic((owner, args)):
        place = searched_tuple(owner, function.__name__, args)
        return _unknown(function, args, kwargs) if place is None else place
    # An object that `__new__` makes of another class is none that is known: the program may store into it.
    makes = isinstance(owner, type) and function.__name__ != "__new__"
    pure = isinstance(owner, _PURE_TYPES) or (makes and owner in _PURE_TYPES)
    if pure or getattr(owner, "__name__", None) in _PURE_MODULES:
        found = known(function, args, kwargs)
        return told(found) if type(found) is str else found
    return _unknown(function, args, kwargs)


def _are_known(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether text can be made of things now."""
    things = [*args, *kwargs.values()]
    items = [item for thing in things for item in (thing if isinstance(thing, (list, tuple)) else (thing,))]
    return not any(is_symbolic(item) or isinstance(item, SymbolicText) for item in items)


def _ufunc(ufunc: np.ufunc, *args: Any, **kwargs: Any) -> Any:
    return FUNCTIONS[np.ufunc](ufunc, "__call__", *args, **kwargs)


def known(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a pure function, which must not be handed anything symbolic, nor a function that may do something when it is called."""
    if any(is_symbolic(thing) or isinstance(thing, _CALLED) for thing in (*args, *kwargs.values())):
        return _unknown(function, args, kwargs)
    return function(*args, **kwargs)


def _unknown(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    # A wrapper, which may itself be stood for, names what it wraps.
    module = getattr(getattr(function, "__wrapped__", function), "__module__", None)
    recorder().unstageable(
        "S142-unknown", f"a call of {module + '.' if module else ''}{name}, which is not known to transpile"
    )


Operand.call = staticmethod(call)
