"""Colours of a picture changed by hue: RGB to HSV and back, pixel by pixel but without a loop.

entry:      recolour
family:     elementwise
exercises:  stores by boolean masks, choices among six sectors by np.select and np.choose, bytes, gamma, the last axis of three
patterns:   masked-stores mask-selection where select-choose mask-arithmetic ellipsis axis-reductions transcendentals
            default-arguments starred user-calls tuple-results validation
small:      n=5
medium:     n=400
large:      n=1100
sized:      n=4+3k
sweeps:     1
work:       n n
cached:     n=60
"""

import numpy as np


def linear(c):
    """Undo the gamma of sRGB."""
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def to_hsv(rgb):
    r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
    value = rgb.max(axis=-1)
    chroma = value - rgb.min(axis=-1)
    grey = chroma == 0
    safe = np.where(grey, 1.0, chroma)
    hue = np.select(
        [grey, value == r, value == g],
        [np.zeros_like(value), (g - b) / safe, 2.0 + (b - r) / safe],
        default=4.0 + (r - g) / safe,
    )
    saturation = np.zeros_like(value)
    saturation[value > 0] = chroma[value > 0] / value[value > 0]
    return hue % 6.0, saturation, value


def from_hsv(hue, saturation, value):
    sector = hue.astype(np.int64)
    f = hue - sector
    p = value * (1 - saturation)
    q = value * (1 - saturation * f)
    t = value * (1 - saturation * (1 - f))
    rgb = np.empty((*hue.shape, 3))
    rgb[..., 0] = np.choose(sector, [value, q, p, p, t, value])
    rgb[..., 1] = np.choose(sector, [t, value, value, q, p, p])
    rgb[..., 2] = np.choose(sector, [p, p, t, value, value, q])
    return rgb


def recolour(image, shift=0.5, span=(1.5, 4.5), boost=1.3):
    """The picture with the hues of a span shifted and made stronger, and its luminance before and after."""
    if image.shape[-1] != 3:
        raise ValueError("three channels, please")
    hue, saturation, value = to_hsv(image / 255)
    chosen = (hue >= span[0]) & (hue < span[1])
    hue[chosen] = (hue[chosen] + shift) % 6.0
    saturation[chosen] = np.minimum(boost * saturation[chosen], 1)
    changed = np.rint(255 * from_hsv(hue, saturation, value)).astype(np.uint8)
    weights = np.array([0.2126, 0.7152, 0.0722])
    before, after = ((linear(x / 255.0) * weights).sum(axis=-1).mean() for x in (image, changed))
    return changed, before, after


def make_inputs(n):
    image = np.random.default_rng(101).integers(0, 256, (n, n + 2, 3)).astype(np.uint8)
    image[0] = image[0, :, :1]  # greys
    image[1, 1] = 0
    return (image,)


def bad_inputs():
    (image,) = make_inputs(5)
    yield "four channels", ValueError, (np.concatenate([image, image[..., :1]], axis=-1),)
    yield "a span without an end", IndexError, (image, 0.5, (1.5,))
