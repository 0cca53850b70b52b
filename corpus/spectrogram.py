"""A sound in time and frequency: windowed transforms, a spectrum in decibels, its peaks, and the sound put together again.

entry:      analyse
family:     networks
exercises:  np.fft of overlapping frames, complex arrays, a window by its formula, overlap-add by augmented slices, peaks by comparison
patterns:   array-iterables enumerate augmented-slices masked-stores loop-index-slices run-time-slices index-arrays
            where none-axis argmax transforms transcendentals default-arguments user-calls tuple-results validation
small:      n=300 width=32
medium:     n=600000 width=1024
large:      n=3000000 width=2048
sized:      n=200+40k width=32
"""

import numpy as np


def hann(width):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(width) / width)


def frames(x, width, hop):
    """Pieces of x that overlap, one in each row; what does not fill a piece is left out."""
    count = 1 + (len(x) - width) // hop
    starts = hop * np.arange(count)
    return x[starts[:, None] + np.arange(width)]


def decibels(power, floor=-80.0):
    top = power.max()
    return np.maximum(10 * np.log10(np.maximum(power / top, 1e-20)), floor)


def peak_frequencies(spectrum):
    """For each frame the bin of its highest peak, refined by a parabola through its neighbours."""
    k = spectrum[:, 1:-1].argmax(axis=1) + 1
    rows = np.arange(len(spectrum))
    a, b, c = spectrum[rows, k - 1], spectrum[rows, k], spectrum[rows, k + 1]
    bend = a - 2 * b + c
    return k + np.where(bend < 0, 0.5 * (a - c) / np.where(bend < 0, bend, 1), 0)


def overlap_add(pieces, hop, length):
    total = np.zeros(length)
    for i, piece in enumerate(pieces):
        total[i * hop : i * hop + len(piece)] += piece
    return total


def analyse(x, width, rate=8000.0, quiet=-30.0):
    """Decibels (frames, bins), the frequency of the loudest tone of each frame, and the sound without what is quiet."""
    if width % 4:
        raise ValueError("the width must be a multiple of four")
    hop = width // 4
    window = hann(width)
    spectra = np.fft.rfft(frames(x, width, hop) * window, axis=1)
    level = decibels(np.abs(spectra) ** 2)
    tones = peak_frequencies(level) * (rate / width)
    spectra[level < quiet] = 0
    pieces = np.fft.irfft(spectra, width, axis=1) * window
    cleaned = overlap_add(pieces, hop, len(x)) / 1.5
    return level, tones, cleaned


def make_inputs(n, width):
    t = np.arange(n) / 8000
    rng = np.random.default_rng(193)
    x = np.sin(2 * np.pi * (600 + 200 * t) * t) + 0.3 * np.sin(2 * np.pi * 1500 * t)
    return x + 0.05 * rng.standard_normal(n), width


def bad_inputs():
    x, width = make_inputs(120, 32)
    yield "an odd width", ValueError, (x, 30)
    yield "no width", ZeroDivisionError, (x, 0)
