"""Quantiles without sorting: Hoare's selection on a copy, with pivots from three places.

entry:      quantiles
family:     sorting
exercises:  two indices that run towards each other, exchanges in place, bounds that close in, insertion where little is left
patterns:   array-iterables deep-loops while-loops early-return enumerate lazy-guard buffer-swap
            conditional-expression writing-helpers subscript-targets scans module-globals user-calls tuple-results
small:      n=20
medium:     n=60000
large:      n=500000
sized:      n=17+7k
"""

import numpy as np

FEW = 8


def insertion_sort(a, low, high):
    """Sort a[low : high + 1]."""
    for i in range(low + 1, high + 1):
        value = a[i]
        j = i - 1
        while j >= low and a[j] > value:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = value


def median_of_three(x, y, z):
    if x > y:
        x, y = y, x
    return x if z < x else y if z > y else z


def select(a, k, low, high):
    """Rearrange a[low : high + 1] until a[k] is where it would be, were it sorted. Returns how often it was split."""
    splits = 0
    while high - low >= FEW:
        pivot = median_of_three(a[low], a[(low + high) // 2], a[high])
        i, j = low, high
        while i <= j:
            while a[i] < pivot:
                i += 1
            while a[j] > pivot:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        splits += 1
        if k <= j:
            high = j
        elif k >= i:
            low = i
        else:
            return splits
    insertion_sort(a, low, high)
    return splits


def quantiles(x, probabilities):
    """Values with at least these shares of x not above them; the widest gap between two; and the splits it took."""
    a = x.copy()
    n = len(a)
    found = np.empty(len(probabilities))
    low = 0
    splits = 0
    for place, p in enumerate(probabilities):
        k = min(int(p * n), n - 1)
        splits += select(a, k, low, n - 1)
        found[place] = a[k]
        low = k
    return found, np.diff(found).max(), splits


def make_inputs(n):
    rng = np.random.default_rng(137)
    x = rng.exponential(1, n)
    x[::5] = np.round(x[::5], 1)  # values that come more than once
    return x, np.array([0.05, 0.25, 0.5, 0.75, 0.95])


def bad_inputs():
    x, p = make_inputs(15)
    yield "nothing to choose from", IndexError, (x[:0], p)
    yield "one probability", TypeError, (x, 0.5)
