"""The tables of what stands for NumPy's functions, methods and attributes while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar

F = TypeVar("F", bound=Callable[..., Any])

# What stands for a function, by the function itself.
FUNCTIONS: dict[Any, Callable[..., Any]] = {}
# By module and name, for functions in modules that need not be there.
_NAMED: dict[tuple[str, str], Callable[..., Any]] = {}
_DISPATCHED = type(np.concatenate)
# What stands for a method or attribute of arrays and NumPy scalars, and of Python numbers.
METHODS: dict[str, Callable[..., Any]] = {}
ATTRIBUTES: dict[str, Callable[[Any], Any]] = {}
PYTHON_METHODS: dict[str, Callable[..., Any]] = {}
PYTHON_ATTRIBUTES: dict[str, Callable[[Any], Any]] = {}


def implements(*functions: Any, method: str = "") -> Callable[[F], F]:
    """Declare what stands for NumPy's functions, and for the method of that name."""

    def declare(implementation: F) -> F:
        for function in functions:
            FUNCTIONS[function] = implementation
        if method:
            METHODS[method] = implementation
        return implementation

    return declare


def implements_named(module: str, name: str) -> Callable[[F], F]:
    """Declare what stands for a function of NumPy's in a module that is not imported for it."""

    def declare(implementation: F) -> F:
        _NAMED[module, name] = implementation
        return implementation

    return declare


def implementation_of(function: Any) -> Callable[..., Any] | None:
    """Return what stands for a function; TypeError where it is no function, and has no hash."""
    found = FUNCTIONS.get(function)
    if found is None and isinstance(function, _DISPATCHED):
        found = _NAMED.get((function.__module__, function.__name__))
    return found


def attribute_of(name: str) -> Callable[[F], F]:
    """Declare what stands for an attribute of arrays and NumPy scalars."""

    def declare(implementation: F) -> F:
        ATTRIBUTES[name] = implementation
        return implementation

    return declare


def within(
    inside: bool,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    composes: bool = True,
) -> Any:
    """Call what is traced inside of NumPy's own Python, or what is the user's again; `composes` tells that it stands for a function of NumPy's."""
    record = recorder()
    before = record.inside, record.composes
    record.inside, record.composes = inside, composes
    try:
        return function(*args, **kwargs)
    finally:
        record.inside, record.composes = before


class Method:
    """A method of a symbolic value, bound to it."""

    __slots__ = ("function", "name", "owner")

    def __init__(self, owner: Any, name: str, function: Callable[..., Any]) -> None:
        self.owner = owner
        self.name = name
        self.function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the method."""
        return self.function(self.owner, *args, **kwargs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and other.owner is self.owner and other.name == self.name

    def __hash__(self) -> int:
        return hash((id(self.owner), self.name))


def attribute(owner: Any, name: str) -> Any:
    """Return an attribute or bound method of a symbolic value.

    Raises AttributeError where values of its kind have none, StagingError where they have one that is not staged.
    """
    is_python = isinstance(owner, SymbolicScalar) and owner.weak
    attributes, methods = (PYTHON_ATTRIBUTES, PYTHON_METHODS) if is_python else (ATTRIBUTES, METHODS)
    kind = owner.python_type if isinstance(owner, SymbolicScalar) else np.ndarray
    if hasattr(kind, name):
        if name in attributes:
            return attributes[name](owner)
        if name in methods:
            return Method(owner, name, methods[name])
        recorder().unstageable("S170-method", f"{kind.__name__}.{name} is not staged")
    # Its own error names it best.
    return getattr(np.empty(0) if kind is np.ndarray else kind(), name)


Operand.attribute = staticmethod(attribute)
