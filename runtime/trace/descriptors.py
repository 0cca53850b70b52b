"""Attributes of objects from outside that code of the user's gives: it is traced, and not run while tracing."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from transpile.runtime.frames import home_of
from transpile.runtime.operators.call import call
from transpile.runtime.operators.heap import MISSING
from transpile.runtime.operators.objects import is_special

from .path import Path

if TYPE_CHECKING:
    from .outside import Outside
    from .proxies import OutsideObject

# What a metaclass may have that is of no account for the class that is there already.
_OF_NEW_CLASSES = frozenset(("__new__", "__init__", "__prepare__", "__call__"))


def given_by_code(proxy: OutsideObject, outside: Outside, path: Path, thing: Any, name: str) -> list[Any]:
    """Return what the user's code gives as an attribute of an object that a proxy stands for, in a list; an empty one where none is asked."""
    if issubclass(type(thing), types.ModuleType) or outside.stored(thing, name) is not MISSING:
        return []
    kind: Any = type(thing)
    if isinstance(kind.__getattribute__, types.FunctionType):
        outside.recorder.unstageable(
            "S204-decides", f"{path}, an object from outside, decides what {name} is"
        )
    found, held = inspect.getattr_static(kind, name, MISSING), getattr(thing, "__dict__", {})
    if (
        found is MISSING
        and name not in held
        and isinstance(getattr(kind, "__getattr__", None), types.FunctionType)
    ):
        owners = [(Path("object", each), each) for each in kind.__mro__[:-1]]
        for owner, holder in ((path, thing), *owners):
            if hasattr(holder, "__dict__"):
                outside.guard(owner.attribute("__dict__"), "keys", tuple(vars(holder)))
        outside.guard(Path("object", kind).attribute("__getattr__"), "is", kind.__getattr__)
        return [call(kind.__getattr__, proxy, name)]
    if type(found) is functools.cached_property and name not in held:
        outside.guard(path.attribute("__class__").attribute(name), "is", found)
        outside.guard(path.attribute("__dict__"), "keys", tuple(held))
        value = call(found.func, proxy)
        outside.store_attribute(proxy, path, thing, name, value)
        return [value]
    if is_descriptor(found, outside.selves.is_library) and (
        name not in held or hasattr(type(found), "__set__")
    ):
        outside.recorder.unstageable(
            "S294-descriptor", f"{path}.{name} is what a descriptor gives that is not Python's own"
        )
    return []


class HeldAttributes(Mapping[str, Any]):
    """The dictionary of an object that a proxy stands for, to be looked at: nothing can be put into it while tracing."""

    def __init__(self, proxy: OutsideObject, outside: Outside, path: Path, thing: Any) -> None:
        self._proxy, self._outside, self._path, self._thing = proxy, outside, path, thing
        names = self._names()
        shadowed = any(
            hasattr(type(inspect.getattr_static(type(thing), name, None)), "__set__") for name in names
        )
        if isinstance(thing, types.ModuleType) or shadowed:
            self._refuse()
        outside.guard(path.attribute("__dict__"), "keys", names)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return dict

    def _names(self) -> tuple[str, ...]:
        names = tuple(self._thing.__dict__)
        if {place.name for place in self._outside.state.stored if place.owner == id(self._thing)} - {*names}:
            self._refuse()
        return names

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        self._outside.recorder.unstageable(
            "S204-decides", f"{self._path}.__dict__ is asked for, or stored into"
        )

    def __getitem__(self, name: str) -> Any:
        if name not in self._names():
            raise KeyError(name)
        return getattr(self._proxy, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    __setitem__ = __delitem__ = __ior__ = __or__ = __ror__ = copy = _refuse
    clear = pop = popitem = setdefault = update = _refuse


def is_descriptor(thing: Any, is_library: Callable[[str], bool]) -> bool:
    """Whether a class attribute is a descriptor of a class of the user's."""
    asked = getattr(type(thing), "__get__", None) or getattr(type(thing), "__set__", None)
    return isinstance(asked, types.FunctionType) and not is_library(home_of(asked))


def decides(class_: type, is_library: Callable[[str], bool]) -> bool:
    """Whether a metaclass of the user's decides what is read of a class, or what is done with it; its methods do not."""
    metaclass: type = type(class_)
    own = [kind for kind in metaclass.__mro__ if not is_library(kind.__module__)]
    members = [item for kind in own for item in vars(kind).items()]
    return any(
        not isinstance(thing, types.FunctionType) and hasattr(type(thing), "__get__")
        if not is_special(name)
        else isinstance(thing, types.FunctionType) and name not in _OF_NEW_CLASSES
        for name, thing in members
    )
