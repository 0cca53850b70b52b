"""Dims: sizes and index expressions as canonical polynomials over integer values of the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .ir import Value

    Monomial = tuple[Value, ...]


class Dim:
    """A polynomial with integer coefficients over integer values; equal polynomials compare equal.

    A constant polynomial is never a ``Dim``: arithmetic gives a plain ``int`` back, so that ``n - n == 0``.
    """

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: tuple[tuple[Monomial, int], ...]) -> None:
        self.terms = terms
        self._hash = hash(terms)

    @staticmethod
    def of_value(value: Value) -> Dim:
        """Return the polynomial that is `value` itself."""
        return Dim((((value,), 1),))

    @staticmethod
    def normal(terms: Mapping[Monomial, int]) -> DimLike:
        """Return the canonical dim of the sum of `terms`."""
        kept = [(monomial, factor) for monomial, factor in terms.items() if factor]
        if not kept:
            return 0
        if len(kept) == 1 and not kept[0][0]:
            return kept[0][1]
        if len(kept) > 1:
            # Highest degree first, then the order in which the values were made; the constant comes last.
            kept.sort(key=_order)
        return Dim(tuple(kept))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Dim) and self.terms == other.terms)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> Any:
        """Pickle without the hash, which is that of values."""
        return Dim, (self.terms,)

    def __add__(self, other: DimLike) -> DimLike:
        if type(other) is int:
            return self._plus(other)
        terms = dict(self.terms)
        for monomial, factor in terms_of(other):
            terms[monomial] = terms.get(monomial, 0) + factor
        return Dim.normal(terms)

    def _plus(self, number: int) -> Dim:
        """Return the dim with another constant, which is its last term."""
        if not number:
            return self
        rest = self.terms
        if not rest[-1][0]:
            number += rest[-1][1]
            rest = rest[:-1]
        return Dim((*rest, ((), number)) if number else rest)

    __radd__ = __add__

    def __neg__(self) -> DimLike:
        return Dim(tuple([(monomial, -factor) for monomial, factor in self.terms]))

    def __sub__(self, other: DimLike) -> DimLike:
        if type(other) is int:
            return self._plus(-other)
        terms = dict(self.terms)
        for monomial, factor in terms_of(other):
            terms[monomial] = terms.get(monomial, 0) - factor
        return Dim.normal(terms)

    def __rsub__(self, other: DimLike) -> DimLike:
        return -self + other

    def __mul__(self, other: DimLike) -> DimLike:
        if type(other) is int:
            if other == 1:
                return self
            return Dim(tuple([(monomial, factor * other) for monomial, factor in self.terms])) if other else 0
        terms: dict[Monomial, int] = {}
        for left, left_factor in self.terms:
            for right, right_factor in terms_of(other):
                monomial = left + right
                if len(monomial) > 1:
                    monomial = tuple(sorted(monomial, key=lambda value: value.serial))
                terms[monomial] = terms.get(monomial, 0) + left_factor * right_factor
        return Dim.normal(terms)

    __rmul__ = __mul__

    def __str__(self) -> str:
        text = ""
        for monomial, factor in self.terms:
            sign = " - " if factor < 0 else " + "
            body = "*".join(
                [str(abs(factor))] * (abs(factor) != 1 or not monomial) + [v.name for v in monomial]
            )
            text += (sign if text else sign.strip(" +")) + body
        return text

    __repr__ = __str__

    @property
    def has_products(self) -> bool:
        """Whether values are multiplied: terms of the highest degree come first."""
        return len(self.terms[0][0]) > 1

    def values(self) -> Iterator[Value]:
        """Yield the values that the polynomial is over."""
        for monomial, _ in self.terms:
            yield from monomial

    def coefficient(self, value: Value) -> DimLike | None:
        """Return the factor of `value` where the polynomial is linear in it, else None."""
        factor: dict[Monomial, int] = {}
        for monomial, number in self.terms:
            count = monomial.count(value)
            if count > 1:
                return None
            if count:
                factor[tuple(v for v in monomial if v is not value)] = number
        return Dim.normal(factor)

    def parted(self, value: Value) -> tuple[DimLike | None, DimLike]:
        """Return the factor of `value`, None where the polynomial is not linear in it, and the rest, where it is."""
        factor: dict[Monomial, int] = {}
        rest = []
        for term in self.terms:
            monomial, number = term
            if value not in monomial:
                rest.append(term)
            elif len(monomial) == 1:
                factor[()] = number
            elif monomial.count(value) > 1:
                return None, self
            else:
                factor[tuple([v for v in monomial if v is not value])] = number
        if not rest:
            return Dim.normal(factor), 0
        # The order stays as it is.
        is_number = len(rest) == 1 and not rest[0][0]
        return Dim.normal(factor), rest[0][1] if is_number else Dim(tuple(rest))

    def substitute(self, replace: Callable[[Value], DimLike]) -> DimLike:
        """Return the polynomial with every value replaced by what `replace` gives for it."""
        total: DimLike = 0
        for monomial, factor in self.terms:
            product: DimLike = factor
            for value in monomial:
                product = product * replace(value)
            total = total + product
        return total


def _order(term: tuple[Monomial, int]) -> tuple[int, ...]:
    monomial = term[0]
    if len(monomial) == 1:
        # Most are.
        return -1, monomial[0].serial
    return -len(monomial), *[value.serial for value in monomial]


DimLike = int | Dim
# How many terms a quotient of dims has at most.
_TERMS = 32


def terms_of(dim: DimLike) -> tuple[tuple[Any, int], ...]:
    """Return the terms of a dim that may be a plain number."""
    return dim.terms if isinstance(dim, Dim) else (((), dim),)


def values_of(dim: DimLike) -> Iterator[Value]:
    """Yield the values that a dim, which may be a plain number, depends on."""
    if isinstance(dim, Dim):
        yield from dim.values()


def substitute(dim: DimLike, replace: Callable[[Value], DimLike]) -> DimLike:
    """Return `dim`, which may be a plain number, with its values replaced."""
    return dim.substitute(replace) if isinstance(dim, Dim) else dim


def product(dims: tuple[DimLike, ...]) -> DimLike:
    """Return the number of elements of an array of these dims."""
    total: DimLike = 1
    for dim in dims:
        total = total * dim
    return total


def quotient(total: DimLike, known: DimLike) -> DimLike | None:
    """Return `total / known`, neither of which is zero, where it is a polynomial: the leading terms are divided, one after the other."""
    (divisor, factor), *_ = terms_of(known)
    found: DimLike = 0
    for _ in range(_TERMS):
        if total == 0:
            return found
        (monomial, count), *_ = terms_of(total)
        rest = list(monomial)
        for value in divisor:
            if value not in rest:
                return None
            rest.remove(value)
        if count % factor:
            return None
        term = Dim.normal({tuple(rest): count // factor})
        found, total = found + term, total - term * known
    return None


def python_text(dim: DimLike, name: Callable[[Any], str]) -> str:
    """Return the Python expression of a dim; `name` gives those of the values in it."""
    terms = []
    for monomial, factor in terms_of(dim):
        factors = [str(factor)] if factor != 1 or not monomial else []
        terms.append(" * ".join([*factors, *map(name, monomial)]))
    return " + ".join(terms) or "0"
