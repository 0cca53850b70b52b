"""The k largest of a stream of readings, kept in a heap, and the order in which a heap gives them back.

entry:      largest
family:     sorting
exercises:  a binary heap in two arrays that move together, a class that keeps its length, ties broken by a second key
patterns:   array-iterables reversed-loops while-loops break early-return enumerate buffer-swap subscript-targets
            user-calls classes tuple-results validation
small:      n=25 k=6
medium:     n=250000 k=500
large:      n=1500000 k=2000
sized:      n=22+8k k=5+k
"""

import numpy as np


class Heap:
    """The largest readings so far, the smallest of them on top; of equal ones the later goes first."""

    def __init__(self, room):
        self.keys = np.zeros(room)
        self.tags = np.zeros(room, dtype=np.int64)
        self.length = 0
        self.moves = 0

    def before(self, i, j):
        if self.keys[i] != self.keys[j]:
            return self.keys[i] < self.keys[j]
        return self.tags[i] > self.tags[j]

    def swap(self, i, j):
        self.keys[i], self.keys[j] = self.keys[j], self.keys[i]
        self.tags[i], self.tags[j] = self.tags[j], self.tags[i]
        self.moves += 1

    def push(self, key, tag):
        i = self.length
        self.keys[i] = key
        self.tags[i] = tag
        self.length += 1
        while i > 0:
            parent = (i - 1) // 2
            if not self.before(i, parent):
                break
            self.swap(i, parent)
            i = parent

    def sink(self):
        """Let what lies on top go down to its place."""
        i = 0
        while True:
            child = 2 * i + 1
            if child >= self.length:
                return
            if child + 1 < self.length and self.before(child + 1, child):
                child += 1
            if not self.before(child, i):
                return
            self.swap(i, child)
            i = child

    def replace(self, key, tag):
        self.keys[0] = key
        self.tags[0] = tag
        self.sink()

    def pop(self):
        key, tag = self.keys[0], self.tags[0]
        self.length -= 1
        self.swap(0, self.length)
        self.sink()
        return key, tag


def largest(readings, k):
    """The k largest readings from the largest, where they stand, and how often the heap moved something."""
    if k < 1:
        raise ValueError("k must be positive")
    heap = Heap(k)
    for i, reading in enumerate(readings):
        if heap.length < k:
            heap.push(reading, i)
        elif reading > heap.keys[0]:
            heap.replace(reading, i)
    values, places = np.zeros(k), np.full(k, -1)
    for i in range(heap.length - 1, -1, -1):
        values[i], places[i] = heap.pop()
    return values, places, heap.moves


def make_inputs(n, k):
    readings = np.random.default_rng(139).normal(0, 1, n)
    return np.round(readings, 3), k


def bad_inputs():
    readings, k = make_inputs(12, 4)
    yield "none of them", ValueError, (readings, 0)
    yield "rows of readings", ValueError, (readings.reshape(3, 4), k)
