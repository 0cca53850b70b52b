"""Weighted edit distance of two sequences of letters, by dynamic programming with two rows.

entry:      edit_distance
family:     dynamic-programming
exercises:  a table filled cell by cell, two rows that swap, slices whose ends were searched for
patterns:   while-loops lazy-guard run-time-slices early-return array-iterables enumerate buffer-swap
            conditional-expression default-arguments validation
small:      n=18 m=15
medium:     n=2200 m=2000
large:      n=4600 m=4200
sized:      n=12+3k m=30-2k
"""

import numpy as np


def edit_distance(a, b, gap=1, mismatch=1):
    """Cheapest way to turn a into b, with `gap` per letter put in or left out and `mismatch` per letter changed."""
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError("edit_distance takes two vectors of letters")

    # what the two have in common at either end costs nothing
    start, n, m = 0, len(a), len(b)
    while start < n and start < m and a[start] == b[start]:
        start += 1
    while n > start and m > start and a[n - 1] == b[m - 1]:
        n -= 1
        m -= 1
    a, b = a[start:n], b[start:m]
    if len(a) == 0 or len(b) == 0:
        return gap * (len(a) + len(b))

    above = gap * np.arange(len(b) + 1)
    row = np.empty_like(above)
    for i, letter in enumerate(a):
        row[0] = (i + 1) * gap
        for j in range(len(b)):
            change = 0 if letter == b[j] else mismatch
            row[j + 1] = min(above[j] + change, above[j + 1] + gap, row[j] + gap)
        above, row = row, above
    return int(above[-1])


def make_inputs(n, m):
    rng = np.random.default_rng(7)
    a = rng.integers(97, 101, n).astype(np.uint8)
    b = rng.integers(97, 101, m).astype(np.uint8)
    k = min(n, m) // 4
    b[:k] = a[:k]
    b[m - k :] = a[n - k :]
    return a, b, 2, 3


def bad_inputs():
    a, b, *_ = make_inputs(6, 5)
    yield "matrix of letters", ValueError, (a.reshape(2, 3), b)
