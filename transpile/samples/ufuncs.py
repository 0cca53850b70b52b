"""Calls of every ufunc, with its keywords, and of its methods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

UFUNCS = sorted(
    {thing for thing in vars(np).values() if isinstance(thing, np.ufunc)},
    key=lambda ufunc: ufunc.__name__,
)
# By the characters of the first loop that there is: three arrays of an axis, and the same of three integers.
_OPERANDS = {"d": ("v", "w"), "l": ("i", "i[::-1]"), "?": ("t", "t[::-1]")}
_ELEMENTWISE = tuple(ufunc for ufunc in UFUNCS if ufunc.signature is None)


def calls() -> Iterator[str]:
    """Return calls of all ufuncs."""
    for ufunc in UFUNCS:
        name = f"np.{ufunc.__name__}"
        if ufunc.signature is not None:
            yield from _generalised(name)
            continue
        operands = _operands(ufunc)
        given = ", ".join(operands)
        result = f"np.empty(8, {name}({given}).dtype)" if ufunc.nout == 1 else None
        yield f"{name}({given})"
        if result is None:
            whole = f"[np.empty(8, part.dtype) for part in {name}({given})]"
            yield f"{name}({given}, out=tuple({whole}))"
            continue
        yield f"{name}({given}, out={result})"
        yield f"{name}({given}, where=t, out=np.zeros_like({name}({given})))"
        yield f"{name}({given}, casting='unsafe', dtype={name}({given}).dtype)"
        if ufunc.nin == 2:
            yield from _methods(ufunc, name, operands)
        elif ufunc.nin == 1:
            yield f"{name}.at({operands[0]}, j)"


def _operands(ufunc: np.ufunc) -> tuple[str, ...]:
    if ufunc.__name__ == "isnat":
        return ("np.zeros(8, 'M8[s]')",)
    if ufunc.__name__ == "ldexp":
        return "v", "i"
    if ufunc.__name__ == "clip":
        return "v", "1", "w"
    loops = [loop.partition("->")[0] for loop in ufunc.types]
    character = next(c for c in "dl?" if c * ufunc.nin in loops)
    return _OPERANDS[character][: ufunc.nin]


def _methods(ufunc: np.ufunc, name: str, operands: tuple[str, ...]) -> Iterator[str]:
    first, second = operands
    table = {"v": "a", "i": "I", "t": "M"}[first]
    yield f"{name}.reduce({first})"
    yield f"{name}.reduce({table}, axis=1, keepdims=True)"
    yield f"{name}.accumulate({first})"
    yield f"{name}.accumulate({table}, axis=1)"
    yield f"{name}.reduceat({first}, [0, 3, 2])"
    yield f"{name}.reduceat({table}, [1, 0], axis=1)"
    yield f"{name}.outer({first}, {second}[:3])"
    yield f"{name}.at({first}, j, {second}[:3])"


def _generalised(name: str) -> Iterator[str]:
    left, right = {"np.matvec": ("c", "v[:4]"), "np.vecmat": ("v[:3]", "c")}.get(name, ("c", "a"))
    if name == "np.matmul":
        right = "a.T"
    yield f"{name}({left}, {right})"
    yield f"{name}({left}, {right}, out=np.empty_like({name}({left}, {right})))"
    yield f"{name}({left}, {right}, dtype=np.float32, casting='unsafe')"
    if name in ("np.matmul", "np.vecdot"):
        yield (
            f"{name}({left}, {right}, axes=[(0, 1), (1, 0), (0, 1)])"
            if name == "np.matmul"
            else f"{name}(a, b, axis=0)"
        )
