"""The functions of `heapq`, on lists whose items and length run time gives."""

import heapq
from heapq import heappop, heappush

import numpy as np
import pytest

from transpile import StagingError, convert

from ...end_to_end.comparison import call, compare

X = np.random.default_rng(0).random(9).round(1)


def sorts(x):
    heap = []
    for value in x:
        heappush(heap, value)
    return np.array([heappop(heap) for _ in range(len(x))]), heap


def made_a_heap(x):
    heap = list(x)
    heapq.heapify(heap)
    return heap


def keeps_the_largest(x, k):
    heap = []
    for i in range(len(x)):
        if i < k:
            heappush(heap, x[i])
        else:
            heapq.heappushpop(heap, x[i])
    return heapq.heapreplace(heap, x[0]), heap


def pairs_in_order(x):
    heap = []
    for i in range(len(x)):
        heappush(heap, (x[i], i))
    total = 0.0
    while heap:
        value, i = heappop(heap)
        total = total * 2 + value * i
    return total


def known():
    heap = [5, 2, 8]
    heapq.heapify(heap)
    return heapq.heappushpop([], 3), heapq.heappushpop(heap, 1), heap


def pops(n):
    heap = []
    for i in range(n):
        heappush(heap, -i)
    return heappop(heap)


@pytest.mark.parametrize("device", ["host", "cpu"])
@pytest.mark.parametrize(
    "function, arguments",
    [
        (sorts, (X,)),
        (made_a_heap, (X,)),
        (keeps_the_largest, (X, 4)),
        (pairs_in_order, (X,)),
        (known, ()),
        (pops, (4,)),
        (pops, (0,)),
    ],
)
def test_heaps_compile(function, arguments, device):
    converted = convert(function, strict=True, device=device)
    compare(call(function, arguments), call(converted, arguments))


def test_something_else_than_a_list_is_left_to_python():
    with pytest.raises(StagingError, match="S292-heap"):
        convert(lambda x: heappop((x,)), strict=True, device="host")(1)
