"""The lengths of Collatz orbits, each found with the help of those before it, and the records among them.

entry:      orbits
family:     scalar-loops
exercises:  a while loop that stops where a table has the answer; records appended to lists; integers that leave the table
patterns:   while-loops early-return list-append subscript-targets scans default-arguments user-calls tuple-results
            progress-print validation
small:      limit=30
medium:     limit=120000
large:      limit=800000
sized:      limit=20+13k
"""

import numpy as np


def steps_to_known(start, lengths):
    """Follow the orbit of start down to a number whose length is known. Returns the length and the highest number."""
    n = start
    highest = start
    steps = 0
    while n >= start:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
            if n > highest:
                highest = n
        steps += 1
        if n == 1:
            return steps, highest
    return steps + lengths[n], highest


def orbits(limit, report=False):
    """Lengths of the orbits of all numbers below limit, and the numbers that set records of length, with these."""
    if limit < 2:
        raise ValueError("there is nothing below 2")
    lengths = np.zeros(limit, dtype=np.int64)
    peaks = np.ones(limit, dtype=np.int64)
    starts = []
    longest = []
    best = 0
    for n in range(2, limit):
        lengths[n], peaks[n] = steps_to_known(n, lengths)
        if lengths[n] > best:
            best = lengths[n]
            starts.append(n)
            longest.append(best)
            if report:
                print(n, best)
    above = np.maximum.accumulate(peaks)
    return lengths, np.array(starts), np.array(longest), above


def make_inputs(limit):
    return (limit,)


def bad_inputs():
    yield "no numbers", ValueError, (1,)
    yield "a fraction of a number", TypeError, (10.5,)
