"""Checksums of a block of bytes: CRC-32 by table, Adler-32, FNV-1a, and the parity of all its bits.

entry:      checksums
family:     scalar-loops
exercises:  bit operations on Python integers and on NumPy's fixed-width ones, byte by byte
patterns:   bit-operations array-iterables conditional-expression while-loops record-results module-globals user-calls
            default-arguments validation
small:      n=40
medium:     n=1000000
large:      n=4000000
sized:      n=9+13k
"""

import numpy as np

POLYNOMIAL = 0xEDB88320
ADLER_MODULUS = 65521
FNV_OFFSET, FNV_PRIME = 0x811C9DC5, 0x01000193


def crc_table(polynomial: int) -> np.ndarray:
    table = np.empty(256, dtype=np.uint32)
    for n in range(256):
        c = n
        for _ in range(8):
            c = (c >> 1) ^ polynomial if c & 1 else c >> 1
        table[n] = c
    return table


def crc32(data: np.ndarray) -> np.uint32:
    table = crc_table(POLYNOMIAL)
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return ~crc


def adler32(data: np.ndarray) -> int:
    a, b = 1, 0
    for byte in data:
        a = (a + int(byte)) % ADLER_MODULUS
        b = (b + a) % ADLER_MODULUS
    return (b << 16) | a


def fnv1a(data: np.ndarray, seed: int) -> int:
    h = seed
    for byte in data:
        h = ((h ^ int(byte)) * FNV_PRIME) & 0xFFFFFFFF
    return h


def odd_parity(word: int) -> bool:
    odd = False
    while word:
        word &= word - 1
        odd = not odd
    return odd


def checksums(data: np.ndarray, seed: int = FNV_OFFSET) -> dict:
    """Four checksums of data, a vector of bytes."""
    assert data.dtype == np.uint8, "checksums are of bytes"
    folded = 0
    for i in range(len(data)):
        folded ^= int(data[i]) << (i % 4 * 8)
    return {
        "crc32": crc32(data),
        "adler32": adler32(data),
        "fnv1a": fnv1a(data, seed),
        "odd": odd_parity(folded),
    }


def make_inputs(n):
    return (np.random.default_rng(5).integers(0, 256, n).astype(np.uint8),)


def bad_inputs():
    yield "not bytes", AssertionError, (np.arange(5),)
    yield "rows of bytes", TypeError, (np.zeros((3, 300), dtype=np.uint8),)
