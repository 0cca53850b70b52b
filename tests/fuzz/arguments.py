"""Random arguments, as the text of functions that make them."""

from __future__ import annotations

from .choices import Choices

# In the sizes {n} and {m} that the arrays of a call have in common.
VECTORS = {
    "f": ["np.arange({n}.0)", "np.array([1.5, -2.0, 0.25, 3.0, 0.1, -1.0, 8.0])[:{n}]", "np.linspace(-1, 1, {n})", "np.ones({n})",
          "np.arange({n}, dtype=np.float32)", "np.arange(2.0 * {n})[::2]", "np.arange({n}.0)[::-1]", "np.resize([np.nan, 1.0, -0.0, np.inf], {n})",
          "np.arange({n}.0 * 3).reshape({n}, 3)[:, 1]", "np.random.default_rng(0).standard_normal({n})", "np.array([2.0])",
          "np.zeros(0)", "np.arange(5.0)"],
    "i": ["np.arange({n})", "np.resize([3, -1, 2, 0], {n})", "np.arange({n}, dtype=np.int32)", "np.resize([100, 120, -128], {n}).astype(np.int8)",
          "np.resize([200, 5, 255], {n}).astype(np.uint8)", "np.arange(3 * {n})[::3]", "np.resize([2**62, -2**63, 5], {n})",
          "np.ones({n}, dtype=np.uint64)", "np.arange({n}, dtype=np.uint16)", "np.resize([2**32 - 1, 1], {n}).astype(np.uint32)",
          "np.zeros(0, int)", "np.array([1, 2, 3])"],
    "b": ["np.arange({n}) % 2 == 0", "np.ones({n}, bool)", "np.zeros(0, bool)", "np.array([True, False, True])"],
    "c": ["np.resize([1 + 2j, -1j, 0.5], {n})", "np.arange({n}) * (1 + 1j)", "np.ones({n}, np.complex64)"],
}  # fmt: skip
MATRICES = {
    "f": ["np.arange({m}.0 * {n}).reshape({m}, {n})", "np.ones(({m}, {n}))", "np.arange({m}.0 * {n}).reshape({n}, {m}).T",
          "np.asfortranarray(np.eye({m}, {n}) * 2)", "np.arange({m} * {n} * 4.0).reshape({m} * 2, {n} * 2)[::2, {n}:]",
          "np.full(({m}, {n}), 0.5)", "np.arange({m} * {n}, dtype=np.float32).reshape({m}, {n})", "np.zeros((0, 3))", "np.full((1, {n}), 0.5)"],
    "i": ["np.arange({m} * {n}).reshape({m}, {n})", "np.eye({m}, {n}, dtype=int)", "np.arange({m} * {n}, dtype=np.int16).reshape({m}, {n})",
          "np.ones((2, 0), int)"],
}  # fmt: skip
SIZES = [(6, "5"), (5, "4"), (5, "3"), (2, "7"), (1, "1"), (1, "2"), (1, "0"), (1, "20")]
SCALARS = {
    "i": [
        "3",
        "0",
        "1",
        "-2",
        "5",
        "10",
        "255",
        "2**31",
        "2**62",
        "2**63 - 1",
        "-2**63",
        "10**20",
        "np.int64(4)",
        "np.int32(-3)",
        "np.uint8(200)",
        "True",
    ],
    "f": [
        "1.5",
        "0.0",
        "-2.0",
        "0.1",
        "1e308",
        "float('nan')",
        "float('inf')",
        "-0.0",
        "np.float64(0.75)",
        "np.float32(0.1)",
        "1e-310",
    ],
    "b": ["True", "False", "np.True_"],
    "c": ["1j", "2 - 1j", "np.complex128(1 + 1j)"],
}
OTHERS = {
    "list": ["[1, 2, 3]", "[]", "[0.5, -1]", "[1, 2.0, True]"],
    "tuple": ["(1, 2.5)", "(0,)", "(3, 1, 2)"],
    "text": ["'ab'", "''"],
    "none": ["None"],
}
PARAMETERS = [(6, "f1"), (4, "i0"), (3, "f0"), (3, "i1"), (3, "f2"), (1, "i2"), (1, "b0"), (1, "b1"), (1, "c1"), (1, "c0"), (1, "list"),
              (1, "tuple"), (1, "text")]  # fmt: skip


def value(choices: Choices, kind: str, size: str, rows: str) -> str:
    """Return the text of a value of a kind, arrays in these sizes."""
    if kind in OTHERS:
        return choices.among(OTHERS[kind])
    letter, ndim = kind
    table = {"0": SCALARS, "1": VECTORS, "2": MATRICES}[ndim]
    return choices.among(table[letter]).replace("{n}", size).replace("{m}", rows)


def other_kind(choices: Choices, kind: str) -> str:
    """Return a kind that a function written for another one may meet as well."""
    if kind in OTHERS:
        return choices.among([kind, "none"])
    letter = choices.among("ifb")
    return letter + kind[1] if (kind[1] != "2" or letter != "b") else kind


def maker(choices: Choices, name: str, parameters: dict[str, str]) -> list[str]:
    """Return the lines of a function that makes arguments for parameters of these kinds."""
    lines = [f"def {name}():"]
    made: dict[str, str] = {}
    size = choices.weighted(SIZES)
    rows = size if choices.chance(50) else choices.weighted(SIZES)
    for parameter, kind in parameters.items():
        if choices.chance(5):
            kind = other_kind(choices, kind)
        arrays = [p for p, k in made.items() if k == kind and kind[1:] in ("1", "2")]
        if arrays and choices.chance(15):
            first = choices.among(arrays)
            text = choices.among([first, f"{first}[:]", f"{first}[::-1]", f"{first}[1:]", f"{first}.copy()"])
        else:
            text = value(choices, kind, size, rows)
        lines.append(f"    {parameter} = {text}")
        made[parameter] = kind
    return [*lines, f"    return {', '.join(parameters)},"]
