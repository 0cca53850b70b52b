"""Names that the user does not use."""

from collections.abc import Iterable, Mapping


class Names:
    """Hands out names for generated functions and variables: ``loop_body``, ``loop_body_1``, ...

    ``made_functions`` are the names of the generated functions, by which their code objects are recognised later.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._made: set[str] = set()
        self._counts: dict[str, int] = {}
        self._shared: dict[str, str] = {}
        self._users: dict[str, str] = {}
        self.made_functions: set[str] = set()

    def fresh(self, stem: str) -> str:
        """Makes a name that nobody else has."""
        (name,) = self._numbered(stem)
        return name

    def shared(self, stem: str) -> str:
        """Makes a name that the user does not have, the same one each time."""
        if stem not in self._shared:
            self._shared[stem] = self.fresh(stem)
        return self._shared[stem]

    def functions(self, *stems: str) -> list[str]:
        """Makes names for generated functions that belong together, with the same number."""
        names = self._numbered(*stems)
        self.made_functions.update(names)
        return names

    def is_generated(self, name: str) -> bool:
        """Says whether a name was made here."""
        return name in self._made

    def stand_for(self, users: Mapping[str, str]) -> None:
        """Notes that names made here stand for variables of the user's, each with its own name."""
        self._users.update(users)

    def original(self, name: str) -> str:
        """Gives the name that the user has for a variable."""
        return self._users.get(name, name)

    def is_users(self, name: str) -> bool:
        """Says whether a variable is the user's."""
        return name in self._users or name not in self._made

    def _numbered(self, *stems: str) -> list[str]:
        while True:
            number = self._counts.get(stems[-1], 0)
            self._counts[stems[-1]] = number + 1
            names = [f"{stem}_{number}" if number else stem for stem in stems]
            if self._taken.isdisjoint(names):
                self._taken.update(names)
                self._made.update(names)
                return names


def mangled(name: str, class_name: str | None) -> str:
    """Gives the name that Python makes of one in a class: private names carry that of the class."""
    owner = (class_name or "").lstrip("_")
    if owner and name.startswith("__") and not name.endswith("__"):
        return f"_{owner}{name}"
    return name
