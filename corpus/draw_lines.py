"""Lines drawn into an image pixel by pixel after Bresenham, and what then lies inside them filled.

entry:      draw
family:     scalar-loops
exercises:  integer arithmetic with steps of either sign, while True with break, a scan that toggles a flag per row
patterns:   while-loops break lazy-guard conditional-expression writing-helpers loop-index-slices axis-reductions
            module-globals default-arguments user-calls tuple-results
small:      n=6 size=12
medium:     n=120 size=420
large:      n=400 size=1000
sized:      n=4+2k size=10+5k
"""

import numpy as np

BACKGROUND, INK, FILL = 0, 255, 96


def sign(x):
    return 1 if x > 0 else -1 if x < 0 else 0


def draw_line(image, x0, y0, x1, y1, ink=INK):
    """Set the pixels of a line, both ends included. Returns how many were not ink before."""
    dx, dy = abs(x1 - x0), -abs(y1 - y0)
    step_x, step_y = sign(x1 - x0), sign(y1 - y0)
    error = dx + dy
    fresh = 0
    while True:
        if image[y0, x0] != ink:
            image[y0, x0] = ink
            fresh += 1
        if x0 == x1 and y0 == y1:
            break
        twice = 2 * error
        if twice >= dy:
            error += dy
            x0 += step_x
        if twice <= dx:
            error += dx
            y0 += step_y
    return fresh


def fill_between(image):
    """Fill each row between its first two strokes, between its third and fourth, and so on; a pair left open is not."""
    height, width = image.shape
    for y in range(height):
        inside = False
        start = 0
        for x in range(1, width):
            stroke_ends = image[y, x - 1] == INK and image[y, x] != INK
            stroke_begins = image[y, x - 1] != INK and image[y, x] == INK
            if stroke_ends and not inside:
                inside, start = True, x
            elif stroke_begins and inside:
                inside = False
                image[y, start:x] = FILL


def draw(corners, size, closed=True):
    """The polygon with these corners, drawn and filled; the pixels of its outline; and the grey of each row."""
    image = np.full((size, size), BACKGROUND, dtype=np.uint8)
    outline = 0
    last = len(corners) if closed else len(corners) - 1
    for i in range(last):
        x0, y0 = corners[i]
        x1, y1 = corners[(i + 1) % len(corners)]
        outline += draw_line(image, int(x0), int(y0), int(x1), int(y1))
    fill_between(image)
    return image, outline, image.mean(axis=1)


def make_inputs(n, size):
    rng = np.random.default_rng(61)
    angle = np.sort(rng.uniform(0, 2 * np.pi, n))
    radius = rng.uniform(0.2, 0.48, n) * size
    corners = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None] + size / 2
    return corners.astype(np.int64), size


def bad_inputs():
    yield "a corner outside", IndexError, (np.array([[1, 1], [5, 30], [3, 2]]), 10)
    yield "corners in space", ValueError, (np.array([[1, 1, 1], [5, 3, 2]]), 10)
