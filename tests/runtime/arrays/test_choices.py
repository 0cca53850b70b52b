"""One of several scalars is chosen by a tag, and keeps its type."""

import numpy as np

from .agreement import agree


def test_numbers_of_different_types_keep_theirs() -> None:
    def choose(n):
        if n > 2:
            x = 1
        elif n > 1:
            x = 2.5
        elif n > 0:
            x = None
        else:
            x = np.float32(0.5)
        return x

    agree(choose, (0,), (1,), (2,), (3,))


def test_choices_among_choices() -> None:
    def choose(n, m):
        x = 1 if n else 2.5
        y = x if m else None
        return (y, x) if n > m else (x, y)

    agree(choose, *[(n, m) for n in (0, 1) for m in (0, 1)], strict=False)
