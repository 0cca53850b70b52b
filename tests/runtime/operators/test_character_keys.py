"""Characters that run time gives are keys of dictionaries and items of lists, as in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare

SCORE = {"G": 1, "A": 2, "T": 3, "C": 4, " ": 0}
PAIR = {("A", "T"): 1, ("T", "A"): 1, ("G", "C"): 2, ("C", "G"): 2}
MIX = {"G": 1, "AT": 2, "x": 3}
NEST = {"G": {"G": 5, "A": 1}, "A": {"G": 1, "A": 6}}
COL = {"A": np.arange(3.0), "G": np.ones(3)}


def scored(a, b):
    t = 0
    for i in range(len(a)):
        t += SCORE[a[i]]
    return t


def paired(a, b):
    t = 0
    for i in range(len(a)):
        for j in range(len(b)):
            t += PAIR.get((a[i], b[j]), -1)
    return t


def of_several_kinds(a, b):
    t = 0
    for c in a:
        t += MIX.get(c, 7)
    return t


def nested(a, b):
    t = 0
    for c in a:
        for d in b:
            if c in NEST and d in NEST[c]:
                t += NEST[c][d]
    return t


def unrepeated(a, b):
    out = []
    for i in range(len(a)):
        if not out or out[-1] != a[i]:
            out.append(a[i])
    return (
        out,
        len(out),
        "A" in out,
        out.count("A"),
        b[0] in out,
        out[::-1],
        sorted(out),
        (out.index("A") if "A" in out else -1),
    )


def positions(a, b):
    d = {}
    for i in range(len(a)):
        if a[i] in d:
            d[a[i]].append(i)
        else:
            d[a[i]] = [i]
    return d


def longest(a, b):
    last = {}
    best = start = 0
    for i in range(len(a)):
        c = a[i]
        if c in last and last[c] >= start:
            start = last[c] + 1
        last[c] = i
        best = max(best, i - start + 1)
    return best, last


def columns(a, b):
    x = np.zeros((len(a), 3))
    for i, c in enumerate(a):
        if c in COL:
            x[i] = COL[c]
    return x


def pairs(a, b):
    out = []
    for i in range(len(a)):
        out.append((a[i], i)) if a[i] > b[0] else out.append(("-", -i))
    return out


def roman(a, b):
    r = {"I": 1, "V": 5, "X": 10}
    t = 0
    for i in range(len(a)):
        if i + 1 < len(a) and r[a[i]] < r[a[i + 1]]:
            t -= r[a[i]]
        else:
            t += r[a[i]]
    return t


def shown(a, b):
    d = {c: i for i, c in enumerate("GATC")}
    for c in a:
        print(c, d[c], end=" ")
    d[b[0]] = 9
    for k, v in d.items():
        print(k, v)
    return d, list(d), d == {"G": 9}


GENES = ("GATTACA" * 12, "GCAT" * 9)
TEXTS = [GENES, ("abc 12 xyz" * 10, "a"), ("XIVI" * 20, "V"), ("", "q"), ("GAB" * 30, "T")]
ALL = [scored, paired, of_several_kinds, nested, unrepeated, positions, longest, columns, pairs, roman, shown]


@pytest.mark.parametrize("function", ALL)
def test_they_are_what_pythons_are(function: Any) -> None:
    converted = convert(function, device="host")
    for given in (*TEXTS, *TEXTS[::-1]):
        compare(observe(function, given), observe(converted, given))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", ALL)
def test_they_compile(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    given = ("XIVI" * 20, "V") if function is roman else GENES
    compare(observe(function, given), observe(converted, given))
