"""Functions of a module whose annotations are left as text."""

from __future__ import annotations

import functools


def noted(function):
    """Do nothing but keep the name."""

    @functools.wraps(function)
    def wrapper(*args: Unknown, **kwargs: Unknown) -> Unknown:  # noqa: F821 (never evaluated)
        return function(*args, **kwargs)

    return wrapper


def annotated(x: NotDefined, n: int = 3) -> AlsoNot:  # noqa: F821 (never evaluated)
    total: Missing = x * 0  # noqa: F821 (never evaluated)
    for _ in range(n):
        total = total + x
    return total


@noted
def decorated(x: NotDefined):  # noqa: F821 (never evaluated)
    return x * 2
