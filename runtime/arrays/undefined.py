"""Names that are not bound, and attributes that an object has not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Undefined:
    """The state of a name that is not bound."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def error(self) -> UnboundLocalError:
        """Return the exception that reading the name raises."""
        return UnboundLocalError(
            f"cannot access local variable '{self.name}' where it is not associated with a value"
        )

    def free_error(self) -> NameError:
        """Return the exception that reading the name raises where it is a variable of a function around."""
        return NameError(
            f"cannot access free variable '{self.name}' where it is not associated with a value in enclosing scope",
            name=self.name,
        )

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class Absent(Undefined):
    """The state of an attribute that an object of a class has not; `inherited`, where there is one, gives what its class has instead."""

    __slots__ = ("inherited", "kind")

    def __init__(self, kind: type, name: str, inherited: Callable[[], Any] | None = None) -> None:
        super().__init__(name)
        self.kind = kind
        self.inherited = inherited

    def error(self) -> AttributeError:  # type: ignore[override]
        """Return the exception that reading the attribute raises."""
        return self._raised_by(object.__getattribute__)

    def deletion_error(self) -> AttributeError:
        """Return the exception that deleting the attribute raises."""
        return self._raised_by(object.__delattr__)

    def _raised_by(self, access: Callable[[object, str], Any]) -> AttributeError:
        # Asked of Python itself, whose versions have words of their own.
        try:
            access(object.__new__(self.kind), self.name)
        except AttributeError as error:
            return AttributeError(*error.args, name=self.name)
        raise AssertionError(f"{self.kind} has {self.name}")

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self.kind is other.kind  # type: ignore[attr-defined]

    __hash__ = Undefined.__hash__


class AbsentGlobal(Absent):
    """The state of a global that is not bound, nor a builtin."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(dict, name)

    def error(self) -> NameError:  # type: ignore[override]
        """Return the exception that reading the name raises."""
        return NameError(f"name '{self.name}' is not defined", name=self.name)
