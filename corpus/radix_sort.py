"""Integers sorted by their digits, the least first, with the permutation that does it.

entry:      radix_sort
family:     sorting
exercises:  shifts and masks of whole arrays, counts turned to offsets, a stable scatter by a loop, two buffers that change roles
patterns:   array-iterables continue buffer-swap writing-helpers index-arrays scans bit-operations module-globals
            user-calls tuple-results validation
small:      n=20
medium:     n=150000
large:      n=1000000
sized:      n=16+6k
"""

import numpy as np

BITS = 8
BUCKETS = 1 << BITS


def offsets_of(digits):
    """Where the numbers with each digit begin."""
    counts = np.zeros(BUCKETS, dtype=np.int64)
    for digit in digits:
        counts[digit] += 1
    offsets = np.zeros_like(counts)
    offsets[1:] = np.cumsum(counts)[:-1]
    return offsets


def scatter(keys, places, digits, keys_out, places_out):
    """Move keys behind those with smaller digits, equal ones in the order they have."""
    offsets = offsets_of(digits)
    for i in range(len(keys)):
        d = digits[i]
        at = offsets[d]
        keys_out[at] = keys[i]
        places_out[at] = places[i]
        offsets[d] = at + 1


def radix_sort(numbers):
    """The numbers in order, which place each had, how many passes were made, and how many were skipped."""
    if numbers.dtype != np.int32:
        raise TypeError("32-bit integers, please")
    # With the sign bit flipped, negative numbers come before the others.
    keys = numbers.astype(np.int64) + (1 << 31)
    places = np.arange(len(keys))
    keys_out, places_out = np.empty_like(keys), np.empty_like(places)
    passes = skipped = 0
    for shift in range(0, 32, BITS):
        digits = (keys >> shift) & (BUCKETS - 1)
        if (digits == digits[0]).all():
            skipped += 1
            continue
        scatter(keys, places, digits, keys_out, places_out)
        keys, keys_out = keys_out, keys
        places, places_out = places_out, places
        passes += 1
    return (keys - (1 << 31)).astype(np.int32), places, passes, skipped


def make_inputs(n):
    rng = np.random.default_rng(157)
    return (rng.integers(-40_000, 40_000, n).astype(np.int32) * 16,)


def bad_inputs():
    yield "long integers", TypeError, (np.arange(5),)
    yield "nothing to sort", IndexError, (np.zeros(0, dtype=np.int32),)
