"""Dictionaries that have keys on some of the ways that control may take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NoReturn

from .numbers import lift
from .presence import given_instead, has, lacks, may_lack, present, refuse_absent
from .recorder import recorder
from .references import Holder
from .undefined import Absent

# Note [Lacking keys]
# `if trades: result["mean"] = np.mean(gains)` gives a dictionary a key on one way. A dictionary that a program makes is Python's own at first. Where a branch
# or loop on run-time values gives it keys that are known, the trace is made anew with one of these in its stead, in which such a key holds one of several
# things, as an attribute may (Note [Lacking]): what was stored, or an AbsentKey.
# In which order it has its keys follows from which were there when one was made. Where that depends on the way control took, the original runs.


class MakesKeys(BaseException):
    """A dictionary is given keys in a branch or loop that it does not have on all ways."""

    def __init__(self, site: Any) -> None:
        super().__init__("a dictionary has keys on some ways only")
        self.site = site


class AbsentKey(Absent):
    """The state of a key that a dictionary has not."""

    __slots__ = ()

    def __init__(self, key: Any) -> None:
        super().__init__(dict, key)

    def error(self) -> KeyError:  # type: ignore[override]
        """Return the exception that asking for the key raises."""
        return KeyError(self.name)

    deletion_error = error  # type: ignore[assignment]


class LackingDict(dict[Any, Any], Holder):
    """A dictionary made by converted code, some of whose keys may be absent."""

    stands_for: ClassVar[Any] = dict
    # So that it is handed to nothing that knows of Python's own dictionaries alone.
    symbolic = True

    def __init__(self, pairs: Iterable[tuple[Any, Any]] = ()) -> None:
        super().__init__()
        # The keys that were there, perhaps, when each was made.
        self.before: dict[Any, set[Any]] = {}
        for key, value in pairs:
            self.before[key] = set(super().keys())
            super().__setitem__(key, value)

    def held(self) -> Iterator[Any]:
        """Yield what it holds."""
        yield from super().values()

    def contents(self) -> dict[Any, Any]:
        """Return what its keys hold, in order, which may be an AbsentKey."""
        return {key: super(LackingDict, self).__getitem__(key) for key in self.in_order()}

    def put(self, key: Any, value: Any) -> None:
        """Have a key hold something, on whatever ways it is there; an AbsentKey takes it away."""
        if isinstance(value, Absent):
            super().pop(key, None)
        else:
            super().__setitem__(key, value)

    def restore(self, contents: dict[Any, Any]) -> None:
        """Hold what it held before."""
        super().clear()
        super().update(contents)

    def in_order(self) -> list[Any]:
        """Return its keys: each comes after those that were there when it was made."""
        return sorted(super().keys(), key=lambda key: len(self._all_before(key)))

    @property
    def may_lack(self) -> bool:
        """Whether a key of it may be absent."""
        return any(map(may_lack, super().values()))

    def _all_before(self, key: Any) -> set[Any]:
        """Return the keys that come before one, and before those."""
        found: set[Any] = set()
        left = [key]
        while left:
            new = self.before[left.pop()] - found
            found |= new
            left += new
        return found

    def _note_made(self, key: Any) -> None:
        """Note that a key is made on the ways on which it is absent; a call in which it would come after one that it comes before elsewhere is left to the original."""
        own = super().get(key)
        self.before.setdefault(key, set())
        for other, held in super().items():
            if other == key:
                continue
            if key not in self._all_before(other):
                self.before[key].add(other)
                continue
            if own is not None:
                there = lacks(own) if has(held) is True else lacks(own) & has(held)
                recorder().deoptimise_if(lift(there), "keys are made in several orders")
            elif has(held) is not True:
                recorder().deoptimise_if(lift(has(held)), "keys are made in several orders")
            else:
                self._refuse("the order of the keys")

    def _refuse(self, what: str) -> NoReturn:
        recorder().unstageable(
            "S160-grows",
            f"{what} of a dictionary that has keys on some ways only",
            "give it the same keys on every way",
        )

    def _whole(self, what: str) -> dict[Any, Any]:
        """Return it as a dictionary of Python's own, which it is where it has all keys on every way."""
        if self.may_lack:
            self._refuse(what)
        return self.contents()

    def __setitem__(self, key: Any, value: Any) -> None:
        if not super().__contains__(key) or may_lack(super().__getitem__(key)):
            self._note_made(key)
        super().__setitem__(key, value)

    def __getitem__(self, key: Any) -> Any:
        return present(super().__getitem__(key))

    def __delitem__(self, key: Any) -> None:
        refuse_absent(super().__getitem__(key))
        super().__delitem__(key)

    def holds(self, key: Any) -> Any:
        """Return whether there is a key."""
        return super().__contains__(key) and has(super().__getitem__(key))

    def get(self, key: Any, default: Any = None) -> Any:
        """Return what a key holds, or something else."""
        held = super().get(key, default)
        return given_instead(held, default) if may_lack(held) else held

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """Return what a key holds, which is something else where there was nothing."""
        if not super().__contains__(key):
            self[key] = default
        elif may_lack(super().__getitem__(key)):
            self._refuse("setdefault")
        return self[key]

    def pop(self, key: Any, *default: Any) -> Any:
        """Take a key out."""
        if default and may_lack(super().get(key)):
            self._refuse("pop")
        if default and not super().__contains__(key):
            return default[0]
        taken = self[key]
        super().__delitem__(key)
        return taken

    def update(self, *others: Any, **named: Any) -> None:
        """Store what other dictionaries hold."""
        for key, value in dict(*others, **named).items():
            self[key] = value

    def copy(self) -> LackingDict:
        """Return a dictionary that holds the same."""
        return LackingDict(self.contents().items())

    def clear(self) -> None:
        """Take all keys out."""
        super().clear()

    def keys(self) -> Any:
        """Return the keys."""
        return self._whole("the keys").keys()

    def values(self) -> Any:
        """Return what the keys hold."""
        return self._whole("the values").values()

    def items(self) -> Any:
        """Return the keys and what they hold."""
        return self._whole("the items").items()

    def popitem(self) -> NoReturn:
        """Refuse to take the last key out."""
        self._refuse("the last item")

    def __iter__(self) -> Iterator[Any]:
        return iter(self._whole("the keys"))

    def __reversed__(self) -> Iterator[Any]:
        return iter([*self._whole("the keys")][::-1])

    def __len__(self) -> int:
        return len(self._whole("the length"))

    def __bool__(self) -> bool:
        if not super().__len__():
            return False
        return not all(map(may_lack, super().values())) or self._refuse("the truth")

    def __contains__(self, key: object) -> bool:
        return bool(self.holds(key))

    def __eq__(self, other: object) -> bool:
        return self is other or self._refuse("a comparison")

    def __or__(self, other: Any) -> NoReturn:
        self._refuse("the union")

    def __ror__(self, other: Any) -> NoReturn:
        self._refuse("the union")

    def __ior__(self, other: Any) -> LackingDict:
        self.update(other)
        return self

    def __repr__(self) -> str:
        self._refuse("the text")

    __hash__ = None  # type: ignore[assignment]
