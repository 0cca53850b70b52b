"""Unions: values whose Python type depends on the way control took."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

from .at_hand import is_one_of_its_kind
from .operand import Operand
from .recorder import recorder
from .scalar import SymbolicScalar
from .signals import NeedsWay
from .undefined import Undefined


def _in_place(name: str) -> Any:
    function = getattr(operator, name)

    def method(self: Union, other: Any) -> Any:
        # What is no array gets no new contents: Python falls back to the operator itself.
        return (
            self.on_each_way(lambda way: function(way, way if other is self else other))
            if self.has_others
            else NotImplemented
        )

    return method


class Union(Operand):
    """One of several alternatives, told apart at run time by `tag`, the place of the one that holds.

    An alternative is a symbolic scalar, or something known: None, an unbound name.
    """

    __slots__ = ("alternatives", "tag")

    def __init__(self, tag: SymbolicScalar, alternatives: tuple[Any, ...]) -> None:
        self.tag = tag
        self.alternatives = alternatives

    def __bool__(self) -> bool:
        return bool(self.resolved())

    def __hash__(self) -> int:  # type: ignore[override]
        # A number is asked for, as where it is the key alone; of other things that run time gives the place is.
        numbers = [way for way in self.alternatives if isinstance(way, SymbolicScalar)]
        if numbers and not recorder().may_make_tables:
            # Tables were tried in vain: in a branch, that is left to the original, should control come to it.
            raise TypeError("what run time decides the type of is a key")
        return hash((*numbers, self.tag)[0])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Operand.attribute_of_union(self, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in Union.__slots__:
            object.__setattr__(self, name, value)
        else:
            self.on_each_way(lambda way: setattr(way, name, value))

    def __getitem__(self, key: Any) -> Any:
        return self.on_each_way(lambda way: way[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.on_each_way(lambda way: operator.setitem(way, key, value))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable())

    def __len__(self) -> int:
        return Operand.call(len, self.resolved())  # type: ignore[no-any-return]

    def __index__(self) -> int:
        rest = self.numbers()
        return operator.index(rest.resolved() if isinstance(rest, Union) else rest)

    def on_each_way(self, function: Callable[[Any], Any]) -> Any:
        """Return what a function gives for the alternative that holds, each in a branch of its own.

        A call where it is None, or text, is left to the original.
        """
        rest = self.bound()
        for place in reversed(range(len(self.alternatives))):
            if isinstance(rest, Union) and place < len(rest.alternatives):
                if rest.alternatives[place] is None or isinstance(rest.alternatives[place], str):
                    rest = rest._left_to_original(place)
        return (
            Operand.on_way(rest.tag, rest.alternatives, function)
            if isinstance(rest, Union)
            else function(rest)
        )

    @property
    def has_others(self) -> bool:
        """Whether it may be an array or a container, which no function of scalars takes."""
        return not all(
            way is None or isinstance(way, (SymbolicScalar, Undefined, str)) for way in self.alternatives
        )

    __iadd__, __isub__, __imul__, __itruediv__ = map(_in_place, ("iadd", "isub", "imul", "itruediv"))
    __ifloordiv__, __imod__, __ipow__ = map(_in_place, ("ifloordiv", "imod", "ipow"))
    __iand__, __ior__, __ixor__ = map(_in_place, ("iand", "ior", "ixor"))
    __ilshift__, __irshift__, __imatmul__ = map(_in_place, ("ilshift", "irshift", "imatmul"))

    def is_(self, place: int) -> Any:
        """Return the truth of "the alternative at `place` holds"."""
        return self.tag == place

    def bound(self, free: bool = False) -> Any:
        """Return the union without its unbound alternative; where that one holds at run time, the name's own error is raised.

        `free` says that the name is a variable of a function around.
        """
        rest = self
        for place, alternative in enumerate(self.alternatives):
            if isinstance(alternative, Undefined):
                error = alternative.free_error if free else alternative.error
                recorder().raise_if(self.is_(place).value, error)
                rest = self._without(place)
        return rest

    def _without(self, place: int) -> Any:
        """Return what is left when the alternative at `place` is known not to hold."""
        rest = tuple(a for p, a in enumerate(self.alternatives) if p != place)
        if len(rest) == 1:
            return rest[0]
        tag = self.tag - (self.tag > place)
        return Union(tag, rest)

    def numbers(self) -> Any:
        """Return the union of the alternatives that are numbers; a call where another one holds is left to the original."""
        return self._only(lambda way: isinstance(way, SymbolicScalar))

    def iterable(self) -> Any:
        """Return the alternative that was made last of those that are no numbers; a call where another one holds is left to the original."""
        rest = self._only(lambda way: not isinstance(way, SymbolicScalar))
        return rest.resolved() if isinstance(rest, Union) else rest

    def _only(self, test: Callable[[Any], bool]) -> Any:
        """Return the union of the alternatives that pass a test, or one that is left; a call where another one holds is left to the original."""
        rest = self.bound()
        while isinstance(rest, Union):
            place = next((p for p, way in enumerate(rest.alternatives) if not test(way)), None)
            if place is None:
                break
            rest = rest._left_to_original(place)
        return rest

    def _left_to_original(self, place: int) -> Any:
        """Return what is left where a call in which the alternative at `place` holds is left to the original, but for the one at hand: that is traced for what it is."""
        holds = self.is_(place).value
        if is_one_of_its_kind(holds):
            raise NeedsWay(holds)
        recorder().deoptimise_if(holds, f"a value is {_said(self.alternatives[place])}")
        return self._without(place)

    def present(self) -> Any:
        """Return the union of the alternatives that are not None, or one that is left; a call where it is None is left to the original."""
        return self._only(lambda way: way is not None)

    def resolved(self) -> Any:
        """Return the alternative that was made last, None only if there is no other one; a call where another one holds is left to the original."""
        rest = self.present()
        while isinstance(rest, Union):
            recorder().deoptimise_if(rest.is_(0).value, "a value has the type it has on the way seldom taken")
            rest = rest._without(0)
        return rest


def _said(way: Any) -> str:
    """Return how to tell of an alternative, of which run time may give the value."""
    return way.type_name if isinstance(way, SymbolicScalar) else "None" if way is None else type(way).__name__
