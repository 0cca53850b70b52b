"""The ranks of pages that link to each other, and which of them belong together.

entry:      rank_pages
family:     dynamic-programming
exercises:  edges in compressed rows made by counting, sums by np.bincount with weights and np.add.at, labels spread until they settle
patterns:   deep-loops while-loops scatter-add loop-index-slices run-time-slices mask-selection index-arrays
            mask-arithmetic scans sorts unique-bincount default-arguments keyword-only user-calls tuple-results
            validation
small:      n=10 links=3
medium:     n=8000 links=6
large:      n=60000 links=6
sized:      n=9+3k links=3
"""

import numpy as np


def compressed_rows(sources, targets, n):
    """Where the links of each page begin, and their targets in that order."""
    order = np.argsort(sources, kind="stable")
    begins = np.zeros(n + 1, dtype=np.int64)
    np.add.at(begins, sources + 1, 1)
    return np.cumsum(begins), targets[order]


def page_rank(sources, targets, n, damping, tol):
    degree = np.bincount(sources, minlength=n)
    dangling = degree == 0
    share = 1.0 / np.maximum(degree, 1)
    rank = np.full(n, 1.0 / n)
    turns = 0
    change = 1.0
    while change > tol:
        flow = np.bincount(targets, weights=(rank * share)[sources], minlength=n)
        lost = rank[dangling].sum()
        new = (1 - damping) / n + damping * (flow + lost / n)
        change = np.abs(new - rank).sum()
        rank = new
        turns += 1
    return rank, turns


def components(begins, targets, n):
    """The smallest page that can be come by from each page, whichever way the links go."""
    label = np.arange(n)
    changed = True
    while changed:
        changed = False
        for page in range(n):
            for link in targets[begins[page] : begins[page + 1]]:
                if label[link] < label[page]:
                    label[page] = label[link]
                    changed = True
                elif label[page] < label[link]:
                    label[link] = label[page]
                    changed = True
    return label


def rank_pages(sources, targets, n, damping=0.85, tol=1e-8, *, top=5):
    """Ranks, the best pages, the labels of the components and how many there are, and the turns."""
    if not 0 <= damping < 1:
        raise ValueError("damping must be less than 1")
    begins, ordered = compressed_rows(sources, targets, n)
    rank, turns = page_rank(sources, targets, n, damping, tol)
    best = np.argsort(-rank, kind="stable")[:top]
    label = components(begins, ordered, n)
    return rank, best, label, len(np.unique(label)), turns


def make_inputs(n, links):
    rng = np.random.default_rng(179)
    sources = rng.integers(0, n, n * links // 2)
    targets = (sources + 1 + (n * rng.beta(1, 6, len(sources))).astype(np.int64)) % n
    return sources, targets, n


def bad_inputs():
    sources, targets, n = make_inputs(9, 3)
    yield "too much damping", ValueError, (sources, targets, n, 1.5)
    yield "a link from nowhere", IndexError, (sources + 6, targets, n)
