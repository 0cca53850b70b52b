"""Text that is handed in, of which run time gives the characters."""

from __future__ import annotations

import itertools
import operator
import string
from collections.abc import Callable
from typing import Any, NoReturn

from transpile.runtime.arrays.functions import Method, implements
from transpile.runtime.arrays.indexing import one_integer
from transpile.runtime.arrays.lists import StagedList, is_run_time
from transpile.runtime.arrays.numbers import lift, raise_if, to_weak
from transpile.runtime.arrays.operand import Operand
from transpile.runtime.arrays.recorder import recorder
from transpile.runtime.arrays.scalar import SymbolicScalar
from transpile.runtime.arrays.signals import NeedsHash, ReadsText
from transpile.runtime.arrays.tuples import is_tuple
from transpile.runtime.arrays.union import Union
from transpile.runtime.graph.types import INT64

from .deferred import SymbolicText

# Note [Characters]
# A text that is handed in is known while tracing, as most are names of options. Where that will not do, since a loop asks for the character at a place that run time gives, say, the
# trace is made anew with the texts among the arguments as lists of code points. It serves other texts, too. A text that is asked for anything else is known after all.

# How many characters one is looked for among, one by one.
_FEW = 64


class Character(SymbolicText):
    """A text of one character, whose code point run time gives."""

    def __init__(self, code: Any) -> None:
        super().__init__(chr, (code,), is_sure=True)
        self.code = code

    def __parts__(self) -> tuple[Any, ...]:
        """What it consists of: see `structure_of`."""
        return (self.code,)

    # What makes it of its parts at run time.
    made_as = staticmethod(chr)

    @staticmethod
    def taken(thing: Any) -> Any:
        """Return a text of one character that is known as one that run time gives; anything else itself."""
        if is_tuple(thing):
            return tuple(map(Character.taken, thing))
        return Character(ord(thing)) if type(thing) is str and len(thing) == 1 else thing

    def __hash__(self) -> int:  # type: ignore[override]
        raise NeedsHash(lift(self.code))

    # One character is more than none.
    @staticmethod
    def __true__(_: Any) -> bool:
        """Return its truth: see `truth`."""
        return True

    def __getattr__(self, name: str) -> Any:
        return Method(self, name, _METHODS[name]) if name in _METHODS else super().__getattr__(name)

    def is_among(self, known: str) -> Any:
        """Return whether it is one of the characters of ASCII that are known; a call with others than ASCII's is left to the original."""
        self._check_ascii()
        codes = sorted(map(ord, known))
        found: Any = False
        for _, places in itertools.groupby(enumerate(codes), lambda place: place[1] - place[0]):
            run = [code for _, code in places]
            found = found | ((self.code >= run[0]) & (self.code <= run[-1]))
        return found

    def moved(self, known: str, by: int) -> Character:
        """Return it, or the character so many places on where it is one of those that are known."""
        return Character(self.code + by * self.is_among(known))

    def _check_ascii(self) -> None:
        recorder().deoptimise_if((self.code > 127).value, "a character is none of ASCII's")

    def digit(self) -> Any:
        """Return the number that it is; a call with another is left to the original."""
        outside = (self.code < ord("0")) | (self.code > ord("9"))
        recorder().deoptimise_if(outside.value, "a character is no digit")
        return self.code - ord("0")


_ASCII = "".join(map(chr, range(128)))
# What stands for methods of one character.
_METHODS: dict[str, Callable[..., Any]] = {
    "upper": lambda text: text.moved(string.ascii_lowercase, -32),
    "lower": lambda text: text.moved(string.ascii_uppercase, 32),
}


def _asking(test: Callable[[str], bool]) -> Callable[[Character], Any]:
    known = "".join(filter(test, _ASCII))
    return lambda text: text.is_among(known)


for _test in (
    str.isalnum,
    str.isalpha,
    str.isdecimal,
    str.isdigit,
    str.islower,
    str.isnumeric,
    str.isspace,
    str.isupper,
):
    _METHODS[_test.__name__] = _asking(_test)


def _comparison(compare: Callable[[Any, Any], Any], of_others: bool | None) -> Callable[[Any, Any], Any]:
    """Return the method that compares; with what is no character, the answer is known, or None."""

    def method(self: Character, other: Any) -> Any:
        if isinstance(other, Union):
            return other.on_each_way(lambda way: compare(self, way))
        if isinstance(other, Character):
            return compare(self.code, other.code)
        if type(other) is str and len(other) == 1:
            return compare(self.code, ord(other))
        is_other = other is None or isinstance(other, (str, int, float, complex, tuple, SymbolicScalar))
        return of_others if is_other and of_others is not None else self._needs_text()

    return method


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(
        Character, f"__{_name}__", _comparison(getattr(operator, _name), {"eq": False, "ne": True}.get(_name))
    )


class HandedText(SymbolicText):
    """A text among the arguments, under a name: `make` gives it of `parts`, and `codes` the list of its code points."""

    # What stands for an item, of its code, and what Python says of a place where there is none.
    element: Callable[[Any], Any] = Character
    outside = "string index out of range"

    def __init__(
        self, name: str, make: Callable[..., str], parts: tuple[Any, ...], codes: Callable[[], StagedList]
    ) -> None:
        super().__init__(make, parts, is_sure=True)
        self.name = name
        self.codes = codes

    def _needs_text(self, *_: Any) -> NoReturn:
        raise ReadsText(self.name)

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _needs_text
    __len__ = __iter__ = __contains__ = __hash__ = __bool__ = _needs_text
    __str__ = __repr__ = __format__ = __mul__ = __rmul__ = __mod__ = _needs_text
    __int__ = __float__ = __complex__ = __index__ = _needs_text

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, Union):
            key = one_integer(key)
        if not (isinstance(key, int) or is_run_time(key)):
            self._needs_text()
        return self.element(self.codes().item(key, self.outside))


class HandedBytes(HandedText):
    """Bytes among the arguments: their items are integers."""

    stands_for = bytes  # type: ignore[assignment]
    element = staticmethod(lambda code: code)
    outside = "index out of range"

    __add__ = __radd__ = HandedText._needs_text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._needs_text()


def has_character(text: str, item: Character) -> Any:
    """Return the truth of "a character is in a known text"."""
    known = dict.fromkeys(text)
    if len(known) > _FEW:
        item._needs_text()
    found: Any = False
    for each in known:
        found = found | (item == each)
    return found


@implements(ord)
def code_of(text: Any) -> Any:
    """Stand for `ord`."""
    return text.code if isinstance(text, Character) else ord(text)


@implements(chr)
def character_of(code: Any) -> Any:
    """Stand for `chr`."""
    if not isinstance(code, SymbolicScalar):
        return chr(code)
    if code.type.dtype.kind not in ("biu" if code.weak else "iu"):
        raise recorder().unsure(TypeError(f"{code.type_name!r} object cannot be interpreted as an integer"))
    number = SymbolicScalar(to_weak(lift(code), INT64))
    raise_if((number < 0) | (number > 0x10FFFF), lambda: ValueError("chr() arg not in range(0x110000)"))
    return Character(number)


Operand.character = staticmethod(Character.taken)
