"""Types of elementwise ops: how their results lie in memory."""

from __future__ import annotations

import numpy as np

from transpile.runtime.graph.types import ArrayType
from transpile.runtime.ops.elementwise import k_order


def test_results_lie_as_numpy_lays_them_out() -> None:
    random = np.random.default_rng(7)
    for _ in range(2000):
        rank = int(random.integers(2, 6))
        dims = random.integers(2, 4, rank)
        operands, types = [], []
        for _ in range(random.integers(1, 4)):
            own = int(random.integers(1, rank + 1))
            shape = tuple(1 if random.random() < 0.4 else int(dim) for dim in dims[rank - own :])
            order = tuple(map(int, random.permutation(own)))
            operands.append(np.empty([shape[axis] for axis in order]).transpose(np.argsort(order)))
            types.append(ArrayType(np.dtype(float), shape, order))
        flags = [["readonly"] for _ in operands] + [["writeonly", "allocate"]]
        expected = np.nditer([*operands, None], ["multi_index"], flags).operands[-1]
        found = k_order(types, expected.ndim) or range(expected.ndim)
        like = np.empty([expected.shape[axis] for axis in found]).transpose(np.argsort(found))
        steps = zip(expected.strides, like.strides, expected.shape, strict=True)
        assert all(one == other for one, other, dim in steps if dim != 1)
