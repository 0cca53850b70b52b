"""Names that are not bound."""

from __future__ import annotations


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
        return isinstance(other, Undefined) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)
