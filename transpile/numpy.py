"""NumPy's namespace with its functions compiled: `import transpile.numpy as np`.

It has every name of NumPy's, and so every function of the Array API standard that NumPy offers. A function is compiled for each kind of
arguments as `convert` compiles one that does nothing but call it, and so goes the plain way where that is faster. What is no
function (dtypes, constants, classes, random numbers) is NumPy's own.
"""

from __future__ import annotations

import functools
import keyword
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from transpile.runtime.arrays.functions import FUNCTIONS
from transpile.runtime.operators.call import call

from .budget import Budget
from .calls import Calls
from .converting import wrap
from .written import written

# The modules whose functions are compiled, too.
_MODULES = ("linalg", "fft")
_DISPATCHED = type(np.sum)
_FUNCTIONS = (np.ufunc, types.FunctionType, types.BuiltinFunctionType, _DISPATCHED)

_budget = Budget()


class Namespace(types.ModuleType):
    """A module with the names of one of NumPy's, made of it as they are asked for.

    `strict` and `device` are those of `convert`. Without `strict` no more time goes into compiling than the program has run for.
    """

    def __init__(
        self, name: str, module: types.ModuleType, strict: bool = False, device: str = "cpu"
    ) -> None:
        super().__init__(name, module.__doc__)
        self._module, self._strict, self._device = module, strict, device

    def __getattr__(self, name: str) -> Any:
        thing = getattr(self._module, name)
        if name in _MODULES and isinstance(thing, types.ModuleType):
            thing = Namespace(f"{self.__name__}.{name}", thing, self._strict, self._device)
        elif isinstance(thing, _FUNCTIONS):
            thing = self._compiled(thing)
        setattr(self, name, thing)
        return thing

    def __dir__(self) -> list[str]:
        return dir(self._module)

    def _compiled(self, function: Any) -> Callable[..., Any]:
        """Return a function of NumPy's with its calls compiled, by how many arguments they have and which by name."""
        ways: dict[Any, Callable[..., Any]] = {}

        @functools.wraps(function)
        def compiled(*args: Any, **kwargs: Any) -> Any:
            key = (len(args), *kwargs)
            way = ways.get(key)
            if way is None:
                way = ways[key] = self._way(function, len(args), *kwargs)
            return way(*args, *kwargs.values())

        compiled.__module__ = self.__name__
        # A converted function that calls it is compiled with what NumPy's does.
        FUNCTIONS[compiled] = functools.partial(call, function)
        return compiled

    def _way(self, function: Any, count: int, *names: str) -> Callable[..., Any]:
        """Return what calls a function with so many arguments by place, and these by name after them, compiled."""
        if any(not name.isidentifier() or keyword.iskeyword(name) for name in names):
            return lambda *values: function(*values[:count], **dict(zip(names, values[count:], strict=True)))
        calling = _written(function, count, names)
        calls = Calls(calling, self._strict, self._device, warns=False)
        if not self._strict:
            calls.budget = _budget
        return wrap(calling, calls)


def _written(function: Any, count: int, names: tuple[str, ...]) -> types.FunctionType:
    """Return a function that does nothing but call another one with so many arguments and those of these names."""
    places = [f"value{place}" for place in range(count)]
    given = ", ".join([*places, *(f"{name}={name}" for name in names)])
    # What it calls may not go by the name of a parameter.
    return written(function.__name__, [*places, *names], f"__function__({given})", {"__function__": function})


_namespace = Namespace(__name__, np)
for _module in _MODULES:
    # `import transpile.numpy.linalg` finds it there.
    sys.modules[f"{__name__}.{_module}"] = getattr(_namespace, _module)


def __getattr__(name: str) -> Any:
    # The modules in it are not files.
    if name == "__path__":
        raise AttributeError(name)
    return getattr(_namespace, name)


def __dir__() -> list[str]:
    return dir(_namespace)
