"""`super`: the methods of a class's parents, followed as those of the class are."""

from __future__ import annotations

import types
from typing import Any

from transpile.runtime.arrays.functions import Method, implements
from transpile.runtime.arrays.recorder import recorder

from .call import call


class Super:
    """Stands for `super(class_, thing)`, of which attributes are read."""

    def __init__(self, class_: type, thing: Any) -> None:
        object.__setattr__(self, "_class", class_)
        object.__setattr__(self, "_thing", thing)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            # That is no parent's.
            return super
        class_, thing = (object.__getattribute__(self, own) for own in ("_class", "_thing"))
        own: type = thing if isinstance(thing, type) else thing.__class__
        parents = own.__mro__[own.__mro__.index(class_) + 1 :]
        member = next((vars(base)[name] for base in parents if name in vars(base)), None)
        if isinstance(member, types.FunctionType):
            return member if thing is own else types.MethodType(member, thing)
        if isinstance(member, classmethod):
            return types.MethodType(member.__func__, own)
        if isinstance(member, staticmethod):
            return member.__func__
        if isinstance(member, property) and member.fget is not None:
            return call(member.fget, thing)
        if member is object.__init__ or member is object.__init_subclass__:
            return Method(thing, name, _of_object)
        return recorder().unstageable("S248-super", f"what super() finds as {name} is not followed")

    def _unfollowed(self, *_: Any) -> Any:
        return recorder().unstageable(
            "S248-super", "super() that is more than asked for attributes is not followed"
        )

    __repr__ = __format__ = __hash__ = __eq__ = __setattr__ = __delattr__ = _unfollowed


def _of_object(_: Any, *args: Any, **kwargs: Any) -> None:
    """Stand for the `__init__` that every object has, which raises for arguments, but in some classes."""
    if args or kwargs:
        recorder().unstageable("S248-super", "object.__init__ is handed arguments")


@implements(super)
def super_(*args: Any) -> Any:
    """Stand for `super`."""
    if len(args) != 2 or args[1] is None:
        recorder().unstageable("S248-super", "super() that is bound to no instance is not followed")
    class_, thing = args
    if not isinstance(thing, class_) and not (isinstance(thing, type) and issubclass(thing, class_)):
        raise TypeError("super(type, obj): obj must be an instance or subtype of type")
    return Super(class_, thing)
