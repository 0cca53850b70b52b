"""Sieve of Eratosthenes, with the widest gap between primes and a count of their last digits.

entry:      primes_below
family:     scalar-loops
exercises:  a sieve by scalar loops, then arrays whose size depends on what it found
patterns:   while-loops continue strided-slices mask-selection array-iterables scatter-add tuple-results
small:      limit=60
medium:     limit=6000000
large:      limit=20000000
sized:      limit=40+17k
"""

import numpy as np


def primes_below(limit):
    """Primes below limit in ascending order, the widest gap between neighbours, and how many end in 0, 1, ..., 9."""
    is_prime = np.ones(limit, dtype=bool)
    is_prime[:2] = False
    is_prime[4::2] = False

    i = 1
    while (i + 2) * (i + 2) < limit:
        i += 2
        if not is_prime[i]:
            continue
        for j in range(i * i, limit, 2 * i):
            is_prime[j] = False

    primes = np.arange(limit)[is_prime]
    gaps = primes[1:] - primes[:-1]
    last_digits = np.zeros(10, dtype=int)
    for p in primes:
        last_digits[p % 10] += 1
    return primes, gaps.max(), last_digits


def make_inputs(limit):
    return (limit,)


def bad_inputs():
    yield "negative limit", ValueError, (-3,)
    yield "no primes, no gaps", ValueError, (2,)
