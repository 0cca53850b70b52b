"""Subclasses that a class does not know of."""

from __future__ import annotations

import abc
from typing import Any, cast

# Note [Unseen]
# Programs ask classes for their `__subclasses__()`, to list what there is of a kind, and abstract classes ask them, too. What stands for the instances of
# a class must not be among them. So it inherits from the class by what its metaclass says, and Python notes it with another class, of the same layout.
# Where the layout of a class is its own, as with slots, nothing but a subclass of it will do.


class _Unseen:
    """Is asked in the place of users' classes for what inherits from them."""


class _Inherits(type):
    def mro(cls) -> list[type]:
        class_ = vars(cls).get("__stands_for_class__")
        return super().mro() if class_ is None else [cls, *class_.__mro__]


class _InheritsAbstract(_Inherits, abc.ABCMeta):
    pass


_METACLASSES = {type: _Inherits, abc.ABCMeta: _InheritsAbstract}


class _Home(str):
    """The module of a subclass, by which it is told from users' classes; instances say that they are of the module of the class."""

    __slots__ = ()

    def __get__(self, instance: Any, owner: Any = None) -> str:
        return self if instance is None else str(class_of(owner).__module__)


def subclass(class_: type, members: dict[str, Any]) -> type:
    """Make a subclass of a class which that does not know of, where its layout allows it."""
    own = {"__stands_for_class__": class_, "__module__": _Home(__name__), "__doc__": class_.__doc__}
    members = {**own, **members}
    metaclass = _METACLASSES.get(type(class_))
    if metaclass is None or not class_.__dictoffset__ or not class_.__weakrefoffset__:
        return type(class_.__name__, (class_,), members)
    try:
        made: type = metaclass(class_.__name__, (_Unseen,), members)
    except TypeError:
        return type(class_.__name__, (class_,), members)
    if isinstance(made, abc.ABCMeta):
        cast(Any, made).__abstractmethods__ = cast(Any, class_).__abstractmethods__
    return made


def class_of(made: type) -> type:
    """Return the class of which a subclass was made."""
    return cast(type, cast(Any, made).__stands_for_class__)
