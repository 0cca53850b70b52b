"""The edges of a picture: blurred, differentiated, thinned and traced by two thresholds.

entry:      find_edges
family:     stencils
exercises:  bytes that become floats and bytes again, weighted sums of shifted slices, choices among directions by masks
patterns:   break enumerate augmented-slices in-place-operators where mask-arithmetic pad-roll transcendentals
            default-arguments user-calls tuple-results
small:      n=10 radius=2
medium:     n=800 radius=3
large:      n=2000 radius=4
sized:      n=9+3k radius=2
sweeps:     1
work:       n n
cached:     n=100
"""

import numpy as np


def gaussian(radius):
    x = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (2.0 * x / radius) ** 2)
    return weights / weights.sum()


def blur(image, radius):
    """Blur along both axes; the rim is continued outwards."""
    weights = gaussian(radius)
    h, w = image.shape
    padded = np.pad(image, radius, mode="edge")
    rows = sum(weight * padded[k : k + h, :] for k, weight in enumerate(weights))
    return sum(weight * rows[:, k : k + w] for k, weight in enumerate(weights))


def sobel(image):
    gx = np.zeros_like(image)
    gy = np.zeros_like(image)
    smooth = image[:-2] + 2 * image[1:-1] + image[2:]
    gx[1:-1, 1:-1] = smooth[:, 2:] - smooth[:, :-2]
    smooth = image[:, :-2] + 2 * image[:, 1:-1] + image[:, 2:]
    gy[1:-1, 1:-1] = smooth[2:, :] - smooth[:-2, :]
    return gx, gy


def thin(strength, gx, gy):
    """Keep what is no weaker than its two neighbours along the gradient, of which four directions are told apart."""
    kept = np.zeros_like(strength)
    centre = strength[1:-1, 1:-1]
    ax, ay = np.abs(gx[1:-1, 1:-1]), np.abs(gy[1:-1, 1:-1])
    flat = ax > 2 * ay
    steep = ay > 2 * ax
    rising = gx[1:-1, 1:-1] * gy[1:-1, 1:-1] > 0
    across = np.maximum(strength[1:-1, 2:], strength[1:-1, :-2])
    along = np.maximum(strength[2:, 1:-1], strength[:-2, 1:-1])
    falling = np.maximum(strength[2:, 2:], strength[:-2, :-2])
    other = np.maximum(strength[:-2, 2:], strength[2:, :-2])
    highest = np.where(flat, across, np.where(steep, along, np.where(rising, falling, other)))
    kept[1:-1, 1:-1] = centre * (centre >= highest)
    return kept


def find_edges(image, radius, low=0.1, high=0.3, sweeps=8):
    """Edges as 255 on 0, and how many pixels are certain at once, and how many became so."""
    gx, gy = sobel(blur(image / 255.0, radius))
    strength = np.hypot(gx, gy)
    ridge = thin(strength, gx, gy)
    top = ridge.max()
    certain = ridge > high * top
    possible = ridge > low * top
    first = np.count_nonzero(certain)
    for _ in range(sweeps):
        before = certain.sum()
        grown = certain.copy()
        grown[1:] |= certain[:-1]
        grown[:-1] |= certain[1:]
        grown[:, 1:] |= certain[:, :-1]
        grown[:, :-1] |= certain[:, 1:]
        certain = grown & possible
        if certain.sum() == before:
            break
    return 255 * certain.astype(np.uint8), first, np.count_nonzero(certain)


def make_inputs(n, radius):
    rng = np.random.default_rng(71)
    y, x = np.mgrid[:n, : n + 4]
    disc = (x - n / 2) ** 2 + (y - n / 2) ** 2 < (n / 3) ** 2
    return (40 + 120 * disc + rng.integers(0, 40, disc.shape)).astype(np.uint8), radius


def bad_inputs():
    image, radius = make_inputs(9, 2)
    yield "a row of pixels", ValueError, (image[0], radius)
    yield "a radius that is no whole number", TypeError, (image, 1.5)
