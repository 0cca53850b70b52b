"""Texts that are handed in may be read at places that run time gives, one trace for all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from transpile import convert

from ...behaviours.harness import observe
from ...end_to_end.comparison import compare


def aligned(a, b, mode="global"):
    n, m = len(a), len(b)
    score = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            match = 1 if a[i - 1] == b[j - 1] else -1
            best = max(score[i - 1, j - 1] + match, score[i - 1, j] - 1, score[i, j - 1] - 1)
            score[i, j] = max(best, 0) if mode == "local" else best
    return score


def found_at(pattern, text, mode=None):
    table, k = np.zeros(len(pattern), dtype=int), 0
    for i in range(1, len(pattern)):
        while k and pattern[k] != pattern[i]:
            k = table[k - 1]
        k += pattern[k] == pattern[i]
        table[i] = k
    places, k = [], 0
    for i in range(len(text)):
        while k and (k == len(pattern) or pattern[k] != text[i]):
            k = table[k - 1]
        k += pattern[k] == text[i]
        if k == len(pattern):
            places.append(i - k + 1)
    return places


def told(a, b, mode=None):
    vowels = same = last = 0
    codes = np.zeros(26, dtype=int)
    for i, c in enumerate(a):
        vowels += c in "aeiou"
        if c in b and c != "?" and c >= "a" and c != "xy":
            same += 1
            codes[(ord(c) - 97) % 26] += i
        last = ord(c)
    for c, d in zip(a, reversed(b)):
        last += c == d and ord(d) > 98
    return vowels, same, last, codes, c if len(a) > 1 else None


def places(a, b, mode=None):
    k = np.arange(len(a)).sum() % 3
    print(a[k], f"<{b[-1]}>", a[-k - 1] == b[k])
    return a[k], chr(ord(a[k]) + 1), a, len(a[k]), bool(a[k]), isinstance(a[k], str), type(b[k])


def beyond(a, b, mode=None):
    count = 0
    for i in range(len(a)):
        if a[i + 1] == b[i]:
            count += 1
    return count


def carried(a, b, mode=None):
    last, runs = a[0], 0
    for i in range(len(a)):
        if a[i] != last:
            runs += 1
            last = a[i]
    return runs, last, last == b[0]


def parsed(a, b, mode=None):
    numbers, shifted, kinds = np.zeros(len(a)), np.zeros(len(a), dtype=int), [0, 0, 0]
    for i in range(len(a)):
        if a[i].isdigit():
            numbers[i] = int(a[i])
        kinds[0] += (
            a[i].isalpha()
            + 2 * a[i].isspace()
            + 4 * a[i].isupper()
            + 8 * a[i].islower()
            + 16 * a[i].isalnum()
        )
        kinds[1] += a[i].upper() == b[0] or b[-1].lower() == a[i]
        kinds[2] += (a[i] in ("a", 1, None)) + (not a[i]) + (a[i] == i)
        shifted[i] = ord(chr((ord(a[i]) - 97 + 3) % 26 + 97)) if a[i] else -1
    return numbers, shifted, kinds


def digits(a, b, mode=None):
    total = 0
    for c in a:
        total = 10 * total + int(c)
    return total


GENES = ("GATTACAGATTACA" * 7, "GCATGCUAGCATTA" * 6)
TEXTS = [
    GENES,
    ("aab", "aaabaabab" * 9),
    ("hello ä world \U0001f600 \udc80" * 6, "olle" * 20),
    ("x", "y"),
    ("", "abc"),
    ("12 ab\tC\x1c\x85²" * 9, "A b 3" * 20),
    ("314" * 5, "2" * 70),
]


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
@pytest.mark.parametrize("function", [aligned, found_at, told, places, beyond, carried, parsed, digits])
def test_characters_are_those_that_they_are(function: Any) -> None:
    converted = convert(function, device="host")
    for a, b in TEXTS:
        for given in ((a, b), (b, a), (a, a), (a, b, "local")):
            compare(observe(function, given), observe(converted, given))


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize("function", [aligned, found_at, told, carried, parsed])
def test_one_trace_serves_all_texts(function: Any, device: str) -> None:
    converted = convert(function, strict=True, device=device)
    for a, b in (
        GENES,
        ("TTA" * 40, GENES[1]),
        (GENES[1], "hello" * 20),
        ("aei" * 30, "oui" * 30),
        ("b" * 99, "ab" * 50),
    ):
        compare(observe(function, (a, b)), observe(converted, (a, b)))
    assert converted.cache_info().currsize <= 3
    assert converted.stats["traces"] == 1 if hasattr(converted, "stats") else True


def test_a_text_that_is_asked_for_more_is_known() -> None:
    def scored(a, b, mode):
        total = 0
        for i in range(len(a)):
            if a[i] == b[i]:
                total += {"plain": 1, "double": 2}[mode]
        return total

    converted = convert(scored, strict=True, device="host")
    for mode in ("plain", "double"):
        assert converted("abcab" * 20, "abbab" * 20, mode) == scored("abcab" * 20, "abbab" * 20, mode)


@pytest.mark.filterwarnings("ignore::transpile.runtime.errors.FallbackWarning")
def test_which_texts_are_one_object_is_left_to_python() -> None:
    def ones(a, b):
        count = 0
        for i in range(len(a)):
            count += a[i] is b[0]
        return count, a is b

    converted = convert(ones, device="host")
    for a, b in (GENES, GENES[::-1], ("abc" * 30, "c"), ("abc" * 30, "b")):
        assert converted(a, b) == ones(a, b) and converted(a, a) == ones(a, a)
