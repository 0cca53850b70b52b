"""What is assumed of dims, by the values that it is about."""

from __future__ import annotations

from .dim import Dim, DimLike, terms_of
from .ir import Value

Term = tuple[tuple[Value, ...], int]


class Assumed:
    """The assumptions of a graph, to which more come while it is traced: there may be hundreds."""

    def __init__(self, assumptions: list[DimLike]) -> None:
        self._assumptions = assumptions
        # By each term of one value alone, and by what else there is in a dim; and how many were looked at.
        self._known: dict[Term, dict[DimLike, tuple[DimLike, DimLike]]] = {}
        self._seen = 0

    def linear(self, value: Value, factor: int) -> list[DimLike]:
        """Return those with such a factor of a value, but for `n - 2` where there is `n - 3`, which says more."""
        if len(self._assumptions) > self._seen:
            self._look()
        return [known for _, known in self._known.get(((value,), factor), {}).values()]

    def _look(self) -> None:
        for known in self._assumptions[self._seen :]:
            for term in terms_of(known):
                if len(term[0]) == 1:
                    rest = known - Dim((term,))
                    same = self._known.setdefault(term, {})
                    if not isinstance(rest, int):
                        same[rest] = (rest, known)
                    elif 0 not in same or rest < same[0][0]:  # type: ignore[operator]
                        same[0] = (rest, known)
        self._seen = len(self._assumptions)

    def forget(self) -> None:
        """Look at all anew: some were taken back."""
        self._known, self._seen = {}, 0
