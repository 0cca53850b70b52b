"""Subclasses that a class knows of as long as a trace needs them."""

from __future__ import annotations

import abc
import contextlib
from collections import Counter
from collections.abc import Iterable
from threading import Lock
from typing import Any, cast

# Note [Unseen]
# Programs ask classes for their `__subclasses__()`, to list what there is of a kind, and abstract classes ask them, too. What stands for the instances of
# a class must not be among them. So it inherits from the class while a trace goes on, and from another one, of the same layout, at other times. Where the
# layout of a class is its own, as with slots, it stays a subclass.
#
# It has to be one that Python knows of while it is in use: what Python keeps of lookups in a class is given up where a class changes that knows of it.


class _Apart:
    """What a subclass inherits from while no trace needs it."""


class _ApartAbstract(abc.ABC):  # noqa: B024 (it is for the layout)
    """The same, of abstract classes."""


# What there is, by what classes inherit from that say first that instances have a dictionary: layouts are equal only where that is.
_APART: dict[Any, type] = {object: _Apart, abc.ABC: _ApartAbstract}


class _Home(str):
    """The module of a subclass, by which it is told from users' classes; instances say that they are of the module of the class."""

    __slots__ = ()

    def __get__(self, instance: Any, owner: Any = None) -> str:
        return self if instance is None else str(class_of(owner).__module__)


# How many traces use a subclass.
_uses: Counter[type] = Counter()
_lock = Lock()


def subclass(class_: type, members: dict[str, Any]) -> type:
    """Make a subclass of a class."""
    own = {"__stands_for_class__": class_, "__module__": _Home(__name__), "__doc__": class_.__doc__}
    return type(class_.__name__, (class_,), {**own, **members})


def _inherit(made: type, base: type) -> None:
    # Not by what a metaclass of the program's says of it.
    type.__setattr__(made, "__bases__", (base,))


def attach(made: type) -> None:
    """Have a subclass inherit from its class, for a trace."""
    with _lock:
        if not _uses[made] and made.__bases__ != (class_of(made),):
            _inherit(made, class_of(made))
        _uses[made] += 1


def detach(several: Iterable[type]) -> None:
    """Have subclasses of which a trace makes no more instances inherit from their classes no longer, but where another trace does."""
    with _lock:
        for made in several:
            _uses[made] -= 1
            if not _uses[made]:
                del _uses[made]
                first = next((base for base in reversed(made.__mro__) if base.__dictoffset__), object)
                # Of another layout it cannot be.
                with contextlib.suppress(TypeError):
                    _inherit(made, _APART.get(first.__base__, _Apart))


def class_of(made: type) -> type:
    """Return the class of which a subclass was made."""
    class_: type = cast(Any, made).__stands_for_class__
    return class_
