"""Escape times of z -> z*z + c over a grid, averaged over sub-samples of each pixel.

entry:      escape_time
family:     scalar-loops
exercises:  five loops deep with complex scalars, leaving the innermost early
patterns:   array-iterables enumerate deep-loops break continue loop-else complex newaxis module-globals
            default-arguments user-calls early-return
small:      width=10 height=7 depth=12
medium:     width=160 height=120 depth=80
large:      width=360 height=270 depth=120
sized:      width=4+2k height=12-k depth=8+3k
"""

import numpy as np

ESCAPE_RADIUS = 2.0


def never_escapes(c):
    """The two large bulbs, where iterating would be wasted."""
    x, y2 = c.real, c.imag * c.imag
    q = (x - 0.25) ** 2 + y2
    if q * (q + x - 0.25) < 0.25 * y2:
        return True
    return (x + 1) ** 2 + y2 < 0.0625


def escape_time(xs, ys, depth=50, samples=2):
    """Mean number of turns after which |z| exceeds ESCAPE_RADIUS; depth counts for points that stay inside.

    xs, ys: equidistant coordinates of the pixels' lower left corners. Returns an image of len(ys) rows.
    """
    corners = xs[np.newaxis, :] + 1j * ys[:, np.newaxis]
    shift = 1 / samples
    dx = (xs[1] - xs[0]) * shift
    dy = (ys[1] - ys[0]) * shift

    image = np.zeros(corners.shape)
    for i, row in enumerate(corners):
        for j, corner in enumerate(row):
            total = 0
            for sy in range(samples):
                for sx in range(samples):
                    c = corner + complex(sx * dx, sy * dy)
                    if never_escapes(c):
                        total += depth
                        continue
                    z = 0j
                    for k in range(depth):
                        z = z * z + c
                        if z.real * z.real + z.imag * z.imag > ESCAPE_RADIUS**2:
                            total += k
                            break
                    else:
                        total += depth
            image[i, j] = total * shift * shift
    return image


def make_inputs(width, height, depth):
    return np.linspace(-2.1, 0.7, width), np.linspace(-1.2, 1.2, height), depth


def bad_inputs():
    xs, ys, depth = make_inputs(4, 3, 5)
    yield "no samples", ZeroDivisionError, (xs, ys, depth, 0)
    yield "one column", IndexError, (xs[:1], ys, depth)
